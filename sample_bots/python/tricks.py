"""How many tricks two hands take against each other when both are known: exact, for a bot to look up.

From the auction on, a Draw Bridge player who remembers what was played knows both hands (DB-9). So what is left is a
game without secrets, and a search can play it to the end.

What counts about a suit is only who has its cards, from the highest down: `MTTM` means that I have the highest and the
lowest of the four that are left. Neighbours of one owner are worth the same, so very different hands look alike, and
a few hundred positions have to be searched where cards would make millions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final, TypeAlias

from engine.card import SUITS, Card, Strain

ME: Final = "M"
THEM: Final = "T"
OTHER: Final = {ME: THEM, THEM: ME}

Suits: TypeAlias = tuple[str, ...]
"""The owners of the cards of clubs, diamonds, hearts and spades, each from the highest card down."""
Outcome: TypeAlias = tuple[Suits, str]
"""A trick has been played: what is left, and who won it."""


def layout(mine: Iterable[Card], theirs: Iterable[Card]) -> Suits:
    """The suits of two hands."""
    owners = {**dict.fromkeys(mine, ME), **dict.fromkeys(theirs, THEM)}
    cards = sorted(owners, reverse=True)
    return tuple("".join(owners[card] for card in cards if card.suit is suit) for suit in SUITS)


def beats(card: Card, other: Card, strain: Strain) -> bool:
    """Whether a card wins against one that was played before it."""
    return card > other if card.suit is other.suit else card.suit is strain


def rank(card: Card) -> int:
    """The card's rank, to sort by."""
    return card.rank


def without(hand: Sequence[Card], card: Card) -> list[Card]:
    """The hand without a card."""
    return [held for held in hand if held != card]


class Solver:
    """Finds what both sides get with best play in one denomination. It remembers, so keep it for the deal."""

    def __init__(self, strain: Strain) -> None:
        self.strain = strain
        self.trump = SUITS.index(strain) if strain in SUITS else None
        self._known: dict[Outcome, tuple[int, int]] = {}  # suits and leader: the least and the most he gets

    def tricks(self, suits: Suits, leader: str) -> int:
        """How many of the tricks that are left the leader takes."""
        count = sum(map(len, suits)) // 2
        low, high = 0, count
        guess = count // 2
        while low < high:
            if self.reaches(suits, leader, guess, count):
                low = guess
            else:
                high = guess - 1
            guess = max(low + 1, min(high, guess + (1 if low == guess else -1)))
        return low

    def best_lead(self, mine: Sequence[Card], theirs: Sequence[Card]) -> Card:
        """A card of mine with which I take most, now that I lead."""
        most = self.tricks(layout(mine, theirs), ME)

        def worst(card: Card) -> int:
            following = [reply for reply in theirs if reply.suit is card.suit] or theirs
            hand = without(mine, card)
            return min(self._taken(card, reply, ME, hand, without(theirs, reply)) for reply in following)

        # The highest first: of cards that come to the same it is the one that asks most of the opponent.
        return next(card for card in sorted(mine, key=rank, reverse=True) if worst(card) == most)

    def best_reply(self, led: Card, cards: Sequence[Card], mine: Sequence[Card], theirs: Sequence[Card]) -> Card:
        """The one of `cards`, of mine, with which I take most. They have led, so that card is no more in their hand."""

        def taken(card: Card) -> int:
            return self._taken(led, card, THEM, without(mine, card), theirs)

        return max(sorted(cards, key=rank), key=taken)

    def _taken(self, led: Card, reply: Card, leader: str, mine: Sequence[Card], theirs: Sequence[Card]) -> int:
        """How many tricks I take if this one goes so, with the hands that are left."""
        winner = OTHER[leader] if beats(reply, led, self.strain) else leader
        suits = layout(mine, theirs)
        return 1 + self.tricks(suits, ME) if winner == ME else len(mine) - self.tricks(suits, THEM)

    def reaches(self, suits: Suits, leader: str, goal: int, count: int) -> bool:
        """The leader takes at least `goal` of the `count` tricks that are left."""
        low, high = self._known.get((suits, leader)) or self._bounds(suits, leader, count)
        if goal <= low or goal > high:
            return goal <= low
        reached = any(
            all(
                self.reaches(left, leader, goal - 1, count - 1)
                if winner == leader
                else not self.reaches(left, winner, count - goal, count - 1)
                for left, winner in replies
            )
            for replies in self.leads(suits, leader)
        )
        low, high = self._known.get((suits, leader), (low, high))
        self._known[suits, leader] = (max(low, goal), high) if reached else (low, min(high, goal - 1))
        return reached

    def leads(self, suits: Suits, leader: str) -> Iterator[list[Outcome]]:
        """For each lead that makes a difference, what the replies come to; leads that win first."""
        other = OTHER[leader]
        late: list[list[Outcome]] = []
        for index, suit in enumerate(suits):
            if leader not in suit:
                continue
            if other in suit:
                options = [[(put(suits, index, left), w) for left, w in replies] for replies in duels(suit, leader)]
            else:
                options = [self._unfollowed(put(suits, index, suit[1:]), index, other)]
            for option in options:
                if all(winner == leader for _, winner in option):
                    yield option
                else:
                    late.append(option)
        yield from late

    def _unfollowed(self, suits: Suits, led: int, other: str) -> list[Outcome]:
        """What the replies of a player without a card of the suit led come to: the lowest of each other suit."""
        found = []
        for index, suit in enumerate(suits):
            if index != led and other in suit:
                winner = other if index == self.trump else OTHER[other]
                found.append((put(suits, index, without_lowest(suit, other)), winner))
        return found

    def _bounds(self, suits: Suits, leader: str, count: int) -> tuple[int, int]:
        """What the leader gets at least, and at most, as a glance tells."""
        other = OTHER[leader]
        trumps = "" if self.trump is None else suits[self.trump]
        cash = sum([top(suit, leader) for suit in suits])
        if other not in trumps:
            return cash, count
        drawn = top(trumps, leader)
        if drawn < trumps.count(other):
            return drawn, count - top(trumps, other)
        return cash - drawn + trumps.count(leader), count


def put(suits: Suits, index: int, suit: str) -> Suits:
    """The suits with one of them replaced."""
    return (*suits[:index], suit, *suits[index + 1 :])


@cache
def top(suit: str, owner: str) -> int:
    """How many of the suit's highest cards the owner has in a row."""
    return len(suit) - len(suit.lstrip(owner))


@cache
def without_lowest(suit: str, owner: str) -> str:
    """The suit without the owner's lowest card."""
    return dropped(suit, suit.rindex(owner))


def dropped(suit: str, *places: int) -> str:
    """The suit without the cards at these places."""
    return "".join([owner for place, owner in enumerate(suit) if place not in places])


@cache
def duels(suit: str, leader: str) -> list[list[tuple[str, str]]]:
    """For each lead of a suit that both hold: what is left of it and who won, by reply.

    A follower takes the trick as cheaply as he can, or gives his lowest card: all else gives something away.
    """
    other = OTHER[leader]
    leads = []
    for place, owner in enumerate(suit):
        if owner != leader or suit[place - 1 : place] == leader:
            continue  # not his, or as good as the one above
        replies = []
        cheapest = suit.rfind(other, 0, place)
        if cheapest >= 0:
            replies.append((dropped(suit, place, cheapest), other))
        lowest = suit.rfind(other)
        if lowest > place:
            replies.append((dropped(suit, place, lowest), leader))
        leads.append(replies)
    return leads
