"""How a match begins for the bot, as far as a step has to choose among deals."""

from __future__ import annotations

from dataclasses import dataclass

from arena.bot.testing import ScriptedMatch
from engine.card import Card


def free(match: ScriptedMatch) -> bool:
    """The bot is asked, and has a choice."""
    return match.asked and len(match.legal) > 1


@dataclass(frozen=True, slots=True)
class Opening:
    """How a match has begun for the bot: the number of its first question, and its cards."""

    decision_id: int
    hand: frozenset[Card]

    @classmethod
    def of(cls, match: ScriptedMatch) -> Opening:
        """That of a match that has just begun."""
        return cls(match.decision_id, frozenset(match.view.hand))

    def unlike(self, match: ScriptedMatch) -> bool:
        """Another match begins with a question of the same number, which leaves a choice, and with other cards."""
        return free(match) and match.decision_id == self.decision_id and not self.hand & set(match.view.hand)
