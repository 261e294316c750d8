"""High Card: one card each, the higher one takes the deal, a seat that leads wins a tie. As small as a game can be.

tests/packaging/test_third_game.py makes this file a folder of its own in a copy of the tree; nothing else is done there
to play the game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Final, Self

from engine.action import PLAYS, Action
from engine.card import PACK_52, Card
from engine.errors import Refused
from engine.event import CardPlayed, Event, HandDealt, ScoreLine, TrickTaken
from engine.game import DealResult, Game, Option, Rules
from engine.view import Trick, View


class HighCardDeal:
    """One deal. Fulfils `engine.game.Deal`."""

    phase = "play"

    def __init__(self, deck: Sequence[Card], deal_no: int, dealer: int, totals: tuple[int, ...]) -> None:
        self.deal_no, self.dealer, self.totals = deal_no, dealer, totals
        self.cards = tuple(deck[:2])
        self.played: tuple[Card, ...] = ()

    @property
    def turn(self) -> int | None:
        """The non-dealer, then the dealer."""
        return (1 - self.dealer, self.dealer, None)[len(self.played)]

    def legal(self) -> Sequence[Action]:
        """The one card."""
        return () if self.turn is None else (PLAYS[self.cards[self.turn]],)

    def apply(self, action: Action, told: list[Event] | None = None) -> None:
        """Play it."""
        seat = self.turn
        if seat is None or action not in self.legal():
            raise Refused("HC-1.1", "you have one card, to play once")
        self.played += (self.cards[seat],)
        if told is not None:
            told += [CardPlayed(seat, self.cards[seat]), *([TrickTaken(self.winner)] if self.turn is None else [])]

    @property
    def winner(self) -> int:
        """The seat that has, or would have, the trick."""
        return self.dealer if self.cards[self.dealer].rank > self.cards[1 - self.dealer].rank else 1 - self.dealer

    def view(self, seat: int) -> View:
        """Own card, the trick, the score."""
        over, hands = self.turn is None, self.hands()
        trick = Trick(1 - self.dealer, self.played, self.winner if over else None)
        return View(
            seat=seat,
            deal_no=self.deal_no,
            dealer=self.dealer,
            phase=self.phase,
            hand=hands[seat],
            hand_counts=tuple(map(len, hands)),
            totals=self.totals,
            taken=self.result().points if over else (0, 0),
            table=None if over else trick,
            tricks=(trick,) if over else (),
        )

    def hands(self) -> tuple[tuple[Card, ...], ...]:
        """What is not played."""
        return tuple(() if card in self.played else (card,) for card in self.cards)

    def result(self) -> DealResult:
        """A point for the winner."""
        points = (1, 0) if self.winner == 0 else (0, 1)
        return DealResult(points, None, 0, made=False, lines=(ScoreLine("high card", self.winner, 1),))

    def copy(self) -> Self:
        """Nothing in it is ever changed in place."""
        return copy(self)


class HighCard:
    """The game. Fulfils `engine.game.Game`."""

    name: str = "high-card"
    title: str = "High Card"
    rank: int = 9
    rules_version: int = 1
    sides: tuple[int, ...] = (0, 1)
    pack: tuple[Card, ...] = PACK_52
    options: tuple[Option, ...] = (Option("deals", "HC-1.2", "deals of a match, 0 for as many as there may be"),)
    presets: Mapping[str, Rules] = {"match": {"deals": 5}}

    def deal(
        self,
        rules: Rules,  # noqa: ARG002 - the contract's
        deck: Sequence[Card],
        *,
        deal_no: int,
        dealer: int,
        totals: tuple[int, ...],
        told: list[Event] | None = None,
    ) -> HighCardDeal:
        """The two top cards."""
        deal = HighCardDeal(deck, deal_no, dealer, totals)
        if told is not None:
            told += [HandDealt(seat, (card,)) for seat, card in enumerate(deal.cards)]
        return deal

    def settle(self, rules: Rules, totals: tuple[int, ...], result: DealResult) -> tuple[int, ...]:  # noqa: ARG002 - likewise
        """Points add up."""
        return tuple(map(sum, zip(totals, result.points, strict=True)))

    def next_dealer(self, rules: Rules, dealer: int, result: DealResult) -> int:  # noqa: ARG002 - likewise
        """In turns."""
        return 1 - dealer

    def winner(self, rules: Rules, totals: tuple[int, ...], result: DealResult) -> int | None:  # noqa: ARG002 - likewise
        """Nobody before the last deal."""
        return None

    def deal_limit(self, rules: Rules) -> int:
        """The option `deals`."""
        return int(rules["deals"])


GAME: Final[Game] = HighCard()
