"""A disk without room, and a folder that cannot be written, as the system makes them: refused in words, nothing lost.

A limit on the length of files needs no privileges; where the system allows a file system of one's own, a full one and
a read-only one are tried too.
"""

from __future__ import annotations

import errno
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import trio.testing

from arena.replay import read_replay, verify
from arena.store import Store
from broken_folders import whole_folder

ROOT = Path(__file__).parents[2]
BOT = f"{shlex.quote(sys.executable)} -m sample_bots.python.random_bot"
PLAY = ["match", BOT, BOT, "--run", "night", "--option", "max_deals=60", "--option", "target=100000", "--seed", "1"]
WRITERS = ["serve --open --run match-1 --listen 127.0.0.1:0", "ratings --rebuild"]
READERS = ["replay list", "replay verify --run match-1", "ratings"]


INJECTED = """
import os, shutil, sqlite3, sys
number, name, data = int(sys.argv[1]), sys.argv[2], sys.argv[3]
opened, connected = os.open, sqlite3.connect

def open_or_not(path, flags, *rest, **more):
    if number and flags & (os.O_WRONLY | os.O_RDWR) and os.fspath(path).startswith(data):
        raise OSError(number, os.strerror(number))
    return opened(path, flags, *rest, **more)

def connect_or_not(database, *rest, **more):
    if "immutable=1" in str(database):
        return connected(database, *rest, **more)
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorname = name
    raise error

os.open, sqlite3.connect, sqlite3.dbapi2.connect = open_or_not, connect_or_not, connect_or_not
shutil.disk_usage = lambda _: shutil._ntuple_diskusage(400, 400, 0)
from arena.cli.app import arena
arena.main(sys.argv[4:], prog_name="arena")
"""
"""An arena whose system calls fail as on a full disk or in a folder that cannot be written."""


CONFINED = """
import resource, sys
limit = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
from arena.cli.app import arena
arena.main(sys.argv[2:], prog_name="arena")
"""
"""An arena whose files cannot grow beyond a limit."""


def run(
    *words: str, wrapped: str = "", injected: tuple[str, ...] = (), limit: int | None = None
) -> subprocess.CompletedProcess[str]:
    """Run an `arena` command: in the shell script `wrapped`, with faults, or with files of at most `limit` bytes."""
    start: tuple[str, ...] = ("-m", "arena.cli")
    if injected:
        start = ("-c", INJECTED, *injected)
    elif limit is not None:
        start = ("-c", CONFINED, str(limit))
    command = [sys.executable, *start, *words]
    if wrapped:
        command = [*OWN_MOUNTS, "sh", "-ec", wrapped, "sh", *command]
    return subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100"},
        capture_output=True,
        text=True,
        check=False,
        timeout=HANGS,
    )


HANGS = 600
"""Seconds after which a command is hung for certain: starting one takes many on a machine that is busy otherwise."""

OWN_MOUNTS = ["unshare", "--map-root-user", "--mount"]


def can_mount() -> bool:
    """The system lets everybody have a file system of his own."""
    probe = [*OWN_MOUNTS, "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    return (
        shutil.which("unshare") is not None and not subprocess.run(probe, capture_output=True, check=False).returncode
    )


MEANS = ["injected", "mounted"] if can_mount() else ["injected"]
"""How a disk is filled or sealed: by faults of system calls always, really where that is allowed."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a match recorded and one running."""
    folder = tmp_path_factory.mktemp("whole") / "data"
    trio.run(whole_folder, folder, clock=trio.testing.MockClock(autojump_threshold=0))
    return folder


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    """The one line of a refusal with exit code 2; what a run says of how to go on is none."""
    lines = [line for line in done.stderr.splitlines() if "go on with: " not in line]
    assert "Traceback" not in done.stderr
    assert done.returncode == 2, done.stderr
    (line,) = lines
    return line


def test_a_match_that_outgrows_the_disk_goes_on_later(tmp_path: Path) -> None:
    """When a log cannot grow the arena stops with the reason, and plays the match to its end once there is room."""
    place = ["--data", str(tmp_path)]
    stopped = run(*PLAY, *place, limit=100_000)
    (journal,) = (tmp_path / "running").iterdir()
    reason = f"cannot write {journal}: file too large"
    at_once, last = [line for line in stopped.stderr.splitlines() if "go on with: " not in line]
    assert (stopped.returncode, last) == (2, f"arena: {reason}")
    assert at_once.endswith(reason)  # while other matches are still played out
    logged = journal.read_bytes()
    done = run(*PLAY, *place)
    assert done.returncode == 0, done.stderr
    with Store.open(tmp_path, hold=False) as store:
        (result,) = store.matches()
        replay = read_replay(store.replay(result))
    assert not verify(replay, known_hash=result.log_hash).failures
    assert sum(frame.HasField("restarted") for frame in replay.frames) == 1
    assert read_replay(logged).frames == replay.frames[: len(read_replay(logged).frames)]


def test_a_database_that_cannot_grow_is_said(tmp_path: Path) -> None:
    """Not even a new data folder has room: one line, and no match has begun."""
    told = one_line(run(*PLAY, "--data", str(tmp_path), limit=10_000))
    assert told.startswith(f"arena: data folder {tmp_path}: its database does not work: ")
    assert not (tmp_path / "running").exists()


@pytest.mark.parametrize("means", MEANS)
@pytest.mark.parametrize("command", [*WRITERS, *READERS])
def test_a_full_disk_is_called_full(whole: Path, tmp_path: Path, command: str, means: str) -> None:
    """On a full disk who writes is told that it is full, who reads reads; with room again nothing is missing."""
    data, after = tmp_path / "data", tmp_path / "after"
    words = [*command.split(), "--data", str(data)]
    if means == "injected":
        shutil.copytree(whole, data)
        after = data
        done = run(*words, injected=("0", "SQLITE_IOERR_SHMSIZE", str(data)))
    else:
        data.mkdir()
        fill = (
            f'mount -t tmpfs -o size=400k tmpfs "{data}"; cp -R "{whole}/." "{data}"; '
            f'dd if=/dev/zero of="{data}/filler" bs=1k 2>/dev/null || true; '
            f'code=0; "$@" || code=$?; rm "{data}/filler"; cp -R "{data}/." "{after}"; exit $code'
        )
        done = run(*words, wrapped=fill)
    if command in READERS:
        assert (done.returncode, done.stderr) == (0, "")
    else:
        assert one_line(done) == (
            f"arena: data folder {data}: the disk is full: make room and start again, what was played so far is kept"
        )
    check_after(whole, after)


@pytest.mark.parametrize("means", MEANS)
@pytest.mark.parametrize("command", [*WRITERS, *READERS])
def test_a_folder_that_cannot_be_written(whole: Path, tmp_path: Path, command: str, means: str) -> None:
    """In a read-only folder who writes is refused in one line, who reads reads."""
    data = tmp_path / "data"
    shutil.copytree(whole, data)
    words = [*command.split(), "--data", str(data)]
    if means == "injected":
        done = run(*words, injected=(str(errno.EROFS), "SQLITE_CANTOPEN", str(data)))
    else:
        seal = f'mount --bind "{data}" "{data}"; mount -o remount,ro,bind "{data}"; exec "$@"'
        done = run(*words, wrapped=seal)
    if command in READERS:
        assert (done.returncode, done.stderr) == (0, "")
    else:
        assert one_line(done) == f"arena: data folder {data}: cannot be used: read-only file system"
    check_after(whole, data)


def check_after(whole: Path, data: Path) -> None:
    """The folder holds what it held: the recorded match, and the log of the running one."""
    logs = [{path.name: path.read_bytes() for path in (folder / "running").iterdir()} for folder in (whole, data)]
    assert logs[0] == logs[1]
    with Store.open(whole, hold=False) as before, Store.open(data, hold=True) as after:
        assert after.matches() == before.matches()
