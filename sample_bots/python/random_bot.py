"""A bot that plays anything that is allowed, so it plays every game. The smallest bot there is, and a start for yours.

python random_bot.py --server 127.0.0.1:7878
"""

from __future__ import annotations

from arena.bot import Answer, Decision, run


def choose(decision: Decision) -> Answer:
    """Throw the match's own dice: with a seed (ARENA_SEED) the same match is played the same way again."""
    return decision.dice.choice(decision.legal)


if __name__ == "__main__":
    run(choose)
