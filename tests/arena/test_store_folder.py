"""The data folder: held by one arena, read beside it, of a version that is known, and copied before it is changed."""

from __future__ import annotations

import os
import signal
import sqlite3
import stat
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection

from arena.errors import BadDataFolder, DataFolderHeld, DataFolderNewer, NotFound
from arena.store import Store, schema, upgrade

_SINCE_3 = [
    f"ALTER TABLE {name} DROP COLUMN {column}"
    for name, column in (("runs", "settings"), ("seats", "actions"), ("seats", "rejected"))
]
ADDED = {1: ["DROP TABLE bots", *_SINCE_3], 2: _SINCE_3}
"""What takes away all that versions later than this one have."""
HOLDER = """
    import sys
    from pathlib import Path
    from arena.store import Store
    store = Store.open(Path(sys.argv[1]), hold=True)
    store.open_run("demo", "demo", seeded=False, created_ms=1)
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the folder until it is told otherwise, or killed."""
    command = [sys.executable, "-c", textwrap.dedent(HOLDER), str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_folder_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    """A new data folder and its database can be read by nobody else, for replays hold seeds."""
    folder = tmp_path / "deep" / "data"
    with Store.open(folder, hold=True) as store:
        store.open_run("demo", "demo", seeded=False, created_ms=1)
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.glob("arena.db*")}
        assert modes == {"arena.db": 0o600, "arena.db-wal": 0o600, "arena.db-shm": 0o600}
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_commits_are_on_the_disk(tmp_path: Path) -> None:
    """The database of an arena writes ahead, waits for the disk at each commit, and keeps its references true."""
    with Store.open(tmp_path, hold=True) as store, store._read() as connection:
        pragmas = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


def test_folder_is_held_by_one_process(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    """A second arena is told which process has the folder, and what to do."""
    with pytest.raises(DataFolderHeld) as caught:
        Store.open(tmp_path, hold=True)
    assert caught.value.process == holder.pid
    assert str(caught.value) == (
        f"data folder {tmp_path} is in use by another arena (process {holder.pid}): stop it, or give another --data"
    )


def test_folder_of_a_killed_process_is_free(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    """A process that dies without a word leaves the folder free and its record whole."""
    holder.kill()
    holder.wait()
    with Store.open(tmp_path, hold=True) as store:
        assert [run.name for run in store.runs()] == ["demo"]


@pytest.mark.usefixtures("holder")
def test_folder_is_read_beside_its_holder(tmp_path: Path) -> None:
    """Readers need no lock, and see what has been committed."""
    with Store.open(tmp_path, hold=False) as store:
        assert [run.name for run in store.runs()] == ["demo"]


@pytest.mark.parametrize("write", [False, True])
def test_what_is_stored_beside_others_outlives_a_kill(tmp_path: Path, *, write: bool) -> None:
    """A process with the registry open too, as an arena has it, keeps its log of commits whoever looks in meanwhile.

    What it stores then is seen by others at once, and is there when it is killed.
    """
    killed = """
        import os, signal, subprocess, sys
        from pathlib import Path
        from arena.store import Registry, Store
        folder = Path(sys.argv[1])
        with Store.open(folder, hold=True) as store, Registry.open(folder) as registry:
            registry.changed_after(0)
            subprocess.run([sys.executable, "-c", *sys.argv[2:]], check=True)
            store.open_run("demo", "demo", seeded=False, created_ms=1)
            subprocess.run([sys.executable, "-c", *sys.argv[2:]], check=True)
            os.kill(os.getpid(), signal.SIGKILL)
    """
    look = "import sys; from pathlib import Path; from arena.store import Registry, Store; f = Path(sys.argv[1]); "
    look += "Registry.open(f).all()" if write else "print(*Store.open(f, hold=False).runs())"
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(killed), str(tmp_path), look, str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL
    assert write or "demo" in done.stdout
    with Store.open(tmp_path, hold=False) as store:
        assert [run.name for run in store.runs()] == ["demo"]


def test_reader_changes_nothing(tmp_path: Path) -> None:
    """A store that was opened to read cannot write, by its own methods or otherwise."""
    Store.open(tmp_path, hold=True).close()
    with Store.open(tmp_path, hold=False) as store:
        with pytest.raises(RuntimeError, match="opened to read"):
            store.new_run("match", seeded=False, created_ms=1)
        with pytest.raises(BadDataFolder, match="readonly"), store._read() as connection:
            connection.exec_driver_sql("DELETE FROM runs")


def test_folder_is_given_back(tmp_path: Path) -> None:
    """A closed store lets the folder go, also one that failed to open; closing twice does nothing."""
    store = Store.open(tmp_path, hold=True)
    with pytest.raises(DataFolderHeld):
        Store.open(tmp_path, hold=True)
    store.close()
    store.close()
    (tmp_path / "arena.db").write_bytes(b"this is no database, but it is long enough to be asked whether it is one" * 9)
    with pytest.raises(BadDataFolder, match="its database does not work: file is not a database"):
        Store.open(tmp_path, hold=True)
    (tmp_path / "arena.db").unlink()
    Store.open(tmp_path, hold=True).close()


def test_empty_folder_is_nothing_to_read(tmp_path: Path) -> None:
    """Reading where no arena has been makes no database, and says so."""
    with pytest.raises(NotFound, match=f"no arena has played in {tmp_path}"):
        Store.open(tmp_path, hold=False)
    assert not list(tmp_path.iterdir())


def test_path_that_cannot_be_a_folder(tmp_path: Path) -> None:
    """A data folder that is a file is one line, not a traceback."""
    (tmp_path / "file").touch()
    with pytest.raises(BadDataFolder, match="cannot be used: "):
        Store.open(tmp_path / "file", hold=True)


def test_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    """A database with other tables is no arena's, and is not made into one."""
    with closing(sqlite3.connect(tmp_path / "arena.db")) as connection:
        connection.execute("CREATE TABLE songs (title TEXT)")
    for hold in (True, False):
        with pytest.raises(BadDataFolder, match=r"its arena\.db is not the database of an arena"):
            Store.open(tmp_path, hold=hold)


def test_damaged_database_is_said(tmp_path: Path) -> None:
    """Damage that comes to light later is one line too."""
    with Store.open(tmp_path, hold=True) as store:
        for number in range(3):
            store.open_run(f"run-{number}", "match", seeded=False, created_ms=number)
    with (tmp_path / "arena.db").open("r+b") as file:
        size = file.seek(0, os.SEEK_END)
        for offset in range(4096, size, 4096):
            file.seek(offset)
            file.write(b"\xff" * 64)
    with pytest.raises(BadDataFolder, match="its database does not work: "), Store.open(tmp_path, hold=False) as store:
        store.runs()


def set_version(folder: Path, version: int) -> None:
    """Make the database one of another version."""
    with closing(sqlite3.connect(folder / "arena.db")) as connection, connection:
        connection.execute("UPDATE meta SET value = ? WHERE name = 'version'", (str(version),))


@pytest.mark.parametrize("hold", [True, False])
def test_newer_folder_is_refused(tmp_path: Path, *, hold: bool) -> None:
    """A folder of a later arena is not touched, and the versions are named."""
    Store.open(tmp_path, hold=True).close()
    set_version(tmp_path, 7)
    with pytest.raises(DataFolderNewer) as caught:
        Store.open(tmp_path, hold=hold)
    assert str(caught.value) == (
        f"data folder {tmp_path} is of version 7, this arena knows versions up to {schema.VERSION}: use a newer arena"
    )


def next_version(monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    """Make the arena one version later, with one step from today's tables."""

    def apply(connection: Connection) -> None:
        connection.exec_driver_sql(step)

    monkeypatch.setattr(upgrade, "STEPS", {schema.VERSION: apply})
    monkeypatch.setattr(schema, "VERSION", schema.VERSION + 1)


@pytest.mark.parametrize("hold", [True, False])
def test_older_folder_is_brought_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, hold: bool) -> None:
    """The tables of an older arena are changed in place, once, and the old database is kept beside them."""
    with Store.open(tmp_path, hold=True) as store:
        store.open_run("demo", "demo", seeded=False, created_ms=1)
    old = schema.VERSION
    next_version(monkeypatch, "ALTER TABLE runs ADD COLUMN owner TEXT NOT NULL DEFAULT 'nobody'")
    with Store.open(tmp_path, hold=hold) as store:
        assert store.upgraded == tmp_path / f"arena.db.v{old}"
        assert [run.name for run in store.runs()] == ["demo"]
        with store._read() as connection:
            assert connection.exec_driver_sql("SELECT owner FROM runs").scalars().all() == ["nobody"]
    with closing(sqlite3.connect(tmp_path / f"arena.db.v{old}")) as connection:
        assert connection.execute("SELECT run FROM runs").fetchall() == [("demo",)]
        assert connection.execute("SELECT value FROM meta").fetchall() == [(str(old),)]
        assert stat.S_IMODE((tmp_path / f"arena.db.v{old}").stat().st_mode) == 0o600
    with Store.open(tmp_path, hold=hold) as store:
        assert store.upgraded is None


def test_upgrade_that_fails_leaves_the_old_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a step does not work, the database is as it was, and can be opened by the old arena."""
    with Store.open(tmp_path, hold=True) as store:
        store.open_run("demo", "demo", seeded=False, created_ms=1)
    with monkeypatch.context() as patch:
        next_version(patch, "ALTER TABLE runs ADD COLUMN run TEXT")
        with pytest.raises(BadDataFolder, match="duplicate column name"):
            Store.open(tmp_path, hold=True)
    with Store.open(tmp_path, hold=True) as store:
        assert [run.name for run in store.runs()] == ["demo"]


def test_older_folder_in_use_cannot_be_upgraded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that an older arena is using is not changed under it."""
    with Store.open(tmp_path, hold=True):
        next_version(monkeypatch, "SELECT 1")
        with pytest.raises(DataFolderHeld):
            Store.open(tmp_path, hold=False)


@pytest.mark.parametrize("version", list(upgrade.STEPS))
def test_an_upgrade_makes_what_a_new_folder_has(tmp_path: Path, version: int) -> None:
    """A folder of any older version, brought up to date, has the tables of one that was made today."""
    for name in ("fresh", "old"):
        Store.open(tmp_path / name, hold=True).close()
    with closing(sqlite3.connect(tmp_path / "old" / "arena.db")) as connection:
        for statement in ADDED[version]:
            connection.execute(statement)
    set_version(tmp_path / "old", version)
    Store.open(tmp_path / "old", hold=True).close()
    columns = 'SELECT m.name, c.name, c.type, c."notnull", c.pk FROM sqlite_master m, pragma_table_info(m.name) c'
    indexes = 'SELECT m.name, x."unique", x.origin FROM sqlite_master m, pragma_index_list(m.name) x'
    for question in (columns, indexes):
        shapes = []
        for name in ("fresh", "old"):
            with closing(sqlite3.connect(tmp_path / name / "arena.db")) as connection:
                shapes.append(sorted(connection.execute(question)))
        assert shapes[0] == shapes[1]


def test_every_step_to_the_present_is_there() -> None:
    """There is an upgrade from every version that ever was."""
    assert set(upgrade.STEPS) == set(range(1, schema.VERSION))
