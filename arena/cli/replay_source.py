"""Finds the replay that a person means: a match of the data folder, or a file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG
from typing import Any, TypeVar

import click

from arena.errors import ArenaError, BadReplay, NotFound
from arena.plain import word
from arena.replay import Replay, read_replay, unpack
from arena.replay.frames import MAGIC
from arena.replay.read import MAX_BYTES
from arena.store import Result, Store

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Source:
    """A stored replay: where it is, its bytes, unpacked; from a data folder also its result and its set's first leg."""

    where: str
    data: bytes
    result: Result | None = None
    first_leg: Replay | None = None

    def read(self) -> Replay:
        """The replay. BadReplay with the place when it is damaged."""
        try:
            return read_replay(self.data)
        except BadReplay as error:
            raise BadReplay(self.where, str(error)) from None


def match_argument(command: Command) -> Command:
    """`MATCH`, a match or a file."""
    return click.argument("wanted", metavar="MATCH")(command)


def find_replay(wanted: str, data: Path) -> Source:
    """The replay that `wanted` names. Raises ArenaError when there is none, or several."""
    path = Path(wanted)
    if path.is_dir():
        raise NotFound(f"{wanted} is a folder: give a replay file, or the id of a match (arena replay list)")
    if path.is_file():
        return read_file(path)
    try:
        with Store.open(data, hold=False) as store:
            return from_store(store, store.find(wanted))
    except NotFound as error:
        raise NotFound(f"{wanted} is no file, and {error}") from None


def from_store(store: Store, result: Result) -> Source:
    """The replay of a recorded match."""
    first_leg = None
    if result.leg > 1:
        first = next((leg for leg in store.legs(result.run, result.set_id) if leg.leg == 1), None)
        first_leg = read_replay(store.replay(first)) if first is not None else None
    packed = store.replay(result)
    try:
        data = unpack(packed)
    except BadReplay:
        data = packed  # that is told, with the name of the match, when it is read
    return Source(f"match {word(result.name)}", data, result, first_leg)


def read_file(path: Path) -> Source:
    """The replay in a file, which may be packed. ArenaError when it cannot be read, or is none.

    That a replay is damaged is found when it is read, so that its damage can be told in full.
    """
    try:
        if not S_ISREG(path.stat().st_mode):  # a pipe or a device may have no end
            raise ArenaError(f"{path} is no file: give a replay file")
        data = path.read_bytes() if path.stat().st_size <= MAX_BYTES else b""
    except OSError as error:
        raise ArenaError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from None
    if len(data) < len(MAGIC):
        raise BadReplay(str(path), f"this is no replay: one has {len(MAGIC)} to {MAX_BYTES} bytes")
    try:
        unpacked = unpack(data)
    except BadReplay as error:
        raise BadReplay(str(path), str(error)) from None
    if not unpacked.startswith(MAGIC):
        raise BadReplay(str(path), f"this is no replay: it does not begin with {MAGIC.decode()}")
    return Source(str(path), unpacked)
