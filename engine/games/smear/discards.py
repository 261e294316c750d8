"""What the bidder may put away, and what it may then lead (SM-4).

Nobody says which suit is trump before it is led. So the rule that trumps are not discarded while others are kept binds
the first lead: whoever has put away a card of a suit can lead that suit only when nothing else is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import overload

from engine.action import Discard
from engine.trick import Hand, plays


def leads(kept: Hand, away: Hand) -> Hand:
    """The cards of `kept` that may be led to the first trick when `away` was discarded; none if that was not legal.

    A card may be led if no card of its suit was put away, or if all that is kept is of its suit (SM-4.4).
    """
    clubs, diamonds, hearts, spades = kept
    if (not clubs) + (not diamonds) + (not hearts) + (not spades) == len(kept) - 1:
        return kept.copy()
    no_clubs, no_diamonds, no_hearts, no_spades = away
    return [
        0 if no_clubs else clubs,
        0 if no_diamonds else diamonds,
        0 if no_hearts else hearts,
        0 if no_spades else spades,
    ]


class Discards(Sequence[Discard]):
    """The legal discards of so many cards of a hand, by their cards in ascending order, lowest first (SM-4.4).

    There are up to 84 of them and the bidder makes one, so that each is made when it is looked at.
    """

    __slots__ = ("_choices", "_hand")

    def __init__(self, hand: Hand, number: int) -> None:
        self._hand = plays(hand)
        clubs, diamonds, hearts, spades = hand
        shape = (clubs.bit_count(), diamonds.bit_count(), hearts.bit_count(), spades.bit_count())
        self._choices = _choices(shape, number)

    def __len__(self) -> int:
        return len(self._choices)

    @overload
    def __getitem__(self, index: int) -> Discard: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Discard]: ...

    def __getitem__(self, index: int | slice) -> Discard | Sequence[Discard]:
        if isinstance(index, slice):
            return tuple(self)[index]
        hand = self._hand
        return Discard(tuple([hand[place].card for place in self._choices[index]]))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Discards) and (self._hand, self._choices) == (other._hand, other._choices)

    def __hash__(self) -> int:
        return hash((self._hand, self._choices))


@cache
def _choices(shape: tuple[int, int, int, int], number: int) -> tuple[tuple[int, ...], ...]:
    """The places of `number` cards in an ascending hand with so many cards of each suit that may be put away.

    A suit is kept whole, or nothing but one suit is kept: then there is a card to lead (SM-4.4).
    """
    suits = [suit for suit, cards in enumerate(shape) for _ in range(cards)]
    held = {suit: suits.count(suit) for suit in suits}

    def leaves_a_lead(choice: tuple[int, ...]) -> bool:
        gone = [suits[place] for place in choice]
        kept = [suit for suit in held if gone.count(suit) < held[suit]]
        return len(kept) == 1 or any(suit not in gone for suit in kept)

    return tuple(filter(leaves_a_lead, combinations(range(len(suits)), number)))
