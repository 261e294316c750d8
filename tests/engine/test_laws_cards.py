"""Laws of every game: each card is in one place, and a view is what a seat has been told, no less and no more."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.card import HIDDEN, Card, Strain
from engine.event import (
    CallMade,
    CardDrawn,
    CardPlayed,
    ContractSet,
    DealScored,
    DealStarted,
    Discarded,
    Event,
    HandDealt,
    KittyTaken,
    TopCardShown,
    TrickTaken,
    TrumpNamed,
    redact,
)
from engine.game import Game
from engine.view import Trick, View
from playing import Record, every_game, plans, steps


def places(record: Record) -> list[tuple[str, tuple[Card, ...]]]:
    """Where cards of the running deal are, but for those that nobody has been dealt."""
    match = record.match
    views = [match.view(seat) for seat in range(len(match.game.sides))]
    found = [(f"hand of {seat}", hand) for seat, hand in enumerate(match.deal.hands())]
    found += [(f"trick {number}", trick.cards) for number, trick in enumerate(views[0].tricks)]
    found += [(f"discards of {seat}", view.discards) for seat, view in enumerate(views)]
    if views[0].table is not None:
        found.append(("table", views[0].table.cards))
    return found


@every_game
@settings(max_examples=30)
@given(data=st.data())
def test_each_card_is_in_exactly_one_place(game: Game, data: st.DataObject) -> None:
    """Hands, table, tricks and discards hold no card twice; what they do not hold is what was never handed out.

    The stock is part of that, and each card that is drawn or taken from it is one less in it.
    """
    stocks: dict[int, int] = {}
    for record in steps(game, data.draw(plans(game))):
        count = Counter(card for _, cards in places(record) for card in cards)
        assert max(count.values()) == 1, places(record)
        assert set(count) <= set(game.pack)
        assert len(game.pack) - len(count) == len(game.pack) - handed_out(record)
        view = record.match.view(0)
        assert view.stock_count <= len(game.pack) - len(count)
        taken = sum(len(record.match.view(seat).kitty) for seat in range(len(game.sides)))
        stock = view.stock_count + len(view.draws) + taken
        assert stock == stocks.setdefault(view.deal_no, stock)
        assert view.shown not in count


def handed_out(record: Record) -> int:
    """How many cards of the running deal its events handed out."""
    number = 0
    for event in record.events:
        match event:
            case DealStarted():
                number = 0
            case HandDealt() | KittyTaken():
                number += len(event.cards)
            case CardDrawn():
                number += 1
    return number


@dataclass
class Witness:
    """One seat that hears what it is told and writes it down, knowing nothing of the game."""

    seat: int
    deal_no: int = -1
    dealer: int = -1
    totals: tuple[int, ...] | None = None
    hand: set[Card] = field(default_factory=set)
    sizes: Counter[int] = field(default_factory=Counter)
    played: list[CardPlayed] = field(default_factory=list)
    tricks: list[Trick] = field(default_factory=list)
    calls: list[CallMade] = field(default_factory=list)
    draws: list[CardDrawn] = field(default_factory=list)
    shown: Card = HIDDEN
    contract: ContractSet | None = None
    trump: Strain = Strain.NONE
    kitty: tuple[Card, ...] = ()
    discards: tuple[Card, ...] = ()

    def hear(self, event: Event) -> None:  # noqa: C901, PLR0912 - one case for each kind of event
        """Write down one event."""
        match event:
            case DealStarted():
                self.__init__(self.seat, event.deal_no, event.dealer, self.totals)  # type: ignore[misc]
            case HandDealt() | KittyTaken():
                self._get(event.seat, event.cards)
                if isinstance(event, KittyTaken) and event.seat == self.seat:
                    self.kitty += event.cards
            case CardDrawn():
                self._get(event.seat, (event.card,))
                self.draws.append(replace(event, shown=False))
                self.shown = HIDDEN
            case TopCardShown():
                self.shown = event.card
            case CallMade():
                self.calls.append(event)
            case ContractSet():
                self.contract = event
            case TrumpNamed():
                self.trump = event.strain
            case Discarded():
                self._put(event.seat, event.cards)
                if event.seat == self.seat:
                    self.discards += event.cards
            case CardPlayed():
                self._put(event.seat, (event.card,))
                self.played.append(event)
            case TrickTaken():
                cards = tuple(played.card for played in self.played)
                self.tricks.append(Trick(self.played[0].seat, cards, event.seat))
                self.played = []
            case DealScored():
                self.totals = event.totals

    def _get(self, seat: int, cards: tuple[Card, ...]) -> None:
        self.sizes[seat] += len(cards)
        if seat == self.seat:
            self.hand |= set(cards)

    def _put(self, seat: int, cards: tuple[Card, ...]) -> None:
        self.sizes[seat] -= len(cards)
        if seat == self.seat:
            assert self.hand >= set(cards)
            self.hand -= set(cards)

    def agrees(self, view: View, *, over: bool) -> None:
        """Fails when the view says something else than what was heard."""
        assert (view.seat, view.deal_no, view.dealer) == (self.seat, self.deal_no, self.dealer)
        assert view.hand == tuple(sorted(self.hand))
        assert view.hand_counts == tuple(self.sizes[seat] for seat in range(len(view.hand_counts)))
        table = view.table or Trick(-1, ())
        assert table.cards == tuple(played.card for played in self.played)
        assert not self.played or (table.leader, table.winner) == (self.played[0].seat, None)
        assert view.tricks == tuple(self.tricks)
        assert view.calls == tuple(self.calls)
        assert tuple(replace(draw, shown=False) for draw in view.draws) == tuple(self.draws)
        assert view.shown == self.shown
        assert view.contract == self.contract
        assert view.trump == self.trump
        assert view.kitty == self.kitty
        assert sorted(view.discards) == sorted(self.discards)
        if not over:
            assert view.totals == (self.totals or (0,) * len(view.totals))


@every_game
@settings(max_examples=30)
@given(data=st.data())
def test_a_view_is_what_the_seat_was_told(game: Game, data: st.DataObject) -> None:
    """A seat that wrote down every event would know exactly what its view says, at every moment of a match."""
    witnesses = [Witness(seat) for seat in range(len(game.sides))]
    heard = 0
    for record in steps(game, data.draw(plans(game, most=300))):
        for witness in witnesses:
            for event in record.events[heard:]:
                witness.hear(redact(event, witness.seat))
            witness.agrees(record.match.view(witness.seat), over=record.match.ending is not None)
        heard = len(record.events)


@every_game
@settings(max_examples=20)
@given(data=st.data())
def test_a_seat_that_leads_sees_an_empty_table(game: Game, data: st.DataObject) -> None:
    """When a card is due there is a table, and its leader leads; a view names its phase."""
    for record in steps(game, data.draw(plans(game, most=120))):
        turn = record.match.turn
        for seat in range(len(game.sides)) if turn is not None else ():
            view = record.match.view(seat)
            assert view.phase == record.match.deal.phase
            if view.table is not None and not view.table.cards:
                assert view.table.leader == turn
