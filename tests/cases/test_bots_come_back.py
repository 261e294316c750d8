"""Bots that are killed and come back: let in at once, with all their matches, however dead their old streams look."""

from __future__ import annotations

import signal
from pathlib import Path

import trio
import trio.testing

from arena.transport import Status
from engine.games import registered
from engine.states import Termination
from faults.crowded import address, check, crowd, drain, serve, start_crowd
from memory_arena import memory_arena
from real_arena import Process
from restarting import RULES
from talking import Talk

LANES = 10
THINK = ("--think", "0.06")
"""A match lasts some seconds, so that all are in their midst when the bot is killed."""


def wait_for_matches(bots: Process) -> set[str]:
    """The ids of the first matches that its lanes play."""
    return {bots.wait_line("playing").split()[1] for _ in range(LANES)}


def test_a_killed_bot_finds_all_its_matches_again(tmp_path: Path) -> None:
    """P30, P36: killed in ten matches at once and started again, from nothing, a bot is let in at once and has all ten.

    All are played to their end, nobody loses one by it, and at no time has it more than ten.
    """
    game = next(game for game in registered().values() if len(game.sides) == 2)
    data, notes = tmp_path / "data", [tmp_path / name for name in ("first", "again", "other")]
    with serve(data, game, "127.0.0.1:0") as arena:
        server = address(arena)
        with crowd(server, notes[2], ["bot-1"], LANES, *THINK):
            with start_crowd(server, notes[0], ["bot-0"], LANES, *THINK) as first:
                before = wait_for_matches(first)
                first.signal(signal.SIGKILL)
            with crowd(server, notes[1], ["bot-0"], LANES, *THINK) as again:
                after = wait_for_matches(again)
                assert len(list((data / "running").iterdir())) <= LANES
                drain(arena)
    assert after == before
    results = check(data, *notes)
    assert before <= {result.match_id for result in results}
    assert {result.termination for result in results} <= {Termination.SCORE, Termination.DEAL_LIMIT}


async def test_the_ghost_of_a_bot_is_in_nobodys_way(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    """P36: with its old stream still open in the arena's eyes, a bot that was killed is let in without any delay."""
    async with memory_arena(tmp_path, **RULES) as arena:
        ghost, other = Talk(arena), Talk(arena)
        await ghost.greet("a")
        await other.greet("b")
        match_id = await ghost.begin()
        await other.begin()
        await trio.sleep(0.7)
        began, again = trio.current_time(), Talk(arena)
        assert (await again.greet("a")).bot == "a"
        assert (await again.next("resumed")).resumed.offer.match_id == match_id
        assert trio.current_time() == began
        assert ghost.call.status == (Status.OK, "a newer stream of a has taken lane 0")
        assert [lane.bot for lane in arena.lobby.lanes.values()] == ["a", "b"]
