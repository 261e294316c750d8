"""A deal of Draw Bridge: the draw phase (DB-4), the auction (DB-5) and the play (DB-6).

Inside, a card is a place and a hand four masks (`engine.trick`). A seat is asked for one kind of action at a time,
`due`: a card, a draw, or a call. The order of the decisions in a draw-phase trick is the leader's card, the follower's
card, the winner's draw, the loser's draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Self

from engine.action import DRAW, Action, Call, Draw, Play
from engine.card import HIDDEN, Card
from engine.event import (
    CallMade,
    CardDrawn,
    CardPlayed,
    ContractSet,
    Event,
    HandDealt,
    TopCardShown,
    TrickTaken,
    TrumpNamed,
)
from engine.game import DealResult, Rules
from engine.games.draw_bridge.auction import Auction
from engine.games.draw_bridge.refusal import not_playable, out_of_place
from engine.games.draw_bridge.score import PASSED_OUT, score
from engine.games.draw_bridge.view import Sight
from engine.trick import CLUBS, DIAMONDS, HEARTS, PLACES, SPADES, Place, cards_of, hand_of, plays_following
from engine.view import View

STOCK: Final = 26
"""The cards of the stock, and the place in the deck of its top card (DB-3.6)."""

_DRAW_ALONE: Final = (DRAW,)


class DrawBridgeDeal:
    """One deal. `legal` lists plays ascending by card number and calls as `Auction.legal` does; a draw stands alone."""

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
        "sight",
        "stock",  # from the top
        "taken",  # the tricks of the play by seat
        "totals",
        "tricks",  # of both phases: card led, card that followed, winner
        "trump",
        "turn",
    )

    def __init__(
        self,
        rules: Rules,
        deck: Sequence[Card],
        *,
        deal_no: int,
        dealer: int,
        totals: tuple[int, ...],
        told: list[Event] | None = None,
    ) -> None:
        """Deal one card at a time, the non-dealer first (DB-3.4, DB-3.5)."""
        non_dealer = 1 - dealer
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
        self.turn: int | None = non_dealer  # leads the first trick (DB-4.2)
        self.led: Place | None = None
        self.tricks: list[tuple[Card, Card, int]] = []
        self.taken = [0, 0]
        self.any_suit = rules["draw_winner"] == "any"
        self.must_follow = rules["draw_follow"] == "must"
        self.trump = -1  # DB-4.1
        self.auction = Auction()
        self.contract: ContractSet | None = None
        self.sight: Sight | None = None  # made when somebody looks
        if told is not None:
            told += [HandDealt(non_dealer, tuple(deck[0:STOCK:2])), HandDealt(dealer, tuple(deck[1:STOCK:2]))]
            self._show_top(told)

    def legal(self) -> Sequence[Action]:
        """The actions of the seat to act; empty when the deal is over."""
        due = self.due
        if due is Draw:
            return _DRAW_ALONE
        seat = self.turn
        if seat is None:
            return ()
        if due is Call:
            return self.auction.legal()
        led = self.led
        if led is not None and self.must_follow:
            return plays_following(self.held[seat], led[0])
        clubs, diamonds, hearts, spades = self.held[seat]  # `engine.trick.plays`, without the call
        return CLUBS[clubs] + DIAMONDS[diamonds] + HEARTS[hearts] + SPADES[spades]

    def apply(self, action: Action, told: list[Event] | None = None) -> None:
        """Carry out `action` for the seat to act; Refused, with nothing changed, when the rules forbid it."""
        if type(action) is Play:
            self._play(action, told)
        elif type(action) is Draw:
            self._draw(action, told)
        elif type(action) is Call:
            self._call(action, told)
        else:
            raise out_of_place(self.phase, self.due, action)

    def _play(self, action: Play, told: list[Event] | None) -> None:
        seat = self.turn
        if seat is None or self.due is not Play:
            raise out_of_place(self.phase, self.due, action)
        hand = self.held[seat]
        led = self.led
        try:
            place = suit, bit, card = PLACES[action.card]
        except KeyError:
            raise not_playable(self.phase, hand, led, action.card) from None
        mask = hand[suit]
        if not mask & bit or (led is not None and suit != led[0] and self.must_follow and hand[led[0]]):
            raise not_playable(self.phase, hand, led, card)
        hand[suit] = mask ^ bit
        if told is not None:
            told.append(CardPlayed(seat, card))
        if led is None:
            self.led = place
            self.turn = 1 - seat
            return
        # The second card wins as `engine.trick.beats` says, or by its rank alone.
        wins = bit > led[1] if suit == led[0] or self.any_suit else suit == self.trump
        self._take_trick(seat if wins else 1 - seat, led[2], card, told)

    def _take_trick(self, winner: int, lead: Card, follow: Card, told: list[Event] | None) -> None:
        self.led = None
        self.tricks.append((lead, follow, winner))
        self.turn = winner  # draws first (DB-4.6), or leads (DB-6.5)
        if self.phase == "draw":
            self.due = Draw
        else:
            self.taken[winner] += 1
            if len(self.tricks) == STOCK:
                self.turn = self.due = None
        if told is not None:
            told.append(TrickTaken(winner))

    def _draw(self, action: Draw, told: list[Event] | None) -> None:
        seat = self.turn
        if seat is None or self.due is not Draw:
            raise out_of_place(self.phase, self.due, action)
        number = self.drawn
        suit, bit, card = self.stock[number]
        self.held[seat][suit] |= bit
        self.drawn = number + 1
        self.turn = 1 - seat  # the loser draws, or the winner leads again (DB-4.11)
        if number % 2:
            self.due = Play
            if number == STOCK - 1:
                self.phase, self.due, self.turn = "auction", Call, self.dealer  # DB-4.12, DB-5.1
        if told is not None:
            told.append(CardDrawn(seat, card, shown=self.shows(number)))
            if number % 2:
                self._show_top(told)

    def _call(self, action: Call, told: list[Event] | None) -> None:
        seat = self.turn
        if seat is None or self.due is not Call:
            raise out_of_place(self.phase, self.due, action)
        ended = self.auction.make(seat, action)
        self.turn = 1 - seat
        if told is not None:
            told.append(CallMade(seat, action))
        if ended:
            self._end_auction(told)

    def _end_auction(self, told: list[Event] | None) -> None:
        contract = self.contract = self.auction.contract()
        if contract is None:
            self.turn = self.due = None  # passed out (DB-5.12)
            return
        self.phase, self.due, self.turn = "play", Play, 1 - contract.declarer  # DB-6.2
        self.any_suit, self.must_follow, self.trump = False, True, contract.strain - 1
        if told is not None:
            told += [contract, TrumpNamed(contract.strain)]

    def shows(self, number: int) -> bool:
        """Whether the card of that number in the stock is drawn face up: the winner's under `reveal: top` (DB-4.10)."""
        return number % 2 == 0 and self.rules["reveal"] == "top"

    def face_up(self) -> Card:
        """The top card of the stock while it lies face up, from before the lead until it is drawn; else HIDDEN."""
        return self.stock[self.drawn][2] if self.drawn < STOCK and self.shows(self.drawn) else HIDDEN

    def _show_top(self, told: list[Event]) -> None:
        card = self.face_up()
        if card:
            told.append(TopCardShown(card))

    def view(self, seat: int) -> View:
        """What `seat` may know (DB-9)."""
        if self.sight is None:
            self.sight = Sight()
        return self.sight.view(self, seat)

    def hands(self) -> tuple[tuple[Card, ...], ...]:
        """Both seats' cards in ascending order."""
        return (cards_of(self.held[0]), cards_of(self.held[1]))

    def result(self) -> DealResult:
        """The scored deal; ValueError while it is not over."""
        if self.due is not None:
            raise ValueError("a deal is scored when it is over")
        contract = self.contract
        if contract is None:
            return PASSED_OUT
        return score(contract, self.taken[contract.declarer], self.rules)

    def copy(self) -> Self:
        """An independent deal in the same state."""
        twin = object.__new__(type(self))
        twin.rules, twin.deal_no, twin.dealer, twin.totals = self.rules, self.deal_no, self.dealer, self.totals
        twin.held, twin.stock, twin.drawn = [hand.copy() for hand in self.held], self.stock, self.drawn
        twin.phase, twin.due, twin.turn, twin.led = self.phase, self.due, self.turn, self.led
        twin.tricks, twin.taken = self.tricks.copy(), self.taken.copy()
        twin.any_suit, twin.must_follow, twin.trump = self.any_suit, self.must_follow, self.trump
        twin.auction, twin.contract = self.auction.copy(), self.contract
        twin.sight = None  # a copy seldom shows anything, and can make its own
        return twin
