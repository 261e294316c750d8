"""Whether a bot that the arena started is there, or has been missed for too long."""

from __future__ import annotations

import math

import trio

from arena.config import Limits
from arena.launch import BotProgram


class Presence:
    """Watches how many streams a program has open: it should have `needed`, one for each of its seats in a match.

    A program with a time for its start has that long to come; from then on, and for one without, nobody may be missing
    for longer than the arena allows.
    """

    def __init__(self, needed: int, limits: Limits, program: BotProgram) -> None:
        self._needed = needed
        self._missing = limits.missing_seconds
        self._start = math.inf if program.start_seconds is None else program.start_seconds
        self._began = self._seen = trio.current_time()
        self._came = program.start_seconds is None

    @property
    def patience(self) -> float:
        """Seconds after which it should be looked again at the latest."""
        return min(self._missing, self._start)

    def missed(self, streams: int, now: float) -> str:
        """What is wrong when so many are open now, in words; empty while all may still be well."""
        self._came = self._came or streams > 0
        if streams >= self._needed or not self._came:
            self._seen = now
        if not self._came and now - self._began >= self._start:
            return f"has not connected within {self._start:g} s of its start"
        if now - self._seen < self._missing:
            return ""
        if not streams:
            return f"has not been connected for {self._missing:g} s"
        return f"has opened {streams} of {self._needed} streams, one for each of its seats, for {self._missing:g} s"
