"""Knockout: who loses is out. Seeded by the order given, the first bots rest where the number is no power of two."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from arena.schedule.rounds import Course, Meeting, Scores, Table

EXTRA: Final = 8
"""So many more sets are played at a table that stays drawn; then the bot that was given first goes on."""


def knockout(bots: Sequence[str], sets: int, scores: Scores) -> Course:
    """How it goes on: `sets` sets at each table, the better bot to the next round, until one is left.

    A table is decided by the sets' half points, then by points scored, then by one more set after another.
    """
    course, seeds, first = Course(), {bot: place for place, bot in enumerate(bots)}, Counter[str]()
    alive = [tuple(bots[place : place + 1]) for place in bracket(len(bots))]  # nobody where nobody is seeded
    while len(alive) > 1:
        meeting = [one + other for one, other in zip(alive[::2], alive[1::2], strict=True)]
        tables = [_seated(*pair, first, seeds) for pair in meeting if len(pair) == 2]
        winners = _round(course, tables, sets, scores, seeds)
        if winners is None:
            course.still = (sum(map(len, alive)) - 1 - len(tables)) * sets
            return course
        first.update(table[0] for table in tables)
        alive = [(winners[frozenset(pair)],) if len(pair) == 2 else pair for pair in meeting]
    course.winner = alive[0][0]
    return course


def bracket(bots: int) -> list[int]:
    """The places of the seeds, from 0, such that the first two can only meet in the end; beyond `bots` nobody is."""
    places = [0]
    while len(places) < bots:
        size = 2 * len(places)
        places = [place for seed in places for place in (seed, size - 1 - seed)]
    return places


def _seated(one: str, other: str, first: Counter[str], seeds: dict[str, int]) -> Table:
    """Who has sat first less often does now."""
    low, high = sorted((one, other), key=lambda bot: (first[bot], seeds[bot]))
    return low, high


def _round(
    course: Course, tables: Sequence[Table], sets: int, scores: Scores, seeds: dict[str, int]
) -> dict[frozenset[str], str] | None:
    """The winner of each table; None while a set that is known has not ended."""
    totals = dict.fromkeys(tables, (0, 0))
    drawn, turns = list(tables), range(sets)
    while drawn and turns.start < sets + EXTRA:
        stage = course.add([Meeting(table, turn) for turn in turns for table in drawn])
        if any(place not in scores for place in stage):
            return None
        for place in stage:
            table, scored = course.sets[place].table, scores[place]
            ahead, points = totals[table]
            totals[table] = ahead + scored.ahead, points + scored.points
        drawn = [table for table in drawn if totals[table] == (0, 0)]
        turns = range(turns.stop, turns.stop + 1)
    return {frozenset(table): _winner(table, total, seeds) for table, total in totals.items()}


def _winner(table: Table, total: tuple[int, int], seeds: dict[str, int]) -> str:
    if total == (0, 0):
        return min(table, key=seeds.__getitem__)
    return table[0] if total > (0, 0) else table[1]
