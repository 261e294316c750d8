"""Swiss and knockout: plans that grow with results, whoever wins, and however often they are interrupted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from arena.competition import Competition, Form
from arena.launch import BotProgram
from arena.matchmaking import planned
from arena.schedule import Course, Ended, Pairing, Rounds, Scored, bracket, knockout, swiss, usual_rounds
from arena.schedule.knockout import EXTRA
from arena.series import tell
from arena.store import Store
from engine.game import complete_rules
from engine.games import find
from memory_arena import MemoryBot, memory_arena, same_choice

SIDES = (0, 1)
Play = Callable[[Pairing], Ended]


def names(number: int) -> tuple[str, ...]:
    """So many bots."""
    return tuple(f"b{place}" for place in range(number))


def by_lot(seed: int, draws: float = 0.3) -> Play:
    """Whoever wins by lot, always the same in the same match."""

    def play(pairing: Pairing) -> Ended:
        dice = Random(f"{seed}/{pairing.number}")
        winner = None if dice.random() < draws else dice.randrange(2)
        totals = (0, 0) if winner is None else (3, 1) if winner == 0 else (0, 2)
        return Ended(pairing.number, pairing.attempt, False, pairing.bots, winner, totals)

    return play


def played(plan: Rounds, play: Play) -> list[Pairing]:
    """All matches in the order in which they are begun, each ended before the next."""
    found = []
    numbers = plan.order()
    while numbers is not None:
        for number in numbers:
            found.append(plan.pairing(number))
            plan.take(play(found[-1]))
        numbers = plan.more()
    return found


def swiss_plan(bots: int, rounds: int, sets: int = 1, legs: int = 2) -> Rounds:
    """A Swiss tournament that has not begun."""
    return Rounds("g", SIDES, legs, "key", partial(swiss, names(bots), rounds, sets, legs))


def knockout_plan(bots: int, sets: int = 1, legs: int = 2) -> Rounds:
    """A knockout that has not begun."""
    return Rounds("g", SIDES, legs, "key", partial(knockout, names(bots), sets))


def rounds_of(plan: Rounds) -> list[set[frozenset[str]]]:
    """Who meets whom in each stage."""
    return [{frozenset(plan.course.sets[place].table) for place in stage} for stage in plan.course.stages]


@given(st.integers(2, 11), st.data())
def test_in_a_swiss_everybody_plays_and_nobody_meets_twice(bots: int, data: st.DataObject) -> None:
    """In each round everybody plays at one table, but for one bye, as long as no rematch or second bye is needed."""
    rounds = data.draw(st.integers(1, min(5, bots // 2)))
    plan = swiss_plan(bots, rounds, sets=data.draw(st.integers(1, 2)))
    played(plan, by_lot(data.draw(st.integers(0, 99))))
    met: Counter[frozenset[str]] = Counter()
    byes: Counter[str] = Counter()
    assert len(rounds_of(plan)) == rounds
    for tables in rounds_of(plan):
        there = [bot for table in tables for bot in table]
        assert len(there) == len(set(there)) == bots - bots % 2
        met.update(tables)
        byes.update(set(names(bots)).difference(there))
    assert set(met.values()) == {1}
    assert all(count == 1 for count in byes.values())


@pytest.mark.parametrize("bots", [4, 5, 6, 7])
def test_a_swiss_as_long_as_a_round_robin_is_one(bots: int) -> None:
    """While a round without a rematch can be made of those left, the pairing finds it; then rematches are spread."""
    plan = swiss_plan(bots, 12, legs=1)
    played(plan, by_lot(1, draws=0.0))
    met = Counter(table for tables in rounds_of(plan) for table in tables)
    assert met.keys() == {frozenset(pair) for pair in combinations(names(bots), 2)}
    assert max(met.values()) <= 4


def test_a_round_is_paired_once_it_is_known() -> None:
    """Who meets whom is worked out when a round has ended, not with every set: of many bots it takes seconds."""
    calls = []

    def course_of(scores: Mapping[int, Scored]) -> Course:
        calls.append(len(scores))
        return swiss(names(16), 3, 2, 2, scores)

    played(Rounds("g", SIDES, 2, "key", course_of), by_lot(1))
    assert calls == [0, 16, 32, 48]


def test_in_a_swiss_winners_meet_winners() -> None:
    """After two rounds without an upset the two that have won all meet, and the two that have lost all."""
    bots = names(8)

    def stronger(pairing: Pairing) -> Ended:
        winner = min((0, 1), key=lambda seat: bots.index(pairing.bots[seat]))
        return Ended(pairing.number, 0, False, pairing.bots, winner, (1 - winner, winner))

    plan = swiss_plan(8, 3, legs=1)
    order = played(plan, stronger)
    won: Counter[str] = Counter()
    for pairing in order[:8]:
        won[pairing.bots[stronger(pairing).winner or 0]] += 1
    last = [{won[bot] for bot in pairing.bots} for pairing in order[8:]]
    assert sorted(map(sorted, last)) == [[0], [1], [1], [2]]


@given(st.integers(2, 12), st.integers(1, 2), st.integers(1, 3), st.integers(0, 99), st.booleans())
def test_seats_are_balanced_in_rounds(bots: int, legs: int, sets: int, seed: int, knock: bool) -> None:  # noqa: FBT001
    """P71: with two legs each bot sits on each seat as often; with one, two matches more at most, odd numbers too."""
    rounds = min(usual_rounds(bots), bots // 2)
    plan = knockout_plan(bots, sets, legs) if knock else swiss_plan(bots, rounds, sets, legs)
    seats: Counter[tuple[str, int]] = Counter()
    for pairing in played(plan, by_lot(seed)):
        seats.update((bot, seat) for seat, bot in enumerate(pairing.bots))
    for bot in names(bots):
        assert abs(seats[bot, 0] - seats[bot, 1]) <= (0 if legs == 2 else 2 if not knock else 3)


@given(st.integers(2, 13), st.integers(1, 2), st.integers(0, 99))
def test_a_knockout_ends_with_one_winner(bots: int, sets: int, seed: int) -> None:
    """Each table loses one bot, nobody who has lost plays again, the best seeds rest, and one is left."""
    plan = knockout_plan(bots, sets)
    order = played(plan, by_lot(seed))
    assert plan.course.winner in names(bots)
    assert len({frozenset(pairing.bots) for pairing in order}) == bots - 1
    size = len(bracket(bots))
    first = {bot for tables in rounds_of(plan)[:1] for table in tables for bot in table}
    assert set(names(bots)) - first == set(names(size - bots))
    numbers = sorted(pairing.number for pairing in order)
    assert numbers == list(range(1, plan.matches + 1))
    last = {bot: max(pairing.number for pairing in order if bot in pairing.bots) for bot in names(bots)}
    assert max(last.values()) == last[str(plan.course.winner)]


def test_the_first_two_seeds_meet_in_the_end() -> None:
    """The bracket keeps the seeds apart: 1 against 8, 4 against 5, 2 against 7, 3 against 6."""
    assert bracket(8) == [0, 7, 3, 4, 1, 6, 2, 5]
    assert bracket(5) == bracket(8)
    assert (bracket(1), bracket(2)) == ([0], [0, 1])


def drawn(pairing: Pairing, points: int = 0, after: int = 0) -> Ended:
    """A draw; from match `after` on, b1 scores that many points more."""
    ahead = points if pairing.number > after else 0
    totals = tuple(ahead if bot == "b1" else 0 for bot in pairing.bots)
    return Ended(pairing.number, 0, False, pairing.bots, None, totals)


@pytest.mark.parametrize(
    ("points", "after", "winner", "matches"),
    [(1, 0, "b1", 2), (1, 2, "b1", 4), (1, 8, "b1", 10), (0, 0, "b0", 2 + 2 * EXTRA)],
)
def test_a_drawn_table_is_decided(points: int, after: int, winner: str, matches: int) -> None:
    """By points, else by one more set after another, and after the last by the seed."""
    plan = knockout_plan(2)
    order = played(plan, partial(drawn, points=points, after=after))
    assert (plan.course.winner, len(order)) == (winner, matches)


@given(st.booleans(), st.integers(2, 9), st.integers(0, 99), st.data())
def test_the_plan_follows_from_settings_and_results(knock: bool, bots: int, seed: int, data: st.DataObject) -> None:  # noqa: FBT001
    """P54, P55: with any part of the results, in any order of their ends, all goes on with the same numbers."""
    fresh = partial(knockout_plan, bots) if knock else partial(swiss_plan, bots, 3)
    play = by_lot(seed)
    whole = fresh()
    order = played(whole, play)
    cut = data.draw(st.integers(0, len(order)))
    again = fresh()
    for pairing in order[:cut]:
        again.take(play(pairing))
    known = {number: again.pairing(number) for number in again.order()}
    assert known == {number: whole.pairing(number) for number in known}
    played(again, play)
    assert (again.course.sets, again.course.winner) == (whole.course.sets, whole.course.winner)


def test_a_void_leg_leaves_the_round_open() -> None:
    """P60: nothing of a void attempt counts; the round goes on when the set has been played again."""
    plan = swiss_plan(2, 2)
    one, other = map(plan.pairing, plan.order())
    play = by_lot(1)
    plan.take(play(one))
    plan.take(play(other)._replace(void=True))
    assert plan.more() is None
    for pairing in (one, other):
        plan.take(play(pairing.again()))
    assert sorted(plan.more() or ()) == [3, 4]


@pytest.mark.parametrize("form", [Form.SWISS, Form.KNOCKOUT])
@pytest.mark.parametrize("game", ["draw-bridge", "smear"])
async def test_rounds_are_played_and_gone_on_with(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, form: Form, game: str
) -> None:
    """P54, P55: five bots in an arena, stopped in the middle and gone on with, play what an arena plays in one go."""
    bots = tuple(BotProgram(name, (name,)) for name in "abcde")
    short = {"max_deals" if game == "draw-bridge" else "max_hands": 1}
    rules = complete_rules(find(game), "match", short)
    wanted = Competition("tournament", game, rules, bots, form=form, legs=2, concurrency=2, seed=1)
    whole = await arena_plays(tmp_path / "whole", wanted, short)
    for stop in (3, 7):
        assert len(await arena_plays(tmp_path / "cut", wanted, short, stop)) < len(whole)
    assert await arena_plays(tmp_path / "cut", wanted, short) == whole
    assert [number for number, *_ in whole] == list(range(1, len(whole) + 1))


async def arena_plays(
    folder: Path, wanted: Competition, rules: dict[str, Any], stop: int | None = None
) -> list[tuple[int, tuple[str, ...], tuple[int, ...]]]:
    """Play on, to the end or until so many matches have ended; numbers, bots by seat and points of all so far."""
    with Store.open(folder, hold=True) as store:
        store.open_run("match-1", "match", seeded=True, created_ms=0)
        plan = wanted.plan("match-1", store.results("match-1"))
        due = store.due("match-1", plan.matches, 2)
    assert isinstance(plan, Rounds)
    async with memory_arena(folder, matchmaker=planned(plan, due, 2), seed=1, game=wanted.game, **rules) as arena:
        arena.lobby.on_ended.append(tell(plan))

        def count(*_: object) -> None:
            if stop is not None and len(arena.results()) >= stop:
                arena.lobby.drain()

        arena.lobby.on_ended.append(count)
        await arena.play(
            *(MemoryBot(name, same_choice(name), lane=lane) for name in wanted.names for lane in range(wanted.streams))
        )
        return sorted((result.number, result.bots, result.totals) for result in arena.results())
