"""A deal of Draw Bridge: the draw phase (DB-4), the auction (DB-5) and the play (DB-6).

Inside, cards are indices and hands are masks (`engine.trick`). A seat is asked for one kind of action at a time,
`due`: a card, a draw, or a call. The order of the decisions in a draw-phase trick is the leader's card, the follower's
card, the winner's draw, the loser's draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Self

from engine.action import DRAW, Action, Call, Draw, Play
from engine.card import PACK_52, Card, Strain
from engine.event import CallMade, CardDrawn, CardPlayed, Event, HandDealt, TopCardShown, TrickTaken, TrumpNamed
from engine.game import DealResult, Rules
from engine.games.draw_bridge.auction import Auction
from engine.games.draw_bridge.refusal import not_playable, out_of_place
from engine.games.draw_bridge.score import PASSED_OUT, score
from engine.games.draw_bridge.view import Sight
from engine.trick import BEATS, INDEX, NOWHERE, cards_of, following, mask_of, plays, plays_following
from engine.view import View

STOCK: Final = 26
"""The cards of the stock, and the place in the deck of its top card (DB-3.6)."""

_NO_TRUMP: Final = BEATS[Strain.NONE]
_HIGHER_RANK: Final = tuple(mask_of(card for card in PACK_52 if card.rank > lead.rank) for lead in PACK_52)
"""What beats a lead under `draw_winner: any` (DB-4.4); equal ranks do not, so the leader wins."""

_DRAW_ALONE: Final = (DRAW,)


class DrawBridgeDeal:
    """One deal. `legal` lists plays ascending by card number; calls as `Auction.legal` does; a draw stands alone."""

    __slots__ = (
        "auction",
        "beats",  # what beats the card led, by its index
        "deal_no",
        "dealer",
        "drawn",  # how many cards of the stock are drawn
        "due",  # the kind of action that is due, None when the deal is over
        "held",  # the hands as masks, by seat
        "led",  # the index of the card on the table, None when there is none
        "must_follow",
        "phase",
        "played",  # the indices of all cards played, in order
        "rules",
        "sight",
        "stock",  # the stock as indices, from the top
        "totals",
        "turn",
        "winners",  # the winners of all tricks, in order
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
        self.rules = rules
        self.deal_no = deal_no
        self.dealer = dealer
        self.totals = totals
        order = [INDEX[card] for card in deck]
        non_dealer = 1 - dealer
        first = sum([1 << index for index in order[0:STOCK:2]])
        second = sum([1 << index for index in order[1:STOCK:2]])
        self.held = [second, first] if dealer == 0 else [first, second]
        self.stock = order[STOCK:]
        self.drawn = 0
        self.led: int | None = None
        self.played: list[int] = []
        self.winners: list[int] = []
        self.auction = Auction()
        self.sight = Sight()
        self.phase = "draw"
        self.due: type[Action] | None = Play
        self.turn: int | None = non_dealer  # leads the first trick (DB-4.2)
        self.beats = _HIGHER_RANK if rules["draw_winner"] == "any" else _NO_TRUMP
        self.must_follow = rules["draw_follow"] == "must"
        if told is not None:
            told.append(HandDealt(non_dealer, tuple(deck[0:STOCK:2])))
            told.append(HandDealt(dealer, tuple(deck[1:STOCK:2])))
            self._show_top(told)

    def legal(self) -> Sequence[Action]:
        """The actions of the seat to act; empty when the deal is over."""
        seat, due = self.turn, self.due
        if seat is None:
            return ()
        if due is Play:
            led = self.led
            if led is not None and self.must_follow:
                return plays_following(self.held[seat], led)
            return plays(self.held[seat])
        return _DRAW_ALONE if due is Draw else self.auction.legal()

    def apply(self, action: Action, told: list[Event] | None = None) -> None:
        """Carry out `action` for the seat to act; Refused, with nothing changed, when the rules forbid it."""
        seat = self.turn
        if seat is None or type(action) is not self.due:
            raise out_of_place(self.phase, self.due, action)
        if type(action) is Play:
            self._play(seat, action.card, told)
        elif type(action) is Call:
            self._call(seat, action, told)
        else:
            self._draw(seat, told)

    def _play(self, seat: int, card: Card, told: list[Event] | None) -> None:
        index = INDEX.get(card, NOWHERE)
        bit = 1 << index
        hand = self.held[seat]
        led = self.led
        allowed = following(hand, led) if led is not None and self.must_follow else hand
        if not allowed & bit:
            raise not_playable(self.phase, hand, led, card)
        self.held[seat] = hand ^ bit
        self.played.append(index)
        if told is not None:
            told.append(CardPlayed(seat, PACK_52[index]))
        if led is None:
            self.led = index
            self.turn = 1 - seat
        else:
            self.led = None
            self._take_trick(seat if self.beats[led] & bit else 1 - seat, told)

    def _take_trick(self, winner: int, told: list[Event] | None) -> None:
        self.winners.append(winner)
        if told is not None:
            told.append(TrickTaken(winner))
        self.turn = winner  # draws first (DB-4.6), or leads (DB-6.5)
        if self.phase == "draw":
            self.due = Draw
        elif not self.held[0]:
            self.turn = self.due = None

    def _draw(self, seat: int, told: list[Event] | None) -> None:
        number = self.drawn
        index = self.stock[number]
        self.held[seat] |= 1 << index
        self.drawn = number + 1
        by_winner = number % 2 == 0
        if told is not None:
            told.append(CardDrawn(seat, PACK_52[index], shown=by_winner and self.rules["reveal"] == "top"))
        self.turn = 1 - seat  # the loser draws, or the winner leads again (DB-4.11)
        if by_winner:
            return
        self.due = Play
        if self.drawn == STOCK:
            self.phase, self.due, self.turn = "auction", Call, self.dealer  # DB-5.1
        elif told is not None:
            self._show_top(told)

    def _call(self, seat: int, call: Call, told: list[Event] | None) -> None:
        ended = self.auction.make(seat, call)
        if told is not None:
            told.append(CallMade(seat, call))
        if not ended:
            self.turn = 1 - seat
            return
        contract = self.auction.contract()
        if contract is None:
            self.turn = self.due = None
            return
        self.phase, self.due, self.turn = "play", Play, 1 - contract.declarer  # DB-6.2
        self.beats, self.must_follow = BEATS[contract.strain], True
        if told is not None:
            told += [contract, TrumpNamed(contract.strain)]

    @property
    def face_up(self) -> Card | None:
        """The top card of the stock while it lies face up: from before the lead until the winner draws (DB-4.10)."""
        if self.rules["reveal"] == "top" and self.drawn < STOCK and self.drawn % 2 == 0:
            return PACK_52[self.stock[self.drawn]]
        return None

    def _show_top(self, told: list[Event]) -> None:
        card = self.face_up
        if card is not None:
            told.append(TopCardShown(card))

    def view(self, seat: int) -> View:
        """What `seat` may know (DB-9)."""
        return self.sight.view(self, seat)

    def hands(self) -> tuple[tuple[Card, ...], ...]:
        """Both seats' cards in ascending order."""
        return (cards_of(self.held[0]), cards_of(self.held[1]))

    def result(self) -> DealResult:
        """The scored deal; ValueError while it is not over."""
        if self.turn is not None:
            raise ValueError("a deal is scored when it is over")
        contract = self.auction.contract()
        if contract is None:
            return PASSED_OUT
        return score(contract, self.winners[13:].count(contract.declarer), self.rules)

    def copy(self) -> Self:
        """An independent deal in the same state."""
        twin = object.__new__(type(self))
        twin.rules, twin.deal_no, twin.dealer, twin.totals = self.rules, self.deal_no, self.dealer, self.totals
        twin.held, twin.stock, twin.drawn, twin.led = self.held.copy(), self.stock, self.drawn, self.led
        twin.played, twin.winners = self.played.copy(), self.winners.copy()
        twin.auction, twin.sight = self.auction.copy(), self.sight.copy()
        twin.phase, twin.due, twin.turn = self.phase, self.due, self.turn
        twin.beats, twin.must_follow = self.beats, self.must_follow
        return twin
