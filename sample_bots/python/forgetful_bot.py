"""The forgetful one: it plays by the same rules of thumb as the steady bot, but remembers nothing.

    python forgetful_bot.py --server 127.0.0.1:7878

It knows its hand, the cards on the table and what was called in this deal, for that is written down. Which cards are
gone it does not know, so it counts neither trumps nor the other hand. What counting is worth shows in a match between
this bot and the steady one. It plays every game.
"""

from __future__ import annotations

from dataclasses import replace

from arena.bot import Answer, Decision, UnknownAction, run
from engine.action import Call, Discard, Play
from sample_bots.python import four_points, judgement


def choose(decision: Decision) -> Answer:
    """What seems best at a glance."""
    now = at_a_glance(decision)
    if now.game == "smear" and not isinstance(now.legal[0], UnknownAction):
        return four_points.choose(now)
    match now.legal[0]:
        case Call():
            return judgement.bid_by_strength(now)
        case Discard():
            return judgement.discard(now)
        case Play() if now.phase == "draw":
            return judgement.draw_trick(now, judgement.unseen(now))
        case Play():
            return judgement.play_cheaply(now)
        case _:
            return 0


def at_a_glance(decision: Decision) -> Decision:
    """The same question without what has been: earlier tricks, draws, and cards that were put away."""
    return replace(decision, view=replace(decision.view, tricks=(), draws=(), kitty=(), discards=()))


if __name__ == "__main__":
    run(choose)
