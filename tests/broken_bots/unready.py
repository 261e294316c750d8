"""Fault: it never says Ready.

So does a bot that takes an offer for a piece of news, and waits for the match to begin.
"""

from __future__ import annotations

from honest import Honest
from launch import run

from arena.v1 import play_pb2


class Unready(Honest):
    """Waits for an arena that waits for it."""

    def accept(self, offer: play_pb2.MatchOffered) -> None:
        """Take note of it."""
        self.match, self.seq = offer, 0


if __name__ == "__main__":
    run(Unready)
