"""P20: what the arena itself was late is charged to nobody. On the real clock, with a loop that is really blocked."""

from __future__ import annotations

import time
from pathlib import Path

import trio

from arena.lag import PERIOD
from arena.replay import read_replay, verify
from arena.v1 import play_pb2, replay_pb2
from engine.clock import SECOND, TimeControl
from engine.states import Termination
from memory_arena import MemoryBot, memory_arena, same_choice

AT = 20
"""The decision at which the loop is blocked."""
RULES = {"max_deals": 1, "target": 10_000}


async def bill_with_a_stall(folder: Path, stall: float, think: float, cap: float) -> tuple[replay_pb2.Bill, str]:
    """Block the loop for `stall` seconds while a bot thinks for `think`; its bill, and how the match ended."""
    bots = MemoryBot("a", same_choice("a")), MemoryBot("b", same_choice("b"))

    async def block() -> None:
        await trio.sleep(think / 2)
        time.sleep(stall)  # noqa: ASYNC251 # what is tested is a loop that is blocked

    async def think_beside(bot: MemoryBot, answer: play_pb2.Choose | None) -> None:
        await trio.sleep(think + stall)
        bot.call.say(choose=answer)

    def stalls(bot: MemoryBot) -> None:
        answer = bot.choose

        def choose(decision: play_pb2.Decision) -> play_pb2.Choose | None:
            if decision.decision_id != AT:
                return answer(decision)
            arena.nursery.start_soon(think_beside, bot, answer(decision))
            arena.nursery.start_soon(block)
            return None

        bot.choose = choose

    for bot in bots:
        stalls(bot)
    control = TimeControl(60 * SECOND, 0, round(cap * SECOND))
    async with memory_arena(folder, control=control, matches=1, **RULES) as arena:
        with trio.fail_after(20):
            (result,) = await arena.play(*bots)
        replay = read_replay(arena.store.replay(result))
        assert not verify(replay, known_hash=result.log_hash).failures
    actions = [frame.action for frame in replay.frames if frame.HasField("action")]
    return actions[AT].bill, result.termination


async def test_a_stall_of_the_arena_is_not_charged(tmp_path: Path) -> None:
    """The bill shows how late the loop was, and charges the rest alone: what the bot itself took."""
    bill, _ = await bill_with_a_stall(tmp_path, stall=0.3, think=0.1, cap=10)
    assert bill.elapsed_us >= 400_000
    assert bill.lag_us >= 300_000 - PERIOD * SECOND - 1000
    assert bill.charged_us == bill.elapsed_us - bill.lag_us
    assert bill.charged_us <= bill.elapsed_us - 270_000


async def test_a_stall_longer_than_the_cap_costs_no_match(tmp_path: Path) -> None:
    """A bot that was asked before the arena stood still for longer than the cap, and answers behind it, is in time."""
    bill, termination = await bill_with_a_stall(tmp_path, stall=0.8, think=0.1, cap=0.7)
    assert bill.elapsed_us >= 900_000
    assert bill.charged_us <= 700_000
    assert termination == Termination.DEAL_LIMIT
