"""A chess clock as a value. All times are whole microseconds, so that a replay computes them again exactly."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

SECOND: Final = 1_000_000
"""Microseconds in a second."""


def _seconds(text: str) -> int:
    return round(float(text) * SECOND)


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How much time a seat has in a match: a bank, an increment after each answer, a cap on one decision (0: none).

    Start-up has a budget of its own and is no part of it.
    """

    bank_us: int = 60 * SECOND
    increment_us: int = SECOND // 2
    cap_us: int = 10 * SECOND

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """The control that `60+0.5/10` stands for: bank, increment and cap in seconds; the last two may be left out.

        Raises ValueError when the text is of another form.
        """
        found = re.fullmatch(
            r"(\d{1,6}(?:\.\d{1,3})?)(?:\+(\d{1,6}(?:\.\d{1,3})?))?(?:/(\d{1,6}(?:\.\d{1,3})?))?", text.strip()
        )
        if found is None or not float(found[1]):
            raise ValueError(f"{text!r} is no time control: write BANK+INCREMENT/CAP in seconds, such as 60+0.5/10")
        return cls(_seconds(found[1]), _seconds(found[2] or "0"), _seconds(found[3] or "0"))

    def __str__(self) -> str:
        bank, increment, cap = (f"{us / SECOND:g}" for us in (self.bank_us, self.increment_us, self.cap_us))
        return f"{bank}+{increment}" + (f"/{cap}" if self.cap_us else "")


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """A seat's time at one moment: what its bank holds, and how much of that the pending decision may still use."""

    bank_us: int
    decision_us: int


@dataclass(frozen=True, slots=True)
class Bill:
    """What a decision cost: `charged_us` is `elapsed_us` less `lag_us`, the part in which the arena was late."""

    elapsed_us: int
    lag_us: int = 0

    @property
    def charged_us(self) -> int:
        """What is taken from the bank; never negative."""
        return max(0, self.elapsed_us - self.lag_us)


@dataclass(frozen=True, slots=True)
class Clock:
    """A seat's clock between decisions."""

    control: TimeControl
    bank_us: int

    @classmethod
    def full(cls, control: TimeControl) -> Clock:
        """The clock at the start of a match."""
        return cls(control, control.bank_us)

    @property
    def allowance_us(self) -> int:
        """The most that the next decision may take."""
        return min(self.bank_us, self.control.cap_us) if self.control.cap_us else self.bank_us

    def left(self, spent_us: int) -> TimeLeft:
        """What is left of the bank and of the decision after `spent_us` of it; never negative."""
        return TimeLeft(max(0, self.bank_us - spent_us), max(0, self.allowance_us - spent_us))

    def charge(self, bill: Bill) -> Clock:
        """The clock after an answer in time: the charge is taken off, the increment added."""
        return Clock(self.control, max(0, self.bank_us - bill.charged_us) + self.control.increment_us)
