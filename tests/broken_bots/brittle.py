"""Fault: it dies of an event that it does not know.

So does a bot with a match or switch over all kinds of events that has an assertion where the others would go. It works
until the arena is newer than the bot.
"""

from __future__ import annotations

from honest import Honest
from launch import run

from arena.v1 import play_pb2


class Brittle(Honest):
    """Believes that the protocol is finished."""

    def hear(self, event: play_pb2.Event) -> None:
        """Insist on a kind of event."""
        if event.WhichOneof("kind") is None:
            raise ValueError(f"unknown kind of event: {event}")
        super().hear(event)


if __name__ == "__main__":
    run(Brittle)
