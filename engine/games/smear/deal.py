"""A deal of Smear being played: the auction (SM-3), the discard (SM-4) and six tricks (SM-5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Self

from engine.action import Action, Call, Discard, Play
from engine.card import HIDDEN, SUITS, Card
from engine.event import CallMade, CardPlayed, Discarded, Event, HandDealt, KittyTaken, TrickTaken, TrumpNamed
from engine.game import DealResult, Rules
from engine.games.smear.auction import SEATS
from engine.games.smear.discards import Discards, leads
from engine.games.smear.refusal import not_discardable, not_playable, not_to_lead, out_of_place
from engine.games.smear.score import THROWN_IN, score
from engine.games.smear.state import DEALT, NO_TRUMP_YET, State
from engine.games.smear.view import Sight
from engine.trick import CLUBS, DIAMONDS, HEARTS, PLACES, SPADES, SUIT_PLAYS, Place, cards_of
from engine.view import View

_TRICKS: Final = 6
_NOWHERE: Final[Place] = (0, 0, HIDDEN)
"""The place of what is no card: in no hand."""


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
        due, seat = self.due, self.turn
        if due is Play and seat is not None:
            hand, trump = self.held[seat], self.trump
            if self.table:
                led = self.led
                mask = hand[led]
                if mask:  # the suit led or any trump (SM-5.3), in ascending order
                    if led == trump:
                        return SUIT_PLAYS[led][mask]
                    if led < trump:
                        return SUIT_PLAYS[led][mask] + SUIT_PLAYS[trump][hand[trump]]
                    return SUIT_PLAYS[trump][hand[trump]] + SUIT_PLAYS[led][mask]
            elif trump == NO_TRUMP_YET:
                hand = self.leads
            clubs, diamonds, hearts, spades = hand  # `engine.trick.plays`, without the call
            return CLUBS[clubs] + DIAMONDS[diamonds] + HEARTS[hearts] + SPADES[spades]
        if due is Call:
            return self.auction.legal()
        return Discards(self.held[seat], len(self.kitty)) if due is Discard and seat is not None else ()

    def apply(self, action: Action, told: list[Event] | None = None) -> None:
        """Carry out `action` for the seat to act; Refused, with nothing changed, when the rules forbid it."""
        if type(action) is Play:
            if self.table:
                self._follow(action, told)
            else:
                self._lead(action, told)
        elif type(action) is Call:
            self._call(action, told)
        elif type(action) is Discard:
            self._discard(action, told)
        else:
            raise out_of_place(self.phase, self.due, action)

    def _call(self, action: Call, told: list[Event] | None) -> None:
        seat = self.turn
        if seat is None or self.due is not Call:
            raise out_of_place(self.phase, self.due, action)
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
        number = int(self.rules["kitty_cards"])
        if not number:
            self.phase, self.due, self.leads = "play", Play, self.held[bidder].copy()
            return
        self.phase, self.due = "discard", Discard
        self.kitty = self.undealt[:number]  # SM-4.1
        hand = self.held[bidder]
        for card in self.kitty:
            suit, bit, _ = PLACES[card]
            hand[suit] |= bit
        if told is not None:
            told.append(KittyTaken(bidder, self.kitty))

    def _discard(self, action: Discard, told: list[Event] | None) -> None:
        seat = self.turn
        if seat is None or self.due is not Discard:
            raise out_of_place(self.phase, self.due, action)
        hand, cards = self.held[seat], action.cards
        kept, away = hand.copy(), [0, 0, 0, 0]
        last, fits = 0, len(cards) == len(self.kitty)  # SM-4.2
        for card in cards:
            suit, bit, _ = PLACES.get(card, _NOWHERE)
            fits = fits and card > last and hand[suit] & bit != 0
            kept[suit] ^= bit
            away[suit] |= bit
            last = card
        allowed = leads(kept, away)
        if not fits or not any(allowed):  # SM-4.4
            raise not_discardable(hand, len(self.kitty), cards)
        self.held[seat] = kept
        self.leads, self.discards = allowed, cards
        self.phase, self.due = "play", Play
        if told is not None:
            told.append(Discarded(seat, cards))

    def _lead(self, action: Play, told: list[Event] | None) -> None:
        seat = self.turn
        if seat is None or self.due is not Play:
            raise out_of_place(self.phase, self.due, action)
        hand = self.held[seat]
        suit, bit, card = PLACES.get(action.card, _NOWHERE)
        first = self.trump == NO_TRUMP_YET
        if first:
            self._name_trump(seat, action.card)
        elif not hand[suit] & bit:
            raise not_playable(hand, None, self.trump, action.card)
        hand[suit] ^= bit
        self.led, self.leader = suit, seat
        self.best, self.best_seat = bit, seat
        self.table.append(card)
        self.turn = (seat + 1) & 3  # SM-5.2
        if told is not None:
            told.append(CardPlayed(seat, card))
            if first:
                told.append(TrumpNamed(SUITS[suit]))

    def _name_trump(self, seat: int, card: Card) -> None:
        """The suit of the first lead is trump (SM-5.1), if the card may be led."""
        held = self.held
        suit, bit, _ = PLACES.get(card, _NOWHERE)
        if not self.leads[suit] & bit:
            raise not_to_lead(held[seat], self.leads, self.discards, card)
        self.trump = suit
        self.trumps = (held[0][suit] | held[2][suit], held[1][suit] | held[3][suit])

    def _follow(self, action: Play, told: list[Event] | None) -> None:
        seat = self.turn
        if seat is None:  # not while a card is on the table
            raise out_of_place(self.phase, self.due, action)
        hand, led = self.held[seat], self.led
        try:
            suit, bit, card = PLACES[action.card]
        except KeyError:
            raise not_playable(hand, led, self.trump, action.card) from None
        mask = hand[suit]
        strength = bit
        if not mask & bit:
            raise not_playable(hand, led, self.trump, card)
        if suit != led:
            if suit == self.trump:
                strength <<= 13  # over every card of another suit (SM-5.4)
            elif hand[led]:
                raise not_playable(hand, led, self.trump, card)  # SM-5.3
            else:
                strength = 0
        hand[suit] = mask ^ bit
        if strength > self.best:
            self.best, self.best_seat = strength, seat
        table = self.table
        table.append(card)
        if told is not None:
            told.append(CardPlayed(seat, card))
        if len(table) < SEATS:
            self.turn = (seat + 1) & 3
        else:
            self._end_trick(told)

    def _end_trick(self, told: list[Event] | None) -> None:
        winner, tricks = self.best_seat, self.tricks
        tricks.append((self.leader, tuple(self.table), winner))
        self.table.clear()
        self.taken[winner & 1] += 1
        self.turn = self.leader = winner  # SM-5.5
        if len(tricks) == _TRICKS:
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
        return score(self.contract, (self.trump, *self.trumps), self.tricks, self.discards, in_play=in_play)

    def copy(self) -> Self:
        """An independent deal in the same state."""
        twin = super().copy()
        twin.sight = None  # a copy seldom shows anything, and can make its own
        return twin
