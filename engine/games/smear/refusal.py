"""Why an action is refused, in words that use nothing but what the acting seat knows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.action import Action, Call, Discard, Draw, Play
from engine.card import Card
from engine.errors import Refused
from engine.games.smear.score import COUNTS
from engine.trick import PLACES, Hand, cards_of

_OUT_OF_PLACE: Final[dict[tuple[str, type[Action]], tuple[str, str]]] = {
    ("auction", Play): ("SM-5.1", "the play follows the auction: call"),
    ("auction", Discard): ("SM-4.2", "whoever bids highest discards when the auction has ended: call"),
    ("auction", Draw): ("SM-2.2", "no cards are drawn in Smear: call"),
    ("discard", Play): ("SM-4.2", "you have taken undealt cards, so discard as many before you lead"),
    ("discard", Call): ("SM-3.3", "the auction has ended: discard as many cards as you took"),
    ("discard", Draw): ("SM-2.2", "no cards are drawn in Smear: discard as many cards as you took"),
    ("play", Call): ("SM-3.3", "the auction has ended: play a card"),
    ("play", Discard): ("SM-4.2", "only the bidder discards, once, before the first lead: play a card"),
    ("play", Draw): ("SM-2.2", "no cards are drawn in Smear: play a card"),
}

_SUIT_NAMES: Final = ("clubs", "diamonds", "hearts", "spades")


def out_of_place(phase: str, due: type[Action] | None, action: Action) -> Refused:
    """The refusal of an action of another kind than `due`, the kind that is; None when the deal is over."""
    if due is None:
        if phase == "auction":
            return Refused("SM-3.5", "all four passed: the hand is thrown in and over")
        return Refused("SM-5.2", "all 6 tricks are played and the hand is over")
    return Refused(*_OUT_OF_PLACE[phase, type(action)])


def not_discardable(hand: Hand, number: int, cards: tuple[Card, ...]) -> Refused:
    """The refusal of a discard other than the legal ones of `number` cards of `hand`."""
    if len(cards) != number:
        return Refused("SM-4.2", f"discard exactly as many cards as you took, {_cards(number)}: this is {len(cards)}")
    for card in cards:
        missing = _missing(hand, card, "SM-4.2")
        if missing is not None:
            return missing
    if tuple(sorted(set(cards))) != cards:
        return Refused("SM-4.2", "name each card once, in ascending order of their numbers")
    kept = _suits(card for card in cards_of(hand) if card not in cards)
    return Refused(
        "SM-4.4",
        f"with {_words(cards)} put away nothing could be led: the suit of your first lead is trump, and no trump may "
        f"be discarded unless all 6 cards kept are trumps (SM-4.3), but of every suit that you would keep ({kept}) "
        f"you put a card away; keep one suit whole",
    )


def not_to_lead(hand: Hand, leads: Hand, away: tuple[Card, ...], card: Card) -> Refused:
    """The refusal of a card as the first lead, which makes trump; `leads` are those that may be led."""
    missing = _missing(hand, card, "SM-5.1")
    if missing is not None:
        return missing
    suit = (card >> 4) - 1
    same = _words(other for other in away if other >> 4 == card >> 4)
    return Refused(
        "SM-4.4",
        f"your first lead makes its suit trump, and you put {same} away: {_SUIT_NAMES[suit]} cannot be trumps unless "
        f"all 6 cards you kept are {_SUIT_NAMES[suit]} (SM-4.3); lead one of {_words(cards_of(leads))}",
    )


def not_playable(hand: Hand, led: int | None, trump: int, card: Card) -> Refused:
    """The refusal of a card that is not in `hand`, or is but may not be played to a trick in which `led` was led."""
    missing = _missing(hand, card, "SM-5.5" if led is None else "SM-5.3")
    if missing is not None:
        return missing
    if led is None or led == trump:
        return Refused("SM-5.3", f"trumps ({_SUIT_NAMES[trump]}) are led and you hold one: {card} is none")
    suits = f"{_SUIT_NAMES[led]} or a trump ({_SUIT_NAMES[trump]})"
    return Refused("SM-5.3", f"you hold {_SUIT_NAMES[led]}, the suit led, so play {suits}: {card} is neither")


def _missing(hand: Hand, card: Card, clause: str) -> Refused | None:
    """The refusal of a card that is not in `hand`; None when it is."""
    if card not in PLACES:
        return Refused("SM-1.2", f"there is no card number {int(card)} in the pack")
    if card not in COUNTS:
        return Refused("SM-1.2", f"there is no {card} in the pack, which goes from 7 to ace")
    suit, bit, card = PLACES[card]
    return None if hand[suit] & bit else Refused(clause, f"{card} is not in your hand")


def _cards(number: int) -> str:
    return "1 card" if number == 1 else f"{number} cards"


def _words(cards: Iterable[Card]) -> str:
    return " ".join(map(str, cards))


def _suits(cards: Iterable[Card]) -> str:
    return ", ".join(_SUIT_NAMES[suit] for suit in sorted({(card >> 4) - 1 for card in cards}))
