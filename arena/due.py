"""What of a plan is still to be played: pure bookkeeping over the numbers of matches, a bit each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Ended(NamedTuple):
    """A match of the record: its number in the run, its attempt, and whether it ended void."""

    number: int
    attempt: int
    void: bool


class Due:
    """Which of the matches 1 to `planned` have no result that counts yet, and as which attempt each is next.

    Matches are in sets of `legs` with numbers in a row. A void leg voids its set: all legs are due again. `ended` may
    come in any order in which the attempts of a set follow each other.
    """

    def __init__(self, planned: int, legs: int, ended: Iterable[Ended]) -> None:
        self.planned = planned
        self._legs = legs
        self._done = bytearray(planned // 8 + 1)
        self._attempts: dict[int, int] = {}
        self.open = planned
        """How many are due."""
        for match in ended:
            if 1 <= match.number <= planned:
                self._take(match)

    def _take(self, match: Ended) -> None:
        played = (match.number - 1) // self._legs
        if match.attempt < self._attempts.get(played, 0):
            return
        if match.void:
            self._attempts[played] = match.attempt + 1
            for number in range(played * self._legs + 1, (played + 1) * self._legs + 1):
                self._mark(number, done=False)
        else:
            self._mark(match.number, done=True)

    def _mark(self, number: int, *, done: bool) -> None:
        place, bit = number >> 3, 1 << (number & 7)
        if number <= self.planned and bool(self._done[place] & bit) != done:
            self._done[place] ^= bit
            self.open += -1 if done else 1

    def attempt(self, number: int) -> int | None:
        """The attempt that is next for a match; None when it is done."""
        if self._done[number >> 3] & 1 << (number & 7):
            return None
        return self._attempts.get((number - 1) // self._legs, 0)
