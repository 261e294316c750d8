"""The data folder: who holds it, and the connections to its database."""

from __future__ import annotations

import errno
import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from filelock import FileLock, Timeout
from sqlalchemy import URL, Connection, Engine, create_engine, event

from arena.errors import BadDataFolder, DataFolderHeld, NotFound
from arena.store.complaints import complaints

DATABASE: Final = "arena.db"
LOCK: Final = "lock"
HOLDER: Final = "lock.pid"
"""Holds the id of the process that has the lock, for the message to the one that wants it."""

_BUSY_MS: Final = 10_000


class Hold:
    """The lock on a data folder, ours until `release` or the end of the process, however it ends."""

    def __init__(self, folder: Path) -> None:
        """Take it. DataFolderHeld when another process has it, BadDataFolder when it cannot be had at all."""
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            # The lock is taken in one thread and given back in another.
            self._lock = FileLock(folder / LOCK, thread_local=False)
            self._lock.acquire(timeout=0)
            (folder / HOLDER).write_text(str(os.getpid()))
        except Timeout:
            raise DataFolderHeld(folder, _holder(folder)) from None
        except OSError as error:
            raise BadDataFolder(folder, f"cannot be used: {(error.strerror or str(error)).lower()}") from None

    def release(self) -> None:
        """Give it back; a second time does nothing."""
        self._lock.release()


def _holder(folder: Path) -> int | None:
    try:
        return int((folder / HOLDER).read_text())
    except (OSError, ValueError):
        return None


def _is_sealed(path: Path) -> bool:
    """Nobody has the database open, and beside it there is no room or no right for what a reader shares with a writer:
    it lies in a folder that cannot be written, or on a full disk.
    """
    if path.with_name(path.name + "-wal").exists():
        return False
    try:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.OperationalError as error:
        return error.sqlite_errorname.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_IOERR"))
    except sqlite3.DatabaseError:
        return False  # damaged, which is told by whoever reads it
    return False


def _sealed(path: Path) -> URL:
    """The database read as it lies there."""
    return URL.create("sqlite", database=f"file:{quote(str(path.absolute()))}", query={"immutable": "1", "uri": "true"})


def _make(path: Path) -> None:
    """Make the file of the database if it is not there. OSError when it cannot be written.

    Replays hold seeds: nobody else may read them. A file that is there is not opened here, because to close it again
    would take the locks from every connection that this process has to it (sqlite.org/howtocorrupt.html, 2.2). Then
    the next reader in another process would take itself for the last one and remove the log with the newest commits.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    if not os.access(path, os.R_OK | os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))


def connect(folder: Path, *, write: bool) -> Engine:
    """The database of a data folder. Without `write` it must be there, and nothing can change it."""
    path = folder / DATABASE
    if path.exists() and not path.is_file():
        raise BadDataFolder(folder, f"its {DATABASE} is no file")
    if write:
        _make(path)
    elif not path.is_file():
        raise NotFound(f"no arena has played in {folder}: give the folder of one with --data")
    url = URL.create("sqlite", database=str(path)) if write or not _is_sealed(path) else _sealed(path)
    engine = create_engine(url, connect_args={"timeout": _BUSY_MS / 1000}, max_overflow=-1)

    @event.listens_for(engine, "connect")
    def _connected(connection: sqlite3.Connection, _record: Any) -> None:
        connection.isolation_level = None  # transactions begin below, not when the driver thinks of it
        cursor = connection.cursor()
        if write:
            cursor.execute("PRAGMA journal_mode = WAL")
            cursor.execute("PRAGMA synchronous = FULL")
            cursor.execute("PRAGMA foreign_keys = ON")
        else:
            cursor.execute("PRAGMA query_only = ON")
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begun(connection: Connection) -> None:
        writes = connection.get_execution_options().get("arena_writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def copy_database(source: Any, path: Path) -> None:
    """Copy an open SQLite database, with what is still in its write-ahead log, to a new file without such a log."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    with closing(sqlite3.connect(path)) as target:
        source.backup(target)
        target.execute("PRAGMA journal_mode = DELETE")


def copy_unopened(folder: Path, other: Path) -> None:
    """Copy the database of a folder, of whatever version, to another folder. NotFound when there is none."""
    if not (folder / DATABASE).is_file():
        raise NotFound(f"there is no {DATABASE} in {folder}: give a folder that 'arena backup' has made")
    with complaints(folder), closing(sqlite3.connect(folder / DATABASE)) as source:
        copy_database(source, other / DATABASE)
