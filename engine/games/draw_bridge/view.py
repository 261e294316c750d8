"""What a seat may know of a deal (DB-9)."""

from __future__ import annotations

from typing import Final

from engine.action import Play
from engine.card import HIDDEN, Strain
from engine.event import CallMade, CardDrawn
from engine.games.draw_bridge.state import State
from engine.trick import cards_of, count
from engine.view import Trick, View

_DRAW_TRICKS: Final = 13


class Sight:
    """Makes views of one deal, and keeps their tuples of what is past, since each view repeats the ones before."""

    __slots__ = ("calls", "draws", "tricks")

    def __init__(self) -> None:
        self.tricks: tuple[Trick, ...] = ()
        self.calls: tuple[CallMade, ...] = ()
        self.draws: tuple[tuple[CardDrawn, ...], tuple[CardDrawn, ...]] = ((), ())

    def view(self, deal: State, seat: int) -> View:
        """What `seat` may know of `deal`."""
        self._catch_up(deal)
        contract = deal.contract
        return View(
            seat=seat,
            deal_no=deal.deal_no,
            dealer=deal.dealer,
            phase=deal.phase,
            hand=cards_of(deal.held[seat]),
            hand_counts=(count(deal.held[0]), count(deal.held[1])),
            totals=deal.totals,
            taken=(deal.taken[0], deal.taken[1]),
            table=_table(deal),
            tricks=self.tricks,
            calls=self.calls,
            draws=self.draws[seat],
            stock_count=len(deal.stock) - deal.drawn,
            shown=deal.face_up(),
            contract=contract,
            trump=Strain.NONE if contract is None else contract.strain,
        )

    def _catch_up(self, deal: State) -> None:
        """Add the tricks, calls and draws since the last view."""
        for number in range(len(self.tricks), len(deal.tricks)):
            lead, follow, winner = deal.tricks[number]
            self.tricks += (Trick(_leader(deal, number), (lead, follow), winner),)
        for number in range(len(self.calls), len(deal.auction.calls)):
            caller = deal.dealer if number % 2 == 0 else 1 - deal.dealer
            self.calls += (CallMade(caller, deal.auction.calls[number]),)
        for number in range(len(self.draws[0]), deal.drawn):
            winner = deal.tricks[number // 2][2]
            drawer = winner if number % 2 == 0 else 1 - winner
            shown = deal.shows(number)
            seen = CardDrawn(drawer, deal.stock[number][2], shown)
            unseen = seen if shown else CardDrawn(drawer, HIDDEN)
            mine, theirs = self.draws
            self.draws = (*mine, seen if drawer == 0 else unseen), (*theirs, seen if drawer == 1 else unseen)


def _leader(deal: State, number: int) -> int:
    """Who led the trick of that number, counted from 0 over both phases."""
    if number == 0:
        return 1 - deal.dealer  # DB-4.2
    if number == _DRAW_TRICKS:
        return 1 - deal.auction.declarer  # DB-6.2
    return deal.tricks[number - 1][2]  # DB-4.11, DB-6.5


def _table(deal: State) -> Trick | None:
    """The trick that is being played, None between tricks."""
    if deal.due is not Play or deal.turn is None:
        return None
    return Trick(deal.turn, ()) if deal.led is None else Trick(1 - deal.turn, (deal.led[2],))
