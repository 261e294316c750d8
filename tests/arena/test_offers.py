"""Offers of matches: who is paired, who does not take an offer, and how a stopping arena deals with open offers."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing

from arena import lobby
from arena.config import Limits
from arena.matchmaking import OpenPairing
from arena.transport import Status
from arena.v1 import play_pb2
from engine.games import find
from engine.states import Termination
from memory_arena import MemoryBot, hello, memory_arena, same_choice
from talking import Talk

SHORT: Any = {"max_deals": 1, "target": 10_000}


def open_pairing() -> OpenPairing:
    """Pairs whoever waits for Draw Bridge."""
    return OpenPairing({"draw-bridge": find("draw-bridge")}, 1)


def bot(name: str) -> MemoryBot:
    """A bot that thinks for a moment, so that matches without end take time."""
    return MemoryBot(name, same_choice(name), think=0.05)


async def test_a_bot_is_never_paired_with_itself(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    """Lanes of one bot wait beside each other without a match, until another bot comes."""
    async with memory_arena(tmp_path, matchmaker=open_pairing(), **SHORT) as arena:
        lanes = [Talk(arena) for _ in range(3)]
        for number, talk in enumerate(lanes):
            await talk.greet("a", lane=number)
        assert [await talk.quiet(20) for talk in lanes] == [[], [], []]
        other = Talk(arena)
        await other.greet("b")
        offers = [event.match_offered.names for talk in [*lanes, other] for event in await talk.quiet()]
        assert offers == [["a", "b"]] * 2


async def test_lanes_of_two_bots_play_side_by_side(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    """Two bots with two lanes each play two matches at the same time, every one of them one bot against the other."""
    async with memory_arena(tmp_path, matches=6, **SHORT) as arena:
        most: list[int] = []
        for name in ("a", "b"):
            for lane in (0, 1):
                one = bot(name)
                arena.nursery.start_soon(lambda one=one, lane=lane: one.play(arena.lobby, lane=lane))
        for _ in range(20):
            await trio.sleep(0.5)
            most.append(len(arena.lobby.directors))
        await arena.lobby.quiet.wait()
        results = arena.results()
    assert max(most) == 2
    assert sorted(result.number for result in results) == [1, 2, 3, 4, 5, 6]
    assert all(set(result.bots) == {"a", "b"} for result in results)


async def test_a_bot_waits_only_for_its_games(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    """One that names no game plays any; one that plays none of those that are played here is told at once."""
    async with memory_arena(tmp_path, matchmaker=open_pairing(), **SHORT) as arena:
        picky, any_game, fitting = Talk(arena), Talk(arena), Talk(arena)
        picky.call.say(hello=hello("picky", games=["whist"]))
        text = "none of the games whist is played here: this arena plays draw-bridge"
        assert await picky.status() == (Status.FAILED_PRECONDITION, text)
        await any_game.greet("any")
        assert await any_game.quiet(3) == []
        await fitting.greet("fitting", games=["whist", "draw-bridge"])
        assert (await any_game.next("match_offered")).match_offered.names == ["any", "fitting"]


async def test_who_does_not_take_offers_rests_longer_each_time(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """A silent bot voids after twenty seconds, then rests 1, 2, 4 ... at most 60 s; it is asked again all the same."""
    async with memory_arena(tmp_path, matchmaker=open_pairing(), **SHORT) as arena:
        silent, ready = Talk(arena), bot("ready")
        await silent.greet("silent")
        arena.nursery.start_soon(ready.play, arena.lobby)
        offered: list[float] = []
        for number in range(6):
            await silent.next("match_offered")
            offered.append(trio.current_time())
            if number == 3:
                arena.lobby.lane("silent", 0).faults = 5000  # no number of faults is too many
        results = arena.results()
    rests = [later - earlier - 20 for earlier, later in pairwise(offered)]
    assert rests == pytest.approx([1, 2, 4, 60, 60])
    assert {result.termination for result in results} == {Termination.VOID_NOT_READY}
    assert {result.bots[result.at_fault or 0] for result in results} == {"silent"}


async def test_others_play_while_one_rests(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    """A bot whose opponent did not take the offer is offered another match at once, if somebody else is there."""
    async with memory_arena(tmp_path, matchmaker=open_pairing(), **SHORT) as arena:
        silent, waiting = Talk(arena), bot("waiting")
        await silent.greet("silent")
        arena.nursery.start_soon(waiting.play, arena.lobby)
        await trio.sleep(1)
        arena.nursery.start_soon(bot("other").play, arena.lobby)
        await trio.sleep(19.2)
        (void,) = arena.results()
        assert (void.termination, void.bots[void.at_fault or 0]) == (Termination.VOID_NOT_READY, "silent")
        (director,) = arena.lobby.directors.values()
        assert {seat.bot for seat in director.header.seats} == {"waiting", "other"}


async def test_two_who_leave_an_offer_both_rest(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    """Whoever has not said Ready rests, not only the one in the lower seat, whom the result names."""
    async with memory_arena(tmp_path, matchmaker=open_pairing(), **SHORT) as arena:
        silent = Talk(arena), Talk(arena)
        await silent[0].greet("s0")
        await silent[1].greet("s1")
        await trio.sleep(20.1)
        assert [lane.faults for lane in arena.lobby.lanes.values()] == [1, 1]
        for _ in range(2):
            arena.nursery.start_soon(bot("ready").play, arena.lobby)
        await trio.sleep(0.5)
        assert not arena.lobby.directors  # both rest for a second
        await trio.sleep(1)
        assert len(arena.lobby.directors) == 1


async def test_to_come_back_does_not_shorten_the_rest(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    """A bot that rests may hang up and return as often as it likes: it is offered a match when the rest is over."""
    async with memory_arena(tmp_path, matchmaker=open_pairing(), **SHORT) as arena:
        lane = arena.lobby.lane("silent", 0)
        lane.faults, lane.rests_until = 5, trio.current_time() + 16
        arena.nursery.start_soon(bot("ready").play, arena.lobby)
        for _ in range(30):
            talk = Talk(arena)
            await talk.greet("silent")
            assert await talk.quiet(0.5) == []
            talk.call.hang_up()
        talk = Talk(arena)
        await talk.greet("silent")
        await talk.next("match_offered")
        assert trio.current_time() == pytest.approx(lane.rests_until)
        assert len(arena.lobby._resting) == 0


async def test_a_lane_is_not_kept_for_ever(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that stays away is forgotten after a while from when it was last there, however often it looked in."""
    monkeypatch.setattr(lobby, "KEPT", 5.0)
    async with memory_arena(tmp_path, matchmaker=open_pairing(), **SHORT) as arena:
        lane = arena.lobby.lane("silent", 0)
        lane.faults, lane.rests_until = 9, trio.current_time() + 100
        for _ in range(20):
            talk = Talk(arena)
            talk.call.say(hello=hello("silent"))
            await talk.quiet(0.4)
            talk.call.hang_up()
            await trio.testing.wait_all_tasks_blocked()
        assert len(arena.nursery.child_tasks) < 10  # no task is left behind for each of its visits
        await trio.sleep(4.9)
        assert list(arena.lobby.lanes) == [("silent", 0)]
        await trio.sleep(0.2)
        assert arena.lobby.lanes == {}


async def test_a_taken_offer_forgives(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    """One match that is played clears what was not taken before."""
    async with memory_arena(tmp_path, matchmaker=open_pairing(), **SHORT) as arena:
        lane = arena.lobby.lane("a", 0)
        lane.faults = 3
        arena.nursery.start_soon(bot("a").play, arena.lobby)
        arena.nursery.start_soon(bot("b").play, arena.lobby)
        await trio.sleep(1)
        assert lane.faults == 3
        arena.lobby.drain()
        await arena.lobby.quiet.wait()
        assert lane.faults == 0


async def test_a_planned_match_that_nobody_takes_is_given_up(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """A run with a bot that is never ready ends: each match is tried five times, under one number, and left void."""
    async with memory_arena(tmp_path, limits=Limits(ready_seconds=1), matches=2, **SHORT) as arena:
        silent = Talk(arena)
        await silent.greet("a")
        results = await arena.play(bot("b"))
    assert [(result.number, result.attempt) for result in results] == [(n, a) for n in (1, 2) for a in range(5)]
    assert {result.termination for result in results} == {Termination.VOID_NOT_READY}
    assert len({result.match_id for result in results}) == 10


@pytest.mark.parametrize("ready", [0, 1, 2])
async def test_a_stopping_arena_ends_with_offers_open(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, ready: int
) -> None:
    """Told to stop while an offer is open, the arena waits for its twenty seconds or for the match, then is quiet."""
    async with memory_arena(tmp_path, matches=3, **SHORT) as arena:
        talks = Talk(arena), Talk(arena)
        players = bot("a"), bot("b")
        for one in players:
            one.ready_after = 1
        for number, name in enumerate("ab"):
            if number < ready:
                arena.nursery.start_soon(players[number].play, arena.lobby)
            else:
                await talks[number].greet(name)
        await trio.sleep(0.5)
        assert len(arena.lobby.directors) == 1
        arena.lobby.drain()
        began = trio.current_time()
        await arena.lobby.quiet.wait()
        assert trio.current_time() - began <= 20
        (result,) = arena.results()
    assert result.termination is (Termination.DEAL_LIMIT if ready == 2 else Termination.VOID_NOT_READY)


async def test_a_stopping_arena_waits_for_nobody(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    """Told to stop, it offers nothing to those who wait or rest, and is quiet at once if no match runs."""
    async with memory_arena(tmp_path, matchmaker=open_pairing(), **SHORT) as arena:
        rested = arena.lobby.lane("rests", 0)
        rested.faults, rested.rests_until = 1, trio.current_time() + 5
        waiting, resting = Talk(arena), Talk(arena)
        await waiting.greet("waits")
        await resting.greet("rests")
        arena.lobby.drain()
        assert arena.lobby.quiet.is_set()
        assert await waiting.quiet(10) == await resting.quiet(10) == []


async def test_bots_hear_why_the_arena_ends_their_streams(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """At the end every stream gets a goodbye with the reason, whether its bot plays, waits or rests."""
    async with memory_arena(tmp_path, **SHORT) as arena:
        talks = Talk(arena), Talk(arena)
        await talks[0].greet("a")
        await talks[1].greet("c")
        arena.lobby.dismiss(play_pb2.GOODBYE_REASON_SHUTDOWN, "the arena stops")
        ends = [(await talk.rest())[-1].goodbye for talk in talks]
    assert Counter((end.reason, end.text) for end in ends) == {(play_pb2.GOODBYE_REASON_SHUTDOWN, "the arena stops"): 2}


async def test_a_bot_rests_on_all_its_lanes(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    """A bot that leaves an offer unanswered keeps nobody waiting on its other lanes meanwhile."""
    async with memory_arena(tmp_path, matchmaker=open_pairing(), **SHORT) as arena:
        lanes = [Talk(arena) for _ in range(3)]
        for number, lane in enumerate(lanes):
            await lane.greet("silent", lane=number)
        one, other = bot("one"), bot("other")
        arena.nursery.start_soon(one.play, arena.lobby)
        await lanes[0].next("match_offered")
        await trio.sleep(20.5)
        arena.nursery.start_soon(other.play, arena.lobby)
        await trio.sleep(0.2)
        (director,) = arena.lobby.directors.values()
        assert {seat.bot for seat in director.header.seats} == {"one", "other"}
