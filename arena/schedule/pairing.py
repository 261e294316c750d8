"""One planned match, and a plan of many."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Pairing:
    """One planned match: its number in the run, from 1, its game, the bots by seat, and which attempt this is.

    The legs of a set have numbers in a row and are played on the same decks. A match that ended void is planned again
    under the same number, and its whole set with it, as the next attempt, with other decks.
    """

    number: int
    game: str
    bots: tuple[str, ...]
    attempt: int = 0
    leg: int = 1
    legs: int = 1

    @property
    def first(self) -> int:
        """The number of the first match of its set."""
        return self.number - self.leg + 1

    def again(self) -> Pairing:
        """The next attempt."""
        return replace(self, attempt=self.attempt + 1)


class Plan(Protocol):
    """The matches of a run. Any one can be computed from its number, so that a plan of any size takes no memory."""

    @property
    def matches(self) -> int:
        """How many there are; their numbers are 1 to this."""

    @property
    def legs(self) -> int:
        """How many matches make a set."""

    def pairing(self, number: int) -> Pairing:
        """The match of that number."""

    def order(self) -> Iterator[int]:
        """All numbers that are known, in the order in which they should be begun."""

    def more(self) -> Iterator[int] | None:
        """More of them, once all of those have ended; None when there are none."""
