"""Cards and strains on the wire, where they have the engine's own numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from arena.v1 import card_pb2
from engine.card import HIDDEN, PACK_52, Card, Strain

CARDS: Final[dict[int, Card]] = {int(card): card for card in (HIDDEN, *PACK_52)}
"""Every card by its number, the hidden one too; a number that is not here is no card."""
STRAINS: Final[dict[int, Strain]] = {int(strain): strain for strain in Strain}
"""Every strain by its number."""


def card_to_proto(card: Card) -> card_pb2.Card.ValueType:
    """The number of a card."""
    return card_pb2.Card.ValueType(card)


def cards_to_proto(cards: Iterable[Card]) -> Iterable[card_pb2.Card.ValueType]:
    """The numbers of cards, in their order."""
    return map(card_pb2.Card.ValueType, cards)


def strain_to_proto(strain: Strain) -> card_pb2.Strain.ValueType:
    """The number of a strain."""
    return card_pb2.Strain.ValueType(strain)
