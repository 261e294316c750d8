"""Which matches a run plays: pure, so that a schedule can be computed again."""

from __future__ import annotations

from arena.schedule.meetings import BLOCK, Meetings, apart, gauntlet, round_robin, series
from arena.schedule.pairing import Pairing, Plan
from arena.schedule.seeds import seeded_match_id, seeded_server_seed, seeded_set_id

__all__ = [
    "BLOCK",
    "Meetings",
    "Pairing",
    "Plan",
    "apart",
    "gauntlet",
    "round_robin",
    "seeded_match_id",
    "seeded_server_seed",
    "seeded_set_id",
    "series",
]
