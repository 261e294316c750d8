"""Play bots against each other in one process, without an arena.

    from arena.bot.local import play_matches

    wins = sum(match.points(0) for match in play_matches([MyBot, OldBot], 100, game="draw-bridge"))

The table is the one that an arena has, so strikes, draws and hooks are as they are there; only time stands still. The
same bots with the same seed play the same matches, as long as they throw no dice but `decision.dice`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from arena.bot.bot import Bot, BotError, BotLike, hears, make_bots, software
from arena.bot.conversation import cut
from arena.bot.decision import Choice, Decision, Resign, dice_of
from arena.bot.offer import MatchOffer, MatchResult, Outcome, Rejection
from engine.action import Action
from engine.deck import DeckSource
from engine.effect import Effect, Finish, Record, Reject, Tell
from engine.event import DealStarted, Event, redact
from engine.game import Game, Rules, complete_rules
from engine.games import find
from engine.seating import seating, tables
from engine.states import Termination
from engine.table import Table
from engine.terms import TableTerms


@dataclass(frozen=True, slots=True)
class Move:
    """An action of a match. `auto`: a draw that was made for the bot."""

    deal_no: int
    seat: int
    action: Action
    note: str = ""
    auto: bool = False

    def __str__(self) -> str:
        return f"deal {self.deal_no}, seat {self.seat}: {self.action}"


@dataclass(frozen=True, slots=True)
class LocalMatch:
    """A match that was played. `totals` and `winner` are by side; `winner` is None for a draw.

    `places` says for each seat which of the given bots sat there. `events` are all that happened, with nothing hidden,
    `transcript` all that was done.
    """

    match_id: str
    game: str
    rules: Rules
    sides: tuple[int, ...]
    places: tuple[int, ...]
    names: tuple[str, ...]
    totals: tuple[int, ...]
    winner: int | None
    termination: Termination
    at_fault: int | None
    deals: int
    events: tuple[Event, ...]
    transcript: tuple[Move, ...]

    def points(self, bot: int) -> float:
        """What the match was worth to one of the given bots: 1 if its side won, 1/2 for a draw, else 0."""
        if self.winner is None:
            return 0.5
        return 1.0 if self.sides[self.places.index(bot)] == self.winner else 0.0


def play_match(
    bots: Sequence[BotLike],
    *,
    game: str,
    preset: str = "match",
    rules: Mapping[str, str | int] | None = None,
    seed: int | str = 0,
) -> LocalMatch:
    """Play one match of `bots`; `rules` are single options on top of the preset.

    There is a bot for each seat, or where partners play one for each side, which then has an instance on each of its
    seats.

    Raises UnknownGame, BadRules or BotError for what cannot be played, and whatever a bot's own code raises.
    """
    return next(play_matches(bots, 1, game=game, preset=preset, rules=rules, seed=seed))


def play_matches(
    bots: Sequence[BotLike],
    count: int,
    *,
    game: str,
    preset: str = "match",
    rules: Mapping[str, str | int] | None = None,
    seed: int | str = 0,
) -> Iterator[LocalMatch]:
    """Play `count` matches, each when it is asked for. Two in a row have the same decks, and the sides change places.

    A bot lives through all of them. Raises as `play_match` does.
    """
    played = find(game)
    chosen = complete_rules(played, preset, rules)
    players = _players(bots, played)
    owners = seating(played.sides, len(bots))
    for number in range(count):
        on_seats = seating(played.sides, len(players), number % 2)
        match = _Playing(
            played,
            chosen,
            [players[player] for player in on_seats],
            places=tuple(owners[player] for player in on_seats),
            number=number,
            seed=f"arena-local-1/{seed}",
        )
        yield match.play()


def _players(bots: Sequence[BotLike], game: Game) -> list[Bot]:
    """A bot for each seat, as they sit in the first match."""
    numbers = tables(game.sides)
    if len(bots) not in numbers:
        fitting = " or ".join(map(str, numbers))
        raise BotError(f"{game.name} has {len(game.sides)} seats: give {fitting} bots, not {len(bots)}")
    players = [make_bots(bots[place], 1)[0] for place in seating(game.sides, len(bots))]
    if len(set(map(id, players))) < len(players):
        raise BotError("one bot cannot sit on two seats: give the class, not an instance")
    for player in players:
        if player.games and game.name not in player.games:
            raise BotError(f"{software(player)} does not play {game.name}: it plays {', '.join(player.games)}")
    return players


class _Playing:
    """One match on its way. Lists by seat."""

    def __init__(
        self, game: Game, rules: Rules, bots: Sequence[Bot], *, places: tuple[int, ...], number: int, seed: str
    ) -> None:
        self.game = game
        self.rules = rules
        self.places = places
        self.match_id = f"local-{number}"
        self.bots = list(bots)
        self.names = tuple(map(software, self.bots))
        self.hearers = [(seat, bot) for seat, bot in enumerate(self.bots) if hears(bot)]
        source = DeckSource(
            server_seed=hashlib.sha256(seed.encode()).digest(),
            set_id=f"local-{number - number % 2}",
            game=game.name,
            pack=game.pack,
            seats=len(game.sides),
            fixed_nonces=(),
        )
        self.table = Table(TableTerms(game, rules, source, auto_draw=tuple(bot.auto_draw for bot in self.bots)))
        self.offers = [
            MatchOffer(self.match_id, game.name, rules, seat, self.names, game.sides, rules_version=game.rules_version)
            for seat in range(len(self.bots))
        ]
        self.dice = [f"{seed}/{self.match_id}/{seat}" for seat in range(len(self.bots))]
        self.deal_no = 0
        self.events: list[Event] = []
        self.transcript: list[Move] = []

    def play(self) -> LocalMatch:
        """Play to the end."""
        started: list[Effect] = []
        for seat in range(len(self.bots)):
            started += self.table.ready(seat, b"", 0)
        for bot, offer in zip(self.bots, self.offers, strict=True):
            bot.match_started(offer)
        finish = self._carry_out(started)
        while finish is None:
            finish = self._carry_out(self._turn())
        self._tell_end(finish)
        return LocalMatch(
            match_id=self.match_id,
            game=self.game.name,
            rules=self.rules,
            sides=self.game.sides,
            places=self.places,
            names=self.names,
            totals=finish.totals,
            winner=finish.winner,
            termination=finish.termination,
            at_fault=finish.at_fault,
            deals=finish.deals_complete,
            events=tuple(self.events),
            transcript=tuple(self.transcript),
        )

    def _turn(self) -> list[Effect]:
        ask = self.table.question(0)
        if ask is None:
            raise RuntimeError("nobody is asked in a match that is not over")
        seat = ask.seat
        view = self.table.playing.view(seat)
        decision = Decision(
            ask.decision_id,
            view,
            tuple(ask.legal),
            ask.left,
            self.offers[seat],
            dice_of(self.dice[seat], ask.decision_id),
        )
        answer = self.bots[seat].choose(decision)
        plain, note = (answer.answer, answer.note) if isinstance(answer, Choice) else (answer, "")
        chosen = decision.resolve(plain)
        if isinstance(chosen, Resign):
            return self.table.resign(seat)
        return self.table.submit(seat, ask.decision_id, chosen, 0, note=cut(note))

    def _carry_out(self, effects: Sequence[Effect]) -> Finish | None:
        for effect in effects:
            match effect:
                case Record(seat, _, action):
                    self.transcript.append(Move(self.deal_no, seat, action, effect.note, effect.auto))
                case Tell():
                    self._happened(effect.event)
                case Reject():
                    told = Rejection(effect.decision_id, effect.reason, effect.text, effect.strikes_left, effect.left)
                    self.bots[effect.seat].rejected(told)
                case Finish():
                    return effect
        return None

    def _happened(self, event: Event) -> None:
        self.events.append(event)
        if isinstance(event, DealStarted):
            self.deal_no = event.deal_no
        for seat, bot in self.hearers:
            bot.event(redact(event, seat))

    def _tell_end(self, finish: Finish) -> None:
        outcomes = tuple(_outcome(finish, side) for side in self.game.sides)
        for seat, bot in enumerate(self.bots):
            result = MatchResult(
                match_id=self.match_id,
                seat=seat,
                outcome=outcomes[seat],
                outcomes=outcomes,
                totals=finish.totals,
                termination=finish.termination,
                at_fault=finish.at_fault,
                text=f"{finish.termination} after {finish.deals_complete} deals: {' - '.join(map(str, finish.totals))}",
            )
            bot.match_ended(result)


def _outcome(finish: Finish, side: int) -> Outcome:
    if finish.winner is None:
        return Outcome.DRAWN
    return Outcome.WON if finish.winner == side else Outcome.LOST
