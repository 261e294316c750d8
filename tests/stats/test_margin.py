"""The sequential test on points a deal: its laws and its error rates."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from random import Random
from statistics import fmean, variance

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.stats import Margins, MarginTest, Set, Verdict, decide
from arena.stats.margin import FEWEST
from duelling import say

POINTS = st.lists(st.tuples(st.integers(-50, 50), st.integers(0, 9)), max_size=80)


def scored(points: int, deals: int = 1) -> Set:
    """A set in which the new bot scored so many points more."""
    return Set(("new",), ("old",), 2, 2, points, deals)


def margins(sets: list[Set]) -> Margins:
    """The margins of these sets."""
    found = Margins()
    for each in sets:
        found = found.plus(each)
    return found


@given(POINTS)
def test_mean_and_interval_are_those_of_the_sets(points: list[tuple[int, int]]) -> None:
    """Counted set by set they are what the whole list has; sets without a deal are left out."""
    found = margins([scored(*each) for each in points])
    each = [ahead / deals for ahead, deals in points if deals]
    assert found.sets == len(each)
    assert found.mean == (pytest.approx(fmean(each), abs=1e-9) if each else None)
    interval = found.interval()
    assert (interval is None) == (len(each) < FEWEST)
    if interval is not None:
        reach = 1.959964 * sqrt(variance(each) / len(each))
        assert interval == pytest.approx((fmean(each) - reach, fmean(each) + reach), abs=1e-6)


@given(POINTS, st.integers(-3, 3), st.floats(0.01, 5))
def test_the_other_side_sees_the_opposite(points: list[tuple[int, int]], edge0: int, more: float) -> None:
    """With margins and edges turned round the ratio changes its sign and nothing else."""
    sets = [scored(*each) for each in points]
    one = MarginTest(edge0, edge0 + more).examine(margins(sets))
    two = MarginTest(-edge0 - more, -edge0).examine(margins([scored(-ahead, deals) for ahead, deals in points]))
    assert one.llr == pytest.approx(-two.llr, abs=1e-9)


def test_no_verdict_before_thirty_sets() -> None:
    """However clear it looks: a few sets do not say what else could have been."""
    sure = [scored(1)] * (FEWEST - 1)
    assert decide(MarginTest(0, 1), sure).verdict is Verdict.UNDECIDED
    assert margins(sure).interval() is None
    finding = decide(MarginTest(0, 1), [*sure, scored(1)])
    assert (finding.verdict, finding.sets, finding.measure) == (Verdict.ACCEPTED, FEWEST, "points a deal")


@pytest.mark.parametrize(("edge0", "edge1"), [(1, 1), (2, 1), (0, float("inf")), (float("nan"), 1)])
def test_refuses_what_are_no_hypotheses(edge0: float, edge1: float) -> None:
    """One line says what was wrong."""
    with pytest.raises(ValueError, match=r"points a deal: the first has to be lower"):
        MarginTest(edge0, edge1)


def dealt(random: Random, edge: float, *, paired: bool, skew: bool) -> Iterator[Set]:
    """Deals with an edge of so many thousandths of a point: most of a margin is the cards', the rest the bots' own.

    In a set the cards are once for the one bot and once for the other. Skew is a bot that loses seldom and much.
    """
    usual, seldom = (400, -1600) if skew else (800, -800)
    while True:
        cards = random.choice((-2000, 2000))
        own = [random.choices((usual, seldom), (4, 1) if skew else (1, 1))[0] for _ in range(2)]
        yield scored(2 * edge + sum(own), 2) if paired else scored(edge + cards + own[0])


@pytest.mark.parametrize(
    ("paired", "skew"), [(True, False), (False, False), (True, True)], ids=["paired", "unpaired", "paired and skew"]
)
def test_errs_as_often_as_it_says(*, paired: bool, skew: bool, soak: bool) -> None:
    """Accepted under H0 in 5 % of the tests, under H1 in 95 %, within two standard errors on 2,000 tests.

    The small size has wider hypotheses and allows three. Skewness (here 1.1) costs up to a point and a half more.
    """
    edge1, tests = (100, 2000) if soak else (250, 100)
    test, random = MarginTest(0, edge1), Random(8)
    error = sqrt(0.05 * 0.95 / tests)
    for edge, correct in ((0, Verdict.REJECTED), (edge1, Verdict.ACCEPTED)):
        findings = [decide(test, dealt(random, edge, paired=paired, skew=skew)) for _ in range(tests)]
        wrong = sum(finding.verdict is not correct for finding in findings) / tests
        deals = sum(finding.sets for finding in findings) / tests * (2 if paired else 1)
        say(f"edge 0 to {edge1}, {edge} true: {100 * wrong:.2f} % of {tests} wrong, {deals:.0f} deals in the mean")
        assert abs(wrong - 0.05) <= (2 if soak else 3) * error + (0.015 if skew else 0)
