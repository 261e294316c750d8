"""Fault: it knows only matches that were offered on the stream at hand.

So does a bot that sets up its match in one place, where it is offered, and was only ever tested on links that hold.
Even though it says well in Hello.resume how far it got, it has nothing to go on with.
"""

from __future__ import annotations

from honest import Honest
from launch import run

from arena.v1 import play_pb2


class Forgetful(Honest):
    """Takes every stream for the beginning of the world."""

    knows = False
    """A match was offered on this stream."""

    def hear(self, event: play_pb2.Event) -> None:
        """Skip what a match is resumed by, and the questions of a match that was."""
        kind = event.WhichOneof("kind")
        if kind in ("welcome", "match_offered"):
            self.knows = kind == "match_offered"
        if self.knows or kind not in ("resumed", "decision"):
            super().hear(event)


if __name__ == "__main__":
    run(Forgetful)
