"""How long it takes until a bot or the command line is there, beside what Python and gRPC alone take.

Each command is a process of its own, from its start to its end; they take turns in rounds, of which the first warms up
and does not count. Figures are medians over the rounds. Goals are by the clock, which other programs on the machine
disturb more than the CPU time.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}  # so that it runs from a checkout that is not installed too


@dataclass(frozen=True, slots=True)
class Row:
    """Something to start: the arguments of Python, and the goal in seconds, None for a reference."""

    name: str
    arguments: tuple[str, ...]
    goal: float | None = None


ROWS = (
    Row("python -c pass", ("-c", "pass")),
    Row("import grpc", ("-c", "import grpc")),
    Row("import arena.bot", ("-c", "import arena.bot"), 0.4),
    Row("arena --help", ("-m", "arena.cli", "--help"), 0.5),
)


def start(row: Row) -> tuple[float, float]:
    """Seconds that it takes once, by the clock and of the CPU."""
    began, used = time.perf_counter(), cpu_seconds()
    subprocess.run([sys.executable, *row.arguments], env=ENVIRONMENT, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began, cpu_seconds() - used


def cpu_seconds() -> float:
    """CPU time of all processes that were started so far and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def report(row: Row, times: Sequence[tuple[float, float]]) -> str:
    """A row of the result."""
    clock, cpu = zip(*times, strict=True)
    middle = median(clock)
    goal = "" if row.goal is None else f"   goal {row.goal} s: {'met' if middle < row.goal else 'missed'}"
    return f"{row.name:<16} {middle:6.3f} s ({min(clock):.3f} to {max(clock):.3f}), {median(cpu):.3f} s of CPU{goal}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Time to import arena.bot, and to run arena --help.")
    parser.add_argument("--rounds", type=int, default=11, help="rounds that count (default 11)")
    options = parser.parse_args()
    rounds = [[start(row) for row in ROWS] for _ in range(options.rounds + 1)][1:]
    for row, times in zip(ROWS, zip(*rounds, strict=True), strict=True):
        sys.stdout.write(f"{report(row, times)}\n")


if __name__ == "__main__":
    main()
