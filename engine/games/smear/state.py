"""What a deal of Smear is made of at one moment.

Inside, a hand is four masks (`engine.trick`). A seat is asked for one kind of action at a time, `due`: a call, a
discard, or a card.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Self

from engine.action import Action, Call
from engine.card import Card
from engine.event import ContractSet
from engine.game import Rules
from engine.games.smear.auction import SEATS, Auction
from engine.games.smear.score import Taken
from engine.trick import PLACES, Hand

DEALT: Final = 24
"""The cards in the four hands, and the place in the deck of the first undealt card (SM-2.2)."""
NO_TRUMP_YET: Final = -1
_NOTHING: Final[Hand] = [0, 0, 0, 0]


class State:
    """The cards, the auction, the tricks and whose turn it is; `engine.games.smear.deal` changes them."""

    __slots__ = (
        "auction",
        "best",  # the strength of the card that is winning the trick on the table
        "best_seat",  # and who played it
        "contract",
        "deal_no",
        "dealer",
        "discards",
        "due",  # the kind of action that is due, None when the deal is over
        "held",  # the hands by seat
        "kitty",  # the undealt cards that the bidder took
        "leader",  # of the trick on the table
        "leads",  # what may be led to the first trick, once it is known
        "led",  # the suit led to it, from 0
        "phase",
        "rules",
        "table",  # the cards of the trick that is being played
        "taken",  # the tricks by side
        "totals",
        "tricks",  # the complete ones: leader, cards, winner
        "trump",  # a suit from 0, or NO_TRUMP_YET
        "trumps",  # masks of those that each side held when trump was named, and will have played in the end
        "turn",
        "undealt",  # from the top, with those that the bidder took
    )

    def __init__(
        self, rules: Rules, deck: Sequence[Card], *, deal_no: int, dealer: int, totals: tuple[int, ...]
    ) -> None:
        """Deal one card at a time, from the dealer's left (SM-2.2)."""
        held: list[Hand] = [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
        first = (dealer + 1) % SEATS
        for hand, card in zip((held[first:] + held[:first]) * 6, deck, strict=False):
            suit, bit, _ = PLACES[card]
            hand[suit] |= bit
        self.rules = rules
        self.deal_no = deal_no
        self.dealer = dealer
        self.totals = totals
        self.held = held
        self.undealt = tuple(deck[DEALT:])
        self.kitty: tuple[Card, ...] = ()
        self.discards: tuple[Card, ...] = ()
        self.leads = _NOTHING
        self.phase = "auction"
        self.due: type[Action] | None = Call
        self.turn: int | None = first  # SM-3.1
        self.auction = Auction(rules)
        self.contract: ContractSet | None = None
        self.trump = NO_TRUMP_YET
        self.trumps = (0, 0)
        self.table: list[Card] = []
        self.leader = self.led = self.best = self.best_seat = 0
        self.tricks: list[Taken] = []
        self.taken = [0, 0]

    def copy(self) -> Self:
        """An independent one of the same kind in the same state."""
        twin = object.__new__(type(self))
        twin.rules, twin.deal_no, twin.dealer, twin.totals = self.rules, self.deal_no, self.dealer, self.totals
        twin.held, twin.undealt = [hand.copy() for hand in self.held], self.undealt
        twin.kitty, twin.discards, twin.leads = self.kitty, self.discards, self.leads
        twin.phase, twin.due, twin.turn = self.phase, self.due, self.turn
        twin.auction, twin.contract = self.auction.copy(), self.contract
        twin.trump, twin.trumps = self.trump, self.trumps
        twin.table, twin.leader, twin.led = self.table.copy(), self.leader, self.led
        twin.best, twin.best_seat = self.best, self.best_seat
        twin.tricks, twin.taken = self.tricks.copy(), self.taken.copy()
        return twin
