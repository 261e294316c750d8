"""Who plays whom now: by a plan, or whoever waits."""

from __future__ import annotations

from itertools import count

import pytest

from arena.matchmaking import ATTEMPTS, LOOKAHEAD, OpenPairing, PlannedMatches
from arena.schedule import Pairing, series
from arena.session import Lane
from engine.games import find, registered

GAME = find("draw-bridge")


def lanes(*names: str, games: tuple[str, ...] = ()) -> list[Lane]:
    """Lanes that wait, each bot's numbered from 0."""
    numbers = {name: count() for name in names}
    return [Lane(name, next(numbers[name]), games=frozenset(games)) for name in names]


def numbers_of(planned: PlannedMatches, waiting: list[Lane], most: int = 1000) -> list[int]:
    """The numbers of the matches that are chosen one after the other, while nobody stops waiting."""
    found = []
    for _ in range(most):
        chosen = planned.choose(waiting)
        if chosen is None:
            break
        found.append(chosen[0].number)
    return found


def test_a_plan_is_played_in_its_order() -> None:
    """The first planned match whose bots all wait is next, and its lanes come by seat, the longest waiting first."""
    planned = PlannedMatches(series("g", (0, 1), ("a", "b"), 3))
    waiting = lanes("b", "b", "a")
    chosen = planned.choose(waiting)
    assert chosen is not None
    pairing, seated = chosen
    assert (pairing.number, pairing.bots) == (1, ("a", "b"))
    assert seated == (waiting[2], waiting[0])
    assert numbers_of(planned, waiting) == [2, 3]


def test_a_match_whose_bots_are_not_there_does_not_hold_up_the_others() -> None:
    """What can start is started, as far ahead as the plan is looked at, and no further."""
    plan = [*(Pairing(n, "g", ("a", "absent")) for n in range(1, LOOKAHEAD)), *series("g", (0, 1), ("a", "b"), 0)]
    near, far = Pairing(LOOKAHEAD, "g", ("a", "b")), Pairing(LOOKAHEAD + 1, "g", ("a", "b"))
    assert numbers_of(PlannedMatches([*plan, near]), lanes("a", "b")) == [LOOKAHEAD]
    blocked = PlannedMatches([*plan, Pairing(LOOKAHEAD, "g", ("a", "absent")), far])
    assert numbers_of(blocked, lanes("a", "b")) == []
    assert not blocked.exhausted


def test_a_bot_plays_itself_only_with_two_lanes() -> None:
    """A plan may seat one bot twice; it needs a lane for each seat."""
    planned = PlannedMatches([Pairing(1, "g", ("a", "a"))])
    assert planned.choose(lanes("a")) is None
    waiting = lanes("a", "a")
    chosen = planned.choose(waiting)
    assert chosen is not None
    assert chosen[1] == tuple(waiting)


def test_a_void_match_is_played_again_next_up_to_a_limit() -> None:
    """P60: what ended void comes first again under its number, as the next attempt, and is given up after the last."""
    planned = PlannedMatches(series("g", (0, 1), ("a", "b"), 2))
    attempts = []
    for _ in range(ATTEMPTS):
        chosen = planned.choose(lanes("a", "b"))
        assert chosen is not None
        pairing, _ = chosen
        attempts.append((pairing.number, pairing.attempt))
        planned.ended(pairing, void=True)
    assert attempts == [(1, attempt) for attempt in range(ATTEMPTS)]
    assert numbers_of(planned, lanes("a", "b")) == [2]


def test_a_plan_is_exhausted_when_all_have_ended() -> None:
    """Neither what is still to come nor what runs lets a run end; a void match that is played again does not either."""
    planned = PlannedMatches(series("g", (0, 1), ("a", "b"), 2))
    assert not planned.exhausted
    first, second = (planned.choose(lanes("a", "b")) for _ in range(2))
    assert first is not None
    assert second is not None
    assert not planned.exhausted
    planned.ended(second[0], void=False)
    planned.ended(first[0], void=True)
    assert not planned.exhausted
    again = planned.choose(lanes("a", "b"))
    assert again is not None
    planned.ended(again[0], void=False)
    assert planned.exhausted
    assert PlannedMatches([]).exhausted


@pytest.mark.parametrize("looked", [False, True])
def test_what_runs_already_is_not_begun_again(looked: bool) -> None:  # noqa: FBT001 # a parameter
    """A match that goes on from before is left out of the plan, whether or not somebody has looked at it by then."""
    planned = PlannedMatches(series("g", (0, 1), ("a", "b"), 3))
    if looked:
        assert not planned.exhausted
    old = Pairing(2, "g", ("b", "a"))
    planned.taken_up(old)
    assert numbers_of(planned, lanes("a", "b")) == [1, 3]
    for number in (1, 3):
        planned.ended(Pairing(number, "g", ("a", "b")), void=False)
    assert not planned.exhausted
    planned.ended(old, void=True)
    assert numbers_of(planned, lanes("a", "b")) == [2]


def test_a_match_of_no_plan_can_go_on() -> None:
    """A running match whose number is beyond the plan, because fewer are wanted now, is waited for and no more."""
    planned = PlannedMatches([])
    planned.taken_up(Pairing(9, "g", ("a", "b")))
    assert not planned.exhausted
    planned.ended(Pairing(9, "g", ("a", "b")), void=False)
    assert planned.exhausted


def open_pairing(first: int = 1) -> OpenPairing:
    """Pairs whoever waits for Draw Bridge."""
    return OpenPairing({GAME.name: GAME}, first)


def test_the_longest_waiting_are_paired_and_numbered_without_gaps() -> None:
    """P54: matches are numbered from the first number on, one after the other, also when nobody could be paired."""
    pairing = open_pairing(5)
    assert pairing.choose(lanes("a")) is None
    found = [pairing.choose(lanes("a", "b", "c")) for _ in range(3)]
    assert [chosen[0] for chosen in found if chosen] == [Pairing(n, GAME.name, ("a", "b")) for n in (5, 6, 7)]


def test_nobody_is_paired_with_itself() -> None:
    """Of one bot's lanes the longest waiting one plays, with the next other bot."""
    waiting = lanes("a", "a", "b", "b")
    chosen = open_pairing().choose(waiting)
    assert chosen is not None
    assert chosen[1] == (waiting[0], waiting[2])
    assert open_pairing().choose(lanes("a", "a", "a")) is None


def test_games_must_be_the_same() -> None:
    """A lane that does not play the game is passed over; one that names none plays all."""
    others = lanes("x", games=("whist",))
    assert open_pairing().choose([*others, *lanes("a")]) is None
    waiting = [*others, *lanes("a", games=("whist", GAME.name)), *lanes("b")]
    chosen = open_pairing().choose(waiting)
    assert chosen is not None
    assert chosen[0].bots == ("a", "b")


def test_numbers_go_on_behind_what_runs_already() -> None:
    """P54: a match that goes on from before keeps its number, and new ones count on behind the highest."""
    pairing = open_pairing(3)
    for number in (5, 4):
        pairing.taken_up(Pairing(number, GAME.name, ("a", "b")))
    chosen = pairing.choose(lanes("a", "b"))
    assert chosen is not None
    assert chosen[0].number == 6


def test_an_open_arena_never_runs_out_of_matches() -> None:
    """Whoever waits is paired; nothing that ends, void or not, is owed again."""
    pairing = open_pairing()
    chosen = pairing.choose(lanes("a", "b"))
    assert chosen is not None
    pairing.ended(chosen[0], void=True)
    assert not pairing.exhausted
    again = pairing.choose(lanes("a", "b"))
    assert again is not None
    assert (again[0].number, again[0].attempt) == (2, 0)


def test_many_lanes_of_a_bot_do_not_make_the_search_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """With 64 lanes of one bot waiting no more tables are tried than with as many lanes as one table could take."""
    tried = []
    monkeypatch.setattr("arena.matchmaking.rated_table", lambda *words: tried.append(words))
    games = registered()
    pairing = OpenPairing(games, 1)
    assert pairing.choose([Lane("a", number) for number in range(64)]) is None
    assert 0 < len(tried) <= 2 * len(games)
