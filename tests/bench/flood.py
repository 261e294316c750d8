"""What a flood of hostile clients costs honest bots: their decisions beside those of the same bots in peace.

An arena as anybody would start it, 32 bots that play each other and think for 20 ms, and eight processes of hostile
clients, each of another kind (`hostile_bots.py`), that come and go in rounds. The latency of a decision is that which
the bots see (`honest_bots.py`). Where all share two processors, the hostile ones are put last by the system, as if they
were elsewhere; what the kernel and the arena's own threads do for them is not.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from hostile_bots import KINDS
from server_decision import ENVIRONMENT, HERE

GOAL = 2.0
OWN_FAULTS = ("TIMEOUT", "DISCONNECT", "VOID_NOT_READY", "VOID_ARENA", "ILLEGAL", "MALFORMED")
"""Ends that honest bots must not see."""


@contextmanager
def child(*command: str, **pipes: Any) -> Iterator[subprocess.Popen[str]]:
    """A process that ends with the context."""
    started = subprocess.Popen([sys.executable, *command], env=ENVIRONMENT, text=True, **pipes)
    try:
        yield started
    finally:
        started.kill()
        started.wait()


def addresses(log: Path, server: subprocess.Popen[str]) -> tuple[str, str]:
    """Where the arena and its HTTP port listen."""
    deadline = time.monotonic() + 30
    while (found := re.search(r"http://([\d.:]+)/.*listening on ([\d.:]+)", log.read_text(), re.DOTALL)) is None:
        if server.poll() is not None or time.monotonic() > deadline:
            sys.exit(f"the arena does not listen: {log.read_text()}")
        time.sleep(0.05)
    return found[2], found[1]


def look(bots: subprocess.Popen[str], seconds: float) -> dict[str, Any]:
    """What the bots see in so many seconds from now."""
    assert bots.stdin is not None
    assert bots.stdout is not None
    for pause in (0.0, seconds):
        time.sleep(pause)
        bots.stdin.write("\n")
        bots.stdin.flush()
        found: dict[str, Any] = json.loads(bots.stdout.readline())
    return found


def row(name: str, rounds: list[dict[str, Any]]) -> float:
    """Print a row; gives the median of the medians."""
    middle = median(one["median_ms"] for one in rounds)
    print(  # noqa: T201  # the result
        f"{name:<8} {middle:7.2f} ms a decision, {median(one['p99_ms'] for one in rounds):7.2f} ms at 99 %, "
        f"{max(one['most_ms'] for one in rounds):7.1f} ms at most; {sum(one['decisions'] for one in rounds)} of them; "
        f"{median(one['ending_ms'] for one in rounds):.0f} ms to the end of a match"
    )
    return middle


def refusals(http: str) -> str:
    """What the arena turned away, from its metrics."""
    with urllib.request.urlopen(f"http://{http}/metrics", timeout=30) as answer:
        text = answer.read().decode()
    found = re.findall(r'arena_refusals_total\{limit="(\w+)"\} ([\d.e+]+)', text)
    return ", ".join(f"{name} {float(count):.0f}" for name, count in found if float(count))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=5.0, help="length of a round, in peace and under the flood")
    parser.add_argument("--kinds", nargs="*", choices=KINDS, default=list(KINDS))
    parser.add_argument("--hands", type=int, default=1, help="how many of each kind at the same time")
    arguments = parser.parse_args()
    peace, flood = [], []
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as name:
        log = Path(name) / "arena.log"
        serve = ("-m", "arena.cli", "serve", "--open", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0")
        with log.open("w") as output, child(*serve, "--data", f"{name}/data", stdout=output, stderr=output) as server:
            address, http = addresses(log, server)
            command = (str(HERE / "honest_bots.py"), address)
            with child(*command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as bots:
                look(bots, 3)
                for _ in range(arguments.rounds):
                    peace.append(look(bots, arguments.seconds))
                    hostile = [str(HERE / "hostile_bots.py"), "--hands", str(arguments.hands)]
                    started = [
                        subprocess.Popen(
                            [sys.executable, *hostile, kind, address, http], env=ENVIRONMENT, stderr=subprocess.DEVNULL
                        )
                        for kind in arguments.kinds
                    ]
                    try:
                        time.sleep(2)
                        flood.append(look(bots, arguments.seconds))
                    finally:
                        for one in started:
                            one.kill()
                            one.wait()
                    time.sleep(1)
                turned_away = refusals(http)
            lines = len(log.read_text().splitlines())
    quiet, loud = row("peace", peace), row("flood", flood)
    ends = sum((Counter(one["ends"]) for one in [*peace, *flood]), Counter[str]())
    faults = {end: count for end, count in ends.items() if end in OWN_FAULTS}
    lost = sum(one["ended_streams"] for one in flood)
    print(f"matches  {dict(ends)}; lost by a fault or void: {faults or 'none'}; streams that ended: {lost}")  # noqa: T201
    print(f"refused  {turned_away}; the arena wrote {lines} lines")  # noqa: T201  # the result
    print(f"ratio    {loud / quiet:7.2f}  (goal: under {GOAL:g})")  # noqa: T201  # the result


if __name__ == "__main__":
    main()
