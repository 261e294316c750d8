"""Live Elo: the formula, its limits, and that nothing but the log's order decides."""

from __future__ import annotations

from decimal import Decimal, getcontext, localcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ratings import Leg, Rating, expectation, kind_of, rate_set

DUEL = (0, 1)
TEAMS = (0, 1, 0, 1)


def elo(winner: int | None, *, bots: tuple[str, ...] = ("a", "b"), void: bool = False) -> Leg:
    """A match of two seats."""
    return Leg(bots, DUEL, winner, void)


def test_newcomers_move_by_a_quarter_of_k_in_a_single_match() -> None:
    """A single match has half the weight of a set: 40 x 1/2 x 1/2 = 10 points."""
    assert rate_set({}, [elo(0)]) == {"a": Rating(1_510_000, 1), "b": Rating(1_490_000, 1)}
    assert rate_set({}, [elo(1)]) == {"a": Rating(1_490_000, 1), "b": Rating(1_510_000, 1)}
    assert rate_set({}, [elo(None)]) == {"a": Rating(1_500_000, 1), "b": Rating(1_500_000, 1)}


@pytest.mark.parametrize(
    ("first", "second", "gain"),
    [(0, 1, 20_000), (0, None, 10_000), (0, 0, 0), (None, None, 0), (1, 1, 0), (1, None, -10_000), (1, 0, -20_000)],
)
def test_set_scores_quarters(first: int | None, second: int | None, gain: int) -> None:
    """Two legs with seats swapped are one set, scored 0, 1/4, 1/2, 3/4 or 1, with the full K."""
    after = rate_set({}, [elo(first), elo(second, bots=("b", "a"))])
    assert after == {"a": Rating(1_500_000 + gain, 2), "b": Rating(1_500_000 - gain, 2)}


def test_expectation_is_the_logistic_curve() -> None:
    """400 points ahead means ten to one, and the two sides' expectations add up to one."""
    assert expectation(Decimal(0)) == Decimal("0.5")
    assert abs(expectation(Decimal(400_000)) - Decimal(10) / 11) < Decimal("1e-25")
    assert abs(expectation(Decimal(200_000)) + expectation(Decimal(-200_000)) - 1) < Decimal("1e-25")
    assert 0 < expectation(Decimal(-40_000_000)) < expectation(Decimal(40_000_000)) <= 1


def test_worked_example() -> None:
    """1600 beats 1500 in a single match: E = 0.640065, so 20 x 0.359935 = 7.199 points, rounded to thousandths."""
    after = rate_set({"a": Rating(1_600_000, 5), "b": Rating(1_500_000, 5)}, [elo(0)])
    assert after == {"a": Rating(1_607_199, 6), "b": Rating(1_492_801, 6)}


@pytest.mark.parametrize(
    ("matches", "k", "provisional"),
    [(0, 40, True), (59, 40, True), (60, 20, False), (199, 20, False), (200, 10, False)],
)
def test_k_falls_with_the_number_of_sets(matches: int, k: int, *, provisional: bool) -> None:
    """K is 40 below 30 sets, 20 below 100, then 10; two matches are one set."""
    rating = Rating(matches=matches)
    assert (rating.k, rating.provisional) == (k, provisional)
    assert rate_set({"a": rating}, [elo(0)])["a"].milli == 1_500_000 + 250 * k


def test_each_bot_has_its_own_k() -> None:
    """An old hand moves less than the newcomer it plays."""
    after = rate_set({"a": Rating(matches=500)}, [elo(1)])
    assert after == {"a": Rating(1_497_500, 501), "b": Rating(1_510_000, 1)}


def test_partners_share_the_change() -> None:
    """A side has the mean of its members' ratings, and each member gets the whole change with its own K."""
    ratings = {"a": Rating(1_700_000, 300), "c": Rating(1_500_000)}
    leg = Leg(("a", "b", "c", "d"), TEAMS, 0)
    after = rate_set(ratings, [leg])
    lone = rate_set({"x": Rating(1_600_000)}, [elo(0, bots=("x", "y"))])
    gain = lone["x"].milli - 1_600_000
    assert after["c"].milli - 1_500_000 == gain
    assert abs((after["a"].milli - 1_700_000) * 4 - gain) <= 2
    assert after["b"] == after["d"] == Rating(1_500_000 - gain, 1)


def test_pair_is_rated_once() -> None:
    """A bot that has both seats of a side moves once for a match."""
    assert rate_set({}, [Leg(("p", "q", "p", "q"), TEAMS, 1)]) == {"p": Rating(1_490_000, 1), "q": Rating(1_510_000, 1)}


@pytest.mark.parametrize(
    ("bots", "sides", "kind"),
    [
        (("a", "b"), DUEL, "individual"),
        (("a", "a"), DUEL, None),
        (("a", "b", "c", "d"), TEAMS, "individual"),
        (("p", "q", "p", "q"), TEAMS, "pair"),
        (("p", "a", "p", "b"), TEAMS, None),
        (("a", "b", "c", "a"), TEAMS, None),
        (("p", "p", "p", "p"), TEAMS, None),
        (("a", "b", "c"), (0, 1, 2), None),
        (("a", "b"), (0, 0), None),
        ((), (), None),
    ],
)
def test_kind_of_ladder(bots: tuple[str, ...], sides: tuple[int, ...], kind: str | None) -> None:
    """Pairs and single bots have ladders of their own; mixed tables and a bot against itself are not rated."""
    assert kind_of(bots, sides) == kind


@pytest.mark.parametrize(
    "legs",
    [
        [],
        [elo(None, void=True)],
        [elo(0), elo(None, void=True)],
        [elo(0, bots=("a", "a"))],
        [elo(0), elo(0, bots=("a", "c"))],
        [Leg(("a", "b", "c", "d"), TEAMS, 0), Leg(("a", "c", "b", "d"), TEAMS, 0)],
    ],
)
def test_what_is_no_rated_set_changes_nothing(legs: list[Leg]) -> None:
    """Void legs, a bot against itself and legs of different teams leave the ratings as they are."""
    assert rate_set({"a": Rating(1_600_000, 3)}, legs) == {}


def test_surroundings_do_not_matter() -> None:
    """The thread's own decimal settings have no say in a rating."""
    ratings = {"a": Rating(1_613_457, 5), "b": Rating(1_498_765, 71)}
    usual = rate_set(ratings, [elo(0)])
    with localcontext(getcontext()) as context:
        context.prec = 3
        assert rate_set(ratings, [elo(0)]) == usual


@given(st.integers(-9_000_000, 9_000_000), st.integers(-9_000_000, 9_000_000), st.sampled_from([0, 1, None]))
def test_rating_agrees_with_floating_point(own: int, other: int, winner: int | None) -> None:
    """The formula as anybody would write it with floats gives the same to a thousandth, and the loser never gains."""
    after = rate_set({"a": Rating(own), "b": Rating(other)}, [elo(winner)])
    score = {0: 1.0, 1: 0.0, None: 0.5}[winner]
    expected = 1 / (1 + 10 ** ((other - own) / 400_000))
    assert abs(after["a"].milli - (own + 20_000 * (score - expected))) <= 1
    assert abs(after["a"].milli - own + after["b"].milli - other) <= 1
    if winner == 0:
        assert after["a"].milli >= own
        assert after["b"].milli <= other
