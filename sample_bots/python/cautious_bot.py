"""The cautious one: it passes unless it is sure, doubles nothing, and risks no high card that may be beaten.

    python cautious_bot.py --server 127.0.0.1:7878

It bids only what its hand shows with a good deal to spare. It takes a trick when nobody can take it back, and gives
its lowest card otherwise, so it remembers what was played. It seldom loses what it has begun and leaves the other side
much that it could have had. It plays every game.
"""

from __future__ import annotations

from typing import Final

from arena.bot import Answer, Decision, run
from engine.action import PLAYS, Call, Discard, Play
from sample_bots.python import judgement

DOUBT: Final = 1.0
"""Its hand must show so many levels more than it bids."""


def choose(decision: Decision) -> Answer:
    """Nothing rash."""
    match decision.legal[0]:
        case Call():
            return judgement.bid_by_strength(decision, -DOUBT)
        case Discard():
            return judgement.discard(decision)
        case Play() if decision.phase == "draw":
            return judgement.draw_trick(decision, judgement.unseen(decision))
        case Play():
            return play_safe(decision)
        case _:
            return 0


def play_safe(decision: Decision) -> Answer:
    """The cheapest card with which the trick is certain, if it is not ours already; else the lowest card."""
    plays, coming = judgement.candidates(decision), judgement.unseen(decision)
    if judgement.is_ours(decision):
        return PLAYS[plays[0]]
    sure = (card for card in plays if judgement.surely_takes(card, decision, coming))
    return PLAYS[next(sure, plays[0])]


if __name__ == "__main__":
    run(choose)
