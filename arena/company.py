"""Who can sit down together, of the lanes that wait.

Rated is a table of single bots, where nobody has two seats, or of pairs, where each bot has all seats of a side
(`arena.ratings.kind_of`); where a side is one seat the two are the same. A mixed table, a pair against single bots, is
not rated. Nobody ever sits on two sides.

`waiting` are lanes that play the game, the longest waiting first, with `first` among them; the answers are lanes by
seat, or None where there are too few.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from arena.session import Lane


def rated_table(first: Lane, waiting: Sequence[Lane], sides: Sequence[int], number: int) -> tuple[Lane, ...] | None:
    """A rated table with `first` and those that have waited longest. At one of single bots partners are drawn by lot,
    a lot that depends on the match's `number` alone.
    """
    since = {lane: place for place, lane in enumerate(waiting)}
    tables = [found for found in (_singles(first, waiting, sides, number), _pairs(first, waiting, sides)) if found]
    return min(tables, key=lambda table: sorted(since[lane] for lane in table), default=None)


def mixed_table(first: Lane, waiting: Sequence[Lane], sides: Sequence[int]) -> tuple[Lane, ...] | None:
    """Any table with `first`, on the first seat. Meant for fewer bots than seats: it tries everything."""
    lanes: dict[str, list[Lane]] = {first.bot: [first]}
    for lane in waiting:
        if lane is not first:
            lanes.setdefault(lane.bot, []).append(lane)
    return _fill((first,), lanes, sides)


def _fill(seated: tuple[Lane, ...], lanes: dict[str, list[Lane]], sides: Sequence[int]) -> tuple[Lane, ...] | None:
    if len(seated) == len(sides):
        return seated
    for bot, own in lanes.items():
        places = [seat for seat, lane in enumerate(seated) if lane.bot == bot]
        if len(places) < len(own) and all(sides[seat] == sides[len(seated)] for seat in places):
            table = _fill((*seated, own[len(places)]), lanes, sides)
            if table is not None:
                return table
    return None


def _singles(first: Lane, waiting: Sequence[Lane], sides: Sequence[int], number: int) -> tuple[Lane, ...] | None:
    table = {first.bot: first}
    for lane in waiting:
        if len(table) < len(sides):
            table.setdefault(lane.bot, lane)
    if len(table) < len(sides):
        return None
    seated = list(table.values())
    if len(set(sides)) < len(sides):
        # Else the same bots, which come back in the order of their seats, would be partners for ever.
        Random(number).shuffle(seated)  # noqa: S311 - who sits where is no secret
    return tuple(seated)


def _pairs(first: Lane, waiting: Sequence[Lane], sides: Sequence[int]) -> tuple[Lane, ...] | None:
    count = len(set(sides))
    size = len(sides) // count
    if size == 1:
        return None
    found: dict[str, list[Lane]] = {first.bot: [first]}
    for lane in waiting:
        if lane is not first and len(found.setdefault(lane.bot, [])) < size:
            found[lane.bot].append(lane)
    whole = [team for team in found.values() if len(team) == size]
    if len(found[first.bot]) < size or len(whole) < count:
        return None
    since = {lane: place for place, lane in enumerate(waiting)}
    teams = [whole[0], *sorted(whole[1:], key=lambda team: since[team[-1]])[: count - 1]]
    return tuple(teams[side][list(sides[:seat]).count(side)] for seat, side in enumerate(sides))
