"""Fault: it keeps 1 MiB of each decision.

So does a bot with a table of positions that nothing is ever taken out of, or a list of all that it was told "for
later". It dies in the night, in its thousandth match.
"""

from __future__ import annotations

from typing import ClassVar

from honest import Honest
from launch import run

from arena.v1 import play_pb2


class Leaking(Honest):
    """Throws nothing away."""

    kept: ClassVar[list[bytes]] = []

    def choose(self, decision: play_pb2.Decision) -> int:
        """Keep what it was thought with."""
        self.kept.append(b"." * 1024**2)  # written to: memory that is only asked for costs nothing
        return super().choose(decision)


if __name__ == "__main__":
    run(Leaking)
