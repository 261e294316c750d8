"""German Whist as a game: its facts, and how deals make a match (GW-2, GW-3, GW-7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.card import PACK_52, Card
from engine.event import Event
from engine.game import DealResult, Game, Rules
from engine.games.german_whist.deal import GermanWhistDeal
from engine.games.german_whist.rules import OPTIONS, PRESETS


class GermanWhist:
    """Two seats, each its own side. Fulfils `engine.game.Game`."""

    def __init__(self) -> None:
        self.name = "german-whist"
        self.title = "German Whist"
        self.rank = 2
        self.rules_version = 1
        self.sides: tuple[int, ...] = (0, 1)
        self.pack = PACK_52
        self.options = OPTIONS
        self.presets = PRESETS

    def deal(
        self,
        rules: Rules,
        deck: Sequence[Card],
        *,
        deal_no: int,
        dealer: int,
        totals: tuple[int, ...],
        told: list[Event] | None = None,
    ) -> GermanWhistDeal:
        """Deal both hands and turn up the card that makes trump (GW-3)."""
        return GermanWhistDeal(rules, deck, deal_no=deal_no, dealer=dealer, totals=totals, told=told)

    def settle(self, rules: Rules, totals: tuple[int, ...], result: DealResult) -> tuple[int, ...]:  # noqa: ARG002 - the contract's
        """Each side's points are added to its total (GW-2.3)."""
        return tuple(total + points for total, points in zip(totals, result.points, strict=True))

    def next_dealer(self, rules: Rules, dealer: int, result: DealResult) -> int:  # noqa: ARG002 - the contract's
        """The deal alternates (GW-3.2)."""
        return 1 - dealer

    def winner(self, rules: Rules, totals: tuple[int, ...], result: DealResult) -> int | None:  # noqa: ARG002 - the contract's
        """The side with the higher total once one has reached the target; none while they are equal (GW-7.2)."""
        mine, theirs = totals
        if mine == theirs or max(totals) < int(rules["target"]):
            return None
        return 0 if mine > theirs else 1

    def deal_limit(self, rules: Rules) -> int:
        """The option `max_deals` (GW-7.4)."""
        return int(rules["max_deals"])


GAME: Final[Game] = GermanWhist()
