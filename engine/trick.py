"""What trick games share: hands on bit masks, what follows suit, who wins a trick.

Every card has a *place*: its suit counted from 0 (clubs), its bit in the mask of that suit (`1 << rank - 2`), and the
card itself. A hand is a list of four masks, one for each suit. (One mask of 52 bits would be slower: Python computes
with at most 30 bits at once.) Trump is a suit counted in the same way, so `strain - 1`: 4 for no trump and -1 for none
named are no suit, and therefore beat nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from engine.action import PLAYS, Play
from engine.card import PACK_52, SUITS, Card, Strain

Place: TypeAlias = tuple[int, int, Card]
"""Suit from 0, bit in the suit's mask, card."""

Hand: TypeAlias = list[int]
"""Four masks of 13 bits: clubs, diamonds, hearts, spades."""

PLACES: Final[dict[Card, Place]] = {card: (card.suit - 1, 1 << card.rank - 2, card) for card in PACK_52}
"""The place of each card of the pack of 52."""


def _plays_of_suit(suit: Strain) -> tuple[tuple[Play, ...], ...]:
    subsets: list[tuple[Play, ...]] = [()]
    for card in PACK_52:
        if card.suit is suit:
            last = (PLAYS[card],)
            subsets += [subset + last for subset in subsets]
    return tuple(subsets)


SUIT_PLAYS: Final = tuple(_plays_of_suit(suit) for suit in SUITS)
"""`SUIT_PLAYS[suit][mask]`: a play of each card in a mask, ascending. A legal list is a look-up or a sum of four."""

CLUBS, DIAMONDS, HEARTS, SPADES = SUIT_PLAYS


def plays(hand: Hand) -> tuple[Play, ...]:
    """A play of each card in `hand`, ascending by card number."""
    clubs, diamonds, hearts, spades = hand
    return CLUBS[clubs] + DIAMONDS[diamonds] + HEARTS[hearts] + SPADES[spades]


def plays_following(hand: Hand, led: int) -> tuple[Play, ...]:
    """A play of each card that may follow the suit `led`: those of the suit, or all when there are none; ascending."""
    mask = hand[led]
    return SUIT_PLAYS[led][mask] if mask else plays(hand)


def beats(place: Place, best: Place, trump: int) -> bool:
    """Whether a card wins over the best one played before it: a higher one of its suit, or a trump over another."""
    suit, bit, _ = place
    return bit > best[1] if suit == best[0] else suit == trump


def winning(cards: Sequence[Card], trump: int = -1) -> int:
    """The position in `cards`, a trick in the order of play, of the card that wins it."""
    best = 0
    for position, card in enumerate(cards):
        if beats(PLACES[card], PLACES[cards[best]], trump):
            best = position
    return best


def hand_of(places: Iterable[Place]) -> Hand:
    """The hand that holds the cards of these places."""
    hand = [0, 0, 0, 0]
    for suit, bit, _ in places:
        hand[suit] |= bit
    return hand


def cards_of(hand: Hand) -> tuple[Card, ...]:
    """The cards in `hand`, ascending."""
    return tuple([play.card for play in plays(hand)])


def count(hand: Hand) -> int:
    """How many cards `hand` holds."""
    return sum([mask.bit_count() for mask in hand])
