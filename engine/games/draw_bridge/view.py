"""What a seat may know of a deal (DB-9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Self

from engine.action import Play
from engine.card import HIDDEN, PACK_52, Strain
from engine.event import CallMade, CardDrawn
from engine.trick import cards_of
from engine.view import Trick, View

if TYPE_CHECKING:
    from engine.games.draw_bridge.state import DrawBridgeDeal

_DRAW_TRICKS: Final = 13


class Sight:
    """Makes views of one deal, and keeps their tuples of what is past, since each view repeats the ones before."""

    __slots__ = ("calls", "draws", "tricks")

    def __init__(self) -> None:
        self.tricks: tuple[Trick, ...] = ()
        self.calls: tuple[CallMade, ...] = ()
        self.draws: tuple[tuple[CardDrawn, ...], tuple[CardDrawn, ...]] = ((), ())

    def copy(self) -> Self:
        """An independent one; what it keeps is immutable."""
        twin = type(self)()
        twin.tricks, twin.calls, twin.draws = self.tricks, self.calls, self.draws
        return twin

    def view(self, deal: DrawBridgeDeal, seat: int) -> View:
        """What `seat` may know of `deal`."""
        self._catch_up(deal)
        contract = deal.auction.contract() if deal.phase == "play" else None
        counted = deal.winners[_DRAW_TRICKS:]
        return View(
            seat=seat,
            deal_no=deal.deal_no,
            dealer=deal.dealer,
            phase=deal.phase,
            hand=cards_of(deal.held[seat]),
            hand_counts=(deal.held[0].bit_count(), deal.held[1].bit_count()),
            totals=deal.totals,
            taken=(counted.count(0), counted.count(1)),
            table=_table(deal),
            tricks=self.tricks,
            calls=self.calls,
            draws=self.draws[seat],
            stock_count=len(deal.stock) - deal.drawn,
            shown=deal.face_up or HIDDEN,
            contract=contract,
            trump=contract.strain if contract else Strain.NONE,
        )

    def _catch_up(self, deal: DrawBridgeDeal) -> None:
        """Add the tricks, calls and draws since the last view."""
        for number in range(len(self.tricks), len(deal.winners)):
            cards = (PACK_52[deal.played[2 * number]], PACK_52[deal.played[2 * number + 1]])
            self.tricks += (Trick(_leader(deal, number), cards, deal.winners[number]),)
        for number in range(len(self.calls), len(deal.auction.calls)):
            self.calls += (CallMade((deal.dealer + number) % 2, deal.auction.calls[number]),)
        for number in range(len(self.draws[0]), deal.drawn):
            winner = deal.winners[number // 2]
            drawer = winner if number % 2 == 0 else 1 - winner
            shown = number % 2 == 0 and deal.rules["reveal"] == "top"
            card = PACK_52[deal.stock[number]]
            seen = [CardDrawn(drawer, card if shown or seat == drawer else HIDDEN, shown) for seat in (0, 1)]
            self.draws = ((*self.draws[0], seen[0]), (*self.draws[1], seen[1]))


def _leader(deal: DrawBridgeDeal, trick: int) -> int:
    """Who led the trick of that number, counted from 0 over both phases."""
    if trick == 0:
        return 1 - deal.dealer  # DB-4.2
    if trick == _DRAW_TRICKS:
        return 1 - deal.auction.declarer  # DB-6.2
    return deal.winners[trick - 1]  # DB-4.11, DB-6.5


def _table(deal: DrawBridgeDeal) -> Trick | None:
    """The trick that is being played, None between tricks."""
    if deal.turn is None or deal.due is not Play:
        return None
    return Trick(deal.turn, ()) if deal.led is None else Trick(1 - deal.turn, (PACK_52[deal.led],))
