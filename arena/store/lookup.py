"""Finding things in the database by what a person writes, and counting them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection, func, select

from arena.due import Ended
from arena.errors import Ambiguous, NotFound
from arena.ratings import Rating
from arena.store.results import all_results, read_result, termination_of
from arena.store.rows import Ladder, Result, Run, Standing, Tally
from arena.store.schema import matches, ratings, runs
from engine.states import Termination

_LAST = chr(0x10FFFF)


def find_match(connection: Connection, text: str, folder: Path) -> Result:
    """The match that `text` names: its id or the beginning of it, alone or after its run and a slash.

    Raises NotFound, or Ambiguous with the full names that it could be.
    """
    run, slash, wanted = text.rpartition("/")
    where = [matches.c.run == run] if slash else []
    names = select(matches.c.run, matches.c.match_id).order_by(matches.c.seq)
    found = connection.execute(names.where(*where, matches.c.match_id == wanted)).all()
    if not found and wanted:
        beginning = matches.c.match_id.between(wanted, wanted + _LAST)
        found = connection.execute(names.where(*where, beginning).limit(1000)).all()
    if not found:
        raise NotFound(f"no match {text} in {folder}: 'arena replay list' shows those that there are")
    if len(found) > 1:
        raise Ambiguous(text, [f"{row.run}/{row.match_id}" for row in found])
    result = read_result(connection, found[0].run, found[0].match_id)
    if result is None:
        raise NotFound(f"no match {text} in {folder}")
    return result


def read_runs(connection: Connection) -> list[Run]:
    """Every run, oldest first."""
    rows = connection.execute(select(runs).order_by(runs.c.created_ms, runs.c.run))
    return [Run(row.run, row.kind, row.seeded, row.created_ms, row.settings) for row in rows]


def free_name(connection: Connection, kind: str) -> str:
    """The next name for a run of this kind: `match-1`, `match-2`, ..."""
    taken = connection.scalars(select(runs.c.run).where(runs.c.run.startswith(f"{kind}-", autoescape=True)))
    numbers = [name.removeprefix(f"{kind}-") for name in taken]
    return f"{kind}-{1 + max((int(text) for text in numbers if text.isascii() and text.isdigit()), default=0)}"


def highest_number(connection: Connection, run: str) -> int:
    """The highest number of an ended match of a run, 0 if there is none."""
    highest = select(func.coalesce(func.max(matches.c.number), 0)).where(matches.c.run == run)
    return connection.scalar(highest) or 0


def read_ended(connection: Connection, run: str) -> Iterator[Ended]:
    """The matches of a run that have ended, attempt after attempt."""
    found = select(matches.c.number, matches.c.attempt, matches.c.termination).where(matches.c.run == run)
    for row in connection.execute(found.order_by(matches.c.attempt, matches.c.seq)).yield_per(1000):
        yield Ended(row.number, row.attempt, termination_of(row.termination).void)


def count_terminations(connection: Connection, run: str | None) -> Counter[Termination]:
    """How many matches ended in which way; the counts add up to the matches."""
    found = select(matches.c.termination, func.count()).group_by(matches.c.termination)
    if run is not None:
        found = found.where(matches.c.run == run)
    return Counter({termination_of(ending): count for ending, count in connection.execute(found).all()})


def tally(connection: Connection, run: str) -> list[Tally]:
    """How the matches of a run ended for each bot, by name; a bot with several seats of a side counts once.

    A match of a set that has a void leg counts as void.
    """
    void = matches.c.termination.startswith("void")
    voided = set(connection.scalars(select(matches.c.set_id).where(matches.c.run == run, matches.c.legs > 1, void)))
    counts: dict[str, Counter[str]] = {}
    for result in all_results(connection, run):
        for bot, side in dict.fromkeys((player.bot, player.side) for player in result.players):
            counts.setdefault(bot, Counter())["void" if result.set_id in voided else _outcome(result, side)] += 1
    return [
        Tally(bot, **{name: count[name] for name in ("won", "drawn", "lost", "void")})
        for bot, count in sorted(counts.items())
    ]


def _outcome(result: Result, side: int) -> str:
    if result.termination.void:
        return "void"
    if result.winner is None:
        return "drawn"
    return "won" if result.winner == side else "lost"


def read_ratings(connection: Connection, run: str | None, game: str | None) -> list[Standing]:
    """Ratings by ladder, best first in each; equal ones by name."""
    columns = ratings.c
    found = select(ratings).order_by(
        columns.run,
        columns.game,
        columns.rules_version,
        columns.rules,
        columns.kind,
        columns.milli.desc(),
        columns.bot,
    )
    if run is not None:
        found = found.where(columns.run == run)
    if game is not None:
        found = found.where(columns.game == game)
    return [
        Standing(
            Ladder(row.run, row.game, row.rules_version, row.rules, row.kind), row.bot, Rating(row.milli, row.matches)
        )
        for row in connection.execute(found)
    ]
