"""What a bot says of itself on stderr: few lines, whatever happens."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TextIO

LINES: Final = 20
"""As many lines may be said within WINDOW seconds; the rest is counted."""
WINDOW: Final = 60.0
WIDTH: Final = 300
"""The longest line."""


class Report:
    """Says lines, each with the bot's name in front. A line too many is held back, and the next one says how many were.

    It may be used from several threads: two lines may be in the wrong order, but none is torn.
    """

    def __init__(self, name: str, *, out: TextIO | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._name = name
        self._out: TextIO | None = out or sys.stderr
        self._clock = clock
        self._said: deque[float] = deque(maxlen=LINES)
        self._held = 0

    def say(self, text: str) -> None:
        """Say a line, if it is not one too many."""
        now = self._clock()
        if len(self._said) == LINES and now - self._said[0] < WINDOW:
            self._held += 1
            return
        self._said.append(now)
        held, self._held = self._held, 0
        self.must_say(f"{text} ({held} lines before this one were held back)" if held else text)

    def must_say(self, text: str) -> None:
        """Say a line in any case. Where nobody can hear it, as in a pipe without a reader, nothing is said.

        Nor is it where there is no stderr at all, as under Windows' pythonw.
        """
        if self._out is None:
            return
        with suppress(OSError):
            self._out.write(f"{self._name}: {plain(text)}\n")
            self._out.flush()


def plain(text: str) -> str:
    """A text from elsewhere as a short line that cannot steer a terminal."""
    line = "".join(letter if letter.isprintable() else " " for letter in text)
    return line if len(line) <= WIDTH else line[: WIDTH - 3] + "..."
