"""Matches for tests: any game, random rules, players of several moods, and a record of all that was dealt and done.

Nothing here names a game: `every_game` runs a test for each one that is installed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from random import Random
from typing import Any, Final, Protocol

import pytest
from hypothesis import strategies as st

from engine.action import Action, Call, CallKind, Discard, Play
from engine.card import HIDDEN, PACK_52, Card, Strain
from engine.deck import deal_deck
from engine.event import Event
from engine.game import Game, Option, Rules, RuleValue
from engine.games import registered
from engine.match import Match

GAMES: Final = list(registered().values())
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


class Mood(Enum):
    """How a player calls; cards are played, drawn and discarded at random in every mood."""

    RANDOM = "any call"
    ORDINARY = "mostly a pass, else the least that can be said"
    TIMID = "pass whenever possible, so that nothing is bid"
    STUBBORN = "never a pass while there is anything else, least first: the longest auction"


_LOUDNESS: Final = {CallKind.REDOUBLE: 0, CallKind.DOUBLE: 1, CallKind.BID: 2, CallKind.PASS: 3}


class Dice(Protocol):
    """What a player throws: `random.Random`, or something as good."""

    def choice(self, items: Sequence[Action], /) -> Action:
        """One of the actions."""

    def random(self) -> float:
        """A number from 0 up to 1."""


def choose(legal: Sequence[Action], mood: Mood, dice: Dice) -> Action:
    """What a player of that mood does."""
    calls = [action for action in legal if isinstance(action, Call)]
    if not calls or mood is Mood.RANDOM:
        return dice.choice(legal)
    least = min(calls, key=lambda call: (_LOUDNESS[call.kind], call.level, call.strain))
    passes = [call for call in calls if call.kind is CallKind.PASS]
    if passes and (mood is Mood.TIMID or (mood is Mood.ORDINARY and dice.random() < 0.7)):
        return passes[0]
    return least


@dataclass(frozen=True)
class Plan:
    """All that decides a match: play it with `play`."""

    rules: dict[str, RuleValue]
    first_dealer: int
    mood: Mood
    seed: int
    decisions: int
    """How many actions are played, unless the match is over before."""


def _values(game: Game, option: Option) -> st.SearchStrategy[RuleValue]:
    if option.words:
        return st.sampled_from(option.words)
    # Bounds, presets, and totals that a score or two can hit exactly.
    telling = {option.low, option.low + 1, option.low + 2, 20, 60, option.high or 0}
    telling |= {int(rules[option.name]) for rules in game.presets.values()}
    high = max(telling) if option.high is None else option.high
    return st.sampled_from(sorted(number for number in telling if option.low <= number <= high))


def rules_of(game: Game) -> st.SearchStrategy[dict[str, RuleValue]]:
    """Any rules of the game: each option by itself, integers at their bounds and as in the presets."""
    return st.fixed_dictionaries({option.name: _values(game, option) for option in game.options})


def plans(game: Game, most: int = 200) -> st.SearchStrategy[Plan]:
    """Any match of the game, cut off after at most `most` actions."""
    return st.builds(
        Plan,
        rules_of(game),
        st.integers(0, len(game.sides) - 1),
        st.sampled_from(Mood),
        st.integers(0, 2**32),
        st.integers(0, most),
    )


@dataclass
class Record:
    """A match so far: its decks by deal, and what was done and happened, in order."""

    match: Match
    decks: list[tuple[Card, ...]]
    acts: list[tuple[int, int, Action]] = field(default_factory=list)
    """Deal, seat, action."""
    events: list[Event] = field(default_factory=list)

    def position(self) -> tuple[Any, ...]:
        """All that can be seen of the match from outside."""
        match = self.match
        views = [match.view(seat) for seat in range(len(match.game.sides))]
        deal = (match.deal_no, match.dealer, match.deal.phase, match.deal.hands(), views)
        return match.turn, list(match.legal()), match.totals, match.actions, match.ending, match.winner, deal

    def apply(self, action: Action) -> None:
        """Play on; Refused leaves the record as it was."""
        turn, deal_no = self.match.turn, self.match.deal_no
        events = self.match.apply(action)
        assert turn is not None
        self.acts.append((deal_no, turn, action))
        self.events += events


def begin(game: Game, rules: Rules, first_dealer: int, decks: Callable[[int], Sequence[Card]]) -> Record:
    """A match whose first deal has just been dealt."""
    dealt: list[tuple[Card, ...]] = []

    def deck(deal_no: int) -> Sequence[Card]:
        assert deal_no == len(dealt), "a deck is asked for once, in the order of the deals"
        dealt.append(tuple(decks(deal_no)))
        return dealt[-1]

    match = Match(game, rules, first_dealer, deck)
    return Record(match, dealt, events=match.start())


def steps(game: Game, plan: Plan) -> Iterator[Record]:
    """The record after the deal and after each action; always the same one, growing."""
    dice = Random(plan.seed)
    seed = plan.seed.to_bytes(32, "big")
    record = begin(game, plan.rules, plan.first_dealer, lambda number: deal_deck(seed, game.name, number, game.pack))
    yield record
    while record.match.turn is not None and len(record.acts) < plan.decisions:
        record.apply(choose(record.match.legal(), plan.mood, dice))
        yield record


def play(game: Game, plan: Plan) -> Record:
    """The match as planned."""
    *_, record = steps(game, plan)
    return record


def to_the_end(plan: Plan) -> Plan:
    """The same match, not cut off."""
    return replace(plan, decisions=10**9)


STRANGE_CARDS: Final = (HIDDEN, Card(1), Card(17), Card(31), Card(95))
"""Numbers that are no card."""

NONSENSE: Final[tuple[Action, ...]] = (
    *(Play(card) for card in (*PACK_52, *STRANGE_CARDS)),
    *(Call(kind, level, strain) for kind in CallKind for level in range(-1, 10) for strain in Strain),
)
"""Every play and every call that can be written down, sense or not."""


def random_discards(record: Record, dice: Random, number: int) -> list[Action]:
    """Discards of the hand of the seat to act and of other cards, of all sizes, some with a card twice."""
    turn = record.match.turn
    hand = record.match.deal.hands()[turn] if turn is not None else ()
    discards: list[Action] = [Discard(())]
    for _ in range(number):
        source = dice.choice((hand, hand, PACK_52)) or PACK_52
        cards = dice.choices(source, k=dice.randint(1, 5))
        if dice.random() < 0.8:
            cards = list(dict.fromkeys(cards))
        discards.append(Discard(tuple(sorted(cards))))
    return discards
