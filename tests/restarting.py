"""What the tests of restarts share: matches that are cut off, copies of folders as SIGKILL leaves them, going on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import trio

from arena.director import Director
from arena.replay import Replay, read_replay, verify
from arena.replay.frames import PREFIX, scan
from arena.store import RatingChange, Result, Store
from arena.v1 import play_pb2, replay_pb2
from memory_arena import MemoryArena, MemoryBot, memory_arena, same_choice

RULES: Any = {"max_deals": 2, "target": 10_000}


def pair() -> tuple[MemoryBot, MemoryBot]:
    """Two bots that give the same answer to the same question in any arena."""
    return MemoryBot("a", same_choice("a")), MemoryBot("b", same_choice("b"))


async def go_on(folder: Path, **changes: Any) -> list[Result]:
    """Start an arena on the folder again, play to the end, and see that every log is proved."""
    async with memory_arena(folder, **{**RULES, **changes}) as arena:
        results = await arena.play(*pair())
        for result in results:
            report = verify(read_replay(arena.store.replay(result)), known_hash=result.log_hash)
            assert not report.failures, report.failures
    assert not list((folder / "running").iterdir())
    return results


def replay_of(folder: Path, result: Result) -> Replay:
    """The stored log of a result."""
    with Store.open(folder, hold=False) as store:
        return read_replay(store.replay(result))


def actions(replay: Replay) -> list[tuple[int, int, bytes]]:
    """All that was done in a match, in order, draws that the arena made among it."""
    taken = [frame.action for frame in replay.frames if frame.HasField("action")]
    return [(action.seat, action.decision_id, action.action.SerializeToString()) for action in taken]


async def play_with(
    folder: Path, at: Callable[[MemoryArena, int], None], *players: MemoryBot, **changes: Any
) -> Result:
    """Play a match to its end, and call `at` with every decision that is put, before it is answered."""
    bots = players or pair()
    async with memory_arena(folder, **{**RULES, **changes}) as arena:

        def look(bot: MemoryBot) -> None:
            answer = bot.choose

            def choose(decision: play_pb2.Decision) -> play_pb2.Choose | None:
                at(arena, decision.decision_id)
                return answer(decision)

            bot.choose = choose

        look(bots[0])
        look(bots[1])
        (result,) = await arena.play(*bots)
    return result


def journal_of(folder: Path) -> Path:
    """The one log of a running match."""
    (path,) = (folder / "running").iterdir()
    return path


def ends_of(data: bytes) -> Iterator[tuple[str, int]]:
    """What every frame of a log holds, and where it ends."""
    frames = list(scan(data))
    for raw in frames:
        entry = replay_pb2.Frame.FromString(raw.body).WhichOneof("entry") if raw.number else None
        yield entry or "header", raw.offset + PREFIX + len(raw.body)


def running_frames(folder: Path) -> tuple[replay_pb2.Frame, ...]:
    """What the log of the one running match holds."""
    return read_replay(journal_of(folder).read_bytes()).frames


@dataclass(frozen=True)
class Killed:
    """Copies the folder at the moments around the record of the first result."""

    arena: MemoryArena
    folder: Path

    def __post_init__(self) -> None:
        close = self.arena.lobby._close

        async def closing(director: Director) -> play_pb2.MatchEnded | None:
            self.snapshot("logged")
            return await close(director)

        record = self.arena.store.close_match

        def recording(result: Result, packed: bytes) -> list[RatingChange]:
            changes = record(result, packed)
            self.snapshot("recorded")
            return changes

        self.arena.lobby._close = closing
        self.arena.store.close_match = recording  # type: ignore[method-assign] # a hook of this test

    def snapshot(self, name: str) -> None:
        """Copy it once."""
        if not (self.folder / name).exists():
            self.arena.snapshot(self.folder / name)


async def cut_off(folder: Path) -> Path:
    """The log of a match in the middle of which the arena was stopped."""
    async with memory_arena(folder, **RULES) as arena:
        for bot in pair():
            bot.think = 0.1
            arena.nursery.start_soon(bot.play, arena.lobby)
        await trio.sleep(3)
    return journal_of(folder)
