"""What a run plays, and how: all that is needed to begin it, kept in the record so that it can go on from there."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from arena.errors import ArenaError, shortened
from arena.gate import GateTerms
from arena.launch import BotProgram
from arena.naming import numbered_names_of
from arena.ratings import kind_of
from arena.schedule import (
    Course,
    Ended,
    Meetings,
    Plan,
    Rounds,
    Scored,
    gauntlet,
    knockout,
    round_robin,
    swiss,
    usual_rounds,
)
from arena.store import Ladder, Result, rules_key
from arena.wire import rules_from_text, rules_to_text
from engine.clock import TimeControl
from engine.errors import BadRules, UnknownGame
from engine.game import Rules
from engine.games import find
from engine.seating import members, seating, seats_of_a_bot


class Form(StrEnum):
    """How the bots of a run meet."""

    SERIES = "series"
    """All at one table."""
    ROUND_ROBIN = "round-robin"
    """Everybody against everybody."""
    GAUNTLET = "gauntlet"
    """The first few, the challengers, against each of the others."""
    SWISS = "swiss"
    """In rounds, against those who have done about as well."""
    KNOCKOUT = "knockout"
    """In rounds, and who loses is out."""

    @property
    def in_rounds(self) -> bool:
        """Who meets whom follows from results."""
        return self in (Form.SWISS, Form.KNOCKOUT)


class Restart(StrEnum):
    """When bots are started anew, so that a program cannot know what it saw before."""

    NEVER = "never"
    """A program plays all matches of its bot."""
    MATCH = "match"
    """A program plays one match."""
    LEG = "leg"
    """A program plays one leg of a set; where matches are no legs, all of them."""


@dataclass(frozen=True, slots=True)
class Competition:
    """What a run plays: `sets` sets of `legs` matches at each table, `concurrency` matches at the same time.

    `kind` is what the run is for: `match`, `demo`, `tournament`, `gate`. `challengers` counts for a gauntlet alone,
    `rounds` for a Swiss tournament (None: as many as find one winner), `gate` is what a gate asks.
    """

    kind: str
    game: str
    rules: Rules
    bots: tuple[BotProgram, ...]
    form: Form = Form.SERIES
    challengers: int = 1
    sets: int = 1
    legs: int = 1
    seed: int | None = None
    control: TimeControl = field(default_factory=TimeControl)
    concurrency: int = 1
    gate: GateTerms | None = None
    restart: Restart = Restart.NEVER
    rounds: int | None = None

    @property
    def one_match(self) -> bool:
        """A program plays one match and is started anew."""
        return self.restart is Restart.MATCH or (self.restart is Restart.LEG and self.legs > 1)

    @property
    def names(self) -> tuple[str, ...]:
        """The bots by name, in the order given."""
        return tuple(program.name for program in self.bots)

    @property
    def sides(self) -> tuple[int, ...]:
        """The side of each seat."""
        return find(self.game).sides

    @property
    def tables(self) -> tuple[tuple[str, ...], ...]:
        """Who meets whom."""
        match self.form:
            case Form.SERIES:
                return (self.names,)
            case Form.ROUND_ROBIN | Form.SWISS | Form.KNOCKOUT:
                return round_robin(self.names)  # all that can come to pass
            case Form.GAUNTLET:
                return gauntlet(self.names[: self.challengers], self.names[self.challengers :])

    def plan(self, run: str, results: Iterable[Result] = ()) -> Plan:
        """The matches of the run of that name; those of a form in rounds as far as they follow from `results`."""
        if not self.form.in_rounds:
            return Meetings(self.game, self.sides, self.tables, self.sets, self.legs, run)
        rounds = Rounds(self.game, self.sides, self.legs, run, self._course)
        for result in results:
            rounds.take(
                Ended(
                    result.number,
                    result.attempt,
                    result.termination.void,
                    result.bots,
                    result.winner,
                    result.totals,
                )
            )
        return rounds

    def _course(self, scores: Mapping[int, Scored]) -> Course:
        if self.form is Form.SWISS:
            return swiss(self.names, self.rounds or usual_rounds(len(self.bots)), self.sets, self.legs, scores)
        return knockout(self.names, self.sets, scores)

    @property
    def teams(self) -> tuple[tuple[str, ...], ...]:
        """The bots that play on one side, each such team once."""
        seats = [seating(self.sides, len(table)) for table in self.tables]
        found = [
            members([table[place] for place in places], self.sides)
            for table, places in zip(self.tables, seats, strict=True)
        ]
        return tuple(dict.fromkeys(team for teams in found for team in teams))

    def ladder(self, run: str) -> Ladder:
        """Where the bots are rated; nowhere if they are no two teams, and then no rating is found there."""
        table = self.tables[0]
        kind = kind_of([table[place] for place in seating(self.sides, len(table))], self.sides) or ""
        game = find(self.game)
        return Ladder(run, game.name, game.rules_version, rules_key(rules_to_text(self.rules)), kind)

    @property
    def seats_of_a_bot(self) -> int:
        """How many seats of a match each bot has."""
        return seats_of_a_bot(self.sides, len(self.tables[0]))

    @property
    def streams(self) -> int:
        """How many streams each bot opens: one for each of its seats in each match that is played at the same time."""
        return self.concurrency * self.seats_of_a_bot

    def document(self) -> dict[str, Any]:
        """All of it as JSON."""
        return {
            "kind": self.kind,
            "game": self.game,
            "rules": rules_to_text(self.rules),
            "bots": [program.document() for program in self.bots],
            "form": self.form.value,
            "challengers": self.challengers,
            "sets": self.sets,
            "legs": self.legs,
            "seed": self.seed,
            "time_control": str(self.control),
            "concurrency": self.concurrency,
            "gate": None if self.gate is None else self.gate.document(),
            "restart": self.restart.value,
            "rounds": self.rounds,
        }

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Competition:
        """What `document` gave. Raises ArenaError when this arena does not know the game or its rules."""
        try:
            rules = rules_from_text(find(document["game"]), document["rules"])
        except (UnknownGame, BadRules) as error:
            raise ArenaError(f"this run cannot go on here: {error}") from None
        return cls(
            kind=document["kind"],
            game=document["game"],
            rules=rules,
            bots=tuple(map(BotProgram.of, document["bots"])),
            form=Form(document["form"]),
            challengers=document["challengers"],
            sets=document["sets"],
            legs=document["legs"],
            seed=document["seed"],
            control=TimeControl.parse(document["time_control"]),
            concurrency=document["concurrency"],
            gate=None if document["gate"] is None else GateTerms.of(document["gate"]),
            restart=Restart(document.get("restart", Restart.NEVER)),  # runs of an older arena know none
            rounds=document.get("rounds"),
        )

    def named_as(self, known: Competition) -> Competition:
        """This with its bots called as in `known`, if an earlier arena has called them so after the same commands."""
        names = numbered_names_of([program.argv for program in self.bots])
        if known.names != tuple(names):
            return self
        return replace(self, bots=tuple(replace(bot, name=name) for bot, name in zip(self.bots, names, strict=True)))

    def differences(self, other: Competition) -> Iterator[str]:
        """What another would change of this run, a line each; how long it is and how many at once may change."""
        mine, theirs = ({bot.name: bot for bot in competition.bots} for competition in (self, other))
        if self.names != other.names:
            yield f"its bots are {', '.join(self.names)}, not {', '.join(other.names)}"
        else:
            for name, program in mine.items():
                if theirs[name] != program:
                    yield f"bot {name} is started by {program.in_words}, not by {theirs[name].in_words}"
        for name, value in self._fixed().items():
            changed = other._fixed()[name]
            if changed != value:
                yield f"its {name} is {value}, not {changed}"
        if self.game == other.game:
            for option, setting in self.rules.items():
                if other.rules[option] != setting:
                    yield f"its option {option} is {setting}, not {other.rules[option]}"

    def _fixed(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "game": self.game,
            "form": self.form.value,
            "number of challengers": self.challengers,
            "number of rounds": self.rounds,
            "number of sets": self.sets if self.form.in_rounds else None,  # what comes later has its numbers from it
            "number of legs": self.legs,
            "seed": self.seed,
            "restart": self.restart.value,
            "time control": str(self.control),
            "test": None if self.gate is None else self.gate.in_words,
        }

    def lengthened(self, other: Competition) -> Competition:
        """This run with what of it may change as another has it."""
        return replace(self, sets=other.sets, concurrency=other.concurrency)


def to_text(competition: Competition) -> str:
    """A competition as it is kept."""
    return json.dumps(competition.document(), sort_keys=True)


def from_text(text: str) -> Competition:
    """The competition that was kept. Raises ArenaError when it cannot go on here."""
    try:
        return Competition.of(json.loads(text))
    except (ValueError, LookupError, TypeError, AttributeError):
        raise ArenaError(
            f"this run cannot go on: the record says {shortened(text)!r} of what it plays; begin another --run"
        ) from None
