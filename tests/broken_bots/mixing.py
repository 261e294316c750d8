"""Fault: it remembers its answers by the number of the question, and forgets that another match has the same numbers.

So does a bot with a cache for the question that is asked again after a broken stream, and no match_id in its key. Its
first match, on one lane, goes well.
"""

from __future__ import annotations

from typing import ClassVar

from honest import Honest
from launch import run

from arena.v1 import action_pb2, play_pb2


class Mixing(Honest):
    """Plays the cards of another match."""

    played: ClassVar[dict[int, action_pb2.Action]] = {}
    """What was answered, by decision_id: of all matches and lanes."""

    def answer(self, decision: play_pb2.Decision) -> play_pb2.Choose:
        """The answer that was given before, if there is one."""
        if decision.decision_id in self.played:
            return play_pb2.Choose(decision_id=decision.decision_id, action=self.played[decision.decision_id])
        choose = super().answer(decision)
        self.played[decision.decision_id] = decision.legal[choose.index]
        return choose


if __name__ == "__main__":
    run(Mixing)
