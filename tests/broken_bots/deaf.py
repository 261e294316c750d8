"""Fault: it ignores refusals.

So does a bot whose author never saw one, since his bot knows the rules: then a rule differs, and it waits for the next
question while its clock runs out.
"""

from __future__ import annotations

from honest import Honest
from launch import run

from arena.v1 import play_pb2


class Deaf(Honest):
    """Has given its answer."""

    def refused(self, rejected: play_pb2.Rejected) -> None:
        """Nothing to it."""


if __name__ == "__main__":
    run(Deaf)
