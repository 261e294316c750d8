"""The view: everything that one seat may know about a deal and the score, and nothing else (DB-9, SM-9)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.card import HIDDEN, Card, Strain
from engine.event import CallMade, CardDrawn, ContractSet


@dataclass(frozen=True, slots=True)
class Trick:
    """A trick: `cards` in the order of play from `leader` around; `winner` is None while it is on the table."""

    leader: int
    cards: tuple[Card, ...]
    winner: int | None = None


@dataclass(frozen=True, slots=True)
class View:
    """What `seat` may know. Its fields are those of `arena.v1.View`, where each is explained.

    `hand` is in ascending order. `table` is None when no trick is being played, and has no cards when the seat to
    act leads. `draws` holds everybody's draws in order, with HIDDEN for cards that this seat may not see. `shown` is
    the face-up top card of the stock or HIDDEN. `taken` counts by side the tricks that count for the score. `totals`
    are by side, before this deal.
    """

    seat: int
    deal_no: int
    dealer: int
    phase: str
    hand: tuple[Card, ...]
    hand_counts: tuple[int, ...]
    totals: tuple[int, ...]
    taken: tuple[int, ...]
    table: Trick | None = None
    tricks: tuple[Trick, ...] = ()
    calls: tuple[CallMade, ...] = ()
    draws: tuple[CardDrawn, ...] = ()
    stock_count: int = 0
    shown: Card = HIDDEN
    contract: ContractSet | None = None
    trump: Strain = Strain.NONE
    kitty: tuple[Card, ...] = ()
    discards: tuple[Card, ...] = ()
