"""A deal of Draw Bridge being played: the draw phase (DB-4), the auction (DB-5) and the play (DB-6).

The order of the decisions in a draw-phase trick is the leader's card, the follower's card, the winner's draw, the
loser's draw (DB-4.13).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Self

from engine.action import DRAW, Action, Call, Draw, Play
from engine.card import Card
from engine.event import CallMade, CardDrawn, CardPlayed, Event, HandDealt, TopCardShown, TrickTaken, TrumpNamed
from engine.game import DealResult, Rules
from engine.games.draw_bridge.refusal import not_playable, out_of_place
from engine.games.draw_bridge.score import PASSED_OUT, score
from engine.games.draw_bridge.state import STOCK, State
from engine.games.draw_bridge.view import Sight
from engine.trick import CLUBS, DIAMONDS, HEARTS, PLACES, SPADES, Place, cards_of, plays_following
from engine.view import View

_DRAW_ALONE: Final = (DRAW,)


class DrawBridgeDeal(State):
    """One deal. `legal` lists plays ascending by card number and calls as `Auction.legal` does; a draw stands alone."""

    __slots__ = ("sight",)

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
        super().__init__(rules, deck, deal_no=deal_no, dealer=dealer, totals=totals)
        self.sight: Sight | None = None  # made when somebody looks
        if told is not None:
            told += [HandDealt(1 - dealer, tuple(deck[0:STOCK:2])), HandDealt(dealer, tuple(deck[1:STOCK:2]))]
            self._show_top(told)

    def legal(self) -> Sequence[Action]:
        """The actions of the seat to act; empty when the deal is over."""
        due, seat = self.due, self.turn
        if due is Play and seat is not None:
            led = self.led
            if led is not None and self.must_follow:
                return plays_following(self.held[seat], led[0])
            clubs, diamonds, hearts, spades = self.held[seat]  # `engine.trick.plays`, without the call
            return CLUBS[clubs] + DIAMONDS[diamonds] + HEARTS[hearts] + SPADES[spades]
        if due is Draw:
            return _DRAW_ALONE
        return self.auction.legal() if due is Call else ()

    def apply(self, action: Action, told: list[Event] | None = None) -> None:
        """Carry out `action` for the seat to act; Refused, with nothing changed, when the rules forbid it."""
        if type(action) is Play:
            if self.led is None:
                self._lead(action, told)
            else:
                self._follow(action, self.led, told)
        elif type(action) is Draw:
            self._draw(action, told)
        elif type(action) is Call:
            self._call(action, told)
        else:
            raise out_of_place(self.phase, self.due, action)

    def _lead(self, action: Play, told: list[Event] | None) -> None:
        seat = self.turn
        if seat is None or self.due is not Play:
            raise out_of_place(self.phase, self.due, action)
        hand = self.held[seat]
        try:
            place = suit, bit, card = PLACES[action.card]
        except KeyError:
            raise not_playable(self.phase, hand, None, action.card) from None
        mask = hand[suit]
        if not mask & bit:
            raise not_playable(self.phase, hand, None, card)
        hand[suit] = mask ^ bit
        self.led = place
        self.turn = 1 - seat
        if told is not None:
            told.append(CardPlayed(seat, card))

    def _follow(self, action: Play, led: Place, told: list[Event] | None) -> None:
        seat = self.turn
        if seat is None:  # not while a card is on the table
            raise out_of_place(self.phase, self.due, action)
        hand = self.held[seat]
        led_suit, led_bit, led_card = led
        try:
            suit, bit, card = PLACES[action.card]
        except KeyError:
            raise not_playable(self.phase, hand, led, action.card) from None
        mask = hand[suit]
        if not mask & bit or (suit != led_suit and self.must_follow and hand[led_suit]):
            raise not_playable(self.phase, hand, led, card)
        hand[suit] = mask ^ bit
        # The second card wins as `engine.trick.beats` says, or by its rank alone.
        wins = bit > led_bit if suit == led_suit or self.any_suit else suit == self.trump
        winner = seat if wins else 1 - seat
        self.tricks.append((led_card, card, winner))
        self.led = None
        self.turn = winner  # draws first (DB-4.6), or leads (DB-6.5)
        if self.phase == "draw":
            self.due = Draw
        else:
            self.taken[winner] += 1
            if len(self.tricks) == STOCK:
                self.turn = self.due = None
        if told is not None:
            told += [CardPlayed(seat, card), TrickTaken(winner)]

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
        twin = super().copy()
        twin.sight = None  # a copy seldom shows anything, and can make its own
        return twin
