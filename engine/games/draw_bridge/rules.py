"""The options of Draw Bridge and its presets (RULES.md, Options)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engine.game import Option, Rules

OPTIONS: Final[tuple[Option, ...]] = (
    Option("target", "DB-2.2", "the total that wins the match", low=1),
    Option("reveal", "DB-4.10", "whether the top card of the stock lies face up", ("hidden", "top")),
    # The bound keeps every total of a match within the 32 bits that it has on the wire.
    Option("undertrick_points", "DB-7.6", "what the opponent scores for each trick short", high=10_000_000),
    Option("overtricks", "DB-7.9", "whether tricks beyond the bid score", ("count", "none")),
    Option("draw_winner", "DB-4.4", "whether the suit led matters in the draw phase", ("led", "any")),
    Option("draw_follow", "DB-4.3", "whether suit must be followed in the draw phase", ("free", "must")),
    Option("passout_dealer", "DB-3.3", "who deals after a passed-out deal", ("alternate", "same")),
    Option("max_deals", "DB-8.3", "the number of deals after which the higher total wins, 0 for none"),
)

_SEED: Final[Rules] = MappingProxyType(
    {
        "target": 100,
        "reveal": "hidden",
        "undertrick_points": 0,
        "overtricks": "count",
        "draw_winner": "led",
        "draw_follow": "free",
        "passout_dealer": "alternate",
        "max_deals": 0,
    }
)

PRESETS: Final[Mapping[str, Rules]] = MappingProxyType(
    {
        "seed": _SEED,
        # Under `seed` a bid of 7NT is never worse than a pass (DB-7.6): here failing costs, and scores add up to more.
        "match": MappingProxyType({**_SEED, "target": 300, "undertrick_points": 50, "max_deals": 100}),
    }
)
