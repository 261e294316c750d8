"""The gate: is the new bot better than the old one? Sets are taken until a sequential test decides.

Results come as matches end, and a test must not depend on that: short matches end first. So a set counts when all
before it in the schedule are there, and what comes after the set that decided counts for nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from arena.matchmaking import ATTEMPTS
from arena.standings import played_of
from arena.stats import Finding, Margins, MarginTest, Risks, ScoreTest, Set, Tally, Verdict, one_set
from arena.store import Result


@dataclass(frozen=True, slots=True)
class GateTerms:
    """What the gate asks: that the new bot is `elo1` points stronger rather than `elo0`.

    With `margin` it asks for so many points a deal more, rather than none: faster, and not the game's own objective.
    `alpha` and `beta` are the probabilities of letting in what is no better, and of refusing what is. Raises ValueError
    where they make no test.
    """

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05
    margin: float | None = None

    def __post_init__(self) -> None:
        _ = self.test

    @property
    def test(self) -> ScoreTest | MarginTest:
        """The test that these terms are."""
        risks = Risks(self.alpha, self.beta)
        if self.margin is not None:
            return MarginTest(0.0, self.margin, risks)
        return ScoreTest(self.elo0, self.elo1, risks)

    @property
    def in_words(self) -> str:
        """What is tested, for people."""
        asked = f"elo {self.elo0:g} to {self.elo1:g}" if self.margin is None else f"{self.margin:g} points a deal"
        return f"{asked}, alpha {self.alpha:g}, beta {self.beta:g}"

    def document(self) -> dict[str, Any]:
        """They as JSON."""
        return asdict(self)

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> GateTerms:
        """What `document` gave."""
        return cls(**document)


class Gate:
    """A gate in progress for the bot `new`. `tally` and `margins` are of the sets that count so far."""

    def __init__(self, terms: GateTerms, new: str) -> None:
        self.terms = terms
        self.tally = Tally()
        self.margins = Margins()
        self.finding = self._examine()
        self._new = new
        self._next = 0
        self._legs: dict[str, list[Result]] = {}
        self._closed: dict[int, Set | None] = {}
        """Sets that wait for those before them, by their place in the schedule; None for one that was given up."""

    @property
    def verdict(self) -> Verdict:
        """What the sets say that count so far."""
        return self.finding.verdict

    def take(self, result: Result) -> None:
        """A match has ended."""
        place = (result.number - 1) // result.legs
        if result.termination.void:
            self._legs.pop(result.set_id, None)
            if result.attempt + 1 >= ATTEMPTS:
                self._close(place, None)
            return
        legs = self._legs.setdefault(result.set_id, [])
        legs.append(result)
        if len(legs) == result.legs:
            found = one_set([played_of(leg) for leg in self._legs.pop(result.set_id)])
            self._close(place, None if found is None else self._as_new(found))

    def _as_new(self, found: Set) -> Set | None:
        return next((seen for seen in (found, found.turned()) if self._new in seen.own), None)

    def _close(self, place: int, found: Set | None) -> None:
        self._closed[place] = found
        while self._next in self._closed and self.verdict is Verdict.UNDECIDED:
            counted = self._closed.pop(self._next)
            self._next += 1
            if counted is not None:
                self.tally, self.margins = self.tally.plus(counted), self.margins.plus(counted)
                self.finding = self._examine()

    def _examine(self) -> Finding:
        test = self.terms.test
        return test.examine(self.margins) if isinstance(test, MarginTest) else test.examine(self.tally)
