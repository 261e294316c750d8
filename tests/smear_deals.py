"""Deals of Smear for tests: from a deck, with an auction, with a discard, or set up in the middle of the play."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from engine.action import LEVEL_BIDS, PASS, parse_call
from engine.card import PACK_32, Card, parse_card
from engine.event import Event
from engine.game import RuleValue, complete_rules
from engine.games import find
from engine.trick import PLACES, hand_of

GAME: Final = find("smear")
VECTORS: Final = json.loads((Path(__file__).parent / "vectors" / "rules.json").read_text())["smear"]


def cards(text: str) -> tuple[Card, ...]:
    """The cards that `AS KD` names, in that order."""
    return tuple(map(parse_card, text.split()))


def words(found: Iterable[Card]) -> str:
    """Cards as the rules write them, in that order."""
    return " ".join(map(str, found))


def new_deal(
    deck: Iterable[Card] = PACK_32, *, dealer: int = 3, told: list[Event] | None = None, **changes: RuleValue
) -> Any:
    """A deal under `seed` with options changed. Any, because tests look inside."""
    return GAME.deal(
        complete_rules(GAME, "seed", changes), tuple(deck), deal_no=0, dealer=dealer, totals=(0, 0), told=told
    )


def deck_of(hands: Iterable[str], undealt: str = "", *, dealer: int = 3) -> tuple[Card, ...]:
    """The deck that deals these hands by seat and has these undealt cards on top; what they leave out fills it up."""
    dealt = list(map(cards, hands))
    given = [*(card for hand in dealt for card in hand), *cards(undealt)]
    rest = [card for card in PACK_32 if card not in given]
    while any(len(hand) < 6 for hand in dealt):
        dealt = [(*hand, rest.pop(0)) if len(hand) < 6 else hand for hand in dealt]
    order = [(dealer + 1 + i) % 4 for i in range(4)]
    return (*(dealt[seat][i] for i in range(6) for seat in order), *cards(undealt), *rest)


def after_calls(calls: str, deck: Iterable[Card] = PACK_32, *, dealer: int = 3, **options: Any) -> Any:
    """A deal in which these calls were made."""
    deal = new_deal(deck, dealer=dealer, **options)
    for token in calls.split():
        deal.apply(parse_call(token))
    return deal


def bid_by(seat: int, level: int, deal: Any) -> list[Event]:
    """Let that seat have the contract: all others pass. Gives what was told."""
    told: list[Event] = []
    while deal.phase == "auction":
        deal.apply(LEVEL_BIDS[level] if deal.turn == seat else PASS, told)
    return told


def bidder_holding(hand: str, number: int, **options: Any) -> Any:
    """A deal whose bidder, seat 0, holds this hand with the last `number` cards taken, and has to discard or lead."""
    held = hand.split()
    six, taken = held[: len(held) - number], held[len(held) - number :]
    deck = deck_of([" ".join(six), "", "", ""], " ".join(taken))
    deal = new_deal(deck, kitty_cards=number, **options)
    bid_by(0, 2, deal)
    return deal


def play_of(hands: Iterable[str], trump: str, *, leader: int = 0, bidder: int = 0, **options: Any) -> Any:
    """The last tricks of a deal bid for 2: the seats hold these cards, and those before brought nobody anything."""
    hands = list(hands)
    deal = new_deal(kitty_cards=0, **options)
    bid_by(bidder, 2, deal)
    deal.held = [hand_of(PLACES[card] for card in cards(hand)) for hand in hands]
    deal.trump = suit = "CDHS".index(trump)
    deal.trumps = tuple(deal.held[side][suit] | deal.held[side + 2][suit] for side in (0, 1))
    deal.turn = deal.leader = leader
    deal.tricks += [(0, cards("7C 8C 7D 8D"), 0)] * (6 - max(len(hand.split()) for hand in hands))
    return deal
