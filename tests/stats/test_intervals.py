"""Intervals, superiority and ranks: their laws, and that they hold the truth as often as they say."""

from __future__ import annotations

from math import log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.stats import Set, rate
from arena.stats.fit import ELO, chance
from arena.stats.normal import phi
from duelling import NAMES, Dice, duel, duels, say


@given(duels(), NAMES, NAMES)
def test_superiority_of_one_is_inferiority_of_the_other(sets: list[Set], bot: str, over: str) -> None:
    """The two chances add up to 1; none is given where no chain of sets compares the two."""
    ladder = rate(sets, bots="abcdef")
    group = {standing.bot: standing.group for standing in ladder.standings}
    one, two = ladder.superiority(bot, over), ladder.superiority(over, bot)
    if bot == over or group[bot] != group[over]:
        assert one is two is None
    else:
        assert one is not None
        assert two is not None
        assert one + two == pytest.approx(1, abs=1e-15)
    assert ladder.superiority(bot, "nobody") is None


@given(duels(), st.sampled_from((None, "a", "f")))
def test_ranks_and_intervals_hold_their_own(sets: list[Set], anchor: str | None) -> None:
    """Elo lies in its interval, the rank in its own; standings fall; the anchor is exactly where it is put."""
    ladder = rate(sets, bots="abcdef", anchor=anchor)
    size = len(ladder.standings)
    for place, standing in enumerate(ladder.standings, 1):
        assert standing.low <= standing.elo <= standing.high
        assert 1 <= standing.best <= standing.rank <= place
        assert standing.rank <= standing.worst <= size
        if standing.bot == anchor:
            assert (standing.low, standing.elo, standing.high) == (1500, 1500, 1500)
    found = [standing.elo for standing in ladder.standings]
    assert found == sorted(found, reverse=True)
    if anchor is None:
        assert sum(found) / size == pytest.approx(1500, abs=1e-9)


@given(duels())
def test_rank_interval_leaves_out_those_who_are_surely_elsewhere(sets: list[Set]) -> None:
    """Surely is one test in twenty for all five others together, so one in a hundred for each, on either side."""
    ladder = rate(sets, bots="abcdef")
    for standing in ladder.standings:
        chances = [ladder.superiority(standing.bot, over) for over in "abcdef"]
        assert standing.best == 1 + sum(los is not None and los < 0.005 for los in chances)
        assert standing.worst == 6 - sum(los is not None and los > 0.995 for los in chances)


@given(duels(), st.floats(0.5, 0.9), st.floats(0.91, 0.999))
def test_more_certainty_is_wider(sets: list[Set], low: float, high: float) -> None:
    """A higher level holds the lower one's intervals, of Elo and of ranks."""
    narrow, wide = rate(sets, level=low).standings, rate(sets, level=high).standings
    for inner, outer in zip(narrow, wide, strict=True):
        assert outer.low < inner.low < inner.high < outer.high
        assert outer.best <= inner.best
        assert inner.worst <= outer.worst


def test_overlap_of_intervals_says_nothing() -> None:
    """Two bots that met each other a thousand times are told apart though an anchor far off widens both intervals."""
    sets = [*[duel("a", "b", 3)] * 1000, *[duel("a", "b", 1)] * 700, duel("a", "house", 3), duel("a", "house", 1)]
    ladder = rate(sets, anchor="house")
    places = {standing.bot: standing for standing in ladder.standings}
    assert places["a"].low < places["b"].high
    assert (places["a"].best, places["b"].worst) == (1, 3)
    assert (places["a"].worst, places["b"].best) == (2, 2)
    superiority = ladder.superiority("a", "b")
    assert superiority is not None
    assert superiority > 0.999


def test_interval_of_two_bots_by_hand() -> None:
    """For two bots the formulas of arena.stats.fit can be written out, V being 1 / (1 / tau^2 + 2 D) along a - b."""
    halves = (4, 4, 3, 2, 4, 1, 3)
    ladder = rate([duel("a", "b", won) for won in halves], anchor="b", prior_elo=400)
    (found,) = (standing for standing in ladder.standings if standing.bot == "a")
    pull, n = (ELO / 400) ** 2, len(halves)
    p = chance((found.elo - 1500) / ELO)
    d = n * p * (1 - p)
    v = 1 / (pull + 2 * d)
    r = n / (n - 2 * v * d) * sum((won / 4 - p) ** 2 for won in halves)
    m = d * (r + r / d) / (d + 1) + d / n
    assert found.high - found.elo == pytest.approx(1.959964 * ELO * v * sqrt(4 * m + 2 * pull), rel=1e-6)
    assert ladder.superiority("a", "b") == pytest.approx(phi(log(p / (1 - p)) / (v * sqrt(4 * m + 2 * pull))))


def test_rare_upsets_say_less_than_they_seem() -> None:
    """A pairing that one side always wins is as uncertain as others are, not certain because nothing varied in it."""
    sets = [*[duel("a", "b", 4)] * 10, *[duel("b", "c", 4), duel("b", "c", 0)] * 40]
    alone = [*[duel("a", "b", 4)] * 10, *[duel("b", "c", 2)] * 80]
    widths = []
    for log_of in (sets, alone):
        (found,) = (standing for standing in rate(log_of, anchor="b").standings if standing.bot == "a")
        widths.append(found.high - found.low)
    assert widths[0] > 1.2 * widths[1]


def test_nothing_but_draws_leaves_a_doubt() -> None:
    """A hundred drawn sets vary not at all, and the interval is small but no point."""
    for standing in rate([duel("a", "b", 2)] * 100).standings:
        assert 2 < standing.high - standing.elo < 20


def test_without_a_set_the_prior_speaks() -> None:
    """A bot that has not played is at 1500, within 1.96 times the spread of strengths that is taken for granted."""
    (standing,) = rate([], bots="a", anchor=None).standings
    assert (standing.elo, standing.low, standing.high, standing.sets) == (1500, 1500, 1500, 0)
    found = {standing.bot: standing for standing in rate([], bots="a", anchor="house", prior_elo=100).standings}
    assert found["a"].high - 1500 == pytest.approx(1.959964 * 100 * sqrt(2), rel=1e-6)


@pytest.mark.parametrize(
    ("alike", "legs", "spread"),
    [(-0.6, 2, 200), (0.0, 2, 200), (0.6, 2, 200), (0.0, 1, 200), (0.6, 2, 400)],
    ids=["opposed", "independent", "alike", "single", "far apart"],
)
def test_intervals_hold_the_truth_as_often_as_they_say(alike: float, legs: int, spread: int, *, soak: bool) -> None:
    """Of the 95 % intervals of six bots, 94 to 96 % hold the true Elo, however the legs of a set are correlated.

    The intervals of a ladder without an anchor, and one for the difference between two bots that is another bot's Elo
    where the first is the anchor. The small size allows three standard errors of its own more than that.
    """
    dice = Dice(95, alike=alike)
    logs = 4000 if soak else 60
    held = seen = 0
    for _ in range(logs):
        theta = [dice.random.gauss(0, spread / ELO) for _ in range(6)]
        sets = dice.round_robin(theta, 20 if legs == 2 else 40, legs)
        mean = sum(theta) / 6
        for anchor in (None, "00"):
            origin = mean if anchor is None else theta[0]
            for standing in rate(sets, anchor=anchor).standings:
                if standing.bot != anchor and (anchor is None or standing.bot == "01"):
                    held += standing.low <= 1500 + ELO * (theta[int(standing.bot)] - origin) <= standing.high
                    seen += 1
    share = held / seen
    say(f"{legs} legs, correlation {alike:+}, spread {spread} Elo: {100 * share:.2f} % of {seen} hold the truth")
    # The intervals of one log are not independent: they count as one in the small size, which is the safe side.
    slack = 0.0 if soak else 3 * sqrt(0.95 * 0.05 / (2 * logs))
    assert 0.94 - slack <= share <= 0.96 + slack
