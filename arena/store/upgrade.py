"""Brings the database of an older arena up to date, in place, after a copy of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, Engine, inspect, select

from arena.errors import BadDataFolder, DataFolderNewer
from arena.store import schema
from arena.store.folder import DATABASE, copy_database


def _register_bots(connection: Connection) -> None:
    """Version 2 has a registry of bots. A step is written out, because the tables of today are not those of then."""
    connection.exec_driver_sql(
        """
        CREATE TABLE bots (
            id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL,
            version TEXT NOT NULL,
            owner TEXT NOT NULL,
            created_ms INTEGER NOT NULL,
            digest BLOB NOT NULL,
            revoked_ms INTEGER,
            change INTEGER NOT NULL,
            UNIQUE (name, version),
            UNIQUE (change)
        )
        """
    )


def _keep_settings(connection: Connection) -> None:
    """Version 3 keeps what a run plays, and counts actions and rejections."""
    connection.exec_driver_sql("ALTER TABLE runs ADD COLUMN settings TEXT DEFAULT '' NOT NULL")
    for column in ("actions", "rejected"):
        connection.exec_driver_sql(f"ALTER TABLE seats ADD COLUMN {column} INTEGER DEFAULT '0' NOT NULL")


STEPS: Final[Mapping[int, Callable[[Connection], None]]] = {1: _register_bots, 2: _keep_settings}
"""How the tables of version n become those of version n + 1, by n."""


def version_of(connection: Connection, folder: Path) -> int:
    """The version of the tables, 0 when there are none. BadDataFolder when they are not an arena's."""
    names = inspect(connection).get_table_names()
    if not names:
        return 0
    value = None
    if schema.meta.name in names:
        value = connection.scalar(select(schema.meta.c.value).where(schema.meta.c.name == "version"))
    if value is None or not (value.isascii() and value.isdigit()) or not int(value):
        raise BadDataFolder(folder, f"its {DATABASE} is not the database of an arena")
    return int(value)


def is_current(engine: Engine, folder: Path) -> bool:
    """True if the tables are of this arena's version, False if they are older or not there.

    Raises DataFolderNewer when they are of a later one.
    """
    with engine.connect() as connection:
        found = version_of(connection, folder)
    if found > schema.VERSION:
        raise DataFolderNewer(folder, found, schema.VERSION)
    return found == schema.VERSION


def bring_up(engine: Engine, folder: Path) -> Path | None:
    """Make the tables those of this arena's version. Gives the copy made of an older database, None if there was none.

    All steps are one transaction: the database is of the old version or of the new one, never between.
    """
    copy = None
    with engine.connect() as connection:
        found = version_of(connection, folder)
    if found:
        copy = folder / f"{DATABASE}.v{found}"
        _copy(folder / DATABASE, copy)
    with engine.execution_options(arena_writes=True).begin() as connection:
        if not found:
            schema.metadata.create_all(connection)
            connection.execute(schema.meta.insert().values(name="version", value=str(schema.VERSION)))
        for version in range(found or schema.VERSION, schema.VERSION):
            STEPS[version](connection)
        connection.execute(
            schema.meta.update().where(schema.meta.c.name == "version").values(value=str(schema.VERSION))
        )
    return copy


def _copy(database: Path, copy: Path) -> None:
    """A copy of the database that replaces an older copy once it is whole."""
    fresh = copy.with_name(copy.name + ".new")
    fresh.unlink(missing_ok=True)
    with closing(sqlite3.connect(database)) as source:
        copy_database(source, fresh)
    fresh.replace(copy)
