"""Is the new bot stronger, by points a deal? The fast test, and not quite the same question.

    x_c = points scored more in set c, over its deals     each set counts once, however many deals it had
    H0: the mean of x is `edge0`, H1: `edge1`
    LLR: of mean edge1 to mean edge0, see arena.stats.likelihood     no verdict below 30 sets

The values seen are all that is known of the distribution of x; a normal one is not assumed, because margins may be
skew: a bot that overbids loses seldom and much. (The normal ratio then errs in 2 % and 11 % of the tests that say 5 %
and 5 %, this one in 4 % to 7 %.) One value more at either end, beyond all seen, counts as a thousandth.

Margins say more than results, so bots of nearly the same strength are told apart with fewer deals. But a match is won
by its result, and a bot may give points away to win more often: a verdict says that it was by points. Sets in which no
deal was completed have no margin and are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import fsum, isfinite, sqrt
from typing import Final

from arena.stats.likelihood import UNSEEN, log_ratio
from arena.stats.normal import two_sided
from arena.stats.sets import Set
from arena.stats.verdict import Finding, Risks

FEWEST: Final = 30
"""Below so many sets their mean says nothing yet."""


@dataclass(frozen=True, slots=True)
class Margins:
    """How many sets had which margin, in points a deal."""

    counts: Mapping[float, int] = field(default_factory=dict)

    @property
    def sets(self) -> int:
        """How many sets with a margin."""
        return sum(self.counts.values())

    @property
    def mean(self) -> float | None:
        """The mean margin; None without a set."""
        return fsum(margin * count for margin, count in self.counts.items()) / self.sets if self.counts else None

    def plus(self, found: Set) -> Margins:
        """The same and one set more, as its own side sees it; the same if it has no margin."""
        if found.margin is None:
            return self
        return Margins({**self.counts, found.margin: self.counts.get(found.margin, 0) + 1})

    def interval(self, level: float = 0.95) -> tuple[float, float] | None:
        """The normal interval around the mean; None below 30 sets."""
        mean, sets = self.mean, self.sets
        if mean is None or sets < FEWEST:
            return None
        squares = fsum(count * (margin - mean) ** 2 for margin, count in self.counts.items())
        reach = two_sided(level) * sqrt(squares / (sets - 1) / sets)
        return mean - reach, mean + reach


@dataclass(frozen=True, slots=True)
class MarginTest:
    """H0: `edge0` points a deal more than the other; H1: `edge1`. Raises ValueError where they are no hypotheses."""

    edge0: float
    edge1: float
    risks: Risks = field(default_factory=Risks)

    def __post_init__(self) -> None:
        if not (isfinite(self.edge0) and isfinite(self.edge1) and self.edge0 < self.edge1):
            raise ValueError(f"edges of {self.edge0:g} and {self.edge1:g} points a deal: the first has to be lower")

    @property
    def nothing(self) -> Margins:
        """No set yet."""
        return Margins()

    def examine(self, counted: Margins) -> Finding:
        """Where the test stands after these sets."""
        llr, sets = 0.0, counted.sets
        if sets >= FEWEST:
            beyond = self.edge1 - self.edge0
            values = sorted(counted.counts)
            counts = [UNSEEN, *(counted.counts[value] for value in values), UNSEEN]
            values = [min(values[0], self.edge0) - beyond, *values, max(values[-1], self.edge1) + beyond]
            llr = log_ratio(counts, values, self.edge0, self.edge1)
        return self.risks.find(llr, sets, "points a deal")
