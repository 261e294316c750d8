"""Draw Bridge as a game: its facts, and how deals make a match (DB-2, DB-3, DB-8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.card import PACK_52, Card
from engine.event import Event
from engine.game import DealResult, Game, Rules
from engine.games.draw_bridge.deal import DrawBridgeDeal
from engine.games.draw_bridge.rules import OPTIONS, PRESETS


class DrawBridge:
    """Two seats, each its own side. Fulfils `engine.game.Game`."""

    def __init__(self) -> None:
        self.name = "draw-bridge"
        self.title = "Draw Bridge"
        self.rank = 0
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
    ) -> DrawBridgeDeal:
        """Deal 13 cards each; the other 26 are the stock (DB-3)."""
        return DrawBridgeDeal(rules, deck, deal_no=deal_no, dealer=dealer, totals=totals, told=told)

    def settle(self, rules: Rules, totals: tuple[int, ...], result: DealResult) -> tuple[int, ...]:  # noqa: ARG002 - the contract's
        """Each side's points are added to its total; nothing is ever subtracted (DB-7.5)."""
        return tuple(total + points for total, points in zip(totals, result.points, strict=True))

    def next_dealer(self, rules: Rules, dealer: int, result: DealResult) -> int:
        """The deal alternates (DB-3.2), after a passed-out one as `passout_dealer` says (DB-3.3)."""
        if result.passed_out and rules["passout_dealer"] == "same":
            return dealer
        return 1 - dealer

    def winner(self, rules: Rules, totals: tuple[int, ...], result: DealResult) -> int | None:  # noqa: ARG002 - the contract's
        """The side that has reached the target (DB-2.3); it cannot be both (DB-8.2)."""
        target = int(rules["target"])
        return next((side for side, total in enumerate(totals) if total >= target), None)

    def deal_limit(self, rules: Rules) -> int:
        """The option `max_deals` (DB-8.3)."""
        return int(rules["max_deals"])


GAME: Final[Game] = DrawBridge()
