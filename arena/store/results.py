"""Results in the database: written once, read by id, by page and by set."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Row, bindparam, insert, select

from arena.errors import shortened
from arena.store.complaints import UnreadableRow
from arena.store.rows import Player, RatingChange, Result
from arena.store.schema import matches, rating_changes, replays, seats
from engine.states import Termination

_CHUNK: Final = 500


# Statements of the way that every match goes are made once: making them anew costs more than running them.
_INSERT_MATCH: Final = insert(matches)
_INSERT_SEATS: Final = insert(seats)
_INSERT_REPLAY: Final = insert(replays)
_LOG_HASH: Final = select(matches.c.log_hash).where(
    matches.c.run == bindparam("run"), matches.c.match_id == bindparam("match_id")
)


def write_result(connection: Connection, result: Result, packed: bytes) -> int:
    """Add a match to the log, and give its place in it."""
    row = {column.name: getattr(result, column.name) for column in matches.c if column.name != "seq"}
    row |= {"termination": result.termination.value, "totals": json.dumps(result.totals)}
    key = connection.execute(_INSERT_MATCH, row).inserted_primary_key
    seq = int(key[0]) if key is not None else 0
    places = [{"seq": seq, "seat": seat, **player._asdict()} for seat, player in enumerate(result.players)]
    connection.execute(_INSERT_SEATS, places)
    connection.execute(_INSERT_REPLAY, {"seq": seq, "packed": packed})
    return seq


def recorded_hash(connection: Connection, result: Result) -> bytes | None:
    """The log hash of a match that is in the log already, None if it is not."""
    found: bytes | None = connection.scalar(_LOG_HASH, {"run": result.run, "match_id": result.match_id})
    return found


def read_result(connection: Connection, run: str, match_id: str) -> Result | None:
    """The match of that id in that run."""
    return next(_read(connection, [matches.c.run == run, matches.c.match_id == match_id]), None)


def numbered_result(connection: Connection, run: str, number: int, attempt: int) -> Result | None:
    """The match of that number and attempt in that run."""
    wanted = [matches.c.run == run, matches.c.number == number, matches.c.attempt == attempt]
    return next(_read(connection, wanted), None)


def results_of_set(connection: Connection, run: str, set_id: str) -> list[Result]:
    """The legs of a set that have ended, in the order in which they ended."""
    return list(_read(connection, [matches.c.run == run, matches.c.set_id == set_id]))


def newest_results(
    connection: Connection, *, run: str | None, bot: str | None, before: int | None, limit: int
) -> list[Result]:
    """A page of the log, newest first: matches before place `before` in it."""
    wanted: list[ColumnElement[bool]] = []
    if run is not None:
        wanted.append(matches.c.run == run)
    if before is not None:
        wanted.append(matches.c.seq < before)
    if bot is not None:
        wanted.append(matches.c.seq.in_(select(seats.c.seq).where(seats.c.bot == bot)))
    return list(_read(connection, wanted, newest=True, limit=limit))


def all_results(connection: Connection, run: str | None) -> Iterator[Result]:
    """The log, oldest first, of one run or of all; read bit by bit."""
    last = 0
    own = [matches.c.run == run] if run is not None else []
    while True:
        page = list(_read(connection, [*own, matches.c.seq > last], limit=_CHUNK))
        yield from page
        if len(page) < _CHUNK:
            return
        last = page[-1].seq


def changes_of(connection: Connection, result: Result) -> list[RatingChange]:
    """What the end of this match did to ratings, in seat order; empty unless it closed a rated set."""
    found = select(rating_changes).where(rating_changes.c.seq == result.seq)
    changes = {row.bot: RatingChange(row.bot, row.before_milli, row.after_milli) for row in connection.execute(found)}
    return [changes[bot] for bot in dict.fromkeys(result.bots) if bot in changes]


def _read(
    connection: Connection, wanted: Iterable[ColumnElement[bool]], *, newest: bool = False, limit: int | None = None
) -> Iterator[Result]:
    order = matches.c.seq.desc() if newest else matches.c.seq.asc()
    rows = connection.execute(select(matches).where(*wanted).order_by(order).limit(limit)).all()
    players: dict[int, list[Player]] = {row.seq: [] for row in rows}
    for start in range(0, len(rows), _CHUNK):
        some = [row.seq for row in rows[start : start + _CHUNK]]
        places = select(seats).where(seats.c.seq.in_(some)).order_by(seats.c.seq, seats.c.seat)
        for place in connection.execute(places):
            players[place.seq].append(Player(place.bot, place.side, place.software, place.actions, place.rejected))
    return (_result(row, tuple(players[row.seq])) for row in rows)


def _result(row: Row[Any], players: tuple[Player, ...]) -> Result:
    values = row._asdict()
    check_rules(row.rules)
    totals = from_json(row.totals)
    if not isinstance(totals, list) or any(type(points) is not int for points in totals):
        raise UnreadableRow(f"match {row.match_id} has totals that are none: {row.totals!r}")
    values.update(players=players, termination=termination_of(row.termination), totals=tuple(totals))
    result = Result(**values)
    sides = {player.side for player in players}
    told = result.termination.void or sides == set(range(len(totals)))
    if not told or result.winner not in (None, *sides):
        raise UnreadableRow(f"match {row.match_id} has seats, totals and a winner that do not fit together")
    if result.at_fault not in (None, *range(len(players))):
        raise UnreadableRow(f"match {row.match_id} was lost by seat {result.at_fault}, which it does not have")
    return result


def from_json(text: str) -> Any:
    """What a JSON text says; None if it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


@lru_cache(maxsize=64)
def check_rules(text: str) -> None:
    """Raise UnreadableRow unless the text is one that `rules_key` gives."""
    rules = from_json(text)
    if not isinstance(rules, dict) or any(not isinstance(value, str) for value in rules.values()):
        raise UnreadableRow(f"a row of its database has rules that are none: {shortened(text)!r}")


def termination_of(text: str) -> Termination:
    """How a recorded match ended. Raises UnreadableRow when it is no way that this arena knows."""
    try:
        return Termination(text)
    except ValueError:
        raise UnreadableRow(f"a match is recorded that ended by {text!r}: use a newer arena") from None
