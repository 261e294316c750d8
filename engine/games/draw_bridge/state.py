"""What a deal of Draw Bridge is made of at one moment.

Inside, a card is a place and a hand four masks (`engine.trick`). A seat is asked for one kind of action at a time,
`due`: a card, a draw, or a call.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Self

from engine.action import Action, Play
from engine.card import HIDDEN, Card
from engine.event import ContractSet
from engine.game import Rules
from engine.games.draw_bridge.auction import Auction
from engine.trick import PLACES, Place, hand_of

STOCK: Final = 26
"""The cards of the stock, and the place in the deck of its top card (DB-3.6)."""


class State:
    """The cards, the tricks, the auction and whose turn it is; `engine.games.draw_bridge.deal` changes them."""

    __slots__ = (
        "any_suit",  # whether the higher rank wins whatever its suit (DB-4.4)
        "auction",
        "contract",
        "deal_no",
        "dealer",
        "drawn",  # how many cards of the stock are drawn
        "due",  # the kind of action that is due, None when the deal is over
        "held",  # the hands by seat
        "led",  # the card on the table, None when there is none
        "must_follow",
        "phase",
        "rules",
        "stock",  # from the top
        "taken",  # the tricks of the play by seat
        "totals",
        "tricks",  # of both phases: card led, card that followed, winner
        "trump",
        "turn",
    )

    def __init__(
        self, rules: Rules, deck: Sequence[Card], *, deal_no: int, dealer: int, totals: tuple[int, ...]
    ) -> None:
        """Deal one card at a time, the non-dealer first (DB-3.4, DB-3.5)."""
        places = list(map(PLACES.__getitem__, deck))
        hands = (hand_of(places[0:STOCK:2]), hand_of(places[1:STOCK:2]))
        self.rules = rules
        self.deal_no = deal_no
        self.dealer = dealer
        self.totals = totals
        self.held = [hands[dealer == 0], hands[dealer == 1]]
        self.stock = places[STOCK:]
        self.drawn = 0
        self.phase = "draw"
        self.due: type[Action] | None = Play
        self.turn: int | None = 1 - dealer  # DB-4.2
        self.led: Place | None = None
        self.tricks: list[tuple[Card, Card, int]] = []
        self.taken = [0, 0]
        self.any_suit = rules["draw_winner"] == "any"
        self.must_follow = rules["draw_follow"] == "must"
        self.trump = -1  # DB-4.1
        self.auction = Auction()
        self.contract: ContractSet | None = None

    def shows(self, number: int) -> bool:
        """Whether the card of that number in the stock is drawn face up: the winner's under `reveal: top` (DB-4.10)."""
        return number % 2 == 0 and self.rules["reveal"] == "top"

    def face_up(self) -> Card:
        """The top card of the stock while it lies face up, from before the lead until it is drawn; else HIDDEN."""
        return self.stock[self.drawn][2] if self.drawn < STOCK and self.shows(self.drawn) else HIDDEN

    def copy(self) -> Self:
        """An independent one of the same kind in the same state."""
        twin = object.__new__(type(self))
        twin.rules, twin.deal_no, twin.dealer, twin.totals = self.rules, self.deal_no, self.dealer, self.totals
        twin.held, twin.stock, twin.drawn = [hand.copy() for hand in self.held], self.stock, self.drawn
        twin.phase, twin.due, twin.turn, twin.led = self.phase, self.due, self.turn, self.led
        twin.tricks, twin.taken = self.tricks.copy(), self.taken.copy()
        twin.any_suit, twin.must_follow, twin.trump = self.any_suit, self.must_follow, self.trump
        twin.auction, twin.contract = self.auction.copy(), self.contract
        return twin
