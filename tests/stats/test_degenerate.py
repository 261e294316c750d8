"""Every statistic over inputs that say little or nothing: finite, or None, and never an exception."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from math import isfinite
from typing import Any

import pytest
from hypothesis import given

from arena.ratings import Leg
from arena.stats import Margins, MarginTest, Played, ScoreTest, Set, Tally, decide, rate, sets_of
from duelling import duel, duels

VOID = [Played("s", Leg(("a", "b"), (0, 1), None, void=True))]
SELF = [Played("s", Leg(("a", "a"), (0, 1), 0), (5, 3), 2)]

LOGS = {
    "nothing": [],
    "one match": [duel("a", "b", 2, 1)],
    "one drawn match": [duel("a", "b", 1, 1)],
    "one set": [duel("a", "b", 4)],
    "all wins": [duel("a", "b", 4)] * 500,
    "all losses": [duel("a", "b", 0)] * 500,
    "all draws": [duel("a", "b", 2)] * 500,
    "one set repeated": [duel("a", "b", 3)] * 500,
    "apart": [duel("a", "b", 4), duel("c", "d", 1), duel("e", "f", 2)],
    "a chain of wins": [duel(one, two, 4) for one, two in zip("abcde", "bcdef", strict=True)] * 50,
    "void only": list(sets_of(VOID)),
    "self-play": list(sets_of(SELF)),
    "teams of the same bots": [Set(("a", "b"), ("c", "d"), 4, 2, 30, 6)] * 40,
}


def assert_finite(value: Any) -> None:
    """Every number in a result, at any depth, is finite."""
    if is_dataclass(value):
        for part in fields(value):
            assert_finite(getattr(value, part.name))
    elif isinstance(value, tuple | list):
        for part in value:
            assert_finite(part)
    elif isinstance(value, float):
        assert isfinite(value)


def check(sets: list[Set]) -> None:
    """Put the sets through every statistic."""
    for anchor in (None, "a", "nobody"):
        ladder = rate(sets, anchor=anchor)
        assert_finite(ladder)
        names = [standing.bot for standing in ladder.standings]
        assert_finite([ladder.superiority(bot, over) for bot in names for over in names])
    assert_finite([(each.score, each.weight, each.margin) for each in sets])
    tally, margins = Tally(), Margins()
    for each in sets:
        tally, margins = tally.plus(each), margins.plus(each)
    assert_finite([tally, margins, margins.interval()])
    for test in (ScoreTest(), ScoreTest(-5, 5), ScoreTest(-2000, 2000)):
        assert_finite([test.examine(tally), decide(test, sets)])
    for edges in (MarginTest(0, 0.1), MarginTest(-5, 5), MarginTest(4.999, 5)):
        assert_finite([edges.examine(margins), decide(edges, sets)])


@pytest.mark.parametrize("log", LOGS)
def test_finite_or_nothing(log: str) -> None:
    """Nothing played, nothing but wins, groups that never met, and the like."""
    check(LOGS[log])


@given(duels(8))
def test_finite_whatever_was_played(sets: list[Set]) -> None:
    """Any short log."""
    check(sets)
