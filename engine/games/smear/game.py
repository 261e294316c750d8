"""Smear as a game: its facts, and how hands make a match (SM-1, SM-2, SM-7, SM-8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.card import PACK_32, Card
from engine.event import Event
from engine.game import DealResult, Game, Rules
from engine.games.smear.auction import SEATS
from engine.games.smear.deal import SmearDeal
from engine.games.smear.rules import OPTIONS, PRESETS


class Smear:
    """Four seats in two sides, partners opposite. Fulfils `engine.game.Game`."""

    def __init__(self) -> None:
        self.name = "smear"
        self.title = "Four-Point Northeastern Wisconsin Smear"
        self.rank = 1
        self.rules_version = 1
        self.sides: tuple[int, ...] = (0, 1, 0, 1)
        self.pack = PACK_32
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
    ) -> SmearDeal:
        """Deal six cards each; eight are put aside (SM-2)."""
        return SmearDeal(rules, deck, deal_no=deal_no, dealer=dealer, totals=totals, told=told)

    def settle(self, rules: Rules, totals: tuple[int, ...], result: DealResult) -> tuple[int, ...]:
        """Both sides score what they won, but a side that has not made its bid loses the bid instead (SM-7)."""
        if result.declarer is None:
            return totals
        after = [total + points for total, points in zip(totals, result.points, strict=True)]
        bidding = self.sides[result.declarer]
        if not result.made:
            after[bidding] = totals[bidding] - result.level
        if rules["cap_non_bidder"] == "on":
            after[1 - bidding] = min(after[1 - bidding], int(rules["target"]))  # SM-8.4
        return tuple(after)

    def next_dealer(self, rules: Rules, dealer: int, result: DealResult) -> int:  # noqa: ARG002 - the contract's
        """The deal passes to the left (SM-2.1); a hand that was thrown in is dealt by the same seat again (SM-3.5)."""
        return dealer if result.passed_out else (dealer + 1) % SEATS

    def winner(self, rules: Rules, totals: tuple[int, ...], result: DealResult) -> int | None:
        """The side that has reached the target (SM-8.1), as the options have it when that is not all there is to it."""
        if result.declarer is None:
            return None
        bidding, target = self.sides[result.declarer], int(rules["target"])
        if rules["must_bid_to_win"] == "on":
            return bidding if result.made and totals[bidding] >= target else None  # SM-8.3
        out = [side for side, total in enumerate(totals) if total >= target]
        if len(out) < len(totals):
            return out[0] if out else None
        other = 1 - bidding
        return other if rules["both_out"] == "higher" and totals[other] > totals[bidding] else bidding  # SM-8.2

    def deal_limit(self, rules: Rules) -> int:
        """The option `max_hands` (SM-8.6)."""
        return int(rules["max_hands"])


GAME: Final[Game] = Smear()
