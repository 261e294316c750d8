"""How late the arena's own loop is, so that no bot is charged for it.

A task sleeps for short, known times; whatever it oversleeps is time in which nothing in this process ran when it should
have. A stall shorter than the period can go unseen, a longer one is seen less at most one period.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import trio

PERIOD: Final = 0.02
"""Seconds between two looks."""


class LagMeter:
    """Counts, in microseconds, how late the loop has been since the meter started.

    `observe` hears of each look by how many seconds it was late.
    """

    def __init__(self, observe: Callable[[float], None] = lambda _late: None) -> None:
        self._observe = observe
        self._total = 0.0
        self._due = math.inf

    def total_us(self) -> int:
        """All lateness so far, the current one included."""
        late = trio.current_time() - self._due
        return round((self._total + max(0.0, late)) * 1_000_000)

    async def run(self) -> None:
        """Measure until cancelled."""
        while True:
            self._due = trio.current_time() + PERIOD
            await trio.sleep_until(self._due)
            late = trio.current_time() - self._due
            self._total += late
            self._observe(late)
