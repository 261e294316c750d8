"""What a disk or a database says of itself, in one line for the person who owns it."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from sqlalchemy.exc import DatabaseError, IntegrityError

from arena.errors import BadDataFolder

_ROOM: Final = 64 * 1024
"""Bytes without which SQLite cannot even begin; it calls that an I/O error, as if the disk were broken."""


class UnreadableRow(Exception):
    """A row that no arena of this version writes."""


@contextmanager
def complaints(folder: Path) -> Iterator[None]:
    """Turn what goes wrong with a data folder (full disk, damage, no right to write) into a BadDataFolder."""
    try:
        yield
    except IntegrityError:
        raise  # a fault of the arena's own
    except (DatabaseError, sqlite3.DatabaseError) as error:
        told = error.orig if isinstance(error, DatabaseError) else error
        raise BadDataFolder(folder, _reason(folder, told)) from None
    except UnreadableRow as error:
        raise BadDataFolder(folder, str(error)) from None
    except OSError as error:
        raise BadDataFolder(folder, f"cannot be used: {(error.strerror or str(error)).lower()}") from None


def _reason(folder: Path, told: BaseException | None) -> str:
    name = getattr(told, "sqlite_errorname", "")
    if name == "SQLITE_FULL" or (name.startswith("SQLITE_IOERR") and _is_full(folder)):
        return "the disk is full: make room and start again, what was played so far is kept"
    return f"its database does not work: {told}"


def _is_full(folder: Path) -> bool:
    try:
        return shutil.disk_usage(folder).free < _ROOM
    except OSError:
        return False
