"""Strengths of all bots from all sets at once: Bradley-Terry with a prior, by Newton's method.

    p_c = 1 / (1 + exp(-x_c . theta))      x_c: the row of set c, see arena.stats.evidence
    L   = sum_c w_c (s_c ln p_c + (1 - s_c) ln(1 - p_c)) - sum_i theta_i^2 / (2 tau^2)      maximised over theta
    H   = sum_c D_c x_c x_c' + I / tau^2,   D_c = w_c p_c (1 - p_c)      w_c: weight, s_c: score, see arena.stats.sets

Model: Bradley and Terry, "Rank analysis of incomplete block designs" (1952). Without a prior there is a finite maximum
only where every group of bots has won something from the rest (Ford, "Solution of a ranking problem from binary
comparisons", 1957); the prior, strengths normal with standard deviation tau around a common mean, makes it always
finite and unique.

Newton's step d is shortened to ln(1 + r) / r of itself, r = max |x_c . d|, which makes every step a gain and the last
ones quadratic (Bach, "Self-concordant analysis for logistic regression", 2010).

The covariance of theta is S, with n sets and q over the pairings of two teams:

    V = 1/H,   S = V (sum_q m_q x_q x_q' + I / tau^2) V
    m_q = D_q (r_q + f) / (D_q + 1) + D_q / n,      D_q = sum of D_c over its sets,   f = sum_q r_q / sum_q D_q
    r_q = k sum (w_c (s_c - p_c))^2 over its sets,   k = n / (n - d),   d = trace(V (H - I / tau^2))

Fractional scores make L a quasi-likelihood, and S is the "sandwich" clustered by set (White, "Maximum likelihood
estimation of misspecified models", 1982; Liang and Zeger, "Longitudinal data analysis using generalized linear models",
1986): right however the legs of a set are correlated, where V is not. The sandwich is too sure of itself where it has
seen little, so k pays for the d strengths that were fitted; where nearly all sets were won by one side, the r_q seen is
drawn towards the f of all pairings, as if by one unit of information; and D_q / n is one set more that varies as the
model says, without which nothing but draws would leave no doubt. I / tau^2 is what the pull of the prior adds: if
strengths are spread as the prior says, S is the mean squared error.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, fsum, log, log1p
from typing import Final

from arena.stats.evidence import Evidence, Pairing
from arena.stats.matrix import cholesky, diagonal, inverse, sandwich, solve

ELO: Final = 400 / log(10)
"""Points of Elo in one unit of theta."""
PRIOR_ELO: Final = 800.0
"""tau in Elo. Wide, because a ladder holds bots that play at random: strengths spread over more than tau would be
pulled together by more than their intervals say."""

_CLOSE_ELO: Final = 1e-10
_STEPS: Final = 200


@dataclass(frozen=True, slots=True)
class Fit:
    """Strengths `theta` in the order of `bots`, with mean 0 in each of the `groups`, and their covariance S."""

    bots: tuple[str, ...]
    theta: tuple[float, ...]
    covariance: tuple[tuple[float, ...], ...]
    groups: tuple[int, ...]


def fit(evidence: Evidence, prior_elo: float = PRIOR_ELO) -> Fit:
    """The strengths that explain the evidence best; the last step is below 1e-10 Elo."""
    precision = (ELO / prior_elo) ** 2
    groups = evidence.groups()
    theta = [0.0] * len(evidence.bots)
    for _ in range(_STEPS):
        lower = cholesky(_information(evidence, theta, precision))
        step = solve(lower, _gradient(evidence, theta, precision))
        reach = max((abs(pairing.ahead(step)) for pairing in evidence.pairings), default=0.0)
        short = log1p(reach) / reach if reach else 1.0
        after = _centred([old + short * move for old, move in zip(theta, step, strict=True)], groups)
        moved = max((abs(new - old) for new, old in zip(after, theta, strict=True)), default=0.0)
        theta = after
        if moved * ELO < _CLOSE_ELO:
            break
    return Fit(evidence.bots, tuple(theta), _covariance(evidence, theta, precision), groups)


def chance(ahead: float) -> float:
    """The score that a side expects which is `ahead` units of theta ahead; exact at either end."""
    if ahead >= 0:
        return 1 / (1 + exp(-ahead))
    return exp(ahead) / (1 + exp(ahead))


def _gradient(evidence: Evidence, theta: Sequence[float], precision: float) -> list[float]:
    """The slope of L. It is summed exactly: what one side of a pairing gains the other loses, to the last bit."""
    parts = [[-precision * strength] for strength in theta]
    for pairing in evidence.pairings:
        ahead = pairing.ahead(theta)
        surplus = pairing.won * chance(-ahead) - pairing.lost * chance(ahead)
        for bot, share in pairing.row:
            parts[bot].append(share * surplus)
    return [fsum(part) for part in parts]


def _information(evidence: Evidence, theta: Sequence[float], precision: float) -> list[list[float]]:
    """H."""
    full = diagonal(len(theta), precision)
    for pairing in evidence.pairings:
        _add_outer(full, pairing, _informs(pairing, theta))
    return full


def _informs(pairing: Pairing, theta: Sequence[float]) -> float:
    """D_q."""
    ahead = pairing.ahead(theta)
    return (pairing.won + pairing.lost) * chance(ahead) * chance(-ahead)


def _covariance(evidence: Evidence, theta: Sequence[float], precision: float) -> tuple[tuple[float, ...], ...]:
    """S."""
    spread = inverse(cholesky(_information(evidence, theta, precision)))
    meat = diagonal(len(theta), precision)
    sets = sum(pairing.sets for pairing in evidence.pairings)
    if sets:
        pays = sets / (sets - sum(1 - precision * spread[bot][bot] for bot in range(len(theta))))
        informs = [_informs(pairing, theta) for pairing in evidence.pairings]
        varies = [pays * _squares(pairing, theta) for pairing in evidence.pairings]
        usual = fsum(varies) / fsum(informs)
        for pairing, known, seen in zip(evidence.pairings, informs, varies, strict=True):
            _add_outer(meat, pairing, known * (seen + usual) / (known + 1) + known / sets)
    return tuple(map(tuple, sandwich(spread, meat)))


def _squares(pairing: Pairing, theta: Sequence[float]) -> float:
    """The sum over the sets of the square by which the weighted score misses its expectation."""
    ahead = pairing.ahead(theta)
    short, over = chance(-ahead) / 4, chance(ahead) / 4
    return fsum(count * (halves * short - (2 * legs - halves) * over) ** 2 for halves, legs, count in pairing.cells)


def _add_outer(full: list[list[float]], pairing: Pairing, weight: float) -> None:
    for bot, share in pairing.row:
        row, part = full[bot], weight * share
        for against, other in pairing.row:
            row[against] += part * other


def _centred(theta: Sequence[float], groups: Sequence[int]) -> list[float]:
    """The strengths less the mean of their group, which the prior holds at 0 and rounding would let drift."""
    members: dict[int, list[float]] = defaultdict(list)
    for group, strength in zip(groups, theta, strict=True):
        members[group].append(strength)
    means = {group: fsum(strengths) / len(strengths) for group, strengths in members.items()}
    return [strength - means[group] for group, strength in zip(groups, theta, strict=True)]
