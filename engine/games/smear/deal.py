"""A deal of Smear being played: the auction (SM-3), the discard (SM-4) and six tricks (SM-5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Self

from engine.action import Action, Call, Discard, Play
from engine.card import SUITS, Card
from engine.event import CallMade, CardPlayed, Discarded, Event, HandDealt, KittyTaken, TrickTaken, TrumpNamed
from engine.game import DealResult, Rules
from engine.games.smear.auction import SEATS
from engine.games.smear.discards import discards, leads
from engine.games.smear.refusal import not_discardable, not_playable, not_to_lead, out_of_place
from engine.games.smear.score import THROWN_IN, score
from engine.games.smear.state import DEALT, NO_TRUMP_YET, State
from engine.games.smear.view import Sight
from engine.trick import PLACES, SUIT_PLAYS, beats, cards_of, plays
from engine.view import View

_TRICKS: Final = 6


class SmearDeal(State):
    """One deal. `legal` lists plays and discards ascending by card numbers, and calls as `Auction.legal` does."""

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
            told += [HandDealt((dealer + 1 + i) % SEATS, tuple(deck[i:DEALT:SEATS])) for i in range(SEATS)]

    def legal(self) -> Sequence[Action]:
        """The actions of the seat to act; empty when the deal is over."""
        seat = self.turn
        if seat is None:
            return ()
        if self.due is Call:
            return self.auction.legal()
        hand = self.held[seat]
        if self.due is Discard:
            return discards(hand, self.kitty_cards)
        led, trump = self.led, self.trump
        if not self.table:
            return plays(leads(hand, self.away) if trump == NO_TRUMP_YET else hand)
        if not hand[led]:
            return plays(hand)
        if led == trump:
            return SUIT_PLAYS[led][hand[led]]
        low, high = (led, trump) if led < trump else (trump, led)
        return SUIT_PLAYS[low][hand[low]] + SUIT_PLAYS[high][hand[high]]  # SM-5.3

    def apply(self, action: Action, told: list[Event] | None = None) -> None:
        """Carry out `action` for the seat to act; Refused, with nothing changed, when the rules forbid it."""
        seat = self.turn
        if seat is None or type(action) is not self.due:
            raise out_of_place(self.phase, self.due, action)
        if type(action) is Play:
            if self.table:
                self._follow(seat, action, told)
            else:
                self._lead(seat, action, told)
        elif type(action) is Call:
            self._call(seat, action, told)
        elif type(action) is Discard:
            self._discard(seat, action, told)

    def _call(self, seat: int, action: Call, told: list[Event] | None) -> None:
        ended = self.auction.make(seat, action)
        self.turn = (seat + 1) % SEATS
        if told is not None:
            told.append(CallMade(seat, action))
        if ended:
            self._end_auction(told)

    def _end_auction(self, told: list[Event] | None) -> None:
        contract = self.contract = self.auction.contract()
        if contract is None:
            self.turn = self.due = None  # thrown in (SM-3.5)
            return
        bidder = self.turn = self.leader = contract.declarer  # SM-5.1
        if told is not None:
            told.append(contract)
        if not self.kitty_cards:
            self.phase, self.due = "play", Play
            return
        self.phase, self.due = "discard", Discard
        self.kitty = self.undealt[: self.kitty_cards]  # SM-4.1
        hand = self.held[bidder]
        for card in self.kitty:
            suit, bit, _ = PLACES[card]
            hand[suit] |= bit
        if told is not None:
            told.append(KittyTaken(bidder, self.kitty))

    def _discard(self, seat: int, action: Discard, told: list[Event] | None) -> None:
        hand, number = self.held[seat], self.kitty_cards
        if action not in discards(hand, number):
            raise not_discardable(hand, number, action.cards)
        away = [0, 0, 0, 0]
        for card in action.cards:
            suit, bit, _ = PLACES[card]
            away[suit] |= bit
        self.held[seat] = [mask ^ gone for mask, gone in zip(hand, away, strict=True)]
        self.away, self.discards = away, action.cards
        self.phase, self.due = "play", Play
        if told is not None:
            told.append(Discarded(seat, action.cards))

    def _lead(self, seat: int, action: Play, told: list[Event] | None) -> None:
        hand, first = self.held[seat], self.trump == NO_TRUMP_YET
        allowed = leads(hand, self.away) if first else hand
        place = PLACES.get(action.card)
        if place is None or not allowed[place[0]] & place[1]:
            if first:
                raise not_to_lead(hand, allowed, self.discards, action.card)
            raise not_playable(hand, None, self.trump, action.card)
        suit, bit, card = place
        hand[suit] ^= bit
        self.led, self.leader = suit, seat
        self.best, self.best_seat = place, seat
        self.table.append(card)
        self.turn = (seat + 1) % SEATS  # SM-5.2
        if first:
            self.trump = suit  # SM-5.1
        if told is not None:
            told.append(CardPlayed(seat, card))
            if first:
                told.append(TrumpNamed(SUITS[suit]))

    def _follow(self, seat: int, action: Play, told: list[Event] | None) -> None:
        hand, led, trump = self.held[seat], self.led, self.trump
        place = PLACES.get(action.card)
        if place is None or not hand[place[0]] & place[1]:
            raise not_playable(hand, led, trump, action.card)
        suit, bit, card = place
        if suit not in (led, trump) and hand[led]:
            raise not_playable(hand, led, trump, card)  # SM-5.3
        hand[suit] ^= bit
        self.table.append(card)
        self.turn = (seat + 1) % SEATS
        if beats(place, self.best, trump):  # SM-5.4
            self.best, self.best_seat = place, seat
        if told is not None:
            told.append(CardPlayed(seat, card))
        if len(self.table) == SEATS:
            self._end_trick(told)

    def _end_trick(self, told: list[Event] | None) -> None:
        winner = self.best_seat
        self.tricks.append((self.leader, tuple(self.table), winner))
        self.taken[winner % 2] += 1
        self.table.clear()
        self.turn = self.leader = winner  # SM-5.5
        if len(self.tricks) == _TRICKS:
            self.turn = self.due = None
        if told is not None:
            told.append(TrickTaken(winner))

    def view(self, seat: int) -> View:
        """What `seat` may know (SM-9)."""
        if self.sight is None:
            self.sight = Sight()
        return self.sight.view(self, seat)

    def hands(self) -> tuple[tuple[Card, ...], ...]:
        """Every seat's cards in ascending order."""
        return tuple([cards_of(hand) for hand in self.held])

    def result(self) -> DealResult:
        """The scored deal; ValueError while it is not over."""
        if self.due is not None:
            raise ValueError("a deal is scored when it is over")
        if self.contract is None:
            return THROWN_IN
        in_play = self.rules["high_low"] == "in_play"
        return score(self.contract, SUITS[self.trump], self.tricks, self.discards, in_play=in_play)

    def copy(self) -> Self:
        """An independent deal in the same state."""
        twin = super().copy()
        twin.sight = None  # a copy seldom shows anything, and can make its own
        return twin
