"""Swiss: everybody plays every round, against somebody who has done about as well."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil, log2

from arena.schedule.rounds import Course, Meeting, Scores, Table


def usual_rounds(bots: int) -> int:
    """As many as find one winner, if all have one."""
    return max(1, ceil(log2(bots))) if bots > 1 else 1


@dataclass(slots=True)
class _Table:
    """How things stand: half points, points scored more, who has met whom, byes, and seats 0 less other seats."""

    bots: Sequence[str]
    halves: Counter[str] = field(default_factory=Counter)
    points: Counter[str] = field(default_factory=Counter)
    met: Counter[frozenset[str]] = field(default_factory=Counter)
    byes: Counter[str] = field(default_factory=Counter)
    first: Counter[str] = field(default_factory=Counter)

    def ranked(self) -> list[str]:
        """The bots, the best first; who is given first is better among equals."""
        return sorted(self.bots, key=lambda bot: (-self.halves[bot], -self.points[bot]))


def swiss(bots: Sequence[str], rounds: int, sets: int, legs: int, scores: Scores) -> Course:
    """How it goes on: in each round everybody plays `sets` sets of `legs` matches at one table.

    Nobody meets a bot again, or has a second bye, as long as that can be avoided; apart from that those meet who are
    closest by score. Of an odd number one has a bye, which is worth as much as to win all sets.
    """
    course, table = Course(), _Table(bots)
    for number in range(rounds):
        tables, bye = _paired(table, number)
        stage = course.add([Meeting(each, turn) for turn in range(sets) for each in tables])
        course.still = (rounds - number - 1) * len(stage)
        if any(place not in scores for place in stage):
            return course
        if bye is not None:
            table.byes[bye] += 1
            table.halves[bye] += 2 * legs * sets
        for each in tables:
            table.met[frozenset(each)] += 1
            if sets * legs % 2:
                table.first.update({each[0]: 1, each[1]: -1})
        for place in stage:
            (one, other), scored = course.sets[place].table, scores[place]
            table.halves.update({one: legs + scored.ahead // 2, other: legs - scored.ahead // 2})
            table.points.update({one: scored.points, other: -scored.points})
    return course


def _paired(table: _Table, number: int) -> tuple[list[Table], str | None]:
    """The tables of a round, the leaders' first, and who has a bye."""
    import networkx as nx  # noqa: PLC0415 (0.2 s that every other command does without)

    ranked = table.ranked()
    bye = len(ranked) if len(ranked) % 2 else None
    graph: nx.Graph[int] = nx.Graph()
    places = [*range(len(ranked)), *([] if bye is None else [bye])]
    scale = _Scale(len(places), (max(table.halves.values(), default=0) - min(table.halves.values(), default=0)) ** 2)
    for one in places:
        for other in places[one + 1 :]:
            graph.add_edge(one, other, weight=scale.cost(table, ranked, one, other))
    pairs = sorted(tuple(sorted(pair)) for pair in nx.min_weight_matching(graph))
    tables = [_seated(table, ranked[one], ranked[other], number) for one, other in pairs if other != bye]
    return tables, next((ranked[one] for one, other in pairs if other == bye), None)


@dataclass(frozen=True, slots=True)
class _Scale:
    """Whole numbers that compare like tuples: meeting again first, then seats, distance by score, distance by rank."""

    places: int
    farthest: int

    def cost(self, table: _Table, ranked: Sequence[str], one: int, other: int) -> int:
        """What it costs that these meet; the place after the last rank is the bye's."""
        bot = ranked[one]
        if other == len(ranked):
            again, clash, apart = table.byes[bot], False, (table.halves[bot] - table.halves[ranked[-1]]) ** 2
        else:
            rival = ranked[other]
            again, apart = table.met[frozenset((bot, rival))], (table.halves[bot] - table.halves[rival]) ** 2
            leans = table.first[bot], table.first[rival]
            clash = min(leans) >= 2 or max(leans) <= -2
        by_score = self.places**2 + 1
        by_seat = by_score * (self.places * max(self.farthest, 1) + 1)
        by_meeting = by_seat * (self.places + 1)
        return by_meeting * again**2 + by_seat * clash + by_score * apart + other - one


def _seated(table: _Table, one: str, other: str, number: int) -> Table:
    """Who has sat first less often does now, and among equals the better one in every other round."""
    if table.first[one] == table.first[other]:
        return (one, other) if number % 2 == 0 else (other, one)
    return (one, other) if table.first[one] < table.first[other] else (other, one)
