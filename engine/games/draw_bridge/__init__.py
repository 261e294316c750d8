"""Draw Bridge, for two: a draw phase, an auction, and a second half that is played for the contract.

RULES.md in this folder is the authority; clauses are cited as `DB-5.4`.
"""

from __future__ import annotations

from engine.games.draw_bridge.game import GAME

__all__ = ["GAME"]
