"""The registry of bots: who may play on an arena that is not open. It is changed beside the arena that runs there.

An arena holds its data folder alone; the registry takes no hold, because an operator lets bots in and throws them out
while matches run. SQLite keeps the two writers apart, and every change has a number, by which the arena finds it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from sqlalchemy import Connection, Engine, Row, func, insert, select, update

from arena.errors import Ambiguous, ArenaError, NotFound
from arena.store.complaints import complaints
from arena.store.folder import DATABASE, connect
from arena.store.schema import bots
from arena.store.store import Store

_NEXT_CHANGE: Final = select(func.coalesce(func.max(bots.c.change), 0) + 1).scalar_subquery()


@dataclass(frozen=True, slots=True)
class Registration:
    """A bot of a version. `digest` is the SHA-256 of the secret in its token, `revoked_ms` None while that is good.

    `change` grows with every change to any registration.
    """

    id: int
    name: str
    version: str
    owner: str
    created_ms: int
    digest: bytes
    revoked_ms: int | None
    change: int

    @property
    def bot(self) -> str:
        """What it plays and is rated as: `NAME@VERSION`."""
        return f"{self.name}@{self.version}"


class Registry:
    """The registered bots of a data folder, open to be read and changed."""

    def __init__(self, folder: Path, engine: Engine) -> None:
        self.folder = folder
        self._engine = engine

    @classmethod
    def open(cls, folder: Path, *, create: bool = False) -> Registry:
        """Open the registry of a data folder; with `create`, a folder that is not there is made.

        Raises NotFound, BadDataFolder, DataFolderNewer; DataFolderHeld when the folder would have to be made or brought
        up to date first, and an arena has it.
        """
        fresh = create and not (folder / DATABASE).is_file()
        Store.open(folder, hold=fresh).close()
        return cls(folder, connect(folder, write=True))

    def close(self) -> None:
        """Close the database."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def add(self, name: str, version: str, *, owner: str, digest: bytes, now_ms: int) -> Registration:
        """Register a bot. ArenaError when it is registered already, revoked or not."""
        with self._write() as connection:
            found = _chosen(connection, bots.c.name == name, bots.c.version == version)
            if found:
                state = "is registered already" if found[0].revoked_ms is None else "was registered, and revoked"
                raise ArenaError(
                    f"{found[0].bot} {state}: register another --version, "
                    f"or give it a new token with 'arena bot rotate {found[0].bot}'"
                )
            values = {"name": name, "version": version, "owner": owner, "created_ms": now_ms, "digest": digest}
            connection.execute(insert(bots).values(**values, change=_NEXT_CHANGE))
            return _chosen(connection, bots.c.name == name, bots.c.version == version)[0]

    def rotate(self, name: str, version: str | None, digest: bytes) -> Registration:
        """Exchange the secret of a bot, which lets it in again if it was revoked; the old one is no good any more.

        Without a version the bot must have one alone. Raises NotFound, Ambiguous.
        """
        with self._write() as connection:
            found = self._find(connection, name, version)
            if len(found) > 1:
                raise Ambiguous(name, [one.bot for one in found])
            return _change(connection, found[0], digest=digest, revoked_ms=None)

    def revoke(self, name: str, version: str | None, now_ms: int) -> list[Registration]:
        """Let a bot in no more: this version, or every one. Gives those that were good until now. Raises NotFound."""
        with self._write() as connection:
            good = [one for one in self._find(connection, name, version) if one.revoked_ms is None]
            return [_change(connection, one, revoked_ms=now_ms) for one in good]

    def all(self) -> list[Registration]:
        """Every bot by name, its versions in the order of their registration."""
        return sorted(self.changed_after(0), key=lambda one: (one.name, one.id))

    def changed_after(self, change: int) -> list[Registration]:
        """The bots that were changed after that change, oldest change first."""
        with complaints(self.folder), self._engine.connect() as connection:
            return _chosen(connection, bots.c.change > change)

    def _find(self, connection: Connection, name: str, version: str | None) -> list[Registration]:
        """At least one."""
        found = _chosen(connection, bots.c.name == name, *([] if version is None else [bots.c.version == version]))
        if not found:
            wanted = name if version is None else f"{name}@{version}"
            raise NotFound(f"no bot {wanted} is registered in {self.folder}: 'arena bot list' shows those that are")
        return found

    @contextmanager
    def _write(self) -> Iterator[Connection]:
        writing = self._engine.execution_options(arena_writes=True)
        with complaints(self.folder), writing.begin() as connection:
            yield connection


def _chosen(connection: Connection, *where: Any) -> list[Registration]:
    return [_registration(row) for row in connection.execute(select(bots).where(*where).order_by(bots.c.change))]


def _change(connection: Connection, one: Registration, **values: Any) -> Registration:
    connection.execute(update(bots).where(bots.c.id == one.id).values(**values, change=_NEXT_CHANGE))
    return _chosen(connection, bots.c.id == one.id)[0]


def _registration(row: Row[Any]) -> Registration:
    return Registration(**row._mapping)  # noqa: SLF001 - SQLAlchemy's own name for a row as a mapping
