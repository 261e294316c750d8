"""The store: the record of a data folder, for one arena that writes and any number of readers beside it."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from sqlalchemy import Connection, Engine, insert, select, update
from sqlalchemy.exc import IntegrityError

from arena.due import Due
from arena.errors import ArenaError, NotFound, nearest
from arena.store import ledger, lookup, results
from arena.store.complaints import UnreadableRow, complaints
from arena.store.folder import DATABASE, Hold, connect, copy_database
from arena.store.rows import RatingChange, Result, Run, Standing, Tally
from arena.store.schema import replays, runs
from arena.store.upgrade import bring_up, is_current
from engine.states import Termination

_NAMED: Final = 8
"""Runs that a complaint names at most."""


class Store:
    """An open data folder. Every method may be called from any thread; writers wait for each other.

    `upgraded` is the copy that was made of an older database before it was brought up to date, else None.
    """

    def __init__(self, folder: Path, engine: Engine, hold: Hold | None, upgraded: Path | None) -> None:
        self.folder = folder
        self.upgraded = upgraded
        self._engine = engine
        self._hold = hold
        self._writing = threading.Lock()

    @classmethod
    def open(cls, folder: Path, *, hold: bool) -> Store:
        """Open a data folder: with `hold` to write, as the only one; without it to read, beside a running arena too.

        Raises DataFolderHeld, DataFolderNewer, BadDataFolder; NotFound when there is nothing to read.
        """
        lock = Hold(folder) if hold else None
        upgraded = None
        try:
            with complaints(folder):
                engine = connect(folder, write=hold)
            try:
                with complaints(folder):
                    if hold and not is_current(engine, folder):
                        upgraded = bring_up(engine, folder)
                    elif not hold and not is_current(engine, folder):
                        upgraded = _bring_up_for_reading(folder)
            except BaseException:
                engine.dispose()
                raise
        except BaseException:
            if lock is not None:
                lock.release()
            raise
        return cls(folder, engine, lock, upgraded)

    def close(self) -> None:
        """Close the database and let the folder go; a second time does nothing."""
        self._engine.dispose()
        if self._hold is not None:
            self._hold.release()
            self._hold = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # -- runs

    def new_run(self, kind: str, *, seeded: bool, created_ms: int, settings: str = "") -> Run:
        """Begin a run under the next free name of its kind: `match-1`, `match-2`, ..."""
        with self._write() as connection:
            return _add_run(connection, Run(lookup.free_name(connection, kind), kind, seeded, created_ms, settings))

    def open_run(self, name: str, kind: str, *, seeded: bool, created_ms: int, settings: str = "") -> Run:
        """The run of that name, begun now with these settings if there is none.

        ArenaError when there is one of another kind.
        """
        with self._write() as connection:
            found = {run.name: run for run in lookup.read_runs(connection)}.get(name)
            if found is None:
                return _add_run(connection, Run(name, kind, seeded, created_ms, settings))
            if (found.kind, found.seeded) != (kind, seeded):
                was = f"a {'seeded ' if found.seeded else ''}{found.kind}"
                raise ArenaError(f"run {name} in {self.folder} is {was}: choose another name for this one")
            return found

    def change_settings(self, run: Run, settings: str) -> None:
        """Keep other settings of a run."""
        with self._write() as connection:
            connection.execute(update(runs).where(runs.c.run == run.name).values(settings=settings))

    def run(self, name: str | None) -> Run:
        """The run of that name; for None the one whose matches are the newest. NotFound when there is none."""
        if name is None:
            newest_match = self.matches(limit=1)
            if not newest_match:
                raise NotFound(f"nothing has been played in {self.folder} yet")
            name = newest_match[0].run
        runs = {run.name: run for run in self.runs()}
        if name not in runs:
            newest = ", ".join(list(runs)[-_NAMED:]) or "none"
            there_are = f": {'the newest are' if len(runs) > _NAMED else 'there are'} {newest}"
            raise NotFound(f"no run {name} in {self.folder}{nearest(name, runs) or there_are}")
        return runs[name]

    def runs(self) -> list[Run]:
        """Every run, oldest first."""
        with self._read() as connection:
            return lookup.read_runs(connection)

    def next_number(self, run: str) -> int:
        """One more than the highest number of an ended match of the run."""
        with self._read() as connection:
            return lookup.highest_number(connection, run) + 1

    def due(self, run: str, planned: int, legs: int = 1) -> Due:
        """What is still to be played of the matches 1 to `planned`, in sets of so many legs."""
        with self._read() as connection:
            return Due(planned, legs, lookup.read_ended(connection, run))

    # -- matches

    def close_match(self, result: Result, packed: bytes) -> list[RatingChange]:
        """Record an ended match, its packed replay and what it does to the ratings, all or nothing.

        Gives the rating changes of the set that it closes, in seat order. A match that is recorded already is left as
        it is, and the changes are those of then; ArenaError when the record has another log of it.
        """
        with self._write() as connection:
            held = results.recorded_hash(connection, result)
            if held is not None:
                if held != result.log_hash:
                    raise ArenaError(f"match {result.name} is recorded already, with another log")
                known = results.read_result(connection, result.run, result.match_id)
                return [] if known is None else results.changes_of(connection, known)
            seq = results.write_result(connection, result, packed)
            return ledger.bring_forward(connection, replace(result, seq=seq))

    def find(self, text: str) -> Result:
        """The match that a person means: by id or the beginning of one, alone or as `RUN/ID`. NotFound, Ambiguous."""
        with self._read() as connection:
            return lookup.find_match(connection, text, self.folder)

    def numbered(self, run: str, number: int, attempt: int) -> Result | None:
        """The match of that number and attempt in that run, None if it has not ended."""
        with self._read() as connection:
            return results.numbered_result(connection, run, number, attempt)

    def match(self, run: str, match_id: str) -> Result | None:
        """The match of that id in that run, None if it has not ended."""
        with self._read() as connection:
            return results.read_result(connection, run, match_id)

    def legs(self, run: str, set_id: str) -> list[Result]:
        """The matches of a set that have ended, in that order; the set is closed when there are as many as its legs."""
        with self._read() as connection:
            return results.results_of_set(connection, run, set_id)

    def is_closed(self, result: Result) -> bool:
        """The match's set has no leg to come: all have ended, or one has ended void."""
        legs = self.legs(result.run, result.set_id)
        return len(legs) >= result.legs or any(leg.termination.void for leg in legs)

    def matches(
        self, *, run: str | None = None, bot: str | None = None, before: int | None = None, limit: int = 100
    ) -> list[Result]:
        """Ended matches, newest first: at most `limit`, those before place `before` of the log (a Result's `seq`)."""
        with self._read() as connection:
            return results.newest_results(connection, run=run, bot=bot, before=before, limit=limit)

    def results(self, run: str) -> Iterator[Result]:
        """All matches of a run that have ended, in the order in which they did; read bit by bit."""
        with self._read() as connection:
            yield from results.all_results(connection, run)

    def replay(self, result: Result) -> bytes:
        """The packed replay of a match."""
        with self._read() as connection:
            packed: bytes | None = connection.scalar(select(replays.c.packed).where(replays.c.seq == result.seq))
        if packed is None:
            raise NotFound(f"no replay of match {result.name} in {self.folder}")
        return packed

    def changes(self, result: Result) -> list[RatingChange]:
        """What the end of a match did to ratings, in seat order."""
        with self._read() as connection:
            return results.changes_of(connection, result)

    def terminations(self, run: str | None = None) -> Counter[Termination]:
        """How many matches ended in which way."""
        with self._read() as connection:
            return lookup.count_terminations(connection, run)

    def tally(self, run: str) -> list[Tally]:
        """How the matches of a run ended for each bot."""
        with self._read() as connection:
            return lookup.tally(connection, run)

    # -- ratings

    def ratings(self, run: str | None = None, game: str | None = None) -> list[Standing]:
        """Live ratings, ladder by ladder, best first."""
        with self._read() as connection:
            return lookup.read_ratings(connection, run, game)

    def rebuild_ratings(self, run: str | None = None) -> int:
        """Compute the live ratings of a run, or of all, again from the log. Gives the number of rated sets."""
        with self._write() as connection:
            try:
                return ledger.rebuild(connection, run)
            except IntegrityError as error:  # what is written follows from what is there
                raise UnreadableRow(f"its database is damaged: its results fit no ratings, {error.orig}") from None

    # -- copies

    def copy_to(self, folder: Path) -> None:
        """Copy the database as it is at one moment into another folder that has none; nobody has to wait for that."""
        with complaints(folder), self._engine.connect() as connection:
            copy_database(connection.connection.driver_connection, folder / DATABASE)

    def faults(self) -> list[str]:
        """What SQLite finds damaged in the database; nothing if it is whole."""
        with self._read() as connection:
            found = connection.exec_driver_sql("PRAGMA quick_check").scalars().all()
            strays = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
        return [text for text in found if text != "ok"] + [
            f"a row of {row[0]} belongs to none of {row[2]}" for row in strays
        ]

    # -- inside

    @contextmanager
    def _read(self) -> Iterator[Connection]:
        with complaints(self.folder), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def _write(self) -> Iterator[Connection]:
        if self._hold is None:
            raise RuntimeError("this store was opened to read")
        writing = self._engine.execution_options(arena_writes=True)
        with self._writing, complaints(self.folder), writing.begin() as connection:
            yield connection


def _add_run(connection: Connection, run: Run) -> Run:
    values = {"run": run.name, "kind": run.kind, "seeded": run.seeded, "created_ms": run.created_ms}
    connection.execute(insert(runs).values(**values, settings=run.settings))
    return run


def _bring_up_for_reading(folder: Path) -> Path | None:
    """Upgrade an older database before reading it, which only the folder's holder may do."""
    with Store.open(folder, hold=True) as store:
        return store.upgraded
