"""The ladder: Elo with intervals, how likely one bot is stronger than another, ranks with intervals.

    Elo_i      = 1500 + (400 / ln 10) (theta_i - reference)     the anchor's theta, or the mean of all without an anchor
    interval   = Elo_i -+ z (400 / ln 10) sqrt(c' S c)          c: i less the reference; z = 1.96 for 95 %
    los(i, j)  = Phi((theta_i - theta_j) / sqrt(S_ii + S_jj - 2 S_ij))
    rank_i     = 1 + how many have more Elo
    ranks_i    = 1 + how many are surely above .. n - how many are surely below

S is that of arena.stats.fit. Two bots are compared by the variance of their difference, never by whether their
intervals overlap: through common opponents their errors move together. "Surely" means z times that deviation, with z
for n - 1 comparisons at once (Bonferroni), so that a bot's true rank is in its interval with at least the probability
of the level; after Mogstad, Romano, Shaikh and Wilhelm, "Inference for ranks with applications to mobility across
neighbourhoods and academic achievement across countries" (2024). Bots of different groups have never been compared,
not even by way of others: nothing is sure between them, and their los is None.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import fsum, sqrt
from typing import Final

from arena.stats.evidence import gather
from arena.stats.fit import ELO, PRIOR_ELO, Fit, fit
from arena.stats.normal import phi, two_sided
from arena.stats.sets import Set

CENTRE_ELO: Final = 1500.0
"""The Elo of the anchor, or the mean of all without one."""
LEVEL: Final = 0.95


@dataclass(frozen=True, slots=True)
class Standing:
    """A bot's place on the ladder: Elo within `low` and `high`, rank within `best` and `worst`.

    `sets` is the weight of its sets, two matches being one; `group` the name of the alphabetically first bot of those
    that it can be compared with.
    """

    bot: str
    elo: float
    low: float
    high: float
    rank: int
    best: int
    worst: int
    sets: float
    group: str


@dataclass(frozen=True, slots=True)
class Ladder:
    """All standings, the highest Elo first, equals by name."""

    standings: tuple[Standing, ...]
    anchor: str | None
    level: float
    _fit: Fit = field(repr=False)

    def superiority(self, bot: str, over: str) -> float | None:
        """How likely `bot` is the stronger of the two, 0 to 1 (los).

        None where no sets compare them, for a bot and itself, and for one that is not there.
        """
        bots = self._fit.bots
        if bot == over or bot not in bots or over not in bots:
            return None
        deviation = _deviation(self._fit, bots.index(bot), bots.index(over))
        return None if deviation is None else phi(deviation)


def rate(
    sets: Iterable[Set] | Mapping[Set, int],
    *,
    bots: Iterable[str] = (),
    anchor: str | None = None,
    prior_elo: float = PRIOR_ELO,
    level: float = LEVEL,
) -> Ladder:
    """The ladder of all bots in `sets`, of `bots` and of the anchor, whether they have played or not.

    A mapping says how often each set was played, which spares a long run to keep them all.
    `anchor` stands at 1500 by definition. `prior_elo` is the spread of strengths to expect before any result, `level`
    the probability of the intervals. Raises ValueError for one that is out of range.
    """
    if not 1 <= prior_elo <= 10_000:
        raise ValueError(f"a prior of {prior_elo:g} Elo: 1 to 10000 would do")
    if not 0 < level < 1:
        raise ValueError(f"an interval of level {level:g}: between 0 and 1 would do, 0.95 is usual")
    evidence = gather(sets, (*bots, *([] if anchor is None else [anchor])))
    fitted = fit(evidence, prior_elo)
    weights = evidence.weights()
    reference = None if anchor is None else fitted.bots.index(anchor)
    within = two_sided(level)
    places = _places(fitted, two_sided(level, len(fitted.bots) - 1))
    standings = []
    for index, bot in enumerate(fitted.bots):
        ahead, deviation = _against(fitted, index, reference)
        elo, reach = CENTRE_ELO + ELO * ahead, ELO * within * deviation
        rank, best, worst = places[index]
        group = fitted.bots[fitted.groups[index]]
        standings.append(Standing(bot, elo, elo - reach, elo + reach, rank, best, worst, weights[index], group))
    standings.sort(key=lambda standing: (-standing.elo, standing.bot))
    return Ladder(tuple(standings), anchor, level, fitted)


def _against(fitted: Fit, bot: int, reference: int | None) -> tuple[float, float]:
    """How far a bot is ahead of the reference, in theta, and the standard deviation of that."""
    size, spread = len(fitted.bots), fitted.covariance
    if reference is not None:
        variance = spread[bot][bot] + spread[reference][reference] - 2 * spread[bot][reference]
        return fitted.theta[bot] - fitted.theta[reference], sqrt(max(0.0, variance))
    whole = fsum(map(fsum, spread)) / size**2
    variance = spread[bot][bot] + whole - 2 * fsum(spread[bot]) / size
    return fitted.theta[bot] - fsum(fitted.theta) / size, sqrt(max(0.0, variance))


def _deviation(fitted: Fit, bot: int, over: int) -> float | None:
    """By how many standard deviations one is ahead of the other; None where nothing compares them."""
    if fitted.groups[bot] != fitted.groups[over]:
        return None
    spread = fitted.covariance
    variance = spread[bot][bot] + spread[over][over] - 2 * spread[bot][over]
    ahead = fitted.theta[bot] - fitted.theta[over]
    return ahead / sqrt(variance) if variance > 0 else None


def _places(fitted: Fit, sure: float) -> list[tuple[int, int, int]]:
    """Rank, best and worst rank of each bot."""
    size = len(fitted.bots)
    places = []
    for bot in range(size):
        above = below = higher = 0
        for over in range(size):
            higher += fitted.theta[over] > fitted.theta[bot]
            deviation = _deviation(fitted, bot, over) if over != bot else None
            if deviation is not None:
                above += deviation < -sure
                below += deviation > sure
        places.append((1 + higher, 1 + above, size - below))
    return places
