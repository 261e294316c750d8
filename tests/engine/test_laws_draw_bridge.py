"""Draw Bridge told again by a second referee, written from the clauses, who sees nothing but decks and events."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from hypothesis import given, settings

from engine.action import CallKind
from engine.card import Card, Strain
from engine.event import (
    CallMade,
    CardDrawn,
    CardPlayed,
    ContractSet,
    DealScored,
    DealStarted,
    Event,
    HandDealt,
    TopCardShown,
    TrickTaken,
    TrumpNamed,
)
from engine.game import Rules
from engine.games import find
from engine.match import Match
from engine.states import Termination
from playing import Mood, Plan, plans, play

GAME: Final = find("draw-bridge")
PER_TRICK: Final = {"C": 20, "D": 20, "H": 30, "S": 30, "NT": 30}


def value(strain: Strain, tricks: int) -> int:
    """DB-7.2: what so many tricks over six are worth, no trump with 10 more for the first."""
    return PER_TRICK[str(strain)] * tricks + (10 if strain is Strain.NOTRUMP else 0)


def deal_points(rules: Rules, contract: ContractSet, tricks: int) -> tuple[int, int]:
    """DB-7: the points of both seats when declarer took so many tricks."""
    needed = 6 + contract.level
    points = [0, 0]
    if tricks >= needed:
        counted = tricks - 6 if rules["overtricks"] == "count" else contract.level
        points[contract.declarer] = value(contract.strain, counted) * contract.multiplier
    else:
        points[1 - contract.declarer] = int(rules["undertrick_points"]) * (needed - tricks) * contract.multiplier
    return points[0], points[1]


def follower_wins(rules: Rules, trump: Strain | None, lead: Card, follow: Card) -> bool:
    """DB-4.4 in the draw phase (no `trump`), DB-6.4 in the play."""
    if trump is None and rules["draw_winner"] == "any":
        return follow.rank > lead.rank
    if follow.suit == lead.suit:
        return follow.rank > lead.rank
    return follow.suit == trump


@dataclass
class Referee:
    """Says what must happen next in a match; `follow` compares it with what was told to have happened."""

    rules: Rules
    events: Iterator[Event]
    totals: list[int] = field(default_factory=lambda: [0, 0])

    def next(self) -> Event:
        """The next event that was told."""
        return next(self.events)

    def deal(self, number: int, dealer: int, deck: tuple[Card, ...]) -> bool:
        """Follow one deal; True when it was passed out."""
        assert self.next() == DealStarted(number, dealer)
        other = 1 - dealer
        hands = {other: deck[0:26:2], dealer: deck[1:26:2]}  # DB-3.5
        assert {self.next(), self.next()} == {HandDealt(seat, cards) for seat, cards in hands.items()}
        held = {seat: set(cards) for seat, cards in hands.items()}
        self.draw_phase(other, held, list(deck[26:]))
        contract = self.auction(dealer)
        points = (0, 0)
        if contract is not None:
            assert self.next() == contract
            assert self.next() == TrumpNamed(contract.strain)
            points = deal_points(self.rules, contract, self.play(contract, held))
        self.totals = [total + gain for total, gain in zip(self.totals, points, strict=True)]
        scored = self.next()
        assert isinstance(scored, DealScored)
        assert (scored.deal_no, scored.points, scored.totals) == (number, points, tuple(self.totals))
        return contract is None

    def card(self, seat: int, held: dict[int, set[Card]], lead: Card | None = None) -> Card:
        """The card that the seat plays; it holds it, and follows the lead if it must and can."""
        played = self.next()
        assert isinstance(played, CardPlayed)
        assert played.seat == seat
        assert played.card in held[seat]
        if lead is not None and any(card.suit == lead.suit for card in held[seat]):
            assert played.card.suit == lead.suit
        held[seat].remove(played.card)
        return played.card

    def draw_phase(self, leader: int, held: dict[int, set[Card]], stock: list[Card]) -> None:
        """DB-4: 13 tricks, after each the winner draws, then the loser."""
        for _ in range(13):
            if self.rules["reveal"] == "top":
                assert self.next() == TopCardShown(stock[0])
            lead = self.card(leader, held)
            follow = self.card(1 - leader, held, lead if self.rules["draw_follow"] == "must" else None)
            leader = 1 - leader if follower_wins(self.rules, None, lead, follow) else leader
            assert self.next() == TrickTaken(leader)
            assert self.next() == CardDrawn(leader, stock[0], shown=self.rules["reveal"] == "top")
            assert self.next() == CardDrawn(1 - leader, stock[1])
            for seat in (leader, 1 - leader):
                held[seat].add(stock.pop(0))

    def auction(self, seat: int) -> ContractSet | None:
        """DB-5: calls in turn, the dealer first, until a pass ends them."""
        bid: tuple[int, Strain] | None = None
        bidder, times, passes = -1, 1, 0
        while True:
            made = self.next()
            assert isinstance(made, CallMade)
            assert made.seat == seat
            call = made.call
            if call.kind is CallKind.PASS:
                passes += 1
                if bid is not None:
                    return ContractSet(bidder, *bid, times)
                if passes == 2:
                    return None
            elif call.kind is CallKind.BID:
                assert bid is None or (call.level, call.strain) > bid
                bid, bidder, times = (call.level, call.strain), seat, 1
            else:
                times *= 2
                assert bid is not None
                assert (call.kind, times, bidder == seat) in (
                    (CallKind.DOUBLE, 2, False),
                    (CallKind.REDOUBLE, 4, True),
                )
            seat = 1 - seat

    def play(self, contract: ContractSet, held: dict[int, set[Card]]) -> int:
        """DB-6: 13 tricks, declarer's opponent leads; gives the tricks of declarer."""
        leader, won = 1 - contract.declarer, 0
        for _ in range(13):
            lead = self.card(leader, held)
            follow = self.card(1 - leader, held, lead)
            leader = 1 - leader if follower_wins(self.rules, contract.strain, lead, follow) else leader
            assert self.next() == TrickTaken(leader)
            won += leader == contract.declarer
        return won


def check(plan: Plan) -> Match:
    """Follow a match as planned (DB-2, DB-3, DB-8)."""
    record = play(GAME, plan)
    rules, match = plan.rules, record.match
    referee = Referee(rules, iter(record.events))
    dealer, ending, winner = plan.first_dealer, None, None
    for number, deck in enumerate(record.decks):
        try:
            passed_out = referee.deal(number, dealer, deck)
        except StopIteration:  # the match was cut off here
            break
        if not (passed_out and rules["passout_dealer"] == "same"):
            dealer = 1 - dealer
        high = max(referee.totals)
        if high >= int(rules["target"]):
            ending, winner = Termination.SCORE, referee.totals.index(high)
        elif number + 1 == rules["max_deals"]:
            ending = Termination.DEAL_LIMIT
            winner = None if referee.totals[0] == referee.totals[1] else referee.totals.index(high)
    assert (match.ending, match.winner) == (ending, winner)
    assert next(referee.events, None) is None
    return match


@settings(max_examples=80)
@given(plans(GAME, most=800))
def test_a_second_referee_agrees(plan: Plan) -> None:
    """Deals, tricks, draws, calls, contracts, scores, totals and the end are as the clauses say, under every option."""
    check(plan)


def test_a_second_referee_agrees_at_the_target() -> None:
    """DB-2.3: matches to 20, some of which end with 20 exactly, and are over with it."""
    rules = {**GAME.presets["match"], "target": 20, "undertrick_points": 0}
    totals = [max(check(Plan(rules, 0, Mood.ORDINARY, seed, 2_000)).totals) for seed in range(20)]
    assert 20 in totals
