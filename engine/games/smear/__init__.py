"""Four-Point Northeastern Wisconsin Smear, for two partnerships: an auction, undealt cards for the bidder, six tricks.

RULES.md in this folder is the authority; clauses are cited as `SM-4.4`.
"""

from __future__ import annotations

from engine.games.smear.game import GAME

__all__ = ["GAME"]
