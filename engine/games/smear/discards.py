"""What the bidder may put away, and what it may then lead (SM-4).

Nobody says which suit is trump before it is led. So the rule that trumps are not discarded while others are kept binds
the first lead: whoever has put away a card of a suit can lead that suit only when nothing else is left.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

from engine.action import Discard
from engine.card import PACK_32, Card
from engine.trick import Hand, cards_of


def leads(kept: Hand, away: Hand) -> Hand:
    """The cards of `kept` that may be led to the first trick when `away` was discarded; none if that was not legal.

    A card may be led if no card of its suit was put away, or if all that is kept is of its suit (SM-4.4).
    """
    if sum([mask != 0 for mask in kept]) == 1:
        return kept
    return [0 if gone else mask for mask, gone in zip(kept, away, strict=True)]


def discards(hand: Hand, number: int) -> tuple[Discard, ...]:
    """The legal discards of `number` cards of `hand`, in the order of their first cards, then the next (SM-4.4)."""
    every = tuple(map(_discards(number).__getitem__, combinations(cards_of(hand), number)))
    suits = [suit for suit in range(4) if hand[suit]]
    if len(suits) > number:
        return every  # one suit at least is kept whole
    return tuple([discard for discard in every if _keeps_a_lead(hand, suits, discard.cards)])


def _keeps_a_lead(hand: Hand, suits: list[int], cards: tuple[Card, ...]) -> bool:
    """Whether a suit is kept whole, or nothing but one suit is kept."""
    gone = [0, 0, 0, 0]
    for card in cards:
        gone[(card >> 4) - 1] += 1
    whole = [suit for suit in suits if not gone[suit]]
    kept = [suit for suit in suits if gone[suit] < hand[suit].bit_count()]
    return bool(whole) or len(kept) == 1


@cache
def _discards(number: int) -> dict[tuple[Card, ...], Discard]:
    """One object for each discard of that many cards."""
    return {cards: Discard(cards) for cards in combinations(PACK_32, number)}
