"""Is the new bot stronger? A sequential test on the scores of its sets (GSPRT).

    H0: the new bot is `elo0` points stronger, H1: `elo1`     as expected scores: s = 1 / (1 + 10 ^ (-elo / 400))
    LLR: of mean score s1 to mean score s0, see arena.stats.likelihood

Sets of two legs have five scores (the pentanomial), single matches three; where there are both, their LLRs add up. The
correlation of the legs and the share of draws count for what they are, because no distribution over the scores is
assumed. A score that has not occurred counts as a thousandth of an occurrence.

Chess engines are tested so (fishtest, OpenBench, fastchess). Those also know "normalized" Elo, the expectation in units
of its own deviation. Here Elo is that of the ladder: 10 points mean the same for every pair of bots, and what pairing
takes away from chance shortens the test instead of shifting the hypotheses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from arena.stats.fit import ELO, chance
from arena.stats.likelihood import UNSEEN, log_ratio
from arena.stats.sets import Set
from arena.stats.verdict import Finding, Risks

_MOST_ELO: Final = 2000


@dataclass(frozen=True, slots=True)
class Tally:
    """How many sets had which score, from 0 to 1: five counts for sets of two legs, three for single matches."""

    counts: tuple[tuple[int, ...], ...] = ()

    @property
    def sets(self) -> int:
        """How many sets, single matches among them."""
        return sum(map(sum, self.counts))

    def plus(self, found: Set) -> Tally:
        """The same and one set more, as its own side sees it."""
        size = 2 * found.legs + 1
        rows = {len(row): row for row in self.counts}
        row = list(rows.get(size, (0,) * size))
        row[found.halves] += 1
        rows[size] = tuple(row)
        return Tally(tuple(rows[size] for size in sorted(rows)))


@dataclass(frozen=True, slots=True)
class ScoreTest:
    """H0: `elo0` points stronger; H1: `elo1`. Raises ValueError where they are no two hypotheses."""

    elo0: float = 0.0
    elo1: float = 10.0
    risks: Risks = field(default_factory=Risks)

    def __post_init__(self) -> None:
        if not -_MOST_ELO <= self.elo0 < self.elo1 <= _MOST_ELO:
            raise ValueError(
                f"elo0 {self.elo0:g} and elo1 {self.elo1:g}: elo0 has to be the lower one, both within {_MOST_ELO}"
            )

    @property
    def nothing(self) -> Tally:
        """No set yet."""
        return Tally()

    def examine(self, counted: Tally) -> Finding:
        """Where the test stands after these sets."""
        low, high = chance(self.elo0 / ELO), chance(self.elo1 / ELO)
        llr = sum(_llr(row, low, high) for row in counted.counts if any(row))
        return self.risks.find(llr, counted.sets, "Elo")


def _llr(counts: Sequence[int], low: float, high: float) -> float:
    """The log-likelihood ratio of mean score `high` to `low`, for counts of equally spaced scores from 0 to 1."""
    top = len(counts) - 1
    return log_ratio([count or UNSEEN for count in counts], [index / top for index in range(top + 1)], low, high)
