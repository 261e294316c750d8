"""What goes into the store and comes out of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from arena.ratings import Leg, Rating, kind_of
from arena.v1 import replay_pb2
from arena.wire import termination_from_proto
from engine.states import Termination


@dataclass(frozen=True, slots=True)
class Run:
    """A run: a ladder, a tournament, a local match. Ratings belong to it.

    `settings` is what it plays, as JSON; empty for a ladder, which plays whoever comes.
    """

    name: str
    kind: str
    seeded: bool
    created_ms: int
    settings: str = ""


class Player(NamedTuple):
    """Who had a seat: the bot, its side, what it said that its software is.

    `actions` is how many it took, `rejected` how many of its answers were refused with a strike.
    """

    bot: str
    side: int
    software: str = ""
    actions: int = 0
    rejected: int = 0


class Ladder(NamedTuple):
    """What a rating is a rating in."""

    run: str
    game: str
    rules_version: int
    rules: str
    kind: str


@dataclass(frozen=True, slots=True)
class Result:
    """An ended match, as it stands in the record. Its fields are those of ReplayHeader and LoggedEnd.

    `rules` is the text of `rules_key`; `players` stand by seat; `seq` is the match's place in the log, 0 before it has
    one.
    """

    run: str
    match_id: str
    number: int
    game: str
    rules_version: int
    rules: str
    players: tuple[Player, ...]
    termination: Termination
    winner: int | None
    at_fault: int | None
    totals: tuple[int, ...]
    deals: int
    offered_ms: int
    ended_ms: int
    log_hash: bytes
    set_id: str
    leg: int = 1
    legs: int = 1
    attempt: int = 0
    rated: bool = True
    seq: int = 0

    @property
    def name(self) -> str:
        """The match as lists and commands name it: `RUN/MATCH`."""
        return f"{self.run}/{self.match_id}"

    @property
    def bots(self) -> tuple[str, ...]:
        """The bots by seat."""
        return tuple(player.bot for player in self.players)

    @property
    def ladder(self) -> Ladder | None:
        """Where it counts; None if nowhere, as a pair against single bots."""
        kind = kind_of(self.bots, [player.side for player in self.players])
        return None if kind is None else Ladder(self.run, self.game, self.rules_version, self.rules, kind)

    @property
    def as_leg(self) -> Leg:
        """The match as ratings see it; one that is not rated counts as little as a void one."""
        void = self.termination.void or not self.rated
        return Leg(self.bots, tuple(player.side for player in self.players), self.winner, void)

    @classmethod
    def from_log(
        cls,
        header: replay_pb2.ReplayHeader,
        ended: replay_pb2.LoggedEnd,
        *,
        sides: Sequence[int],
        ended_ms: int,
        log_hash: bytes,
        actions: Sequence[int] | None = None,
        rejected: Sequence[int] | None = None,
    ) -> Result:
        """The result that a log tells. `sides` are the game's, `actions` and `rejected` counts by seat, zeros by
        default. `log_hash` is the head of the log's chain.

        Raises ValueError when the log names no termination.
        """
        termination = termination_from_proto(ended.termination)
        if termination is None:
            raise ValueError(f"the log of match {header.match_id} does not say why it ended")
        nothing = (0,) * len(sides)
        return cls(
            run=header.run,
            match_id=header.match_id,
            number=header.number,
            game=header.game,
            rules_version=header.rules_version,
            rules=rules_key(header.rules),
            players=tuple(
                Player(place.bot, side, place.software, taken, refused)
                for place, side, taken, refused in zip(
                    header.seats, sides, actions or nothing, rejected or nothing, strict=True
                )
            ),
            termination=termination,
            winner=ended.winner if ended.HasField("winner") else None,
            at_fault=ended.at_fault if ended.HasField("at_fault") else None,
            totals=tuple(ended.totals),
            deals=ended.deals_complete,
            offered_ms=header.offered_unix_ms,
            ended_ms=ended_ms,
            log_hash=log_hash,
            set_id=header.set_id,
            leg=header.leg,
            legs=header.legs,
            attempt=header.attempt,
            rated=header.rated,
        )


@dataclass(frozen=True, slots=True)
class RatingChange:
    """What a closed set did to a bot's live Elo, in thousandths of a point."""

    bot: str
    before_milli: int
    after_milli: int


@dataclass(frozen=True, slots=True)
class Standing:
    """A bot's rating on a ladder."""

    ladder: Ladder
    bot: str
    rating: Rating


@dataclass(frozen=True, slots=True)
class Tally:
    """How a bot's matches in a run ended for it."""

    bot: str
    won: int
    drawn: int
    lost: int
    void: int


def rules_key(rules: Mapping[str, str]) -> str:
    """One text for one set of rules: compact JSON with sorted names, every value as text."""
    return json.dumps(dict(rules), sort_keys=True, separators=(",", ":"))
