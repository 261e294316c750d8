"""What the kit knows of single games: the one place in it that names them.

Everything else in the kit is true of any game, so one that is not named here is checked too, but for the steps that
play a whole deal of it and sit in each of its seats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from arena.bot.testing import Player
from engine.action import Action, Call, CallKind
from engine.effect import Ask
from engine.view import View

DRAWING: Final = ("draw-bridge", "german-whist")
"""Games in which cards are drawn."""


@dataclass(frozen=True, slots=True)
class Known:
    """A game as the kit knows it.

    Step `deal` plays a deal of it that brings the bot into every one of its `phases`, whatever it chooses, as `expects`
    says; step `seats` sits in each seat. The deal goes by `rules`, with the bot as dealer if `deals`, and `others` in
    all other seats, dice if there is none.
    """

    name: str
    title: str
    deal: int
    seats: int
    expects: str
    phases: frozenset[str]
    rules: Mapping[str, str | int] = field(default_factory=dict)
    deals: bool = False
    others: Player | None = None


def passes(ask: Ask, _: View) -> int:
    """Pass where that is allowed, else do the first that is."""
    return _calls(ask.legal).get(CallKind.PASS, 0)


def sees_to_a_contract(ask: Ask, view: View) -> int:
    """Bid the least unless somebody has bid, so that no deal is passed out."""
    if any(made.call.kind is CallKind.BID for made in view.calls):
        return passes(ask, view)
    return _calls(ask.legal).get(CallKind.BID, 0)


def _calls(legal: Sequence[Action]) -> dict[CallKind, int]:
    """The first call of each kind, as an index."""
    found: dict[CallKind, int] = {}
    for index, action in enumerate(legal):
        if isinstance(action, Call):
            found.setdefault(action.kind, index)
    return found


KNOWN: Final = (
    Known(
        name="draw-bridge",
        title="Draw Bridge",
        deal=13,
        seats=16,
        expects="play a deal of Draw Bridge from the first card to the last, in every phase",
        phases=frozenset({"draw", "auction", "play"}),
        others=sees_to_a_contract,
    ),
    Known(
        name="german-whist",
        title="German Whist",
        deal=14,
        seats=17,
        expects="play a deal of German Whist",
        phases=frozenset({"draw", "play"}),
    ),
    Known(
        name="smear",
        title="Smear",
        deal=15,
        seats=18,
        expects="play a deal of Smear, with a bid, the kitty and a discard",
        phases=frozenset({"auction", "discard", "play"}),
        # The dealer has to bid when all others pass, so he takes the kitty, and discards.
        rules=MappingProxyType({"all_pass": "dealer_must_bid"}),
        deals=True,
        others=passes,
    ),
)
