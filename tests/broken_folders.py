"""Data folders that something has happened to, each made of a whole one with one match recorded and one running."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import trio

from arena.replay.frames import encode, scan
from arena.v1 import replay_pb2
from memory_arena import memory_arena
from recording import Edit, file_of, first
from restarting import RULES, journal_of, pair

Break = Callable[[Path], object]


async def whole_folder(folder: Path) -> None:
    """A folder with the first match of a run recorded and the second in the middle of play, two are to come."""
    async with memory_arena(folder, **RULES) as arena:
        await arena.play(*pair())
    async with memory_arena(folder, matches=4, **RULES) as arena:
        for bot in pair():
            bot.think = 0.1
            arena.nursery.start_soon(bot.play, arena.lobby)
        await trio.sleep(3)


def instead(name: str, *, folder: bool = False, content: bytes = b"") -> Break:
    """Puts something else in the place of a part of the folder."""

    def put(data: Path) -> None:
        path = data / name
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        path.mkdir() if folder else path.write_bytes(content)

    return put


def database(*statements: str) -> Break:
    """Changes the database as no arena does."""

    def change(data: Path) -> None:
        with closing(sqlite3.connect(data / "arena.db")) as connection, connection:
            for statement in statements:
                connection.execute(statement)

    return change


def loosened(*statements: str) -> Break:
    """Changes the database once nothing in its tables says what may be NULL."""

    def change(data: Path) -> None:
        with closing(sqlite3.connect(data / "arena.db")) as connection, connection:
            connection.execute("PRAGMA writable_schema = ON")
            connection.execute("UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '')")
        database(*statements)(data)

    return change


def journal(change: Callable[[bytes], bytes]) -> Break:
    """Changes the bytes of the running match's log."""

    def write(data: Path) -> None:
        path = journal_of(data)
        path.write_bytes(change(path.read_bytes()))

    return write


def entries(edit: Edit) -> Break:
    """Changes what the log of the running match says; all checksums fit again."""

    def rewrite(data: bytes) -> bytes:
        head, *bodies = (raw.body for raw in scan(data))
        header, frames = replay_pb2.ReplayHeader.FromString(head), list(map(replay_pb2.Frame.FromString, bodies))
        edit(header, frames)
        return file_of([message.SerializeToString(deterministic=True) for message in (header, *frames)])

    return journal(rewrite)


def flip(data: bytes) -> bytes:
    """One bit in the middle is another."""
    return data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 4]) + data[len(data) // 2 + 1 :]


def flip_recorded(data: Path) -> None:
    """A bit of the packed replay in the database is another."""
    with closing(sqlite3.connect(data / "arena.db")) as connection, connection:
        ((packed,),) = connection.execute("SELECT packed FROM replays").fetchall()
        connection.execute("UPDATE replays SET packed = ?", (flip(packed),))


def journal_folder(data: Path) -> None:
    """A folder has the name of a log."""
    path = journal_of(data)
    path.unlink()
    path.mkdir()


def second_journal(data: Path) -> None:
    """The log is there twice, under two names."""
    path = journal_of(data)
    shutil.copy(path, path.with_name("match-1.copy.arp"))


def stray_files(data: Path) -> None:
    """Logs of other runs, and what is none, lie beside that of the run's own match."""
    (data / "running" / "notes.txt").write_text("remember the milk")
    (data / "running" / "match-2.0123.arp").write_bytes(b"a log of another run, of which this one takes no notice")


def _seat(kind: str) -> Edit:
    def edit(_: replay_pb2.ReplayHeader, frames: list[replay_pb2.Frame]) -> None:
        getattr(frames[first(frames, kind)], kind).seat = 9

    return edit


def _of(kind: str, change: Callable[[Any], object]) -> Edit:
    def edit(_: replay_pb2.ReplayHeader, frames: list[replay_pb2.Frame]) -> None:
        change(getattr(frames[first(frames, kind)], kind))

    return edit


def _end(termination: int) -> Edit:
    def edit(_: replay_pb2.ReplayHeader, frames: list[replay_pb2.Frame]) -> None:
        ended: Any = {"termination": termination, "winner": 9, "totals": [1]}
        frames.append(replay_pb2.Frame(at_us=frames[-1].at_us, ended=replay_pb2.LoggedEnd(**ended)))

    return edit


REFUSED: Final[Mapping[str, Break]] = MappingProxyType(
    {
        "the data folder is a file": instead("."),
        "arena.db is a folder": instead("arena.db", folder=True),
        "arena.db is text": instead("arena.db", content=b"This is no database. " * 500),
        "arena.db is another program's": database("DROP TABLE meta"),
        "arena.db has no matches": database("DROP TABLE matches"),
        "arena.db is of version 0": database("UPDATE meta SET value = '0'"),
        "arena.db is of version 9": database("UPDATE meta SET value = '9'"),
        "a result of an unknown kind": database("UPDATE matches SET termination = 'fluke'"),
        "totals that are none": database("UPDATE matches SET totals = 'many'"),
        "a number is a text": database("UPDATE matches SET deals = 'many'"),
        "a number is a fraction": database("UPDATE ratings SET milli = 1500.5"),
        "a number is not there": loosened("UPDATE matches SET ended_ms = NULL"),
        "a text is bytes": database("UPDATE seats SET bot = x'fffe00'"),
        "a text is no UTF-8": database("UPDATE seats SET software = CAST(x'fffe00' AS TEXT)"),
        "bytes are a text": database("UPDATE matches SET log_hash = 'hash'"),
        "a yes or no is neither": database("UPDATE matches SET rated = 'perhaps'"),
        "rules that are none": database("UPDATE matches SET rules = '[1]'"),
        "a run's settings that are none": database("UPDATE runs SET settings = 'none'"),
        "a winner who did not play": database("UPDATE matches SET winner = 7"),
        "a seat at fault that is not there": database("UPDATE matches SET at_fault = 7"),
        "a result of no run": database("UPDATE matches SET run = 'other'"),
        "a bit of the recorded replay is flipped": flip_recorded,
        "lock is a folder": instead("lock", folder=True),
        "running is a file": instead("running"),
        "the journal is a folder": journal_folder,
        "the journal is text": journal(lambda _: b"This is no log."),
        "a bit of the journal is flipped": journal(flip),
        "the journal is there twice": second_journal,
        "the journal is of an unknown game": entries(lambda header, _: setattr(header, "game", "hearts")),
        "the journal is of a newer schema": entries(lambda header, _: setattr(header, "schema", 9)),
        "the journal is of newer rules": entries(lambda header, _: setattr(header, "rules_version", 9)),
        "the journal has a value that is none": entries(lambda header, _: header.rules.update({"target": "x"})),
        "the journal lacks the rules": entries(lambda header, _: header.rules.clear()),
        "the journal lacks a seat": entries(lambda header, _: header.seats.pop()),
        "the journal has no seats": entries(lambda header, _: header.ClearField("seats")),
        "the journal has a bot at both seats": entries(lambda header, _: header.seats[1].CopyFrom(header.seats[0])),
        "the journal is of another run": entries(lambda header, _: setattr(header, "run", "other")),
        "the journal has another seed": entries(lambda header, _: setattr(header, "server_seed", bytes(32))),
        "the journal has a newer entry": journal(lambda data: data + encode(b"\x08\x01")),
        "seat 9 is ready": entries(_seat("ready")),
        "seat 9 is asked": entries(_seat("asked")),
        "seat 9 has acted": entries(_seat("action")),
        "an action is none": entries(_of("action", lambda action: action.ClearField("action"))),
        "an action is the answer to another question": entries(
            _of("action", lambda action: setattr(action, "decision_id", 2**40))
        ),
        "the match starts twice": entries(lambda _, frames: frames.insert(9, frames[first(frames, "started")])),
        "the match ends in an unknown way": entries(_end(77)),
        "the match ends as the rules forbid": entries(_end(1)),
    }
)
"""What an arena must not start on, or must not go on with."""

SURVIVED: Final[Mapping[str, Break]] = MappingProxyType(
    {
        "nothing": lambda _: None,
        "the last frame of the journal is torn": journal(lambda data: data[:-3]),
        "the journal holds zeros behind its end": journal(lambda data: data + bytes(4096)),
        "the journal is empty": journal(lambda _: b""),
        "the journal has only its first bytes": journal(lambda data: data[:20]),
        "other files lie in running": stray_files,
        "lock.pid is text": instead("lock.pid", content=b"nobody"),
    }
)
"""What an arena starts on."""
