"""A copy of a data folder that is whole by itself, made while an arena plays there; and the way back.

A backup is a data folder: the settings, the database as it was at one moment, and the logs of the matches that were
running. The logs are copied first. A match that ends meanwhile is in the database by then, and its log is left out; one
that begins meanwhile had no result that anybody was told. So the backup holds every result that was told before.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.config.sources import FILE
from arena.errors import ArenaError, BadReplay
from arena.opening import journal_path, running_folder
from arena.replay import read_replay
from arena.replay.frames import Damaged, is_torn, scan
from arena.store import Result, Store, copy_unopened

_PAGE: Final = 500


@dataclass(frozen=True, slots=True)
class Contents:
    """How many matches a folder holds: ended ones, and ones that go on at the next start."""

    ended: int
    running: int


def back_up(data: Path, destination: Path) -> Contents:
    """Copy a data folder to a new folder, which is there whole or not at all. An arena may play in it meanwhile.

    Raises ArenaError when the destination is there, cannot be written, or something is damaged.
    """
    if os.path.lexists(destination):
        raise ArenaError(f"{destination} is there already: give the name of a folder that is not there yet")
    with Store.open(data, hold=False) as store, _fresh(destination) as part:
        _copy_settings(data, part)
        _copy_logs(data, part)
        store.copy_to(part)
        with Store.open(part, hold=False) as copy:
            _drop_recorded(part, copy)
            return _count(part, copy)


def restore(backup: Path, data: Path) -> Contents:
    """Make a new data folder of a backup, after every part of it has been checked.

    Raises ArenaError when the folder has something in it already, or the backup does not hold what it should.
    """
    if os.path.lexists(data) and not (data.is_dir() and not any(data.iterdir())):
        raise ArenaError(f"data folder {data} is not empty: a backup needs a new one, give another --data")
    with _fresh(data) as part:
        try:
            copy_unopened(backup, part)  # it may be of an older arena: the copy is brought up to date
            _copy_settings(backup, part)
            _copy_logs(backup, part)
            with Store.open(part, hold=True) as copy:
                _check(part, copy)
                contents = _count(part, copy)
        except ArenaError as error:
            raise ArenaError(f"{backup} is not restored: {str(error).replace(str(part), str(backup))}") from None
        for name in ("lock", "lock.pid"):
            (part / name).unlink(missing_ok=True)
        return contents


@contextmanager
def _fresh(folder: Path) -> Iterator[Path]:
    """A folder beside `folder` that takes its name in the end, and is gone if it does not come to that."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        part = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", suffix=".part", dir=folder.parent))
        try:
            yield part
            _sync(part)
            if folder.is_dir() and not folder.is_symlink():
                folder.rmdir()  # an empty one; else this fails, and nothing is overwritten
            part.rename(folder)
            _sync_folder(folder.parent)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    except OSError as error:
        raise ArenaError(f"cannot write {folder}: {(error.strerror or str(error)).lower()}") from None


def _copy_settings(data: Path, part: Path) -> None:
    if (data / FILE).exists():
        try:
            shutil.copy2(data / FILE, part / FILE)
        except OSError as error:
            raise ArenaError(f"cannot copy {data / FILE}: {(error.strerror or '').lower()}") from None


def _copy_logs(data: Path, part: Path) -> None:
    running_folder(part).mkdir(mode=0o700)
    for path in sorted(running_folder(data).glob("*.arp")):
        try:
            whole, written = _whole_frames(path), path.stat().st_mtime
        except FileNotFoundError:
            continue  # the match has ended: the database, which is copied later, has it
        except OSError as error:
            raise ArenaError(f"cannot read {path}: {(error.strerror or '').lower()}") from None
        if whole:
            copy = running_folder(part) / path.name
            descriptor = os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)  # it holds the seed
            with os.fdopen(descriptor, "wb") as file:
                file.write(whole)
            os.utime(copy, (written, written))  # from then on the match was interrupted


def _whole_frames(path: Path) -> bytes:
    """A log without a frame that is just being written; nothing if not even its header is there."""
    data = path.read_bytes()
    try:
        return data if list(scan(data)) else b""
    except Damaged as damage:
        if is_torn(data, damage):
            return data[: damage.offset] if damage.number else b""
        raise ArenaError(f"{path} is damaged: {damage}; move the file away to go on without it") from None
    except BadReplay as error:
        if not data:
            return b""
        raise ArenaError(f"{path} is no log of a running match: {error}; move the file away") from None


def _drop_recorded(part: Path, copy: Store) -> None:
    for path in running_folder(part).iterdir():
        run, _, match_id = path.name.removesuffix(".arp").partition(".")
        if copy.match(run, match_id) is not None:
            path.unlink()


def _count(part: Path, copy: Store) -> Contents:
    return Contents(copy.terminations().total(), len(list(running_folder(part).iterdir())))


def _check(part: Path, copy: Store) -> None:
    """Raise ArenaError unless database, replays and logs are whole and belong together."""
    faults = copy.faults()
    if faults:
        raise ArenaError(f"its database is damaged: {faults[0]}")
    for result in _all(copy):
        try:
            head = read_replay(copy.replay(result)).head
        except BadReplay as error:
            raise ArenaError(f"the replay of match {result.name} is damaged: {error}") from None
        if head != result.log_hash:
            raise ArenaError(f"the replay of match {result.name} is not the one whose hash is recorded")
    runs = {run.name for run in copy.runs()}
    for path in running_folder(part).iterdir():
        header = read_replay(path.read_bytes()).header
        if header.run not in runs or path != journal_path(part, header.run, header.match_id):
            raise ArenaError(f"{path} is no log of a match of its runs")
        if copy.match(header.run, header.match_id) is not None:
            raise ArenaError(f"{path} is the log of a match that has ended")


def _all(store: Store) -> Iterator[Result]:
    before: int | None = None
    while page := store.matches(before=before, limit=_PAGE):
        yield from page
        before = page[-1].seq


def _sync(folder: Path) -> None:
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                os.fsync(file.fileno())
        else:
            _sync_folder(path)
    _sync_folder(folder)


def _sync_folder(folder: Path) -> None:
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
