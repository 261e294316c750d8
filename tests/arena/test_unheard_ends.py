"""Ends of matches that were told to a stream which was dead already: the bot hears of them with its next one."""

from __future__ import annotations

from pathlib import Path

import trio
import trio.testing

from arena.v1 import play_pb2
from arena.wire import chunk
from memory_arena import MemoryArena, memory_arena
from restarting import RULES
from talking import Talk, kinds


async def two_matches(arena: MemoryArena) -> tuple[Talk, Talk, str, str]:
    """The streams of a and b, who have ended one match and begun another; the ids of the two."""
    a, b = Talk(arena), Talk(arena)
    await a.greet("a")
    await b.greet("b")
    first = await a.begin()
    await b.begin()
    await trio.testing.wait_all_tasks_blocked()  # before it has begun a match can only be declined
    a.call.say(resign=play_pb2.Resign(match_id=first))
    for talk in (a, b):
        await talk.next("match_ended")
        second = await talk.begin()
    await trio.testing.wait_all_tasks_blocked()
    return a, b, first, second


async def test_an_end_is_told_though_the_next_match_runs(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """P38: who says that it stands in a match that is over hears how it ended, and then of the one that runs."""
    async with memory_arena(tmp_path, matches=2, **RULES) as arena:
        _, _, first, second = await two_matches(arena)
        again = Talk(arena)
        await again.greet("a", resume=play_pb2.Resume(match_id=first, last_seq=7))
        told = await again.quiet()
    assert kinds(told)[:4] == ["match_ended", "resumed", "match_started", "deal_started"]
    assert told[0].match_ended.match_id == first
    assert told[1].resumed.offer.match_id == second


async def test_nothing_comes_between_while_an_end_is_looked_up(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """P38: what happens meanwhile in the match that runs is told after it, the end of that match too."""
    async with memory_arena(tmp_path, matches=2, **RULES) as arena:
        _, b, first, second = await two_matches(arena)

        async def slowly(_bot: str, resume: play_pb2.Resume) -> bytes:
            await trio.sleep(2)
            return chunk(play_pb2.Event(match_ended=play_pb2.MatchEnded(match_id=resume.match_id)))

        arena.lobby.recall = slowly
        again = Talk(arena)
        await again.greet("a", resume=play_pb2.Resume(match_id=first))
        await trio.sleep(1)
        b.call.say(resign=play_pb2.Resign(match_id=second))
        told = await again.quiet(2)
        assert [event.match_ended.match_id for event in told if event.HasField("match_ended")] == [first, second]
        assert kinds(await b.quiet(0))[-1] == "match_ended"
