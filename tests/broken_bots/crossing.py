"""Fault: it answers on whichever lane was welcomed last.

So does a bot that keeps its stream in one variable for the whole program, written when one of its lanes connects. On
one lane nothing is wrong with it.
"""

from __future__ import annotations

from typing import ClassVar

from honest import Honest
from launch import run

from arena.v1 import play_pb2


class Crossing(Honest):
    """Knows one stream."""

    latest: ClassVar[Honest]
    """The lane that was welcomed last."""

    def hear(self, event: play_pb2.Event) -> None:
        """Note who was welcomed."""
        if event.HasField("welcome"):
            Crossing.latest = self
        super().hear(event)

    def reply(self, choose: play_pb2.Choose) -> None:
        """Give an answer, there."""
        self.latest.say(choose=choose)


if __name__ == "__main__":
    run(Crossing)
