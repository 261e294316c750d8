"""What an arena counts while it plays: plain numbers, because they are counted at every decision and read seldom."""

from __future__ import annotations

from bisect import bisect_left
from typing import Final

from engine.effect import Rejection
from engine.states import Termination

REFUSALS: Final = (
    "all_calls",
    "address_calls",
    "all_strangers",
    "address_strangers",
    "all_sessions",
    "bot_hellos",
    "bot_noise",
    "all_requests",
    "address_requests",
    "address_rate",
    "all_watchers",
    "address_watchers",
    "match_watchers",
    "identity",
    "hello",
)
"""Why somebody is turned away: the limit that was reached, or what was missing."""

SHORT: Final = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Bounds in seconds for what should take less than a millisecond or a few."""


class Histogram:
    """Durations, counted by upper bound in seconds; the last count is of those above all bounds."""

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: tuple[float, ...] = SHORT) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def observe(self, seconds: float) -> None:
        """Count one."""
        self.counts[bisect_left(self.bounds, seconds)] += 1
        self.total += seconds


class Tally:
    """The counts of one arena since its start.

    `decisions` are actions that bots took, draws made for them left out. `answers` is how long an answer took from its
    arrival until all that followed from it was logged and handed over, `lag` how late the loop was at each look,
    `writes` how long a write to a log took, `syncs` how long the disk took to have it for good.
    """

    def __init__(self) -> None:
        self.decisions = 0
        self.rejections = dict.fromkeys(Rejection, 0)
        self.terminations = dict.fromkeys(Termination, 0)
        self.refusals = dict.fromkeys(REFUSALS, 0)
        self.answers = Histogram()
        self.lag = Histogram()
        self.writes = Histogram()
        self.syncs = Histogram()

    def refuse(self, reason: str) -> None:
        """Count somebody who is turned away."""
        self.refusals[reason] += 1
