"""What a bot is asked, and what it may answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TypeAlias

from arena.bot.offer import MatchOffer
from engine.action import PLAYS, Action, Discard, Play, parse_action
from engine.card import Card, Strain
from engine.clock import TimeLeft
from engine.event import ContractSet
from engine.game import Rules
from engine.view import View


@dataclass(frozen=True, slots=True)
class UnknownAction:
    """A legal action of a kind that this version of the SDK does not know. It can be chosen like any other."""

    index: int

    def __str__(self) -> str:
        return f"action {self.index} of a kind that this bot does not know"


@dataclass(frozen=True, slots=True)
class Resign:
    """Instead of an action: give up the match."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Instead of an action: what was to be passed on from somewhere else is none. The arena refuses it, a strike."""


Plain: TypeAlias = Action | UnknownAction | Resign | Unreadable | int | str
"""An action, its position in `Decision.legal`, its text (`play 9H`), or a card, which is an int, to play it."""


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer with a note for the replay, at most 512 bytes of UTF-8; a longer one is cut."""

    answer: Plain
    note: str = ""


Answer: TypeAlias = Plain | Choice
"""What `choose` may return."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A question. It holds all that the seat may know, so a bot can be a pure function of one Decision.

    `legal` are the actions that the rules allow, at least one. `time_left` was true when the question was sent.
    `dice` are this decision's own: with a seed (ARENA_SEED) they fall the same way whenever the same match is played
    again, whatever was thrown before, and by a bot that was started anew in the middle of it too.
    """

    decision_id: int
    view: View
    legal: tuple[Action | UnknownAction, ...]
    time_left: TimeLeft
    offer: MatchOffer
    dice: Random = field(default_factory=Random, compare=False, repr=False)

    @property
    def game(self) -> str:
        """The game's name, such as `draw-bridge`."""
        return self.offer.game

    @property
    def rules(self) -> Rules:
        """Every option of the rules with its value."""
        return self.offer.rules

    @property
    def seat(self) -> int:
        """The seat that is asked."""
        return self.view.seat

    @property
    def side(self) -> int:
        """Its side: the index of its own figure in `view.totals` and `view.taken`."""
        return self.offer.sides[self.view.seat]

    @property
    def phase(self) -> str:
        """What the deal is about now: `draw`, `auction`, `discard` or `play`."""
        return self.view.phase

    @property
    def hand(self) -> tuple[Card, ...]:
        """The cards in hand, in ascending order."""
        return self.view.hand

    @property
    def trick(self) -> tuple[Card, ...]:
        """The cards on the table, in the order of play; empty when this seat leads, and outside of tricks."""
        return self.view.table.cards if self.view.table else ()

    @property
    def trump(self) -> Strain:
        """The trump suit, NOTRUMP, or NONE while it is not known."""
        return self.view.trump

    @property
    def contract(self) -> ContractSet | None:
        """The contract, once there is one."""
        return self.view.contract

    @property
    def plays(self) -> tuple[Card, ...]:
        """The cards that may be played now."""
        return tuple(action.card for action in self.legal if isinstance(action, Play))

    @property
    def seen(self) -> frozenset[Card]:
        """Every card of this deal that the seat has seen: its hand, and all that was played, drawn, taken or shown."""
        view = self.view
        played = [card for trick in view.tricks for card in trick.cards]
        drawn = [draw.card for draw in view.draws if draw.card]
        shown = [view.shown] if view.shown else []
        return frozenset((*view.hand, *played, *self.trick, *drawn, *shown, *view.kitty, *view.discards))

    def resolve(self, answer: Plain) -> int | Action | Resign | None:
        """The answer as it is sent: the index of a legal action, or an action that is none, for the arena to judge.

        None is what is not even an action.

        Raises ValueError or TypeError for what is no answer at all.
        """
        match answer:
            case UnknownAction(index):
                return self._index(index)
            case Resign():
                return answer
            case Unreadable():
                return None
            case Card():
                return self._find(PLAYS[answer])
            case bool():
                pass
            case int():
                return self._index(answer)
            case str():
                return self._find(parse_action(answer))
            case _ if isinstance(answer, Action):
                return self._find(answer)
        raise TypeError(f"{answer!r} is no answer: return an action, its index in legal, or its text")

    def _index(self, index: int) -> int:
        if not 0 <= index < len(self.legal):
            raise ValueError(f"index {index} is none of the {len(self.legal)} legal actions, from 0")
        return index

    def _find(self, action: Action) -> int | Action:
        if isinstance(action, Discard):
            action = Discard(tuple(sorted(action.cards)))  # accepted in any order, offered in ascending
        return self.legal.index(action) if action in self.legal else action


def dice_of(seed: str | None, decision_id: int) -> Random:
    """The dice of a decision of a match and seat that `seed` names; without one nobody can foresee them."""
    return Random(None if seed is None else f"{seed}/{decision_id}")  # noqa: S311 - a bot's dice need no cryptography
