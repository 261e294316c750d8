"""A bot that plays anything that is allowed, so it plays every game. The smallest bot there is, and a start for yours.

    python random_bot.py --server 127.0.0.1:7878
    ARENA_SEED=7 python random_bot.py --server 127.0.0.1:7878

With a seed it repeats itself, so it is the seeded random bot of a ladder too: `arena match`, `gate` and `tournament`
tell their bots what they are given as `--seed`.
"""

from __future__ import annotations

from arena.bot import Answer, Decision, run


def choose(decision: Decision) -> Answer:
    """Throw the match's own dice: with a seed (ARENA_SEED) the same match is played the same way again."""
    return decision.dice.choice(decision.legal)


if __name__ == "__main__":
    run(choose)
