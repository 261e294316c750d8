"""A bot for Drawbridge Arena: it bids its longest suit, wins tricks as cheaply as it can, and plays every game."""

from __future__ import annotations

from arena.bot import Choice, Decision, run
from engine.action import PASS, Call, CallKind, Discard
from engine.card import SUITS, Card

GOOD = 10
"""The least rank of a card that is worth fighting for."""


def choose(decision: Decision) -> Choice:
    """Answer a question: with one of the actions in `decision.legal`, and a note for the replay.

    The decision holds all that this seat may know: `help(arena.bot.Decision)`.
    """
    calls = [action for action in decision.legal if isinstance(action, Call)]
    if calls:
        return call(decision, calls)
    discards = [action for action in decision.legal if isinstance(action, Discard)]
    if discards:
        return Choice(min(discards, key=lambda action: sum(card.rank for card in action.cards)), "the lowest")
    if decision.plays:
        return play(decision)
    return Choice(0, "the first that is allowed")


def call(decision: Decision, calls: list[Call]) -> Choice:
    """Bid one of the longest suit; else pass; where that is not allowed, bid as little as possible."""
    longest = max(SUITS, key=lambda suit: sum(card.suit is suit for card in decision.hand))
    opening = Call(CallKind.BID, 1, longest)
    if opening in calls:
        return Choice(opening, "the longest suit")
    return Choice(PASS if PASS in calls else min(calls, key=lambda bid: (bid.level, bid.strain)))


def play(decision: Decision) -> Choice:
    """Lead the highest card; win the trick with the lowest card that does it; else throw the lowest one away.

    In the phase `draw` tricks bring cards and no points: there it wants to win when the card to be won is a good one.
    """

    def strength(card: Card) -> tuple[bool, int]:
        return card.suit is decision.trump, card.rank

    cards = sorted(decision.plays, key=strength)
    if decision.phase == "draw" and decision.view.shown.rank < GOOD:
        return Choice(cards[0], "does not want it")
    if not decision.trick:
        return Choice(cards[-1], "leads the highest")
    led = decision.trick[0].suit
    to_beat = max(strength(card) for card in decision.trick if card.suit in (led, decision.trump))
    winners = [card for card in cards if card.suit in (led, decision.trump) and strength(card) > to_beat]
    return Choice(winners[0], "wins cheaply") if winners else Choice(cards[0], "cannot win")


if __name__ == "__main__":
    run(choose)
