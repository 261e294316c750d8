"""Events: what happened at the table, in the past tense, with nothing hidden.

`redact` is the one place that decides what a seat is told of an event (DB-9, SM-9).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from engine.action import Call
from engine.card import HIDDEN, Card, Strain


@dataclass(frozen=True, slots=True)
class DealStarted:
    """Deal `deal_no` (from 0) has begun; `dealer` is a seat."""

    deal_no: int
    dealer: int


@dataclass(frozen=True, slots=True)
class HandDealt:
    """A seat was dealt `cards`, in dealing order. Secret."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """A seat drew a card of the stock. Secret, unless it lay face up (`shown`, DB-4.10)."""

    seat: int
    card: Card
    shown: bool = False


@dataclass(frozen=True, slots=True)
class TopCardShown:
    """The top card of the stock was turned face up (DB-4.10)."""

    card: Card


@dataclass(frozen=True, slots=True)
class CallMade:
    """A seat called in the auction."""

    seat: int
    call: Call


@dataclass(frozen=True, slots=True)
class ContractSet:
    """The auction ended with a contract; `declarer` made the last bid; `multiplier` is 1, 2 or 4."""

    declarer: int
    level: int
    strain: Strain
    multiplier: int

    def __str__(self) -> str:
        return f"{self.level}{self.strain}" + {1: "", 2: " X", 4: " XX"}[self.multiplier]


@dataclass(frozen=True, slots=True)
class TrumpNamed:
    """Trump became known: a suit, or NOTRUMP."""

    strain: Strain


@dataclass(frozen=True, slots=True)
class KittyTaken:
    """A seat took undealt cards (SM-4.1). Secret."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Discarded:
    """A seat put cards away face down (SM-4.2). Secret until the deal is scored."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A seat played a card to the trick."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class TrickTaken:
    """`seat` won the trick."""

    seat: int


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One item of a deal's score, in words of the rules: `points` to `side` for `name`."""

    name: str
    side: int
    points: int


@dataclass(frozen=True, slots=True)
class DealScored:
    """A deal is over. `points` and `totals` are by side; `shown` are cards that are public now (SM-4.7)."""

    deal_no: int
    points: tuple[int, ...]
    totals: tuple[int, ...]
    lines: tuple[ScoreLine, ...] = ()
    shown: tuple[Discarded, ...] = ()


Event: TypeAlias = (
    DealStarted
    | HandDealt
    | CardDrawn
    | TopCardShown
    | CallMade
    | ContractSet
    | TrumpNamed
    | KittyTaken
    | Discarded
    | CardPlayed
    | TrickTaken
    | DealScored
)


def redact(event: Event, seat: int | None) -> Event:
    """The event as `seat` is told it, or as a spectator is if `seat` is None: same shape, hidden cards as HIDDEN."""
    match event:
        case HandDealt() | KittyTaken() | Discarded() if event.seat != seat:
            return replace(event, cards=(HIDDEN,) * len(event.cards))
        case CardDrawn(shown=False) if event.seat != seat:
            return replace(event, card=HIDDEN)
    return event
