"""Which matches a run plays: pure, so that a schedule can be computed again."""

from __future__ import annotations

from arena.schedule.knockout import bracket, knockout
from arena.schedule.meetings import BLOCK, Meetings, apart, gauntlet, round_robin, series
from arena.schedule.pairing import Pairing, Plan
from arena.schedule.rounds import Course, Ended, Rounds, Scored
from arena.schedule.seeds import seeded_match_id, seeded_server_seed, seeded_set_id
from arena.schedule.swiss import swiss, usual_rounds

__all__ = [
    "BLOCK",
    "Course",
    "Ended",
    "Meetings",
    "Pairing",
    "Plan",
    "Rounds",
    "Scored",
    "apart",
    "bracket",
    "gauntlet",
    "knockout",
    "round_robin",
    "seeded_match_id",
    "seeded_server_seed",
    "seeded_set_id",
    "series",
    "swiss",
    "usual_rounds",
]
