"""Live ratings in the database: brought forward with every set that closes, or computed again from the whole log.

Both ways end in `settle`, which knows nothing of a database.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from sqlalchemy import Connection, bindparam, delete, insert, select
from sqlalchemy.dialects.sqlite import insert as upsert

from arena.ratings import Rating, rate_set
from arena.store.results import all_results, results_of_set
from arena.store.rows import Ladder, RatingChange, Result
from arena.store.schema import matches, rating_changes, ratings

Lookup: TypeAlias = Callable[[Ladder, Collection[str]], Mapping[str, Rating]]

# Statements of the way that every match goes are made once: making them anew costs more than running them.
_SELECT_RATINGS: Final = select(ratings.c.bot, ratings.c.milli, ratings.c.matches).where(
    *(ratings.c[name] == bindparam(name) for name in Ladder._fields),
    ratings.c.bot.in_(bindparam("bots", expanding=True)),
)
_FRESH: Final = upsert(ratings)
_UPSERT_RATING: Final = _FRESH.on_conflict_do_update(
    index_elements=list(ratings.primary_key),
    set_={"milli": _FRESH.excluded.milli, "matches": _FRESH.excluded.matches},
)
_INSERT_CHANGE: Final = insert(rating_changes)


def settle(legs: Sequence[Result], known: Lookup) -> tuple[Ladder, dict[str, Rating], list[RatingChange]] | None:
    """What a closed set does to its ladder: the new ratings and the changes, in seat order. None if it is not rated."""
    ladders = {leg.ladder for leg in legs}
    ladder = ladders.pop()
    if ladder is None or ladders:
        return None
    before = known(ladder, set(legs[0].bots))
    after = rate_set(before, [leg.as_leg for leg in legs])
    if not after:
        return None
    changes = [
        RatingChange(bot, before.get(bot, Rating()).milli, after[bot].milli) for bot in dict.fromkeys(legs[-1].bots)
    ]
    return ladder, after, changes


def bring_forward(connection: Connection, result: Result) -> list[RatingChange]:
    """Rate the set that `result` closes, if it closes one and is rated."""
    legs = [result] if result.legs == 1 else results_of_set(connection, result.run, result.set_id)
    if len(legs) != result.legs:
        return []
    settled = settle(legs, lambda ladder, bots: _ratings_of(connection, ladder, bots))
    if settled is None:
        return []
    ladder, after, changes = settled
    _write_ratings(connection, ladder, after)
    connection.execute(_INSERT_CHANGE, _change_rows(result.seq, changes))
    return changes


def rebuild(connection: Connection, run: str | None) -> int:
    """Compute the ratings of a run, or of all, again from the log. Gives the number of sets that were rated."""
    own = matches.c.run == run if run is not None else matches.c.run.is_not(None)
    connection.execute(delete(rating_changes).where(rating_changes.c.seq.in_(select(matches.c.seq).where(own))))
    connection.execute(delete(ratings).where(ratings.c.run == run if run is not None else ratings.c.run.is_not(None)))
    table: dict[Ladder, dict[str, Rating]] = {}
    rated = 0
    rows: list[dict[str, int | str]] = []
    for legs in _closed_sets(all_results(connection, run)):
        settled = settle(legs, lambda ladder, _bots: table.setdefault(ladder, {}))
        if settled is not None:
            ladder, after, changes = settled
            rows += _change_rows(legs[-1].seq, changes)
            table[ladder].update(after)
            rated += 1
    if rows:
        connection.execute(_INSERT_CHANGE, rows)
    for ladder, bots in table.items():
        if bots:
            _write_ratings(connection, ladder, bots)
    return rated


def _closed_sets(log: Iterable[Result]) -> Iterable[Sequence[Result]]:
    """The sets of the log in the order in which they closed, each with its legs in the order in which these ended."""
    unfinished: dict[tuple[str, str], list[Result]] = {}
    for result in log:
        key = (result.run, result.set_id)
        legs = unfinished.setdefault(key, [])
        legs.append(result)
        if len(legs) == result.legs:
            yield unfinished.pop(key)


def _ratings_of(connection: Connection, ladder: Ladder, bots: Collection[str]) -> dict[str, Rating]:
    found = connection.execute(_SELECT_RATINGS, {**ladder._asdict(), "bots": sorted(bots)})
    return {row.bot: Rating(row.milli, row.matches) for row in found}


def _write_ratings(connection: Connection, ladder: Ladder, after: Mapping[str, Rating]) -> None:
    rows = [
        {**ladder._asdict(), "bot": bot, "milli": rating.milli, "matches": rating.matches}
        for bot, rating in after.items()
    ]
    connection.execute(_UPSERT_RATING, rows)


def _change_rows(seq: int, changes: Sequence[RatingChange]) -> list[dict[str, int | str]]:
    return [
        {"seq": seq, "bot": change.bot, "before_milli": change.before_milli, "after_milli": change.after_milli}
        for change in changes
    ]
