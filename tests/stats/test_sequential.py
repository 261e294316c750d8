"""The sequential test on scores: its ratio against other programs and an optimiser, its laws, its error rates."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from math import log, sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from arena.stats import Risks, ScoreTest, Set, Tally, Verdict, decide
from arena.stats.fit import ELO, chance
from duelling import duel, say

COUNTS = st.one_of(*(st.lists(st.integers(0, 60), min_size=size, max_size=size).map(tuple) for size in (3, 5)))
ELOS = st.integers(-200, 200).flatmap(lambda low: st.tuples(st.just(low), st.integers(low + 1, 250)))


def llr(counts: tuple[int, ...], elo0: float, elo1: float) -> float:
    """The log-likelihood ratio of these counts."""
    return ScoreTest(elo0, elo1).examine(Tally((counts,))).llr


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "expected", "places"),
    [
        ((1300, 400, 1500), -1, 3, 2.510409338650599, 10),  # fishtest
        ((21184, 40708, 21404), 0.5, 2.5, -1.57, 2),  # fastchess, from here on
        ((57030, 106593, 57433), 0, 2, -2.59, 2),
        ((223, 9863, 21279, 10037, 246), 0.5, 2.5, -3.07, 2),
        ((871, 26175, 55983, 26678, 821), 0, 2, -4.98, 2),
    ],
)
def test_agrees_with_programs_in_use(
    counts: tuple[int, ...], elo0: float, elo1: float, expected: float, places: int
) -> None:
    """Counts and ratios from the tests of two programs that decide over chess engines."""
    assert round(llr(counts, elo0, elo1), places) == round(expected, places)


@pytest.mark.parametrize("counts", [(9, 4, 20), (3, 8, 20, 9, 7), (1, 2, 3, 40, 90), (30, 1, 1, 1, 30)])
@pytest.mark.parametrize(("elo0", "elo1"), [(0, 10), (-30, 60)])
def test_agrees_with_an_optimiser(counts: tuple[int, ...], elo0: float, elo1: float) -> None:
    """The likeliest distributions with either mean are those that a general optimiser finds."""

    def likeliest(score: float) -> float:
        def unlikely(shares: list[float]) -> float:
            return -sum(count * log(max(share, 1e-300)) for count, share in zip(counts, shares, strict=True))

        size = len(counts)
        constraints = [
            {"type": "eq", "fun": lambda shares: sum(shares) - 1},
            {"type": "eq", "fun": lambda shares: sum(i * share for i, share in enumerate(shares)) / (size - 1) - score},
        ]
        start = [1 / size] * size
        found = minimize(
            unlikely, start, bounds=[(1e-9, 1)] * size, constraints=constraints, options={"ftol": 1e-12, "maxiter": 500}
        )
        return -float(found.fun)

    expected = likeliest(chance(elo1 / ELO)) - likeliest(chance(elo0 / ELO))
    assert llr(counts, elo0, elo1) == pytest.approx(expected, abs=1e-5)


@given(COUNTS, ELOS)
def test_the_other_side_sees_the_opposite(counts: tuple[int, ...], elos: tuple[int, int]) -> None:
    """With scores and hypotheses turned round the ratio changes its sign and nothing else."""
    low, high = elos
    assert llr(counts[::-1], -high, -low) == pytest.approx(-llr(counts, low, high), abs=1e-9)


@given(COUNTS, ELOS)
def test_wins_speak_for_and_losses_against(counts: tuple[int, ...], elos: tuple[int, int]) -> None:
    """A set more that is won never lowers the ratio, one that is lost never raises it."""
    before = llr(counts, *elos)
    assert llr((*counts[:-1], counts[-1] + 1), *elos) >= before - 1e-9
    assert llr((counts[0] + 1, *counts[1:]), *elos) <= before + 1e-9


@given(COUNTS, COUNTS, ELOS)
def test_single_matches_and_sets_add_up(one: tuple[int, ...], two: tuple[int, ...], elos: tuple[int, int]) -> None:
    """Where there are both, the ratio is the sum of what either says."""
    if len(one) != len(two):
        both = ScoreTest(*elos).examine(Tally((one, two)))
        assert both.llr == pytest.approx(llr(one, *elos) + llr(two, *elos), abs=1e-9)
        assert both.sets == sum(one) + sum(two)


def test_bounds_are_walds() -> None:
    """5 % and 5 % make bounds of -2.944 and 2.944; unequal risks unequal bounds."""
    assert (round(Risks().lower, 3), round(Risks().upper, 3)) == (-2.944, 2.944)
    assert (round(Risks(0.01, 0.2).lower, 3), round(Risks(0.01, 0.2).upper, 3)) == (-1.599, 4.382)


def test_what_never_occurred_hardly_counts() -> None:
    """A hundred wins say what a coin that may also fall on the other side would, to a ten-thousandth."""
    assert llr((0, 0, 100), 0, 10) == pytest.approx(100 * log(2 * chance(10 / ELO)), abs=1e-4)
    assert llr((40, 0, 60), 0, 10) == pytest.approx(
        60 * log(2 * chance(10 / ELO)) + 40 * log(2 * chance(-10 / ELO)), abs=1e-4
    )


def test_winner_of_everything_is_accepted_soon() -> None:
    """Nothing but wins is accepted, nothing but losses and nothing but draws rejected, in some dozens of sets."""
    for halves, verdict in ((4, Verdict.ACCEPTED), (0, Verdict.REJECTED), (2, Verdict.REJECTED)):
        finding = decide(ScoreTest(0, 50), repeat(duel("new", "old", halves), 100))
        assert finding.verdict is verdict
        assert 10 < finding.sets < 60


def test_takes_no_set_after_the_one_that_decides() -> None:
    """The set that reaches a bound is the last that is asked for; without one there is no verdict."""
    asked = iter([duel("new", "old", 4)] * 100)
    finding = decide(ScoreTest(0, 50), asked)
    assert finding.verdict is Verdict.ACCEPTED
    assert finding.llr >= finding.upper
    assert sum(1 for _ in asked) == 100 - finding.sets
    before = decide(ScoreTest(0, 50), [duel("new", "old", 4)] * (finding.sets - 1))
    assert (before.verdict, before.sets) == (Verdict.UNDECIDED, finding.sets - 1)
    assert before.llr < before.upper
    assert decide(ScoreTest(), []).verdict is Verdict.UNDECIDED


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ScoreTest(10, 10), "elo0 10 and elo1 10: elo0 has to be the lower one, both within 2000"),
        (lambda: ScoreTest(0, float("nan")), "elo0 0 and elo1 nan: elo0 has to be the lower one, both within 2000"),
        (lambda: Risks(alpha=0), "alpha 0: below 0.5 and above 0 would do, 0.05 is usual"),
        (lambda: Risks(beta=0.5), "beta 0.5: below 0.5 and above 0 would do, 0.05 is usual"),
    ],
)
def test_refuses_what_is_no_test(call: object, message: str) -> None:
    """One line says what was wrong and what would be right."""
    assert callable(call)
    with pytest.raises(ValueError, match=message):
        call()


def drawn_sets(random: Random, elo: float, *, alike: float | None, drawn: float) -> Iterator[Set]:
    """Sets of a bot that is exactly `elo` points stronger: of two legs with that correlation, or single matches."""
    won = (chance(elo / ELO) - drawn / 2) / (1 - drawn)
    lost, common = 1 - won, (alike or 0) * won * (1 - won)
    if alike is None:
        shares, sets = [lost * (1 - drawn), drawn, won * (1 - drawn)], [duel("new", "old", h, 1) for h in range(3)]
    else:
        shares, sets = (
            [lost**2 + common, 2 * (won * lost - common), won**2 + common],
            [duel("new", "old", halves) for halves in (0, 2, 4)],
        )
    while True:
        yield from random.choices(sets, shares, k=64)


@pytest.mark.parametrize(
    ("alike", "drawn"), [(-0.6, 0.0), (None, 0.0), (None, 0.3)], ids=["paired", "unpaired", "unpaired with draws"]
)
def test_errs_as_often_as_it_says(alike: float | None, drawn: float, *, soak: bool) -> None:
    """Accepted under H0 in 5 % of the tests, under H1 in 95 %, within two standard errors on 2,000 tests of the gate.

    The small size has wider hypotheses, so that a test takes some dozens of sets, and allows three standard errors.
    """
    elo1, tests = (10.0, 2000) if soak else (60.0, 100)
    test, random = ScoreTest(0, elo1), Random(5)
    error = sqrt(0.05 * 0.95 / tests)
    for elo, correct in ((0.0, Verdict.REJECTED), (elo1, Verdict.ACCEPTED)):
        findings = [decide(test, drawn_sets(random, elo, alike=alike, drawn=drawn)) for _ in range(tests)]
        wrong = sum(finding.verdict is not correct for finding in findings) / tests
        deals = sum(finding.sets for finding in findings) / tests * (1 if alike is None else 2)
        say(f"elo 0 to {elo1:g}, {elo:g} true: {100 * wrong:.2f} % of {tests} wrong, {deals:.0f} matches in the mean")
        assert abs(wrong - 0.05) <= (2 if soak else 3) * error
