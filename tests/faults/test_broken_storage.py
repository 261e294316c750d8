"""Broken data folders: each state and command has its exit code and its line, and nothing is lost by trying."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
import trio.testing
from click.testing import CliRunner

from arena.cli.app import arena as group
from arena.errors import ArenaError
from arena.replay import read_replay, verify
from arena.store import Store, schema
from arena.transport import TrioServer
from broken_folders import REFUSED, SURVIVED, Break, whole_folder
from memory_arena import memory_arena
from restarting import RULES, pair

COMMANDS = {
    "serve": "serve --open --run match-1 --listen 127.0.0.1:0",
    "match": "match a b --run match-1 --matches 4 --option max_deals=2 --option target=10000 --seed 1",
    "replay list": "replay list",
    "replay show": "replay show MATCH",
    "replay verify": "replay verify --run match-1",
    "replay export": "replay export MATCH",
    "ratings": "ratings",
    "ratings --rebuild": "ratings --rebuild",
}
SERVES = "the arena serves"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole folder, to be copied."""
    folder = tmp_path_factory.mktemp("whole") / "data"
    trio.run(whole_folder, folder, clock=trio.testing.MockClock(autojump_threshold=0))
    return folder


def contents(data: Path) -> dict[str, object]:
    """Everything that a folder remembers: the database as text, the bytes of every log."""
    held: dict[str, object] = {str(path): path.read_bytes() for path in data.rglob("*.arp") if path.is_file()}
    if (data / "arena.db").is_file():
        try:
            with closing(sqlite3.connect(data / "arena.db")) as connection:
                connection.text_factory = lambda held: held.decode(errors="backslashreplace")
                # What a run is to play is written by whoever starts it, before a log is looked at.
                held["arena.db"] = [line for line in connection.iterdump() if not line.startswith('INSERT INTO "runs"')]
        except sqlite3.DatabaseError:
            held["arena.db"] = (data / "arena.db").read_bytes()
    return held


def as_kind(data: Path, kind: str) -> None:
    """Make the run one of a kind."""
    with closing(sqlite3.connect(data / "arena.db")) as connection, connection:
        connection.execute("UPDATE runs SET kind = ?, seeded = 0", (kind,))


def ids(data: Path) -> list[str]:
    """The ids of the recorded match and the running one."""
    with Store.open(data, hold=False) as store:
        (recorded,) = store.matches()
    (running,) = (data / "running").iterdir()
    return [recorded.match_id, running.name.split(".")[1]]


@dataclass(frozen=True)
class Outcome:
    """What a command did in a folder: its exit code, its lines of complaint, whether all was kept that was there."""

    command: str
    code: int
    told: list[str]
    error: BaseException | None
    kept: bool

    @property
    def line(self) -> str:
        """What a person reads."""
        line = " / ".join(self.told).removeprefix("arena: ")
        return re.sub(r"it does not unpack: .*", "it does not unpack: WHY", line)  # by which byte was hit


def is_kept(before: dict[str, object], after: dict[str, object]) -> bool:
    """Nothing is gone and nothing is different, but that a log may have got more entries."""
    return before.keys() == after.keys() and all(
        now == held or (isinstance(now, bytes) and isinstance(held, bytes) and now.startswith(held))
        for held, now in ((before[name], after[name]) for name in before)
    )


def try_all(whole: Path, folder: Path, change: Break) -> list[Outcome]:
    """Each command in a copy of the whole folder that has been changed."""
    recorded, running = ids(whole)
    found = []
    for name, words in COMMANDS.items():
        data = folder / name.replace(" ", "")
        shutil.copytree(whole, data)
        if name == "serve":
            as_kind(data, "ladder")
        change(data)
        before = contents(data)
        line = [recorded if word == "MATCH" else word for word in words.split()]
        done = CliRunner().invoke(group, [*line, "--data", str(data)], prog_name="arena")
        told = [text for text in done.stderr.splitlines() if not text.startswith("arena: all of it is in")]
        known = (f"versions up to {schema.VERSION}", "versions up to PRESENT")
        for place, word in ((str(data), "DATA"), (recorded, "RECORDED"), (running, "RUNNING"), known):
            told = [text.replace(place, word) for text in told]
        error = None if isinstance(done.exception, SystemExit) else done.exception
        found.append(Outcome(name, done.exit_code, told, error, is_kept(before, contents(data))))
    return found


@pytest.fixture(scope="module")
def outcomes(whole: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], list[Outcome]]:
    """What each command does in a state; each is tried once."""

    @cache
    def of(state: str) -> list[Outcome]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(TrioServer, "serve", _refuse_to_serve)
            return try_all(whole, tmp_path_factory.mktemp("broken"), {**REFUSED, **SURVIVED}[state])

    return of


async def _refuse_to_serve(*_: object, **__: object) -> None:
    raise ArenaError(SERVES)


@pytest.mark.parametrize("state", REFUSED)
def test_broken_folder_is_refused(outcomes: Callable[[str], list[Outcome]], state: str) -> None:
    """P66: a command does its work or is refused in one line with exit code 2; no traceback, and nothing is lost."""
    tried = outcomes(state)
    for each in tried:
        assert each.error is None, each
        assert each.code in ((0, 1, 2) if each.command == "replay verify" else (0, 2)), each
        assert len(each.told) == (each.code == 2) or each.command == "ratings --rebuild", each
        assert each.kept, each
    assert any(each.code and SERVES not in each.told for each in tried)


def test_a_folder_that_another_arena_holds(whole: Path, tmp_path: Path) -> None:
    """Two arenas on one data folder: the second is told which process has it; who reads, or makes a backup, may."""
    data = tmp_path / "data"
    shutil.copytree(whole, data)
    line = (
        f"arena: data folder {data} is in use by another arena (process {os.getpid()}): stop it, or give another --data"
    )
    with Store.open(data, hold=True):
        before = contents(data)
        for name, words in {**COMMANDS, "backup": f"backup {tmp_path / 'copy'}"}.items():
            text = words.replace("MATCH", ids(whole)[0])
            done = CliRunner().invoke(group, [*text.split(), "--data", str(data)], prog_name="arena")
            writes = name in ("serve", "match", "ratings --rebuild")
            assert (done.exit_code, done.stderr.splitlines()) == ((2, [line]) if writes else (0, [])), name
        assert contents(data) == before


@pytest.mark.parametrize("state", SURVIVED)
def test_damaged_end_is_survived(outcomes: Callable[[str], list[Outcome]], state: str) -> None:
    """What a crash can leave stops no command, and an arena starts on it."""
    for each in outcomes(state):
        assert each.error is None, each
        serves = each.command in ("serve", "match")
        assert (each.code, any(SERVES in text for text in each.told)) == ((2, True) if serves else (0, False)), each


def test_the_table_of_broken_folders(
    outcomes: Callable[[str], list[Outcome]], golden: Callable[[str, Iterable[str]], None]
) -> None:
    """Each state, command, exit code and line, for people to read."""
    table = []
    for state in (*SURVIVED, *REFUSED):
        commands: dict[tuple[int, str], list[str]] = {}
        for each in outcomes(state):
            commands.setdefault((each.code, each.line), []).append(each.command)
        table.append(state)
        table += [f"  {code}  {', '.join(names)}{line and ': '}{line}" for (code, line), names in commands.items()]
    golden("broken_storage.txt", table)


@pytest.mark.parametrize("state", [*REFUSED, *SURVIVED])
async def test_nothing_is_lost_once_it_is_mended(
    whole: Path, tmp_path: Path, autojump_clock: trio.testing.MockClock, state: str
) -> None:
    """Put right what was broken, and the arena goes on: the recorded match is there, the running one ends proved."""
    data = tmp_path / "data"
    shutil.copytree(whole, data)
    {**REFUSED, **SURVIVED}[state](data)
    if state in REFUSED:
        broken = differences(whole, data)
        with suppress(ArenaError, BaseExceptionGroup, OSError):
            async with memory_arena(data, **RULES, matches=2):
                pass
        mend(whole, data, broken)
    recorded, running = ids(whole)
    async with memory_arena(data, **RULES, matches=2) as arena:
        results = await arena.play(*pair())
        for result in results:
            assert not verify(read_replay(arena.store.replay(result)), known_hash=result.log_hash).failures
    assert [result.number for result in results] == [1, 2]
    assert [result.match_id for result in results] == [recorded, running]


def differences(whole: Path, data: Path) -> list[Path]:
    """The parts of a folder, named as in the whole one, that are not as they are there."""
    if not data.is_dir():
        return [Path()]
    names = {path.relative_to(folder) for folder in (whole, data) for path in folder.rglob("*")}
    return [name for name in sorted(names) if not is_same(whole / name, data / name)]


def is_same(one: Path, other: Path) -> bool:
    """Both are folders, or files of the same content."""
    if one.is_file() and other.is_file():
        return one.read_bytes() == other.read_bytes()
    return one.is_dir() and other.is_dir()


def mend(whole: Path, data: Path, broken: list[Path]) -> None:
    """Put back what was broken, and no more."""
    for name in broken:
        path = data / name
        if path.exists():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        if (whole / name).is_dir():
            shutil.copytree(whole / name, path)
        elif (whole / name).exists() and not path.exists():
            shutil.copy(whole / name, path)
