"""The greedy one: it wants every trick, at once, whatever it is good for, and bids all that its hand shows at once.

    python greedy_bot.py --server 127.0.0.1:7878

It leads its highest card and takes each trick that it can, also from its partner: with the highest card while others
may still play, with the cheapest that will do when it is last. Where tricks only bring cards it leads low, but follows
in the same way, so it comes to the tricks that count with little. It plays every game.
"""

from __future__ import annotations

from arena.bot import Answer, Decision, run
from engine.action import DOUBLE, PLAYS, Call, Discard, Play
from sample_bots.python import judgement


def choose(decision: Decision) -> Answer:
    """Everything, now."""
    match decision.legal[0]:
        case Call():
            return bid(decision)
        case Discard():
            return judgement.discard(decision)
        case Play():
            return grab(decision)
        case _:
            return 0


def bid(decision: Decision) -> Answer:
    """The highest bid that the hand is worth; a double if that leaves the opponent too few tricks; else pass."""
    standing = judgement.standing_contract(decision)
    if standing and decision.offer.sides[standing.declarer] == decision.side:
        return judgement.no_bid(decision)
    sound = judgement.sound_bids(decision)
    if sound:
        return max(sound, key=lambda call: (call.level, call.strain))
    if standing and DOUBLE in decision.legal:
        mine = judgement.shown_tricks(decision.hand, standing.strain)
        if mine + standing.level > 8:  # declarer needs six and the level of the 13 tricks: one is to spare
            return DOUBLE
    return judgement.no_bid(decision)


def grab(decision: Decision) -> Answer:
    """The trick, if there is any way; else throw away the lowest card."""
    plays = judgement.candidates(decision)
    if not decision.trick and decision.phase == "draw":
        return PLAYS[plays[0]]
    winners = [card for card in plays if judgement.takes(card, decision)]
    last = len(decision.trick) + 1 == len(decision.view.hand_counts)
    return PLAYS[winners[0 if last else -1] if winners else plays[0]]


if __name__ == "__main__":
    run(choose)
