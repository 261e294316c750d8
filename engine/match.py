"""Many deals make a match: dealers, totals, the end (DB-2, DB-3, DB-8, SM-2, SM-8)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from engine.action import Action
from engine.card import Card
from engine.errors import Refused
from engine.event import DealScored, DealStarted, Event
from engine.game import Deal, DealResult, Game, Rules
from engine.states import Termination
from engine.view import View

MAX_DEALS: Final = 1000
"""No match goes beyond so many deals, whatever its rules say (DB-8.3)."""

Decks: TypeAlias = Callable[[int], Sequence[Card]]
"""Gives the deck of a deal by its number, from 0, top card first."""


class Match:
    """A match in progress. `start` deals the first deal; `apply` plays on, through all deals, to the end.

    `actions` counts the actions so far, so it is the id of the pending decision. `ending` is None while the match goes
    on, then SCORE or DEAL_LIMIT; `winner` is then the winning side, or None for a draw.
    """

    __slots__ = (
        "actions",
        "deal",
        "deal_no",
        "dealer",
        "deals_complete",
        "decks",
        "ending",
        "game",
        "rules",
        "totals",
        "winner",
    )

    deal: Deal

    def __init__(self, game: Game, rules: Rules, first_dealer: int, decks: Decks) -> None:
        self.game = game
        self.rules = rules
        self.decks = decks
        self.dealer = first_dealer
        self.deal_no = 0
        self.deals_complete = 0
        self.actions = 0
        self.totals = (0,) * (max(game.sides) + 1)
        self.ending: Termination | None = None
        self.winner: int | None = None

    def start(self) -> list[Event]:
        """Deal the first deal."""
        told: list[Event] = []
        self._deal(told)
        return told

    @property
    def turn(self) -> int | None:
        """The seat to act, None when the match is over."""
        return None if self.ending else self.deal.turn

    def legal(self) -> Sequence[Action]:
        """The actions of the seat to act; empty when the match is over."""
        return () if self.ending else self.deal.legal()

    def view(self, seat: int) -> View:
        """What `seat` may know."""
        return self.deal.view(seat)

    def apply(self, action: Action) -> list[Event]:
        """Carry out `action` for the seat to act; the events up to the next decision, or to the end.

        Raises Refused, with nothing changed, when the rules forbid it.
        """
        if self.ending:
            raise Refused("match", "it is over")
        told: list[Event] = []
        self.deal.apply(action, told)
        self.actions += 1
        if self.deal.turn is None:
            self._score(self.deal.result(), told)
        return told

    def _deal(self, told: list[Event]) -> None:
        told.append(DealStarted(self.deal_no, self.dealer))
        self.deal = self.game.deal(
            self.rules,
            self.decks(self.deal_no),
            deal_no=self.deal_no,
            dealer=self.dealer,
            totals=self.totals,
            told=told,
        )

    def _score(self, result: DealResult, told: list[Event]) -> None:
        self.totals = self.game.settle(self.rules, self.totals, result)
        self.deals_complete += 1
        told.append(DealScored(self.deal_no, result.points, self.totals, result.lines, result.shown))
        self.winner = self.game.winner(self.rules, self.totals, result)
        if self.winner is not None:
            self.ending = Termination.SCORE
        elif self.deals_complete >= min(self.game.deal_limit(self.rules) or MAX_DEALS, MAX_DEALS):
            self.ending = Termination.DEAL_LIMIT
            self.winner = leader(self.totals)
        else:
            self.dealer = self.game.next_dealer(self.rules, self.dealer, result)
            self.deal_no += 1
            self._deal(told)


def leader(totals: Sequence[int]) -> int | None:
    """The side with the highest total, None if several have it (DB-8.3, SM-8.6)."""
    best = max(totals)
    return totals.index(best) if list(totals).count(best) == 1 else None
