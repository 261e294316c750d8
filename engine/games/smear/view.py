"""What a seat may know of a deal (SM-9)."""

from __future__ import annotations

from engine.action import Play
from engine.card import Strain
from engine.event import CallMade
from engine.games.smear.auction import SEATS
from engine.games.smear.state import State
from engine.trick import cards_of, count
from engine.view import Trick, View


class Sight:
    """Makes views of one deal, and keeps their tuples of what is past, since each view repeats the ones before."""

    __slots__ = ("calls", "tricks")

    def __init__(self) -> None:
        self.tricks: tuple[Trick, ...] = ()
        self.calls: tuple[CallMade, ...] = ()

    def view(self, deal: State, seat: int) -> View:
        """What `seat` may know of `deal`."""
        self._catch_up(deal)
        bidder = deal.contract is not None and deal.contract.declarer == seat
        return View(
            seat=seat,
            deal_no=deal.deal_no,
            dealer=deal.dealer,
            phase=deal.phase,
            hand=cards_of(deal.held[seat]),
            hand_counts=tuple([count(hand) for hand in deal.held]),
            totals=deal.totals,
            taken=(deal.taken[0], deal.taken[1]),
            table=_table(deal),
            tricks=self.tricks,
            calls=self.calls,
            stock_count=len(deal.undealt) - len(deal.kitty),
            contract=deal.contract,
            trump=Strain(deal.trump + 1),
            kitty=deal.kitty if bidder else (),
            discards=deal.discards if bidder else (),
        )

    def _catch_up(self, deal: State) -> None:
        """Add the tricks and calls since the last view."""
        for leader, cards, winner in deal.tricks[len(self.tricks) :]:
            self.tricks += (Trick(leader, cards, winner),)
        for number in range(len(self.calls), len(deal.auction.calls)):
            self.calls += (CallMade((deal.dealer + 1 + number) % SEATS, deal.auction.calls[number]),)


def _table(deal: State) -> Trick | None:
    """The trick that is being played, None when no card is due."""
    return Trick(deal.leader, tuple(deal.table)) if deal.due is Play else None
