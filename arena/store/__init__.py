"""The database of a data folder: runs, results, replays, ratings, bots (SQLite in the folder, SQLAlchemy Core)."""

from arena.store.folder import copy_unopened
from arena.store.registry import Registration, Registry
from arena.store.rows import Ladder, Player, RatingChange, Result, Run, Standing, Tally, rules_key
from arena.store.store import Store

__all__ = [
    "Ladder",
    "Player",
    "RatingChange",
    "Registration",
    "Registry",
    "Result",
    "Run",
    "Standing",
    "Store",
    "Tally",
    "copy_unopened",
    "rules_key",
]
