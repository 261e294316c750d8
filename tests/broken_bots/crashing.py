"""Fault: it ends with an error when a match ends.

So does a bot that does its sums at the end, in code that runs once a match and was never run in a test. Whoever starts
it for one match sees nothing but an exit code.
"""

from __future__ import annotations

from honest import Honest
from launch import run


class Crashing(Honest):
    """Does not get over it."""

    def ended(self) -> None:
        """Add the match to its statistics."""
        super().ended()
        raise KeyError("elo")


if __name__ == "__main__":
    run(Crashing)
