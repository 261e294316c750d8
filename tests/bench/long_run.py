"""Very many matches in one run: the time of a match and the memory of the arena, in the beginning and in the end.

The lobby, the logs and the database are the real ones, the bots answer at once in the same process, without sockets:
what grows with the length of a run shows, and nothing else costs much. Times are of the processor, so that what else
the machine does counts little.

    python tests/bench/long_run.py --matches 50000
"""

from __future__ import annotations

import argparse
import gc
import resource
import sys
import tempfile
import time
from pathlib import Path
from statistics import fmean

import psutil
import trio

sys.path.insert(0, str(Path(__file__).parents[1]))

from arena.director import Director
from engine.effect import Finish
from memory_arena import MemoryBot, memory_arena, random_choice

MIB = 1024 * 1024


class Watch:
    """Keeps for every thousand matches the processor's time and the memory, and says them as they come."""

    def __init__(self, block: int) -> None:
        self.block = block
        self.ended = 0
        self.took: list[float] = []
        self.memory: list[float] = []
        self._since = time.process_time()

    def heard(self, _director: Director, _finish: Finish) -> None:
        """A match is over."""
        self.ended += 1
        if self.ended % self.block:
            return
        now = time.process_time()
        self.took.append((now - self._since) / self.block * 1000)
        gc.collect()
        self.memory.append(psutil.Process().memory_info().rss / MIB)
        self._since = time.process_time()
        print(f"{self.ended} matches: {self.took[-1]:.2f} ms a match, {self.memory[-1]:.1f} MiB", flush=True)  # noqa: T201


async def play(folder: Path, watch: Watch, matches: int, at_once: int) -> None:
    """One run to its end."""
    async with memory_arena(folder, matches=matches, legs=2, max_deals=1, target=9999) as arena:
        arena.lobby.on_ended[:] = [watch.heard]
        bots = [
            MemoryBot(name, random_choice(f"{name}{lane}"), keep=False, lane=lane)
            for name in "ab"
            for lane in range(at_once)
        ]
        async with trio.open_nursery() as nursery:
            for bot in bots:
                nursery.start_soon(bot.play, arena.lobby)
            await arena.lobby.quiet.wait()
            nursery.cancel_scope.cancel()


def main() -> None:
    """Play, and print the first block beside the last."""
    parser = argparse.ArgumentParser(
        description="Time and memory of a match in the beginning and the end of a long run."
    )
    parser.add_argument("--matches", type=int, default=4000)
    parser.add_argument("--concurrency", type=int, default=4)
    given = parser.parse_args()
    watch = Watch(block=min(1000, max(1, given.matches // 4)))
    with tempfile.TemporaryDirectory() as folder:
        trio.run(play, Path(folder), watch, given.matches, given.concurrency)
        size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file()) / MIB
    first, last = watch.took[0], watch.took[-1]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(  # noqa: T201
        f"{watch.ended} matches, {fmean(watch.took):.2f} ms each: the first {watch.block} {first:.2f} ms, the last "
        f"{last:.2f} ms ({last / first:.2f} times); memory {watch.memory[0]:.1f} MiB then {watch.memory[-1]:.1f} MiB, "
        f"{peak:.1f} MiB at most; data {size:.1f} MiB"
    )


if __name__ == "__main__":
    main()
