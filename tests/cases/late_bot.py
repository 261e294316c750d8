"""A bot that plays at random, and does not answer in time in its third and its sixth match."""

from __future__ import annotations

import threading

from arena.bot import Answer, Bot, Decision, MatchOffer, run

LATE = (3, 6)
TOO_LONG = 3.0
"""Seconds; its test gives less for a decision."""


class Late(Bot):
    """Counts its matches."""

    number = 0

    def match_started(self, offer: MatchOffer) -> None:
        """Another match."""
        del offer
        self.number += 1
        self.late = self.number in LATE

    def choose(self, decision: Decision) -> Answer:
        """Anything, but once in a late match nothing for too long."""
        if self.late:
            self.late = False
            threading.Event().wait(TOO_LONG)
        return decision.dice.choice(decision.legal)


if __name__ == "__main__":
    run(Late)
