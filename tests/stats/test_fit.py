"""The fit: checked against another implementation, exact under any order, lawful."""

from __future__ import annotations

from collections import Counter
from math import fsum, isfinite
from random import Random

import choix
import numpy as np
import pytest
from choix.opt import PairwiseFcts
from hypothesis import given
from hypothesis import strategies as st

from arena.stats import Ladder, Set, rate
from arena.stats.evidence import gather
from arena.stats.fit import ELO, chance, fit
from duelling import NAMES, Dice, duel, duels


def by_choix(sets: list[Set], prior_elo: float) -> dict[str, float]:
    """Elo around 1500 as choix finds it.

    It knows wins only: four times our likelihood has a win for every half point, and four times our prior. Its search
    ends when the likelihood no longer grows in its last bits, up to 1e-5 Elo early; a last step goes by its own slopes.
    """
    bots = sorted({bot for each in sets for bot in (*each.own, *each.other)})
    data = []
    for each in sets:
        own, other = bots.index(each.own[0]), bots.index(each.other[0])
        data += [(own, other)] * each.halves + [(other, own)] * (2 * each.legs - each.halves)
    penalty = 2 * (ELO / prior_elo) ** 2
    theta = choix.opt_pairwise(len(bots), data, alpha=penalty, tol=1e-13)
    model = PairwiseFcts(data, penalty)
    last = np.linalg.solve(model.hessian(theta), model.gradient(theta))
    assert max(abs(last)) * ELO < 1e-4
    theta -= last
    return {bot: 1500 + ELO * float(strength) for bot, strength in zip(bots, theta, strict=True)}


def elos(ladder: Ladder) -> dict[str, float]:
    """Elo by bot."""
    return {standing.bot: standing.elo for standing in ladder.standings}


@pytest.mark.parametrize("seed", range(12))
def test_agrees_with_choix(seed: int) -> None:
    """On random logs, sparse and full, with draws, single matches and wide priors, to a millionth of a point."""
    random = Random(seed)
    theta = [random.gauss(0, 2) for _ in range(random.randint(2, 12))]
    dice = Dice(seed, alike=random.uniform(-0.9, 0.9), drawn=random.choice((0.0, 0.2)))
    sets = [*dice.round_robin(theta, random.randint(1, 8), 1), *dice.round_robin(theta, random.randint(0, 4))]
    prior = random.choice((100.0, 400.0, 800.0, 3000.0))
    ours, theirs = elos(rate(sets, prior_elo=prior)), by_choix(sets, prior)
    assert max(abs(ours[bot] - theirs[bot]) for bot in theirs) < 1e-6


@given(duels(), st.randoms(use_true_random=False))
def test_order_of_the_log_is_nothing_to_it(sets: list[Set], random: Random) -> None:
    """However the log is shuffled, told for either side or counted up, the ladder has the same bits."""
    other = [each.turned() if random.random() < 0.5 else each for each in sets]
    random.shuffle(other)
    assert rate(other, anchor="a") == rate(sets, anchor="a") == rate(Counter(other), anchor="a")


@given(duels())
def test_slope_vanishes(sets: list[Set]) -> None:
    """At the fitted strengths no bot's expected score differs from its own but by the pull of the prior."""
    found = fit(gather(sets))
    theta = dict(zip(found.bots, found.theta, strict=True))
    pulls = (ELO / 800) ** 2
    for bot, strength in theta.items():
        surplus = [-pulls * strength]
        for each in sets:
            ahead = fsum(theta[own] for own in each.own) / len(each.own)
            ahead -= fsum(theta[other] for other in each.other) / len(each.other)
            share = each.own.count(bot) / len(each.own) - each.other.count(bot) / len(each.other)
            surplus.append(share * each.weight * (each.score - chance(ahead)))
        assert abs(fsum(surplus)) < 1e-12


@given(duels(), st.permutations("abcdef"))
def test_names_are_nothing_to_it(sets: list[Set], names: list[str]) -> None:
    """Bots under other names have the same strengths and intervals."""
    renamed = dict(zip("abcdef", names, strict=True))

    def rename(bots: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(sorted(renamed[bot] for bot in bots))

    other = [Set(rename(each.own), rename(each.other), each.halves, each.legs) for each in sets]
    found = {standing.bot: standing for standing in rate(other).standings}
    for standing in rate(sets).standings:
        twin = found[renamed[standing.bot]]
        assert twin.elo == pytest.approx(standing.elo, abs=1e-8)
        assert (twin.low, twin.high) == pytest.approx((standing.low, standing.high), abs=1e-6)


@given(duels(), NAMES, NAMES)
def test_anchor_shifts_all_alike(sets: list[Set], anchor: str, other: str) -> None:
    """The anchor is at 1500, and differences between bots do not depend on who it is."""
    one, two = elos(rate(sets, bots="abcdef", anchor=anchor)), elos(rate(sets, bots="abcdef", anchor=other))
    assert one[anchor] == two[other] == 1500
    shift = one["a"] - two["a"]
    assert all(abs(one[bot] - two[bot] - shift) < 1e-9 for bot in one)


@given(duels(), st.permutations("abcdef"), st.integers(1, 2))
def test_a_win_more_lowers_nobody_who_won(sets: list[Set], bots: list[str], legs: int) -> None:
    """A win raises the winner over every other bot, and the loser under every other."""
    duels_only = [each for each in sets if len(each.own) == 1]
    before = elos(rate(duels_only, bots="abcdef"))
    after = elos(rate([*duels_only, duel(bots[0], bots[1], 2 * legs, legs)], bots="abcdef"))
    for bot in bots[2:]:
        assert after[bots[0]] - after[bot] >= before[bots[0]] - before[bot] - 1e-9
        assert after[bots[1]] - after[bot] <= before[bots[1]] - before[bot] + 1e-9
    assert after[bots[0]] > before[bots[0]]


def test_gauntlet_is_recovered_where_the_pooled_score_misranks() -> None:
    """P69: a bot that met only the strong is rated by whom it met, not by its share of points."""
    theta = {"strong": 2.0, "steady": 1.0, "tested": 0.6, "weak": -1.0, "feeble": -2.0}
    dice = Dice(69)
    meetings = [("tested", "strong"), ("tested", "steady"), ("weak", "feeble"), ("weak", "tested")]
    meetings += [("steady", "feeble"), ("strong", "feeble"), ("strong", "steady")]
    counts = {("weak", "tested"): 30, ("weak", "feeble"): 400}
    sets = [
        duel(own, other, dice.halves(theta[own] - theta[other], 2))
        for own, other in meetings
        for _ in range(counts.get((own, other), 200))
    ]
    pooled = {}
    for bot in theta:
        own = [seen.score for each in sets if (seen := each.seen_by(bot)) is not None]
        pooled[bot] = sum(own) / len(own)
    assert pooled["weak"] > pooled["tested"]
    ladder = rate(sets, anchor="steady")
    assert [standing.bot for standing in ladder.standings] == sorted(theta, key=lambda bot: -theta[bot])
    for standing in ladder.standings:
        assert standing.low <= 1500 + ELO * (theta[standing.bot] - theta["steady"]) <= standing.high


def test_converges_where_all_is_won() -> None:
    """A million sets, all won by the same bots: finite, and the same as half of the log twice."""
    sets = gather([duel("a", "b", 4), duel("b", "c", 4)])
    many = type(sets)(sets.bots, tuple(type(each)(each.row, ((each.cells[0][0], 2, 10**6),)) for each in sets.pairings))
    found = fit(many)
    assert found.theta[0] > found.theta[1] > found.theta[2]
    assert all(map(isfinite, found.theta))
    pull = (ELO / 800) ** 2
    lost = 10**6 * chance(found.theta[1] - found.theta[0])
    assert lost == pytest.approx(pull * found.theta[0], rel=1e-9)


def test_converges_where_whole_steps_would_not() -> None:
    """Next to no prior, and a log in which almost all is won: Newton's own steps run away from this one."""
    played = {
        duel("c", "a", 1): 10,
        duel("c", "e", 2): 1000,
        duel("b", "a", 4): 10**6,
        duel("b", "e", 4): 10**6,
        duel("e", "d", 0): 10**6,
        duel("c", "a", 4): 10**6,
    }
    found = fit(gather(played), 10_000)
    theta = dict(zip(found.bots, found.theta, strict=True))
    surplus = [-theta["c"] * (ELO / 10_000) ** 2]
    for each, times in played.items():
        seen = each.seen_by("c")
        if seen is not None:
            surplus.append(times * (seen.score - chance(theta["c"] - theta[seen.other[0]])))
    assert abs(fsum(surplus)) < 1e-6


def test_refuses_what_is_out_of_range() -> None:
    """A prior or a level that makes no sense is said in one line."""
    with pytest.raises(ValueError, match="a prior of 0 Elo: 1 to 10000 would do"):
        rate([], prior_elo=0)
    with pytest.raises(ValueError, match=r"an interval of level 95: between 0 and 1 would do, 0.95 is usual"):
        rate([], level=95)
