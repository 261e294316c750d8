"""A sensible player of Draw Bridge, to play against and to start from.

    python steady_bot.py --server 127.0.0.1:7878

In the draw phase the tricks count for nothing and the cards drawn are unknown, so there is one thing to do: throw away
what is worth least, and keep high cards and long suits for the half that is scored. From the auction on there are no
secrets: what was not seen is in the other hand (DB-9). So the bot counts what each contract makes with best play on
both sides (`tricks.py`), bids the best one, doubles what fails, and plays every card exactly.

Smear it plays by what each card is worth (`four_points.py`), other games by rules of thumb.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from arena.bot import Answer, Bot, Choice, Decision, run
from engine.action import DOUBLE, PASS, PLAYS, REDOUBLE, Call, CallKind, Discard
from engine.card import PACK_52, SUITS, Card, Strain
from engine.event import ContractSet
from engine.game import Rules
from sample_bots.python import four_points
from sample_bots.python.tricks import ME, THEM, Solver, beats, layout

HONOURS: Final = {14: 10.0, 13: 7.0, 12: 4.5, 11: 3.0, 10: 2.0}
"""What a card is worth to keep, by its rank; a smaller card a tenth of its rank."""
LENGTH: Final = 1.2
"""What each card of its suit adds to that."""
TRUMP_LENGTH: Final = 4
"""So many cards make a suit worth thinking of as trump."""
PER_TRICK: Final = {Strain.CLUBS: 20, Strain.DIAMONDS: 20, Strain.HEARTS: 30, Strain.SPADES: 30, Strain.NOTRUMP: 30}
HURRY_US: Final = 1_000_000
"""With less time than this, in microseconds, rules of thumb must do."""


class SteadyBot(Bot):
    """A pure function of the decision, but for what it has counted in this deal already."""

    name = "steady"
    version = "1"

    def __init__(self) -> None:
        self._deal: tuple[str, int] | None = None
        self._solvers: dict[Strain, Solver] = {}

    def choose(self, decision: Decision) -> Answer:
        """Count when both hands are known, else follow rules of thumb."""
        if len(decision.legal) == 1:
            return 0
        if decision.game == "smear":
            return four_points.choose(decision)
        theirs = known_hand(decision) if decision.time_left.decision_us > HURRY_US else []
        match decision.phase:
            case "draw":
                return draw_trick(decision)
            case "discard":
                return discard(decision)
            case "auction":
                return self._bid(decision, theirs) if theirs else bid_by_strength(decision)
            case _:
                return self._play(decision, theirs) if theirs else play_cheaply(decision)

    # -- with both hands known

    def _bid(self, decision: Decision, theirs: Sequence[Card]) -> Answer:
        """The call that is worth most if the auction ends with it.

        A contract that makes scores the same at every level (DB-7.3), so it is bid as high as it makes: that leaves
        the opponent least room. One that fails will be doubled; it can still cost less than what the opponent makes.
        """
        standing = standing_contract(decision)

        def worth(call: Call) -> tuple[int, int]:
            if call.kind is CallKind.BID:
                value = self._value(ContractSet(decision.seat, call.level, call.strain, 1), decision, theirs)
                return (value, call.level) if value > 0 else (2 * value, -call.level)
            if standing is None:
                return 0, 0
            multiplier = {PASS: standing.multiplier, DOUBLE: 2, REDOUBLE: 4}[call]
            contract = ContractSet(standing.declarer, standing.level, standing.strain, multiplier)
            return self._value(contract, decision, theirs), 0

        calls = [call for call in decision.legal if isinstance(call, Call) and worth_a_thought(call, decision.hand)]
        best = max(calls, key=worth)
        return Choice(best, note=f"{best.token} is worth {worth(best)[0]} points")

    def _value(self, contract: ContractSet, decision: Decision, theirs: Sequence[Card]) -> int:
        """What a contract scores with best play, for me; what the opponent gets counts against it."""
        own = contract.declarer == decision.seat
        suits = layout(decision.hand, theirs)
        leader = THEM if own else ME  # declarer's opponent leads (DB-6.2)
        tricks = len(decision.hand) - self._solver(contract.strain, decision).tricks(suits, leader)
        points = score(contract, tricks, decision.rules)
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


def standing_contract(decision: Decision) -> ContractSet | None:
    """The last bid of the auction as the contract that a pass would make it."""
    calls = decision.view.calls
    after = list(takewhile(lambda made: made.call.kind is not CallKind.BID, reversed(calls)))
    if len(after) == len(calls):
        return None
    bid = calls[-1 - len(after)]
    multiplier = 2 ** sum(made.call in (DOUBLE, REDOUBLE) for made in after)
    return ContractSet(bid.seat, bid.call.level, bid.call.strain, multiplier)


def worth_a_thought(call: Call, hand: Sequence[Card]) -> bool:
    """Nobody bids a suit that he has not: that spares most of the counting."""
    return call.strain not in SUITS or length(call.strain, hand) >= TRUMP_LENGTH


def score(contract: ContractSet, tricks: int, rules: Rules) -> int:
    """What declarer scores (DB-7); negative: what the opponent does."""
    if tricks < 6 + contract.level:
        return -int(rules["undertrick_points"]) * (6 + contract.level - tricks) * contract.multiplier
    counted = contract.level if rules["overtricks"] == "none" else tricks - 6
    extra = 10 if contract.strain is Strain.NOTRUMP else 0
    return (PER_TRICK[contract.strain] * counted + extra) * contract.multiplier


# -- rules of thumb


def length(suit: Strain, hand: Sequence[Card]) -> int:
    """How many cards of a suit a hand has."""
    return sum(card.suit is suit for card in hand)


def keeping(card: Card, hand: Sequence[Card]) -> float:
    """What it is worth to have a card in this hand."""
    return HONOURS.get(card.rank, card.rank / 10) + LENGTH * length(card.suit, hand)


def draw_trick(decision: Decision) -> Answer:
    """Throw away what is worth least; but fight for a good card that lies face up (DB-4.10), if that is cheap."""
    hand, shown = decision.hand, decision.view.shown
    cheapest = min(decision.plays, key=lambda card: keeping(card, hand))
    if shown:
        unseen = [card for card in PACK_52 if card not in decision.seen]
        usual = sum(keeping(card, hand) for card in unseen) / max(1, len(unseen))
        spare = keeping(shown, hand) - usual + keeping(cheapest, hand)
        winners = [card for card in decision.plays if wins_draw(card, decision, unseen) and keeping(card, hand) < spare]
        cheapest = min(winners, key=lambda card: keeping(card, hand), default=cheapest)
    return PLAYS[cheapest]


def wins_draw(card: Card, decision: Decision, unseen: Sequence[Card]) -> bool:
    """A card surely wins this trick of the draw phase (DB-4.4)."""
    any_suit = decision.rules.get("draw_winner") == "any"
    if not decision.trick:
        return not any(other.rank > card.rank for other in unseen if any_suit or other.suit is card.suit)
    led = decision.trick[0]
    return card.rank > led.rank and (any_suit or card.suit is led.suit)


def bid_by_strength(decision: Decision) -> Answer:
    """Bid as many points as the best suit promises (Smear), else pass."""
    promise = max(sum(keeping(card, ()) for card in decision.hand if card.suit is suit) for suit in SUITS) / 10
    bids = [call for call in decision.legal if isinstance(call, Call) and call.kind is CallKind.BID]
    cheapest = min(bids, key=lambda bid: bid.level, default=PASS)
    wanted = cheapest.strain is Strain.NONE and cheapest.level <= promise
    return cheapest if wanted or PASS not in decision.legal else PASS


def discard(decision: Decision) -> Answer:
    """Put away what is worth least together."""
    options = [action for action in decision.legal if isinstance(action, Discard)]
    return min(options, key=lambda option: sum(keeping(card, decision.hand) for card in option.cards))


def play_cheaply(decision: Decision) -> Answer:
    """Lead the best card; take the trick from an opponent as cheaply as possible; else give the lowest card."""
    table, plays = decision.view.table, decision.plays
    if table is None or not table.cards:
        return PLAYS[max(plays, key=lambda card: keeping(card, decision.hand))]
    best = table.cards[0]
    holder = 0
    for place, card in enumerate(table.cards):
        if beats(card, best, decision.trump):
            best, holder = card, place
    sides = decision.offer.sides
    ours = sides[(table.leader + holder) % len(sides)] == decision.side
    winners = [] if ours else [card for card in plays if beats(card, best, decision.trump)]
    return PLAYS[min(winners or plays, key=lambda card: card.rank + 13 * (card.suit is decision.trump))]


if __name__ == "__main__":
    run(SteadyBot)
