"""Fault: it prints 8 KiB for each decision, and waits until somebody has read them.

So does a bot with a search that shows its work, started by a program that collects its output in a pipe and reads it
when the bot has ended: when the pipe is full the bot stands still.
"""

from __future__ import annotations

import os

from honest import Honest
from launch import run

from arena.v1 import play_pb2

LINE = b"depth 12: 9H 9C AD KD QS, 0.7 points more than the next best" + b" ." * 33 + b"\n"


class Talkative(Honest):
    """Thinks aloud."""

    def choose(self, decision: play_pb2.Decision) -> int:
        """Show what was thought."""
        for _ in range(8192 // len(LINE) + 1):
            os.write(2, LINE)
        return super().choose(decision)


if __name__ == "__main__":
    run(Talkative)
