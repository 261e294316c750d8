"""Sets: what two legs on the same decks say together, and which matches make none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ratings import Leg
from arena.stats import Played, Set, sets_of

SIDES = (0, 1)
TEAMS = (0, 1, 0, 1)


def leg(set_id: str, bots: str, winner: int | None, *, points: int = 0, legs: int = 2, void: bool = False) -> Played:
    """A match of two seats and five deals, whose side 0 scored `points` more."""
    return Played(set_id, Leg(tuple(bots), SIDES, winner, void), (100 + points, 100), 5, legs)


@pytest.mark.parametrize(
    ("first", "second", "score"),
    [(0, 1, 1.0), (0, None, 0.75), (0, 0, 0.5), (None, None, 0.5), (None, 0, 0.25), (1, 0, 0.0)],
)
def test_two_legs_score_quarters(first: int | None, second: int | None, score: float) -> None:
    """The legs are one set with weight 1, scored for the bot that had side 0 first."""
    (found,) = sets_of([leg("s", "ab", first), leg("s", "ba", second)])
    assert (found.own, found.other, found.score, found.weight) == (("a",), ("b",), score, 1.0)


def test_single_match_is_half_a_set() -> None:
    """A set of one leg has half the weight."""
    (found,) = sets_of([leg("s", "ab", None, legs=1)])
    assert (found.score, found.weight, found.kind) == (0.5, 0.5, "individual")


def test_margin_is_points_a_deal_over_both_legs() -> None:
    """Points of the second leg count for the side that the bot had in it: (30 + 10) points in 10 deals."""
    (found,) = sets_of([leg("s", "ab", 0, points=30), leg("s", "ba", 1, points=-10)])
    assert (found.points, found.deals, found.margin) == (40, 10, 4.0)
    assert found.turned().margin == -4.0
    assert Set(("a",), ("b",), 2).margin is None


def test_void_leg_voids_its_set() -> None:
    """Neither leg of such a set counts, whichever of them is void."""
    assert list(sets_of([leg("s", "ab", None, void=True), leg("s", "ba", 0)])) == []
    assert list(sets_of([leg("s", "ab", 0), leg("s", "ba", None, void=True)])) == []


def test_legs_apart_are_put_together() -> None:
    """Legs of many sets lie between each other; a set stands where its last leg does, an incomplete one nowhere."""
    log = [leg("s", "ab", 0), leg("t", "bc", 0), leg("t", "cb", 1), leg("u", "ca", 0), leg("s", "ba", 1)]
    assert list(sets_of(log)) == [
        Set(("b",), ("c",), 4, 2, 0, 10),
        Set(("a",), ("b",), 4, 2, 0, 10),
    ]


def test_no_set_of_a_bot_with_itself_or_of_other_bots_or_more_sides() -> None:
    """Self-play, legs between different bots, three sides, and a pair against single bots are not rated."""
    assert list(sets_of([leg("s", "aa", 0, legs=1)])) == []
    assert list(sets_of([leg("s", "ab", 0), leg("s", "ac", 0)])) == []
    assert list(sets_of([Played("s", Leg(("a", "b", "c"), (0, 1, 2), 0), (1, 2, 3), 1)])) == []
    assert list(sets_of([Played("s", Leg(("a", "b", "a", "c"), TEAMS, 0))])) == []


def test_partners_are_one_side() -> None:
    """Four seats are two teams, which may have changed sides and seats among themselves in the second leg."""
    legs = [
        Played("s", Leg(("d", "a", "b", "c"), TEAMS, 0), (7, 4), 2, 2),
        Played("s", Leg(("c", "b", "a", "d"), TEAMS, 0), (5, 6), 2, 2),
    ]
    (found,) = sets_of(legs)
    assert found == Set(("b", "d"), ("a", "c"), 2, 2, 4, 4)
    pair = Played("p", Leg(("a", "b", "a", "b"), TEAMS, 1))
    assert [(each.own, each.score, each.kind) for each in sets_of([pair])] == [(("a", "a"), 0.0, "pair")]


@given(st.integers(0, 4), st.integers(-50, 50))
def test_both_sides_see_the_same_set(halves: int, points: int) -> None:
    """What one side won the other lost, and turning twice is not turning."""
    found = Set(("a",), ("b",), halves, 2, points, 10)
    assert found.score + found.turned().score == 1
    assert found.turned().turned() == found
    assert found.seen_by("b") == found.turned()
    assert found.seen_by("a") == found
    assert found.seen_by("c") is None
