"""Cases of sister systems about many matches: all are played, once, in balance, whoever sleeps, errs or is void."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
import trio
import trio.testing
from click.testing import CliRunner

from arena.cli.results import FIELDS, row_of
from arena.cli.standings import print_standings
from arena.cli.tournament import tournament
from arena.due import Due
from arena.matchmaking import ATTEMPTS, planned
from arena.replay import read_replay
from arena.schedule import Meetings, Plan, gauntlet, round_robin, seeded_server_seed
from arena.session import Lane
from arena.standings import Standings
from arena.v1 import play_pb2
from engine.clock import SECOND, TimeControl
from engine.states import Termination
from memory_arena import MemoryArena, MemoryBot, memory_arena, same_choice

SHORT = {"max_deals": 1, "target": 10_000}
STALLED = 30.0
"""Seconds without an end of a match, with bots that answer at once."""


def league(bots: Sequence[str], sets: int, legs: int = 2) -> Meetings:
    """A round-robin."""
    return Meetings("draw-bridge", (0, 1), round_robin(bots), sets, legs, "match-1")


def lanes_of(bots: Sequence[str], lanes: int) -> list[MemoryBot]:
    """Bots that give the same answer to the same question, each on so many lanes."""
    return [MemoryBot(name, same_choice(name), lane=lane, keep=False) for name in bots for lane in range(lanes)]


async def watch(arena: MemoryArena) -> None:
    """Fail when no match has ended for too long."""
    while not arena.lobby.quiet.is_set():
        count = len(arena.ended)
        with trio.move_on_after(STALLED):
            await arena.news.wait()
        assert len(arena.ended) > count or arena.lobby.quiet.is_set(), f"stalled after {count} matches"


async def test_no_match_waits_for_ever_among_many(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, *, soak: bool
) -> None:
    """P03: 64 matches at the same time between bots that answer at once: none stops, and each is played once."""
    plan = Meetings("draw-bridge", (0, 1), (("a", "b"),), 2_500 if soak else 80, 2, "match-1")
    matchmaker = planned(plan, Due(plan.matches, 2, []), 64)
    most = 0

    def count(*_: object) -> None:
        nonlocal most
        most = max(most, len(arena.lobby.directors))

    async with memory_arena(tmp_path, matchmaker=matchmaker, **SHORT) as arena:
        arena.lobby.on_ended.append(count)
        arena.nursery.start_soon(watch, arena)
        results = await arena.play(*lanes_of("ab", 64))
    assert sorted(result.number for result in results) == list(range(1, plan.matches + 1))
    assert {result.termination for result in results} <= {Termination.SCORE, Termination.DEAL_LIMIT}
    assert most >= 32


async def test_a_bot_that_sleeps_once_loses_once(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    """P04: one that sleeps past its flag in the middle of a round-robin loses that match; the schedule completes."""
    plan = league("abcd", 2)
    bots = lanes_of("abcd", 1)
    sleeper, slept = bots[1], list[int]()
    plain = sleeper.choose

    def choose(decision: play_pb2.Decision) -> play_pb2.Choose | None:
        if len(arena.ended) < plan.matches // 2 or slept:
            return plain(decision)
        slept.append(len(arena.ended))
        return None

    sleeper.choose = choose
    control = TimeControl(60 * SECOND, 0, 10 * SECOND)
    async with memory_arena(
        tmp_path, matchmaker=planned(plan, Due(plan.matches, 2, []), 2), control=control, **SHORT
    ) as arena:
        results = await arena.play(*bots)
    assert sorted(result.number for result in results) == list(range(1, plan.matches + 1))
    (late,) = [result for result in results if result.termination is Termination.TIMEOUT]
    assert late.at_fault is not None
    assert late.bots[late.at_fault] == "b"
    assert late.seq > slept[0] + 1, "nobody else played while it slept"


async def test_a_bot_that_is_broken_is_marked(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, capsys: pytest.CaptureFixture[str]
) -> None:
    """P44: more than one in a hundred answers rejected marks a bot in the standings, and nobody else."""
    broken = MemoryBot("broken", same_choice("a"))
    plain, erred = broken.choose, list[int]()

    def choose(decision: play_pb2.Decision) -> play_pb2.Choose | None:
        if len(broken.of("match_offered")) > len(erred):  # once in each match
            erred.append(decision.decision_id)
            broken.call.say(choose=play_pb2.Choose(decision_id=decision.decision_id, index=10_000))
        return plain(decision)

    broken.choose = choose
    async with memory_arena(tmp_path, ("broken", "weak"), matches=4, **SHORT) as arena:
        results = await arena.play(broken, MemoryBot("weak", same_choice("b")))
    standings = Standings()
    standings.take_all(results)
    assert {bot: record.rejected for bot, record in standings.records.items()} == {"broken": 4, "weak": 0}
    assert not any(result.termination is Termination.ILLEGAL for result in results)
    assert {bot for bot, record in standings.records.items() if record.broken} == {"broken"}
    print_standings(standings, "run match-1")
    assert "! more than 1% of its answers were rejected: broken" in capsys.readouterr().out


@pytest.mark.parametrize("legs", [1, 2])
async def test_a_run_is_the_same_at_any_concurrency(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, legs: int
) -> None:
    """P53, P54: in the order of the schedule decks, seats and points are the same with 1 match at a time and with 32;
    the log has the order of their ends beside the numbers.
    """
    plan = league("abc", 4, legs)
    found = []
    for at_once in (1, 32):
        matchmaker = planned(plan, Due(plan.matches, legs, []), at_once)
        async with memory_arena(tmp_path / str(at_once), matchmaker=matchmaker, seed=7, **SHORT) as arena:
            results = await arena.play(*lanes_of("abc", at_once))
            seeds = [read_replay(arena.store.replay(result)).header.server_seed for result in results]
        assert [result.seq for result in results] == sorted(result.seq for result in results)
        told = [(result.number, result.bots, result.totals) for result in results]
        found.append(sorted(zip(told, seeds, strict=True)))
        assert len({result.match_id for result in results}) == plan.matches
    assert found[0] == found[1]
    assert [number for (number, *_), _ in found[0]] == list(range(1, plan.matches + 1))


class Shy(MemoryBot):
    """Does not take its first offer."""

    offers = 0

    async def answer(self, event: play_pb2.Event) -> None:
        """Leave it."""
        self.offers += event.WhichOneof("kind") == "match_offered"
        if self.offers != 1:
            await super().answer(event)


async def test_an_attempt_is_not_a_result(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    """P61: a match that failed and was played again is two attempts and one result; help says how often it is tried."""
    async with memory_arena(tmp_path, matches=2, legs=2, **SHORT) as arena:
        results = await arena.play(MemoryBot("a", same_choice("a")), Shy("b", same_choice("b")))
    rows = [row_of(result) for result in results]
    assert "attempt" in FIELDS
    told = [(row["number"], row["attempt"], row["termination"]) for row in rows]
    assert told == [(1, 0, "void_not_ready"), (1, 1, "deal_limit"), (2, 1, "deal_limit")]
    standings = Standings()
    standings.take_all(results)
    for record in standings.records.values():
        assert (record.sets, record.void, record.won + record.drawn + record.lost) == (1.0, 1, 2)
    text = " ".join(CliRunner().invoke(tournament, ["--help"]).output.split())
    assert ATTEMPTS == 5
    assert "is played again with its whole set on other decks, five times at most" in text


@pytest.mark.parametrize("bots", range(2, 10))
@pytest.mark.parametrize("form", ["round-robin", "gauntlet"])
def test_seats_and_decks_of_a_plan(form: str, bots: int) -> None:
    """P71: whoever meets sits on each seat as often, odd numbers too, and no two sets have the same decks."""
    names = [f"b{place}" for place in range(bots)]
    tables = round_robin(names) if form == "round-robin" else gauntlet(names[:1], names[1:])
    for legs, sets in ((2, 3), (1, 2), (1, 3)):
        plan: Plan = Meetings("draw-bridge", (0, 1), tables, sets, legs)
        seats: Counter[tuple[str, int]] = Counter()
        decks = set()
        for number in plan.order():
            pairing = plan.pairing(number)
            seats.update((bot, seat) for seat, bot in enumerate(pairing.bots))
            decks.add(seeded_server_seed(1, pairing))
        assert len(decks) == plan.matches // legs
        for bot in names:
            assert abs(seats[bot, 0] - seats[bot, 1]) <= (legs * sets) % 2


def test_ten_million_matches_take_no_memory() -> None:
    """A plan of ten million matches is begun, and gone on with, in little more than a bit for each."""
    plan = league([f"b{place}" for place in range(5)], 500_000)
    assert plan.matches == 10_000_000
    waiting = [Lane(f"b{place}", lane) for place in range(5) for lane in range(4)]
    tracemalloc.start()
    try:
        matchmaker = planned(plan, Due(plan.matches, 2, []), 8)
        begun = []
        for _ in range(2_000):
            chosen = matchmaker.choose(waiting)
            assert chosen is not None
            begun.append(chosen[0].number)
            matchmaker.ended(chosen[0], void=False)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(set(begun)) == 2_000
    assert peak < 4_000_000
