"""A logged match played again: what its header says it is played by, and its actions put to the rules once more."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from arena.errors import BadReplay
from arena.replay.read import Entry, Replay
from arena.v1 import replay_pb2
from arena.wire import action_from_proto, rules_from_text, time_control_from_proto
from engine.card import Card
from engine.clock import TimeControl
from engine.deck import DeckSource
from engine.errors import BadRules, Refused, UnknownGame
from engine.event import Event
from engine.game import Game, Rules
from engine.games import find
from engine.match import Match


@dataclass(frozen=True, slots=True)
class Setting:
    """What a match is played by, made of its log. `nonces` are those that made the decks, by seat.

    They are None when not every seat was ready, so that no decks were made, and empty in a run with a fixed seed.
    """

    game: Game
    rules: Rules
    control: TimeControl
    nonces: tuple[bytes, ...] | None
    source: DeckSource

    @property
    def first_dealer(self) -> int | None:
        """The dealer of the first deal, None if no decks were made."""
        return None if self.nonces is None else self.source.dealer(self.nonces)

    @property
    def decks(self) -> Callable[[int], tuple[Card, ...]] | None:
        """The deck of each deal by its number, None if no decks were made."""
        return None if self.nonces is None else self.source.decks(self.nonces)

    def begin(self) -> Match | None:
        """The match, not yet started; None if no decks were made."""
        dealer, decks = self.first_dealer, self.decks
        return None if dealer is None or decks is None else Match(self.game, self.rules, dealer, decks)


def setting_of(replay: Replay, first_leg: Replay | None = None) -> Setting:
    """The setting of a match. A later leg of a set needs the replay of the first, whose nonces made the decks.

    Raises BadReplay when this arena cannot play by it: another game or version of its rules, or rules that are none.
    """
    header = replay.header
    try:
        game = find(header.game)
        if header.rules_version != game.rules_version:
            raise BadReplay(
                "header",
                f"it needs version {header.rules_version} of the rules of {game.name}: "
                f"this arena plays version {game.rules_version}",
            )
        rules = rules_from_text(game, header.rules)
    except (UnknownGame, BadRules) as error:
        raise BadReplay("header", str(error)) from None
    seats = len(game.sides)
    if len(header.seats) != seats:
        raise BadReplay("header", f"it names {len(header.seats)} seats: {game.name} has {seats}")
    if header.leg > 1 and first_leg is None and not header.seeded:
        raise BadReplay(
            "header",
            f"the decks of leg {header.leg} are those of leg 1: give the replay of match {header.set_id} too",
        )
    origin = replay if header.leg <= 1 or first_leg is None else first_leg
    nonces = () if header.seeded else _nonces(origin, seats)
    source = DeckSource(header.server_seed, header.set_id, game.name, game.pack, seats, fixed_nonces=nonces)
    return Setting(game, rules, time_control_from_proto(header.time_control), nonces, source)


def _nonces(replay: Replay, seats: int) -> tuple[bytes, ...] | None:
    said: dict[int, bytes] = {}
    for entry in replay.entries:
        if entry.kind == "ready":
            said.setdefault(entry.frame.ready.seat, entry.frame.ready.nonce)
    return tuple(said[seat] for seat in range(seats)) if all(seat in said for seat in range(seats)) else None


class OutOfTurn(BadReplay):
    """A logged action of a seat that was not in turn, or with the number of another decision."""


@dataclass(frozen=True, slots=True)
class Step:
    """An entry of the log, and what it made happen at the table."""

    entry: Entry
    events: tuple[Event, ...]


def steps(replay: Replay, setting: Setting) -> Iterator[Step]:
    """Play the match again, entry by entry. Raises BadReplay at the first action that the rules do not allow."""
    match: Match | None = None
    for entry in replay.entries:
        events: list[Event] = []
        match entry.kind:
            case "started":
                match = setting.begin()
                if match is None:
                    raise BadReplay(entry.where, "the match starts before every seat is ready")
                events = match.start()
            case "action":
                if match is None:
                    raise BadReplay(entry.where, "an action before the match has started")
                events = act(match, entry)
        yield Step(entry, tuple(events))


def act(match: Match, entry: Entry) -> list[Event]:
    """Carry out a logged action. Raises OutOfTurn or BadReplay, with nothing changed, when it does not fit."""
    logged = entry.frame.action
    if logged.seat != match.turn:
        turn = "nobody's turn" if match.turn is None else f"the turn of seat {match.turn}"
        raise OutOfTurn(place_of_action(entry), f"it was {turn}")
    if logged.decision_id != match.actions:
        raise OutOfTurn(place_of_action(entry), f"the decision to be taken was {match.actions}")
    action = action_from_proto(logged.action)
    if action is None:
        raise BadReplay(place_of_action(entry), "this is no action")
    try:
        return match.apply(action)
    except Refused as refusal:
        raise BadReplay(place_of_action(entry), str(refusal)) from None


def place_of_action(entry: Entry) -> str:
    """How a logged action is named to people: `action 57 (frame 123 at byte 4567), seat 1, play 9H`."""
    logged: replay_pb2.LoggedAction = entry.frame.action
    action = action_from_proto(logged.action)
    return f"action {logged.decision_id} ({entry.where}), seat {logged.seat}" + (f", {action}" if action else "")
