"""Growing pauses between attempts to reach an arena."""

from __future__ import annotations

from collections.abc import Callable
from random import random
from typing import Final

FIRST: Final = 0.1
LONGEST: Final = 5.0
"""Seconds."""


class Pauses:
    """Pauses that double from FIRST to LONGEST, each shortened by up to half, so that many bots do not come at once."""

    def __init__(self, dice: Callable[[], float] = random) -> None:
        self._dice = dice
        self._next = FIRST

    def next(self) -> float:
        """How long to wait now, in seconds."""
        pause, self._next = self._next, min(2 * self._next, LONGEST)
        return pause * (0.5 + self._dice() / 2)

    def reset(self) -> None:
        """All went well: the next pause is a short one."""
        self._next = FIRST
