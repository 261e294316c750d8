"""What one decision costs a server: the arena, with its log and all that a bot may know, against an echo.

The echo is a plain grpc.aio server that sends back one message for each that it gets (`echo_server.py`). Both have the
same client (`instant_bots.py`, 64 bots, each on a connection of its own) and messages of the same mean size. Measured
is the CPU time of the server's process, its own and the kernel's, in interleaved rounds; the medians are compared.

What a message costs depends on how busy both ends are: whoever sends to an end that sleeps pays for waking it, and
whoever sleeps pays for being woken. So a ratio says something only with the rates beside it, and there are three:

- at full speed, all bots answer at once. Each server is as busy as it can be, but the echo passes more than twice as
  many messages a second, and its bots never sleep. How far the arena's capacity is from that of a server that does
  nothing.
- at the same rate, the echo is held to what the arena reached at full speed in the same round. Its bots sleep as often
  now, but so does the echo, which the busy arena does not: this ratio flatters the arena.
- at half that rate, both are held to half of what the arena reached before the first round. Both servers and the bots
  sleep and are woken alike, as on any arena that is not overrun: the fairest of the three.

Needs Linux, for /proc.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
GOAL = 2.5
USUAL_BYTES = 700
IDLE_BOTS = 64
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}  # so that it runs from a checkout that is not installed too


@dataclass(frozen=True, slots=True)
class Server:
    """A server that runs, in a process of its own."""

    address: str
    process: int


@dataclass(frozen=True, slots=True)
class Round:
    """What one round of bots found."""

    decisions: int
    messages: int
    bytes_in: int
    bytes_out: int
    cpu_s: float
    wall_s: float
    rss_kib: int

    @property
    def cpu_us(self) -> float:
        """Microseconds of the server's CPU for one decision."""
        return self.cpu_s / self.decisions * 1e6

    @property
    def rate(self) -> float:
        """Decisions a second."""
        return self.decisions / self.wall_s


@contextmanager
def running(*command: str, log: Path) -> Iterator[Server]:
    """Start a server and wait until it says where it listens; end it afterwards."""
    with log.open("wb") as output:
        child = subprocess.Popen([sys.executable, *command], stdout=output, stderr=subprocess.STDOUT, env=ENVIRONMENT)
    try:
        deadline = time.monotonic() + 20
        while (found := re.search(r"127\.0\.0\.1:\d+", log.read_text())) is None:
            if child.poll() is not None or time.monotonic() > deadline:
                sys.exit(f"{' '.join(command)} does not listen: {log.read_text()}")
            time.sleep(0.05)
        yield Server(found[0], child.pid)
    finally:
        child.kill()
        child.wait()


def echo(size: int, folder: Path) -> Any:
    """The yardstick, whose messages have that size."""
    return running(str(HERE / "echo_server.py"), str(size), log=folder / "echo.log")


def arena(folder: Path) -> Any:
    """An open arena as anybody would start it, with its data on the same disk as everything temporary."""
    data = str(folder / "data")
    command = ("-m", "arena.cli", "serve", "--open", "--listen", "127.0.0.1:0", "--data", data)
    return running(*command, log=folder / "arena.log")


def bots(server: Server, *options: str) -> Round:
    """Let bots play on a server and say what it cost."""
    command = (sys.executable, str(HERE / "instant_bots.py"), server.address, str(server.process), *options)
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=240)
    if done.returncode:
        sys.exit(f"the bots failed: {done.stderr[-2000:]}")
    return Round(**json.loads(done.stdout))


def report(name: str, rounds: list[Round]) -> float:
    """Print one row; returns its median."""
    costs = [one.cpu_us for one in rounds]
    count = sum(one.decisions for one in rounds)
    print(  # noqa: T201  # the result
        f"{name:<24} {median(costs):8.1f} us CPU a decision ({min(costs):.1f} to {max(costs):.1f}), "
        f"{count / sum(one.wall_s for one in rounds):6.0f} decisions/s, "
        f"{sum(one.cpu_s for one in rounds) / sum(one.wall_s for one in rounds):4.0%} of a core, "
        f"{sum(one.bytes_in for one in rounds) / count:5.0f} bytes out and "
        f"{sum(one.bytes_out for one in rounds) / count:3.0f} in, "
        f"{sum(one.messages for one in rounds) / count:.2f} messages"
    )
    return median(costs)


@dataclass(frozen=True, slots=True)
class Comparison:
    """One round of each kind."""

    arena_full: Round
    echo_full: Round
    echo_held: Round
    arena_low: Round
    echo_low: Round


def compare(ours: Server, theirs: Server, low: float, load: Sequence[str]) -> Comparison:
    """Take one round of each kind; in the last two, both servers are held to `low` decisions a second."""
    echo_full = bots(theirs, *load)
    arena_full = bots(ours, *load)
    echo_held = bots(theirs, *load, "--rate", str(arena_full.rate))
    arena_low = bots(ours, *load, "--rate", str(low))
    return Comparison(arena_full, echo_full, echo_held, arena_low, bots(theirs, *load, "--rate", str(low)))


def report_all(found: list[Comparison]) -> None:
    """Print all rows and the ratios that follow from them, the goal beside each."""
    ours_full = report("arena, full speed", [one.arena_full for one in found])
    theirs_full = report("echo, full speed", [one.echo_full for one in found])
    theirs_held = report("echo, at arena's rate", [one.echo_held for one in found])
    ours_low = report("arena, at half that rate", [one.arena_low for one in found])
    theirs_low = report("echo, at half that rate", [one.echo_low for one in found])
    for name, ratio in (
        ("ratio at full speed", ours_full / theirs_full),
        ("ratio at the same rate", ours_full / theirs_held),
        ("ratio at half that rate", ours_low / theirs_low),
    ):
        print(f"{name:<24} {ratio:8.2f}  (goal: under {GOAL})")  # noqa: T201  # the result


def idle_kib(server: Server) -> float:
    """Memory in KiB that one more connected bot takes."""
    status = Path(f"/proc/{server.process}/status")
    before = int(status.read_text().partition("VmRSS:")[2].split()[0])
    after = bots(server, "--idle", "--bots", str(IDLE_BOTS), "--seconds", "0.2").rss_kib
    return (after - before) / IDLE_BOTS


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0, help="length of a round on one server")
    parser.add_argument("--bots", type=int, default=64)
    parser.add_argument("--echo-only", action="store_true", help="measure the yardstick alone")
    arguments = parser.parse_args()
    if not Path("/proc/self/stat").exists():
        sys.exit("this benchmark reads CPU times from /proc: it needs Linux")
    load = ("--bots", str(arguments.bots), "--seconds", str(arguments.seconds))
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as name:
        folder = Path(name)
        if arguments.echo_only:
            with echo(USUAL_BYTES, folder) as yardstick:
                report("echo", [bots(yardstick, *load) for _ in range(arguments.rounds)])
            return
        with arena(folder) as measured:
            memory = idle_kib(measured)
            warm = bots(measured, *load)
            with echo(round(warm.bytes_in / warm.decisions), folder) as yardstick:
                found = [compare(measured, yardstick, warm.rate / 2, load) for _ in range(arguments.rounds)]
    report_all(found)
    print(f"{'memory':<24} {memory:8.1f} KiB for an idle connected bot ({IDLE_BOTS} of them)")  # noqa: T201  # the result


if __name__ == "__main__":
    main()
