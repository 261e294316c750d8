"""Rounds: who meets next follows from who has won. A plan that grows, as a function of settings and results alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from arena.schedule.meetings import apart
from arena.schedule.pairing import Pairing
from engine.seating import seating

Table: TypeAlias = tuple[str, str]


class Scored(NamedTuple):
    """A set that has ended: by how many half points and by how many points the first bot of its table was ahead."""

    ahead: int
    points: int


class Meeting(NamedTuple):
    """One set: the table, and how often its bots have changed sides before."""

    table: Table
    turn: int = 0


Scores: TypeAlias = Mapping[int, Scored]
"""The sets that have ended, by their place in the run, from 0."""


@dataclass(slots=True)
class Course:
    """A tournament as far as it is known: its sets in order, in stages that begin one after the other.

    `still` is how many sets are to come at least that are not known yet, `winner` who has won where one does.
    """

    sets: list[Meeting] = field(default_factory=list)
    stages: list[range] = field(default_factory=list)
    still: int = 0
    winner: str | None = None

    def add(self, meetings: Sequence[Meeting]) -> range:
        """Another stage; gives the places of its sets."""
        stage = range(len(self.sets), len(self.sets) + len(meetings))
        self.sets += meetings
        self.stages.append(stage)
        return stage


class Ended(NamedTuple):
    """A match that has ended: `bots` by seat, `winner` as a side, the points of both sides."""

    number: int
    attempt: int
    void: bool
    bots: tuple[str, ...]
    winner: int | None
    totals: tuple[int, ...]


class Rounds:
    """The plan of a tournament in rounds: `course_of` says how it goes on from what has ended.

    Numbers have no gaps: a stage begins when all sets before it have ended, with the number after theirs. In a stage
    the legs are apart and in an order that `key` settles, as in `Meetings`.
    """

    def __init__(
        self, game: str, sides: Sequence[int], legs: int, key: str, course_of: Callable[[Scores], Course]
    ) -> None:
        self.legs = legs
        self._game = game
        self._sides = tuple(sides)
        self._key = key
        self._course_of = course_of
        self._legs: defaultdict[tuple[int, int], dict[int, Ended]] = defaultdict(dict)
        self._scores: dict[int, Scored] = {}
        self.course = course_of({})
        self._begun = 0

    @property
    def matches(self) -> int:
        """How many there are, or will be at least."""
        return (len(self.course.sets) + self.course.still) * self.legs

    def pairing(self, number: int) -> Pairing:
        """The match of that number, of a set that is known."""
        place, leg = divmod(number - 1, self.legs)
        table, turn = self.course.sets[place]
        bots = tuple(table[seat] for seat in seating(self._sides, len(table), turn + leg))
        return Pairing(number, self._game, bots, leg=leg + 1, legs=self.legs)

    def order(self) -> Iterator[int]:
        """The numbers of all stages that are known."""
        self._begun = len(self.course.stages)
        for stage in self.course.stages:
            yield from apart(stage, self.legs, self._key)

    def more(self) -> Iterator[int] | None:
        """The numbers of the next stage, once it is known; None until then, and when none is to come."""
        if self._begun == len(self.course.stages):
            return None
        self._begun += 1
        return apart(self.course.stages[self._begun - 1], self.legs, self._key)

    def take(self, ended: Ended) -> None:
        """A match has ended."""
        place, leg = divmod(ended.number - 1, self.legs)
        if ended.void or place >= len(self.course.sets):
            return
        legs = self._legs[place, ended.attempt]
        legs[leg] = ended
        if len(legs) == self.legs:
            del self._legs[place, ended.attempt]
            first = self.course.sets[place].table[0]
            self._scores[place] = _scored(legs.values(), first)
            if all(known in self._scores for known in self.course.stages[-1]):  # only then there is more to know
                self.course = self._course_of(self._scores)


def _scored(legs: Iterable[Ended], first: str) -> Scored:
    ahead = points = 0
    for leg in legs:
        own = 0 if leg.bots[0] == first else 1  # seat 0 is on side 0, and a bot has all seats of its side
        ahead += 0 if leg.winner is None else 2 if leg.winner == own else -2
        points += leg.totals[own] - leg.totals[1 - own]
    return Scored(ahead, points)
