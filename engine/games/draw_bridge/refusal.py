"""Why an action is refused, in words that use nothing but what the acting seat knows."""

from __future__ import annotations

from typing import Final

from engine.action import Action, Call, Discard, Draw, Play
from engine.card import Card
from engine.errors import Refused
from engine.trick import PLACES, Hand, Place

_OUT_OF_PLACE: Final[dict[tuple[str, type[Action]], tuple[str, str]]] = {
    ("draw", Draw): ("DB-4.6", "cards are drawn after the trick: play a card"),
    ("draw", Call): ("DB-4.12", "the auction follows the 13 tricks of the draw phase: play a card"),
    ("draw", Discard): ("DB-4.1", "nothing is discarded in Draw Bridge: play a card"),
    ("auction", Play): ("DB-5.9", "the play follows the auction: call"),
    ("auction", Draw): ("DB-4.12", "the stock is empty: call"),
    ("auction", Discard): ("DB-5.2", "nothing is discarded in Draw Bridge: call"),
    ("play", Draw): ("DB-4.12", "the stock is empty: play a card"),
    ("play", Call): ("DB-5.9", "the auction has ended: play a card"),
    ("play", Discard): ("DB-6.5", "nothing is discarded in Draw Bridge: play a card"),
}

_SUIT_NAMES: Final = ("clubs", "diamonds", "hearts", "spades")


def out_of_place(phase: str, due: type[Action] | None, action: Action) -> Refused:
    """The refusal of an action of another kind than `due`, the kind that is; None when the deal is over."""
    if due is None:
        if phase == "auction":
            return Refused("DB-5.12", "the deal was passed out and is over")
        return Refused("DB-6.5", "all 13 tricks are played and the deal is over")
    if due is Draw:
        return Refused("DB-4.13", "a draw is due and nothing else is legal: draw")
    return Refused(*_OUT_OF_PLACE[phase, type(action)])


def not_playable(phase: str, hand: Hand, led: Place | None, card: Card) -> Refused:
    """The refusal of a card that is not in `hand`, or is but does not follow the card led."""
    if card not in PLACES:
        return Refused("DB-1.2", f"there is no card number {int(card)} in the pack")
    clause = "DB-4.3" if phase == "draw" else "DB-6.2" if led is None else "DB-6.3"
    suit, bit, card = PLACES[card]
    if led is None or not hand[suit] & bit:
        return Refused(clause, f"{card} is not in your hand")
    return Refused(clause, f"you must follow {_SUIT_NAMES[led[0]]} while you hold one: {card} is none")
