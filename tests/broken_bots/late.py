"""Fault: it thinks for 0.7 s over every choice, whatever the clock says.

So does a search whose time is a constant, set by its author for the time control of his own arena.
"""

from __future__ import annotations

import time

from honest import Honest
from launch import run

from arena.v1 import play_pb2


class Late(Honest):
    """Never looks at `decision.clock`."""

    def choose(self, decision: play_pb2.Decision) -> int:
        """Think as long as ever."""
        time.sleep(0.7)
        return super().choose(decision)


if __name__ == "__main__":
    run(Late)
