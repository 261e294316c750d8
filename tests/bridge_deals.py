"""Deals of Draw Bridge for tests: from a deck, with a whole auction, or set up in the middle of the play."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from engine.action import parse_call
from engine.card import PACK_52, Card, parse_card
from engine.event import Event
from engine.game import RuleValue, complete_rules
from engine.games import find
from engine.trick import PLACES, hand_of

GAME: Final = find("draw-bridge")


def cards(text: str) -> tuple[Card, ...]:
    """The cards that `AS KD` names."""
    return tuple(map(parse_card, text.split()))


def new_deal(
    deck: Iterable[Card] = PACK_52, *, dealer: int = 0, told: list[Event] | None = None, **changes: RuleValue
) -> Any:
    """A deal under `seed` with options changed. Any, because tests look inside."""
    return GAME.deal(
        complete_rules(GAME, "seed", changes), tuple(deck), deal_no=0, dealer=dealer, totals=(0, 0), told=told
    )


def after_draws(deal: Any) -> Any:
    """The deal at its auction; each seat played its lowest card each time."""
    while deal.phase == "draw":
        deal.apply(deal.legal()[0])
    return deal


def after_calls(calls: str, **options: Any) -> Any:
    """A deal in which these calls were made, dealer seat 0."""
    deal = after_draws(new_deal(**options))
    for token in calls.split():
        deal.apply(parse_call(token))
    return deal


def play_of(calls: str, hands: tuple[str, str], **options: Any) -> Any:
    """The play after these calls, when the seats hold these cards and nothing but the last tricks is to be played."""
    deal = after_calls(calls, **options)
    deal.held = [hand_of(PLACES[card] for card in cards(hand)) for hand in hands]
    deal.tricks += [(PACK_52[0], PACK_52[1], 0)] * (13 - len(hands[0].split()))
    return deal


def draw_phase_of(hands: tuple[str, str], stock: str, *, leader: int = 0, **options: Any) -> Any:
    """The end of the draw phase, when the seats hold these cards and this stock is left."""
    deal = new_deal(dealer=1 - leader, **options)
    deal.held = [hand_of(PLACES[card] for card in cards(hand)) for hand in hands]
    left = cards(stock)
    deal.stock = [PLACES[card] for card in (*PACK_52[: 26 - len(left)], *left)]
    deal.drawn = 26 - len(left)
    return deal
