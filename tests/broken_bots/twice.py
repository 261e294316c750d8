"""Fault: it sends every answer twice.

So does a bot with two callbacks on one event, or one that sends again because nobody confirmed: an arena does not
confirm answers, it goes on.
"""

from __future__ import annotations

from honest import Honest
from launch import run

from arena.v1 import play_pb2


class Twice(Honest):
    """To be on the safe side."""

    def reply(self, choose: play_pb2.Choose) -> None:
        """Give an answer, and give it again."""
        super().reply(choose)
        super().reply(choose)


if __name__ == "__main__":
    run(Twice)
