"""What trick games share: who wins a trick and what follows suit, on bit masks.

The *index* of a card is its place in the pack of 52, `13 * (suit - 1) + rank - 2`. A *mask* is a set of cards: an int
whose bit `index` is set for each card in it. Tables by trump are indexed by `Strain`; NONE and NOTRUMP mean no trump.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from engine.action import PLAYS, Play
from engine.card import PACK_52, SUITS, Card, Strain

NOWHERE: Final = 63
"""The index of what is no card: its bit is in no mask."""

INDEX: Final[Mapping[Card, int]] = {card: index for index, card in enumerate(PACK_52)}
"""The index of a card."""

SUIT_MASKS: Final = (0, *(0x1FFF << 13 * place for place in range(4)), 0)
"""All cards of a suit by strain; none for NONE and NOTRUMP."""


def _beats(index: int, trump: Strain) -> int:
    suit = SUIT_MASKS[index // 13 + 1]
    above = suit & -(2 << index)
    return above if suit == SUIT_MASKS[trump] else above | SUIT_MASKS[trump]


BEATS: Final = tuple(tuple(_beats(index, trump) for index in range(52)) for trump in Strain)
"""`BEATS[trump][index]`: the cards that win over the card if it is the best of the trick so far: the higher ones of
its suit and, unless it is a trump, all trumps."""

SAME_SUIT: Final = tuple(SUIT_MASKS[index // 13 + 1] for index in range(52))
"""`SAME_SUIT[index]`: all cards of the card's suit, so what follows it when it is led."""


def following(hand: int, led: int) -> int:
    """The cards of `hand` that may follow the card `led` (an index): those of its suit, else all."""
    return hand & SAME_SUIT[led] or hand


def winning(cards: Sequence[int], trump: Strain = Strain.NONE) -> int:
    """The position in `cards`, the trick's indices in the order of play, of the card that wins."""
    beats, best = BEATS[trump], 0
    for position, index in enumerate(cards):
        if beats[cards[best]] >> index & 1:
            best = position
    return best


def mask_of(cards: Iterable[Card]) -> int:
    """The mask of these cards."""
    mask = 0
    for card in cards:
        mask |= 1 << INDEX[card]
    return mask


def _subsets(suit: Strain) -> tuple[tuple[Play, ...], ...]:
    """The plays of every set of cards of one suit, by its 13 bits, ascending."""
    subsets: list[tuple[Play, ...]] = [()]
    for card in PACK_52:
        if card.suit is suit:
            subsets += [(*subset, PLAYS[card]) for subset in subsets]
    return tuple(subsets)


_CLUBS, _DIAMONDS, _HEARTS, _SPADES = _SUBSETS = tuple(_subsets(suit) for suit in SUITS)


def plays(mask: int) -> tuple[Play, ...]:
    """A play of each card in `mask`, ascending by card number."""
    return _CLUBS[mask & 8191] + _DIAMONDS[mask >> 13 & 8191] + _HEARTS[mask >> 26 & 8191] + _SPADES[mask >> 39]


def plays_following(hand: int, led: int) -> tuple[Play, ...]:
    """A play of each card that `following` allows, ascending by card number."""
    suit = led // 13
    return _SUBSETS[suit][hand >> 13 * suit & 8191] or plays(hand)


def cards_of(mask: int) -> tuple[Card, ...]:
    """The cards in `mask`, ascending."""
    return tuple([play.card for play in plays(mask)])
