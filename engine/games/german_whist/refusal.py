"""Why an action is refused, in words that use nothing but what the acting seat knows."""

from __future__ import annotations

from typing import Final

from engine.action import Action, Call, Draw
from engine.card import Card
from engine.errors import Refused
from engine.trick import PLACES, Hand, Place

_SUIT_NAMES: Final = ("clubs", "diamonds", "hearts", "spades")


def out_of_place(phase: str, due: type[Action] | None, action: Action) -> Refused:
    """The refusal of an action of another kind than `due`, the kind that is; None when the deal is over."""
    if due is None:
        return Refused("GW-5.4", "all tricks are played and the deal is over")
    if due is Draw:
        return Refused("GW-4.7", "a draw is due and nothing else is legal: draw")
    if isinstance(action, Draw):
        if phase == "draw":
            return Refused("GW-4.5", "cards are drawn after the trick: play a card")
        return Refused("GW-4.11", "the stock is empty: play a card")
    verb = "called" if isinstance(action, Call) else "discarded"
    return Refused("GW-1.4", f"nothing is {verb} in German Whist: play a card")


def not_playable(phase: str, hand: Hand, led: Place | None, card: Card) -> Refused:
    """The refusal of a card that is not in `hand`, or is but does not follow the card led."""
    if card not in PLACES:
        return Refused("GW-1.2", f"there is no card number {int(card)} in the pack")
    section = "GW-4" if phase == "draw" else "GW-5"
    suit, bit, card = PLACES[card]
    if led is None or not hand[suit] & bit:
        return Refused(f"{section}.{1 if led is None else 2}", f"{card} is not in your hand")
    return Refused(f"{section}.2", f"you must follow {_SUIT_NAMES[led[0]]} while you hold one: {card} is none")
