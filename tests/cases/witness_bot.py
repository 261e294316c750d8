"""A bot that keeps a record of what the arena has acknowledged: every event that it was told of its own actions.

It thinks for a few milliseconds, so that a match lasts long enough to be interrupted.
"""

# ruff: noqa: T201  # what it prints is what the test reads
from __future__ import annotations

import threading

from arena.bot import Answer, Bot, Decision, MatchOffer, MatchResult, run
from engine.event import CallMade, CardPlayed, Event


class Witness(Bot):
    """Plays at random, and prints what it sees."""

    pause = threading.Event()

    def match_started(self, offer: MatchOffer) -> None:
        """Remember the seat."""
        self.seat = offer.seat
        print("started", offer.match_id)

    def choose(self, decision: Decision) -> Answer:
        """Think, then anything."""
        self.pause.wait(0.01)
        if decision.decision_id >= 40:
            print("deep in the match")
        return decision.dice.choice(decision.legal)

    def event(self, event: Event) -> None:
        """An action of this seat that the arena tells of is acknowledged."""
        if isinstance(event, CardPlayed | CallMade) and event.seat == self.seat:
            text = f"play {event.card}" if isinstance(event, CardPlayed) else f"call {event.call.token}"
            print("acknowledged", text)

    def match_ended(self, result: MatchResult) -> None:
        """Say so."""
        print("ended", result.match_id, result.termination, result.log_hash.hex())


if __name__ == "__main__":
    run(Witness)
