"""German Whist, for two: a first half that is played for cards, and a second half that is played for tricks.

RULES.md in this folder is the authority; clauses are cited as `GW-4.2`.
"""

from __future__ import annotations

from engine.games.german_whist.game import GAME

__all__ = ["GAME"]
