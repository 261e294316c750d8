"""Time as a bot is told it: whole milliseconds, rounded down, never negative, from end to end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing

from arena.v1 import play_pb2
from engine.clock import SECOND, TimeControl
from engine.states import Termination
from memory_arena import MemoryArena, memory_arena
from talking import Talk

RULES: Any = {"max_deals": 1, "target": 10_000}
CONTROL = TimeControl(30 * SECOND, 0, 10 * SECOND)


async def ask(arena: MemoryArena) -> tuple[Talk, Talk, play_pb2.Decision]:
    """The first question of a match: the stream that is asked, the other one, the question."""
    talks = Talk(arena), Talk(arena)
    for talk, name in zip(talks, "ab", strict=True):
        await talk.greet(name)
    for talk in talks:
        await talk.begin()
    await trio.testing.wait_all_tasks_blocked()
    (director,) = arena.lobby.directors.values()
    seat = director.table.turn or 0
    asked, other = (talks[seat], talks[1 - seat]) if director.lanes[0].bot == "a" else (talks[1 - seat], talks[seat])
    return asked, other, (await asked.next("decision")).decision


@pytest.mark.parametrize(
    ("passed", "bank_ms", "decision_ms"),
    [(0.0, 30_000, 10_000), (0.0004, 29_999, 9_999), (2.5, 27_500, 7_500), (9.9991, 20_000, 0), (10.0, 20_000, 0)],
)
async def test_the_clock_of_a_question_put_again_is_rounded_down(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, passed: float, bank_ms: int, decision_ms: int
) -> None:
    """A stream that takes over is told what is left by now; less than a millisecond is none, and nothing is less."""
    async with memory_arena(tmp_path, control=CONTROL, **RULES) as arena:
        asked, _, decision = await ask(arena)
        assert (decision.clock.bank_ms, decision.clock.decision_ms) == (30_000, 10_000)
        await trio.sleep(passed)
        (director,) = arena.lobby.directors.values()
        again = Talk(arena)
        await again.greet(director.lanes[director.table.turn or 0].bot)
        clock = (await again.next("decision")).decision.clock
        assert (clock.bank_ms, clock.decision_ms) == (bank_ms, decision_ms)
        assert asked.call.status is not None


async def test_the_clock_of_a_refusal_is_that_of_the_moment(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """Rejected tells what is left when it is sent; out of turn it tells no time at all."""
    async with memory_arena(tmp_path, control=CONTROL, **RULES) as arena:
        asked, other, decision = await ask(arena)
        await trio.sleep(1.0009)
        asked.call.say(choose=play_pb2.Choose(decision_id=decision.decision_id, index=1000))
        clock = (await asked.next("rejected")).rejected.clock
        assert (clock.bank_ms, clock.decision_ms) == (28_999, 8_999)
        other.call.say(choose=play_pb2.Choose(decision_id=decision.decision_id, index=0))
        assert not (await other.next("rejected")).rejected.HasField("clock")


@pytest.mark.parametrize(("passed", "in_time"), [(10.0, True), (10.000002, False)])
async def test_an_answer_at_the_very_end_is_in_time(
    tmp_path: Path,
    autojump_clock: trio.testing.MockClock,
    passed: float,
    in_time: bool,  # noqa: FBT001 # a parameter
) -> None:
    """P18: an answer that uses all of its time is taken; two microseconds more, and the match is lost."""
    async with memory_arena(tmp_path, control=CONTROL, **RULES) as arena:
        asked, _, decision = await ask(arena)
        await trio.sleep(passed)
        asked.call.say(choose=play_pb2.Choose(decision_id=decision.decision_id, index=0))
        await trio.testing.wait_all_tasks_blocked()
        assert [result.termination for result in arena.results()] == [Termination.TIMEOUT] * (not in_time)
