"""Fault: it counts actions from 1.

So does a bot in a language whose lists begin there, or one that sends the line of its menu. It often goes well: the
action after the one that was meant is legal too, unless there is none after it.
"""

from __future__ import annotations

from honest import Honest
from launch import run

from arena.v1 import play_pb2


class Counting(Honest):
    """One beside the mark."""

    def choose(self, decision: play_pb2.Decision) -> int:
        """The number of an action, from 1."""
        return super().choose(decision) + 1


if __name__ == "__main__":
    run(Counting)
