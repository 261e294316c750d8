"""One match of each game and preset, written out for people, and kept.

A difference means that the same actions now give another match, or that an event has changed. When that is meant:
`ARENA_UPDATE_GOLDENS=1 make test`, read the difference, and raise the game's rules_version if the rules have changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence

import pytest

from engine.action import Action
from engine.card import Card
from engine.deck import deal_deck, first_dealer
from engine.event import (
    CallMade,
    CardDrawn,
    CardPlayed,
    ContractSet,
    DealScored,
    DealStarted,
    Discarded,
    Event,
    HandDealt,
    KittyTaken,
    TopCardShown,
    TrickTaken,
    TrumpNamed,
)
from engine.game import Game
from playing import GAMES, Mood, Record, begin, choose

Golden = Callable[[str, Iterable[str]], None]

DEALS = 10
"""A match that takes longer is cut off after so many deals."""

CASES = [pytest.param(game, preset, id=f"{game.name}-{preset}") for game in GAMES for preset in game.presets]


class Fate:
    """Dice that are the same in every version of Python: SHA-256 of a name and a count."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.count = 0

    def _number(self) -> int:
        self.count += 1
        return int.from_bytes(hashlib.sha256(f"{self.name} {self.count}".encode()).digest()[:8])

    def choice(self, items: Sequence[Action]) -> Action:
        """One of the actions."""
        return items[self._number() % len(items)]

    def random(self) -> float:
        """A number from 0 up to 1."""
        return self._number() / 2**64


def text(cards: Sequence[Card]) -> str:
    """Cards as people write them."""
    return " ".join(map(str, cards))


def by_suit(cards: Sequence[Card]) -> str:
    """A hand, highest suit and rank first."""
    return text(sorted(cards, reverse=True))


class Scribe:
    """Writes events as lines."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.lines: list[str] = []
        self.trick: list[CardPlayed] = []
        self.tricks = 0

    def add(self, more: str) -> None:
        """Go on in the last line."""
        self.lines[-1] += more

    def write(self, event: Event) -> None:  # noqa: C901, PLR0912 - one case for each kind of event
        """Write down one event."""
        match event:
            case DealStarted():
                deck = self.record.decks[event.deal_no]
                self.lines += ["", f"deal {event.deal_no}, dealer {event.dealer}"]
                self.lines += [f"  deck   {text(deck[at : at + 26])}" for at in range(0, len(deck), 26)]
                self.tricks = 0
            case HandDealt():
                self.lines.append(f"  seat {event.seat} {by_suit(event.cards)}")
            case TopCardShown():
                self.add(f"   top card {event.card}")
            case CardPlayed():
                self.trick.append(event)
            case TrickTaken():
                self.tricks += 1
                cards = "  ".join(f"{played.seat} {played.card}" for played in self.trick)
                self.lines.append(f"  {self.tricks:2} {cards}  -> {event.seat}")
                self.trick = []
            case CardDrawn():
                self.add(f"   {event.seat} draws {event.card}")
            case CallMade():
                if not self.lines[-1].startswith("  calls"):
                    self.lines.append("  calls")
                self.add(f"  {event.seat} {event.call.token}")
            case ContractSet():
                self.lines.append(f"  contract {event} by {event.declarer}")
            case TrumpNamed():
                self.lines.append(f"  trump {event.strain}")
            case KittyTaken():
                self.lines.append(f"  {event.seat} takes {text(event.cards)}")
            case Discarded():
                self.lines.append(f"  {event.seat} discards {text(event.cards)}")
            case DealScored():
                self.lines += [f"  {line.name}: {line.points} to side {line.side}" for line in event.lines]
                self.lines += [f"  shown: {text(put.cards)} of {put.seat}" for put in event.shown]
                self.lines.append(f"  points {event.points}, totals {event.totals}")


def chronicle(game: Game, preset: str) -> str:
    """A match by that preset, on decks and with choices that come from its name alone."""
    name = f"{game.name}-{preset}"
    seed, fate = hashlib.sha256(name.encode()).digest(), Fate(name)
    rules = game.presets[preset]
    dealer = first_dealer(seed, len(game.sides))
    record = begin(game, rules, dealer, lambda number: deal_deck(seed, game.name, number, game.pack))
    match = record.match
    while match.turn is not None and match.deals_complete < DEALS:
        record.apply(choose(match.legal(), Mood.ORDINARY, fate))
    scribe = Scribe(record)
    scribe.lines = [
        f"{game.title}, preset {preset}, rules version {game.rules_version}, sides of the seats {game.sides}"
    ]
    scribe.lines += [f"  {option} = {value}" for option, value in rules.items()]
    for event in record.events:
        scribe.write(event)
    ending = f"ended by {match.ending}, winner side {match.winner}" if match.ending else "to be continued"
    return "\n".join([*scribe.lines, "", f"{ending}: totals {match.totals}, {match.actions} actions", ""])


@pytest.mark.parametrize(("game", "preset"), CASES)
def test_the_match_is_as_it_was_written_down(golden: Golden, game: Game, preset: str) -> None:
    """The same decks and choices give the match of the file, line by line."""
    golden(f"{game.name}-{preset}.txt", chronicle(game, preset).splitlines())
