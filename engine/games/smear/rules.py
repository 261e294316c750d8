"""The options of Smear and its presets (RULES.md, Options)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engine.game import Option, Rules

OPTIONS: Final[tuple[Option, ...]] = (
    Option("kitty_cards", "SM-1.4", "how many undealt cards the bidder takes", low=0, high=3),
    Option("target", "SM-8.1", "the total that wins the match", low=1),
    Option("must_bid_to_win", "SM-8.3", "whether only a bid that is made can win the match", ("off", "on")),
    Option("cap_non_bidder", "SM-8.4", "whether a side that did not bid stops at the target", ("off", "on")),
    Option("both_out", "SM-8.2", "who wins when both sides reach the target", ("bidder", "higher")),
    Option("high_low", "SM-6.5", "whether high and low are ace and 7, or what was played", ("fixed", "in_play")),
    Option("all_pass", "SM-3.5", "what follows when nobody else has bid", ("redeal", "dealer_must_bid")),
    Option("dealer_steals", "SM-3.2", "whether the dealer may bid the standing number", ("off", "on")),
    Option("max_hands", "SM-8.6", "the number of hands after which the higher total wins, 0 for none"),
)

_SEED: Final[Rules] = MappingProxyType(
    {
        "kitty_cards": 3,
        "target": 15,
        "must_bid_to_win": "off",
        "cap_non_bidder": "off",
        "both_out": "bidder",
        "high_low": "fixed",
        "all_pass": "redeal",
        "dealer_steals": "off",
        "max_hands": 0,
    }
)

PRESETS: Final[Mapping[str, Rules]] = MappingProxyType(
    {
        "seed": _SEED,
        # Careless bidders drift below zero for ever, so that under `seed` their match never ends.
        "match": MappingProxyType({**_SEED, "max_hands": 100}),
    }
)
