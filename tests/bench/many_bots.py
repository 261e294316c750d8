"""What many connected bots cost: a decision among 2,000 bots beside one among 64, and the memory of one that waits.

The many think for half a second each, the few for as much less as there are fewer of them, so that both ask for the
same number of decisions a second; each has a connection of its own (`honest_bots.py`). Measured is the CPU time of the
server's process, its own and the kernel's, turn by turn on two servers that run side by side. Needs Linux, for /proc.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from instant_bots import cpu_seconds
from server_decision import ENVIRONMENT, HERE, Server, bots, running

THINK = 0.5
"""Seconds that each of the many thinks."""
TOGETHER = 500
"""Bots in one process."""
IDLE = 512
FREE = ("--set", "limits.calls_at_once=1000000", "--set", "limits.strangers_per_address=100000")
"""What an arena has to be told when thousands of bots come from one address at the same time."""


@dataclass(frozen=True, slots=True)
class Crowd:
    """A server and the processes of its bots."""

    server: Server
    clients: list[subprocess.Popen[str]]

    def decisions(self) -> int:
        """How many there were since the last time, as the bots have it."""
        count = 0
        for client in self.clients:
            assert client.stdin is not None
            assert client.stdout is not None
            client.stdin.write("\n")
            client.stdin.flush()
            count += json.loads(client.stdout.readline())["decisions"]
        return count

    def look(self, seconds: float) -> tuple[float, float]:
        """Microseconds of CPU for a decision, and decisions a second."""
        self.decisions()
        before, began = cpu_seconds(self.server.process), time.perf_counter()
        time.sleep(seconds)
        count, used = self.decisions(), cpu_seconds(self.server.process) - before
        return used / count * 1e6, count / (time.perf_counter() - began)


@contextmanager
def server(*words: str) -> Iterator[Server]:
    """An arena that lets everybody in who comes."""
    command = ("-m", "arena.cli", "serve", "--open", "--game", "draw-bridge", "--listen", "127.0.0.1:0", *FREE, *words)
    with (
        tempfile.TemporaryDirectory(prefix="arena-bench-") as name,
        running(*command, "--data", f"{name}/data", log=Path(name) / "arena.log") as started,
    ):
        yield started


@contextmanager
def crowd(count: int, think: float) -> Iterator[Crowd]:
    """So many bots that play on a server of their own."""
    with server() as measured, ExitStack() as stack:
        clients = []
        for first in range(0, count, TOGETHER):
            words = ("--first", str(first), "--bots", str(min(TOGETHER, count - first)), "--think", str(think))
            command = (sys.executable, str(HERE / "honest_bots.py"), measured.address, *words)
            client = subprocess.Popen(
                command, env=ENVIRONMENT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
            stack.callback(client.wait)
            stack.callback(client.kill)
            clients.append(client)
        found = Crowd(measured, clients)
        found.decisions()  # answered when all have been started
        time.sleep(3)
        yield found


def idle_kib() -> float:
    """Memory in KiB that one more connected bot takes when many wait, each on a connection of its own."""
    with server("--set", "limits.matches=1") as waiting:
        few, many = (
            bots(waiting, "--idle", "--bots", str(number), "--seconds", "0.2").rss_kib for number in (64, 64 + IDLE)
        )
    return (many - few) / IDLE


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=4.0, help="length of a round")
    parser.add_argument("--many", type=int, default=2000)
    parser.add_argument("--few", type=int, default=64)
    arguments = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most < 4 * arguments.many:
        sys.exit(f"{arguments.many} bots need {4 * arguments.many} open files, {most} are allowed: see ulimit -n")
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    memory = idle_kib()
    counts = (arguments.few, arguments.many)
    with ExitStack() as stack:
        crowds = [stack.enter_context(crowd(count, THINK * count / arguments.many)) for count in counts]
        rounds = [[one.look(arguments.seconds) for one in crowds] for _ in range(arguments.rounds)]
    for at, count in enumerate(counts):
        costs, rates = zip(*(one[at] for one in rounds), strict=True)
        print(  # noqa: T201  # the result
            f"{count:>4} bots  {median(costs):8.1f} us CPU a decision ({min(costs):.1f} to {max(costs):.1f}), "
            f"{median(rates):6.0f} decisions/s"
        )
    print(f"memory     {memory:8.1f} KiB for an idle connected bot ({IDLE} of them)")  # noqa: T201  # the result
    ratio = median(many[0] / few[0] for few, many in rounds)
    print(f"ratio      {ratio:8.2f}  (reported)")  # noqa: T201  # the result


if __name__ == "__main__":
    main()
