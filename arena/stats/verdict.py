"""What a sequential test says, and when it stops.

    lower = ln(beta / (1 - alpha)),   upper = ln((1 - beta) / alpha)        -2.94 and 2.94 for 0.05 and 0.05
    H1 is accepted when the log-likelihood ratio reaches `upper`, rejected when it reaches `lower`

Bounds: Wald, "Sequential tests of statistical hypotheses" (1945). alpha is the probability of accepting where H0 is
exactly true, beta of rejecting where H1 is. The ratio steps over a bound rather than onto it, which makes both somewhat
smaller than they are said to be, the more so the fewer sets a test takes.

The test may be looked at after every set, and stops at the first that reaches a bound: what comes later is not its
business. Sets have to come in the order of the schedule; in the order in which they end, the short ones come first,
and they are not like the others. An Elo difference measured when a test stopped is biased away from H0 and H1 both.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from math import log
from typing import Protocol, Self, TypeVar

from arena.stats.sets import Set


class Verdict(StrEnum):
    """H1, H0, or neither yet."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Risks:
    """The probabilities of a wrong verdict: `alpha` of accepting under H0, `beta` of rejecting under H1.

    Raises ValueError if they leave no room between the bounds.
    """

    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 1e-12 <= value < 0.5:
                raise ValueError(f"{name} {value:g}: below 0.5 and above 0 would do, 0.05 is usual")

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at which H1 is rejected."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which H1 is accepted."""
        return log((1 - self.beta) / self.alpha)

    def find(self, llr: float, sets: int, measure: str) -> Finding:
        """What a log-likelihood ratio means."""
        verdict = Verdict.UNDECIDED
        if llr >= self.upper:
            verdict = Verdict.ACCEPTED
        elif llr <= self.lower:
            verdict = Verdict.REJECTED
        return Finding(verdict, llr, self.lower, self.upper, sets, measure)


@dataclass(frozen=True, slots=True)
class Finding:
    """Where a test stands after so many sets: the log-likelihood ratio between its bounds, and what it was taken of."""

    verdict: Verdict
    llr: float
    lower: float
    upper: float
    sets: int
    measure: str


class Counted(Protocol):
    """What a test needs to know of the sets so far."""

    def plus(self, found: Set) -> Self:
        """The same and one set more, as its own side sees it."""
        ...


C = TypeVar("C", bound=Counted)


class SequentialTest(Protocol[C]):
    """A test on sets in the order of the schedule."""

    @property
    def nothing(self) -> C:
        """What is known before the first set."""
        ...

    def examine(self, counted: C) -> Finding:
        """Where the test stands."""
        ...


def decide(test: SequentialTest[C], sets: Iterable[Set]) -> Finding:
    """Take sets until one decides; undecided if none does."""
    counted = test.nothing
    finding = test.examine(counted)
    for found in sets:
        counted = counted.plus(found)
        finding = test.examine(counted)
        if finding.verdict is not Verdict.UNDECIDED:
            break
    return finding
