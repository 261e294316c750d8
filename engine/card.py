"""Cards, suits and strains.

A card is an integer, `16 * suit + rank`, the same number that it has on the wire (proto/arena/v1/card.proto), so
a hand is packed for the wire by `bytes(hand)`. Rules DB-1.2, DB-1.3, SM-1.2 and SM-1.3.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

RANKS: Final = "23456789TJQKA"
"""Rank letters, lowest first; rank 2 is the first, the ace (14) the last."""


class Strain(IntEnum):
    """A denomination, in the order of the auction (DB-1.4); `NONE` where a bid names none."""

    NONE = 0
    CLUBS = 1
    DIAMONDS = 2
    HEARTS = 3
    SPADES = 4
    NOTRUMP = 5

    def __str__(self) -> str:
        return ("", "C", "D", "H", "S", "NT")[self]


SUITS: Final = (Strain.CLUBS, Strain.DIAMONDS, Strain.HEARTS, Strain.SPADES)
"""The strains that are suits, in the order of a card's number."""


class Card(int):
    """A playing card; `HIDDEN` (0) stands for one that a seat may not see. Written rank first: `AS`, `TD`."""

    __slots__ = ()

    @property
    def suit(self) -> Strain:
        """The card's suit."""
        return Strain(self >> 4)

    @property
    def rank(self) -> int:
        """2 to 14; jack 11, queen 12, king 13, ace 14."""
        return self & 15

    def __str__(self) -> str:
        return f"{RANKS[self.rank - 2]}{self.suit}" if self else "??"

    def __repr__(self) -> str:
        return f"<{self}>"


HIDDEN: Final = Card(0)


def pack(lowest: int) -> tuple[Card, ...]:
    """The cards from rank `lowest` to the ace in every suit, ordered by number.

    The position of a card here is its index k in the deck derivation (`engine.deck`): rank `lowest + k mod m`,
    suit `CDHS[k div m]` with m ranks a suit.
    """
    return tuple(Card(16 * suit + rank) for suit in SUITS for rank in range(lowest, 15))


PACK_52: Final = pack(2)
PACK_32: Final = pack(7)

_BY_TEXT: Final = {str(card): card for card in PACK_52}


def parse_card(text: str) -> Card:
    """The card that `text` names, as the arena writes it (`TD`) or as people do (`10d`, `DT`, `d10`).

    Raises ValueError when it names none.
    """
    token = text.strip().upper().replace("10", "T")
    card = _BY_TEXT.get(token) or _BY_TEXT.get(token[::-1])
    if card is None:
        raise ValueError(f"{text!r} is no card: a card is a rank of {RANKS} and a suit of CDHS, such as TD")
    return card
