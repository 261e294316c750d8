"""The options of German Whist and its presets (RULES.md, Options)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engine.game import Option, Rules

OPTIONS: Final[tuple[Option, ...]] = (
    Option("target", "GW-2.2", "the total that wins the match", low=1),
    Option("scoring", "GW-6.2", "whether a deal scores one point or a point a trick", ("deals", "tricks")),
    Option("hand_cards", "GW-3.3", "cards in a hand, and tricks in each half", low=1, high=13),
    Option("max_deals", "GW-7.4", "the number of deals after which the higher total wins, 0 for none"),
)

PRESETS: Final[Mapping[str, Rules]] = MappingProxyType(
    {
        "seed": MappingProxyType({"target": 1, "scoring": "deals", "hand_cards": 13, "max_deals": 0}),
        # Several deals, and every trick of them: a match tells more of its players than the luck of one deal does.
        "match": MappingProxyType({"target": 50, "scoring": "tricks", "hand_cards": 13, "max_deals": 100}),
    }
)
