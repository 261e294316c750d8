"""A deal of German Whist being played: the first half (GW-4) and the second (GW-5).

The order of the decisions in a trick of the first half is the leader's card, the follower's card, the winner's draw,
the loser's draw (GW-4.7). A seat is asked for one kind of action at a time, `due`: a card or a draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Self

from engine.action import DRAW, Action, Draw, Play
from engine.card import HIDDEN, Card, Strain
from engine.event import CardDrawn, CardPlayed, Event, HandDealt, TopCardShown, TrickTaken, TrumpNamed
from engine.game import DealResult, Rules
from engine.games.german_whist.refusal import not_playable, out_of_place
from engine.games.german_whist.score import score
from engine.trick import PLACES, Place, beats, cards_of, count, hand_of, plays, plays_following
from engine.view import Trick, View

_DRAW_ALONE: Final = (DRAW,)


class GermanWhistDeal:
    """One deal. `legal` lists plays ascending by card number; a draw stands alone."""

    __slots__ = (
        "deal_no",
        "dealer",
        "draws",  # of both seats, in order
        "due",  # the kind of action that is due, None when the deal is over
        "held",  # the hands by seat
        "led",  # the card on the table, None when there is none
        "rules",
        "stock",  # from the top, with the cards that are drawn
        "taken",  # the tricks of the second half by seat
        "totals",
        "tricks",  # of both halves
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
        dealt = 2 * int(rules["hand_cards"])
        hands = deck[0:dealt:2], deck[1:dealt:2]  # the non-dealer's first (GW-3.4)
        self.rules = rules
        self.deal_no = deal_no
        self.dealer = dealer
        self.totals = totals
        self.held = [hand_of(map(PLACES.__getitem__, hands[seat == dealer])) for seat in (0, 1)]
        self.stock = tuple(deck[dealt : 2 * dealt])  # what is left is out of play (GW-3.5)
        self.trump: Strain = self.stock[0].suit  # GW-3.6
        self.draws: list[CardDrawn] = []
        self.tricks: list[Trick] = []
        self.taken = [0, 0]
        self.led: Place | None = None
        self.due: type[Action] | None = Play
        self.turn: int | None = 1 - dealer  # GW-4.1
        if told is not None:
            told += [HandDealt(1 - dealer, tuple(hands[0])), HandDealt(dealer, tuple(hands[1]))]
            told += [TopCardShown(self.stock[0]), TrumpNamed(self.trump)]

    @property
    def phase(self) -> str:
        """`draw` in the first half, `play` in the second."""
        return "draw" if len(self.draws) < len(self.stock) else "play"

    def face_up(self) -> Card:
        """The top card of the stock while it lies face up, from before the lead until it is drawn; else HIDDEN."""
        drawn = len(self.draws)
        return self.stock[drawn] if drawn < len(self.stock) and drawn % 2 == 0 else HIDDEN

    def legal(self) -> Sequence[Action]:
        """The actions of the seat to act; empty when the deal is over."""
        if self.turn is None:
            return ()
        if self.due is Draw:
            return _DRAW_ALONE
        hand = self.held[self.turn]
        return plays(hand) if self.led is None else plays_following(hand, self.led[0])

    def apply(self, action: Action, told: list[Event] | None = None) -> None:
        """Carry out `action` for the seat to act; Refused, with nothing changed, when the rules forbid it."""
        if self.turn is None or type(action) is not self.due:
            raise out_of_place(self.phase, self.due, action)
        happened = self._play(self.turn, action.card) if isinstance(action, Play) else self._draw(self.turn)
        if told is not None:
            told += happened

    def _play(self, seat: int, card: Card) -> list[Event]:
        hand, led = self.held[seat], self.led
        place = PLACES.get(card)
        if place is None or not hand[place[0]] & place[1]:
            raise not_playable(self.phase, hand, led, card)
        suit, bit, card = place
        if led is not None and suit != led[0] and hand[led[0]]:
            raise not_playable(self.phase, hand, led, card)  # GW-4.2, GW-5.2
        hand[suit] ^= bit
        if led is None:
            self.led, self.turn = place, 1 - seat
            return [CardPlayed(seat, card)]
        winner = seat if beats(place, led, self.trump - 1) else 1 - seat  # GW-4.3, GW-5.2
        self._end_trick(Trick(1 - seat, (led[2], card), winner), winner)
        return [CardPlayed(seat, card), TrickTaken(winner)]

    def _end_trick(self, trick: Trick, winner: int) -> None:
        self.led, self.turn = None, winner  # who draws first (GW-4.5), or leads (GW-5.3)
        if self.phase == "draw":
            self.due = Draw
        else:
            self.taken[winner] += 1
            if len(self.tricks) + 1 == len(self.stock):  # as many in each half as there are pairs of cards to draw
                self.turn = self.due = None
        self.tricks.append(trick)

    def _draw(self, seat: int) -> list[Event]:
        number = len(self.draws)
        draw = CardDrawn(seat, self.stock[number], shown=number % 2 == 0)  # GW-4.5, GW-4.6
        suit, bit, _ = PLACES[draw.card]
        self.held[seat][suit] |= bit
        self.draws.append(draw)
        self.turn = 1 - seat  # the loser draws, or the winner leads (GW-4.10)
        if draw.shown:
            return [draw]
        self.due = Play
        top = self.face_up()  # GW-4.9
        return [draw, TopCardShown(top)] if top else [draw]

    def view(self, seat: int) -> View:
        """What `seat` may know (GW-8)."""
        return View(
            seat=seat,
            deal_no=self.deal_no,
            dealer=self.dealer,
            phase=self.phase,
            hand=cards_of(self.held[seat]),
            hand_counts=(count(self.held[0]), count(self.held[1])),
            totals=self.totals,
            taken=(self.taken[0], self.taken[1]),
            table=self._table(),
            tricks=tuple(self.tricks),
            draws=tuple(d if d.shown or d.seat == seat else CardDrawn(d.seat, HIDDEN) for d in self.draws),
            stock_count=len(self.stock) - len(self.draws),
            shown=self.face_up(),
            trump=self.trump,
        )

    def _table(self) -> Trick | None:
        if self.due is not Play or self.turn is None:
            return None
        return Trick(self.turn, ()) if self.led is None else Trick(1 - self.turn, (self.led[2],))

    def hands(self) -> tuple[tuple[Card, ...], ...]:
        """Both seats' cards in ascending order."""
        return (cards_of(self.held[0]), cards_of(self.held[1]))

    def result(self) -> DealResult:
        """The scored deal; ValueError while it is not over."""
        if self.due is not None:
            raise ValueError("a deal is scored when it is over")
        return score((self.taken[0], self.taken[1]), self.rules)

    def copy(self) -> Self:
        """An independent deal in the same state."""
        twin = object.__new__(type(self))
        twin.rules, twin.deal_no, twin.dealer, twin.totals = self.rules, self.deal_no, self.dealer, self.totals
        twin.held, twin.stock, twin.trump = [hand.copy() for hand in self.held], self.stock, self.trump
        twin.draws, twin.tricks, twin.taken = self.draws.copy(), self.tricks.copy(), self.taken.copy()
        twin.led, twin.due, twin.turn = self.led, self.due, self.turn
        return twin
