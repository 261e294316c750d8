"""German Whist told again from its clauses: a second referee who sees events alone, and a count of all ways to play.

Both know nothing of the engine's game: their cards are strings, their hands lists.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from engine.event import CardDrawn, CardPlayed, DealScored, DealStarted, Event, HandDealt, TopCardShown, TrickTaken
from engine.event import TrumpNamed as Trump
from engine.game import Game, Rules
from engine.match import Match
from engine.states import Termination
from playing import Plan, play

RANKS: Final = "23456789TJQKA"
Hands = dict[int, list[str]]


def follower_wins(lead: str, follow: str, trump: str) -> bool:
    """GW-4.3: the higher card of one suit, or a trump on another suit."""
    return RANKS.index(follow[0]) > RANKS.index(lead[0]) if follow[1] == lead[1] else follow[1] == trump


def may_follow(hand: list[str], lead: str) -> list[str]:
    """GW-4.2: the cards of the suit led, or all when there are none."""
    return [card for card in hand if card[1] == lead[1]] or hand


def deal_points(rules: Rules, taken: list[int]) -> tuple[int, int]:
    """GW-6: the points of both seats for the tricks of the second half."""
    if rules["scoring"] == "tricks":
        return taken[0], taken[1]
    return int(taken[0] > taken[1]), int(taken[1] > taken[0])


def told(event: Event) -> tuple[Any, ...]:
    """An event in the referee's own words."""
    match event:
        case DealStarted():
            return "deal", event.deal_no, event.dealer
        case HandDealt():
            return "hand", event.seat, *map(str, event.cards)
        case TopCardShown():
            return "top", str(event.card)
        case Trump():
            return "trump", str(event.strain)
        case CardPlayed():
            return "play", event.seat, str(event.card)
        case TrickTaken():
            return "taken", event.seat
        case CardDrawn():
            return "drawn", event.seat, str(event.card), event.shown
        case DealScored():
            return "scored", event.deal_no, event.points, event.totals
    return ("what is no part of this game", event)


class Referee:
    """Says what must happen next in a match, and fails when something else was told."""

    def __init__(self, rules: Rules, events: list[Event]) -> None:
        self.rules = rules
        self.events: Iterator[tuple[Any, ...]] = map(told, events)
        self.totals = [0, 0]

    def expect(self, *event: object) -> None:
        """This and nothing else comes next."""
        assert next(self.events) == event

    def card(self, seat: int, allowed: list[str], hand: list[str]) -> str:
        """The card that the seat plays, one of those allowed."""
        kind, player, card = next(self.events)
        assert (kind, player) == ("play", seat)
        assert card in allowed
        hand.remove(card)
        return str(card)

    def trick(self, leader: int, hands: Hands, trump: str) -> int:
        """A trick; gives who took it."""
        lead = self.card(leader, hands[leader], hands[leader])
        other = 1 - leader
        follow = self.card(other, may_follow(hands[other], lead), hands[other])
        winner = other if follower_wins(lead, follow, trump) else leader
        self.expect("taken", winner)
        return winner

    def deal(self, number: int, dealer: int, deck: list[str]) -> None:
        """A deal from its start to its score."""
        size, leader = int(self.rules["hand_cards"]), 1 - dealer
        self.expect("deal", number, dealer)
        hands = {leader: deck[0 : 2 * size : 2], dealer: deck[1 : 2 * size : 2]}
        for seat in (leader, dealer):
            self.expect("hand", seat, *hands[seat])
        stock = deck[2 * size : 4 * size]
        trump = stock[0][1]
        self.expect("top", stock[0])
        self.expect("trump", trump)
        while stock:
            leader = self.trick(leader, hands, trump)
            for seat in (leader, 1 - leader):
                hands[seat].append(stock.pop(0))
                self.expect("drawn", seat, hands[seat][-1], seat == leader)
            if stock:
                self.expect("top", stock[0])
        taken = [0, 0]
        for _ in range(size):
            leader = self.trick(leader, hands, trump)
            taken[leader] += 1
        points = deal_points(self.rules, taken)
        self.totals = [total + more for total, more in zip(self.totals, points, strict=True)]
        self.expect("scored", number, points, tuple(self.totals))


def check(game: Game, plan: Plan) -> Match:
    """Follow a match as planned (GW-2, GW-3, GW-7); AssertionError where it leaves the rules."""
    record = play(game, plan)
    rules, match = plan.rules, record.match
    referee = Referee(rules, record.events)
    ending, winner = None, None
    for number, deck in enumerate(record.decks):
        assert ending is None
        try:
            referee.deal(number, (plan.first_dealer + number) % 2, list(map(str, deck)))
        except StopIteration:  # the match was cut off here
            break
        mine, theirs = referee.totals
        ahead = None if mine == theirs else int(theirs > mine)
        if ahead is not None and max(mine, theirs) >= int(rules["target"]):
            ending, winner = Termination.SCORE, ahead
        elif number + 1 == rules["max_deals"]:
            ending, winner = Termination.DEAL_LIMIT, ahead
    assert (match.ending, match.winner) == (ending, winner)
    assert next(referee.events, None) is None
    return match


def sequences(hands: tuple[list[str], list[str]], stock: list[str], leader: int, trump: str) -> Counter[int]:
    """All ways to play on, by the tricks that seat 0 takes in the second half."""
    if not hands[leader]:
        return Counter([0])
    found: Counter[int] = Counter()
    for lead in hands[leader]:
        for follow in may_follow(hands[1 - leader], lead):
            winner = 1 - leader if follower_wins(lead, follow, trump) else leader
            left = [[card for card in hand if card not in (lead, follow)] for hand in hands]
            if stock:
                left[winner].append(stock[0])
                left[1 - winner].append(stock[1])
            rest = sequences((left[0], left[1]), stock[2:], winner, trump)
            for taken, ways in rest.items():
                found[taken + (not stock and winner == 0)] += ways
    return found


def perft(deal: Any) -> Counter[int]:
    """The same by the engine; each legal action is applied."""
    if deal.turn is None:
        return Counter([deal.taken[0]])
    found: Counter[int] = Counter()
    for action in deal.legal():
        twin = deal.copy()
        twin.apply(action)
        found += perft(twin)
    return found
