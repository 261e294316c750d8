"""Logs of invented duels between bots of known strength, for the tests of statistics."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from math import sqrt
from random import Random
from statistics import NormalDist

from hypothesis import strategies as st

from arena.stats import Set
from arena.stats.fit import chance

_NORMAL = NormalDist()

NAMES = st.sampled_from("abcdef")


def say(figures: str) -> None:
    """A line with what a simulation found, for whoever runs it with `-rP`."""
    sys.stdout.write(f"{figures}\n")


def duel(own: str, other: str, halves: int, legs: int = 2) -> Set:
    """A set of two bots, in which `own` won so many half points."""
    return Set((own,), (other,), halves, legs)


@st.composite
def duels(draw: st.DrawFn, most: int = 30) -> list[Set]:
    """Any log of sets of one or two legs between six bots, teams of two among them."""
    sets = []
    for _ in range(draw(st.integers(0, most))):
        bots = draw(st.permutations("abcdef"))
        size, legs = draw(st.sampled_from((1, 1, 1, 2))), draw(st.sampled_from((1, 2)))
        own, other = tuple(sorted(bots[:size])), tuple(sorted(bots[size : 2 * size]))
        sets.append(Set(own, other, draw(st.integers(0, 2 * legs)), legs))
    return sets


class Dice:
    """Results at random: the legs of a set are won with the chance of the strengths, and correlated.

    Behind each leg stands a normal deviate, and those of a set have the correlation `alike`; the share `drawn` of all
    legs is drawn instead.
    """

    def __init__(self, seed: int, *, alike: float = 0.0, drawn: float = 0.0) -> None:
        self.random = Random(seed)
        self._common = sqrt(abs(alike))
        self._alone = sqrt(1 - abs(alike))
        self._sign = 1 if alike >= 0 else -1
        self._drawn = drawn

    def halves(self, ahead: float, legs: int) -> int:
        """The half points won in a set by a side that is so many units of theta ahead."""
        below = _NORMAL.inv_cdf(chance(ahead))
        common = self.random.gauss(0, self._common)
        won = 0
        for leg in range(legs):
            deviate = (common if leg == 0 else self._sign * common) + self.random.gauss(0, self._alone)
            won += 1 if self.random.random() < self._drawn else 2 * (deviate < below)
        return won

    def round_robin(self, theta: Sequence[float], sets: int, legs: int = 2) -> list[Set]:
        """So many sets of each two bots, named 00, 01, ... in the order of `theta`."""
        return [
            duel(f"{own:02}", f"{other:02}", self.halves(theta[own] - theta[other], legs), legs)
            for own in range(len(theta))
            for other in range(own)
            for _ in range(sets)
        ]
