"""A sensible player of Draw Bridge, to play against and to start from.

    python steady_bot.py --server 127.0.0.1:7878

In the draw phase the tricks count for nothing and the cards drawn are unknown, so there is one thing to do: throw away
what is worth least, and keep high cards and long suits for the half that is scored. From the auction on there are no
secrets: what was not seen is in the other hand (DB-9). So the bot counts what each contract makes with best play on
both sides (`tricks.py`), bids the best one, doubles what fails, and plays every card exactly.

Smear it plays by what each card is worth (`four_points.py`), other games by rules of thumb
(`judgement.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from arena.bot import Answer, Bot, Choice, Decision, UnknownAction, run
from engine.action import DOUBLE, PASS, PLAYS, REDOUBLE, Call, CallKind
from engine.card import PACK_52, SUITS, Card, Strain
from engine.event import ContractSet
from engine.game import Rules
from sample_bots.python import four_points, judgement
from sample_bots.python.tricks import ME, THEM, Solver, layout

PER_TRICK: Final = {Strain.CLUBS: 20, Strain.DIAMONDS: 20, Strain.HEARTS: 30, Strain.SPADES: 30, Strain.NOTRUMP: 30}
HURRY_US: Final = 1_000_000
"""With less time than this, in microseconds, rules of thumb must do."""


class SteadyBot(Bot):
    """A pure function of the decision, but for what it has counted in this deal already."""

    name = "steady"
    version = "1"
    boldness = 0
    """When it bids it hopes for so many tricks, or points in Smear, more than it counts."""

    def __init__(self) -> None:
        self._deal: tuple[str, int] | None = None
        self._solvers: dict[Strain, Solver] = {}

    def choose(self, decision: Decision) -> Answer:
        """Count when both hands are known, else follow rules of thumb."""
        if len(decision.legal) == 1 or all(isinstance(action, UnknownAction) for action in decision.legal):
            return 0
        if decision.game == "smear":
            return four_points.choose(decision, self.boldness)
        theirs = known_hand(decision) if decision.time_left.decision_us > HURRY_US else []
        match decision.phase:
            case "draw":
                return judgement.draw_trick(decision, judgement.unseen(decision))
            case "discard":
                return judgement.discard(decision)
            case "auction":
                return self._bid(decision, theirs) if theirs else judgement.bid_by_strength(decision, self.boldness)
            case _:
                return self._play(decision, theirs) if theirs else judgement.play_cheaply(decision)

    # -- with both hands known

    def _bid(self, decision: Decision, theirs: Sequence[Card]) -> Answer:
        """The call that is worth most if the auction ends with it.

        A contract that makes scores the same at every level (DB-7.3), so it is bid as high as it makes: that leaves
        the opponent least room. One that fails will be doubled; it can still cost less than what the opponent makes.
        """
        standing = judgement.standing_contract(decision)

        def worth(call: Call) -> tuple[int, int]:
            if call.kind is CallKind.BID:
                contract = ContractSet(decision.seat, call.level, call.strain, 1)
                value = self._value(contract, decision, theirs, self.boldness)
                return (value, call.level) if value > 0 else (2 * value, -call.level)
            if standing is None:
                return 0, 0
            multiplier = {PASS: standing.multiplier, DOUBLE: 2, REDOUBLE: 4}[call]
            contract = ContractSet(standing.declarer, standing.level, standing.strain, multiplier)
            return self._value(contract, decision, theirs), 0

        calls = [call for call in decision.legal if isinstance(call, Call) and worth_a_thought(call, decision.hand)]
        best = max(calls, key=worth)
        return Choice(best, note=f"{best.token} is worth {worth(best)[0]} points")

    def _value(self, contract: ContractSet, decision: Decision, theirs: Sequence[Card], more: int = 0) -> int:
        """What a contract scores for me with best play, or so many tricks more; what the opponent gets is less."""
        own = contract.declarer == decision.seat
        suits = layout(decision.hand, theirs)
        leader = THEM if own else ME  # declarer's opponent leads (DB-6.2)
        tricks = len(decision.hand) - self._solver(contract.strain, decision).tricks(suits, leader)
        points = score(contract, min(tricks + more, len(decision.hand)), decision.rules)
        return points if own else -points

    def _play(self, decision: Decision, theirs: Sequence[Card]) -> Answer:
        """The card with which I take most tricks."""
        solver = self._solver(decision.trump, decision)
        if decision.trick:
            return PLAYS[solver.best_reply(decision.trick[0], decision.plays, decision.hand, theirs)]
        return PLAYS[solver.best_lead(decision.hand, theirs)]

    def _solver(self, strain: Strain, decision: Decision) -> Solver:
        """The solver for a denomination, with all that it has found in this deal."""
        deal = (decision.offer.match_id, decision.view.deal_no)
        if deal != self._deal:
            self._deal = deal
            self._solvers.clear()
        return self._solvers.setdefault(strain, Solver(strain))


def known_hand(decision: Decision) -> list[Card]:
    """The other player's cards, if they are all that is not accounted for; else nothing."""
    view = decision.view
    if len(view.hand_counts) != 2:
        return []
    gone = {*view.hand, *decision.trick, *(card for trick in view.tricks for card in trick.cards)}
    rest = [card for card in PACK_52 if card not in gone]
    return rest if len(rest) == view.hand_counts[1 - view.seat] else []


def worth_a_thought(call: Call, hand: Sequence[Card]) -> bool:
    """Nobody bids a suit that he has not: that spares most of the counting."""
    return call.strain not in SUITS or judgement.length(call.strain, hand) >= judgement.TRUMP_LENGTH


def score(contract: ContractSet, tricks: int, rules: Rules) -> int:
    """What declarer scores (DB-7); negative: what the opponent does."""
    if tricks < 6 + contract.level:
        return -int(rules["undertrick_points"]) * (6 + contract.level - tricks) * contract.multiplier
    counted = contract.level if rules["overtricks"] == "none" else tricks - 6
    extra = 10 if contract.strain is Strain.NOTRUMP else 0
    return (PER_TRICK[contract.strain] * counted + extra) * contract.multiplier


if __name__ == "__main__":
    run(SteadyBot)
