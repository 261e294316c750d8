"""The log of a running match: an append-only file that is whole after every write.

What is in it survives the death of the process from the moment that `append` returns, and a power cut from the moment
that `sync` returns. It holds the server seed, so only its owner can read it.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from arena.errors import JournalBroken
from arena.replay.frames import MAGIC, MAX_BODY, NO_HEAD, Damaged, chain, encode, is_torn, scan
from arena.replay.read import SCHEMA, Collector, Replay
from arena.v1 import replay_pb2

_FLAGS = os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


@dataclass(frozen=True, slots=True)
class Reopened:
    """A journal that goes on after a restart: what it holds, and what had to be cut off its end (None: nothing)."""

    journal: Journal
    replay: Replay
    note: str | None


class Journal:
    """The open file. `head` is the head of the hash chain over all that is in it, `size` its length in bytes."""

    def __init__(self, path: Path, descriptor: int, head: bytes, size: int) -> None:
        self.path = path
        self.head = head
        self.size = size
        self._descriptor = descriptor
        self._entered = False  # True once the folder's entry of the file is known to be on the disk

    @classmethod
    def create(cls, path: Path, header: replay_pb2.ReplayHeader) -> Journal:
        """A new journal that holds `header`, whose schema is set here.

        Raises FileExistsError when the file is there: no log is ever overwritten. JournalBroken when it cannot be made.
        """
        header.schema = SCHEMA
        body = _body(header)
        try:
            descriptor = os.open(path, _FLAGS | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            raise
        except OSError as error:
            raise JournalBroken(path, _reason(error)) from None
        journal = cls(path, descriptor, NO_HEAD, 0)
        try:
            journal._write(MAGIC + encode(body), chain(NO_HEAD, body))
        except JournalBroken:
            journal.close()
            path.unlink()
            raise
        return journal

    @classmethod
    def reopen(cls, path: Path) -> Reopened:
        """The journal of a match that was running when the arena died.

        A last frame that was half written is cut off, and said so. Raises BadReplay when a frame with whole ones behind
        it is damaged: then the file is left as it is.
        """
        data = path.read_bytes()
        collector, size, note = Collector(), len(data), None
        try:
            for raw in scan(data):
                collector.take(raw)
        except Damaged as damage:
            if damage.number == 0 or not is_torn(data, damage):
                raise
            size = damage.offset
            note = f"cut {len(data) - size} bytes of a half-written frame off its end ({damage.where})"
        replay = collector.replay()
        descriptor = os.open(path, _FLAGS)
        if size < len(data):
            os.ftruncate(descriptor, size)
        return Reopened(cls(path, descriptor, replay.head, size), replay, note)

    def append(self, frames: Iterable[replay_pb2.Frame]) -> None:
        """Write the frames, all in one write.

        `log_hash` of a LoggedDeal or LoggedEnd is filled in here, for nobody else knows the head in the midst of a
        write. Raises JournalBroken with the file as it was before when the disk takes less than all.
        """
        parts: list[bytes] = []
        head = self.head
        for frame in frames:
            match frame.WhichOneof("entry"):
                case "deal":
                    frame.deal.log_hash = head
                case "ended":
                    frame.ended.log_hash = head
            body = _body(frame)
            parts.append(encode(body))
            head = chain(head, body)
        self._write(b"".join(parts), head)

    def sync(self) -> None:
        """Wait until all that was appended is on the disk. May run in a thread beside `append`, not beside `close`."""
        try:
            getattr(os, "fdatasync", os.fsync)(self._descriptor)
            if not self._entered and os.name == "posix":
                _sync_folder(self.path.parent)
                self._entered = True
        except OSError as error:
            raise JournalBroken(self.path, _reason(error)) from None

    def close(self) -> None:
        """Close the file; a second time does nothing."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _write(self, data: bytes, head: bytes) -> None:
        try:
            written = os.write(self._descriptor, data)
            if written < len(data):  # the disk is full: another write names the reason, or finds room again
                written += os.write(self._descriptor, data[written:])
            if written < len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))  # noqa: TRY301 - handled as if the system had said it
        except OSError as error:
            self._cut_back(error)
        self.size += len(data)
        self.head = head

    def _cut_back(self, error: OSError) -> NoReturn:
        try:
            os.ftruncate(self._descriptor, self.size)
        except OSError:
            self.close()  # nothing may ever be written behind half a frame
        raise JournalBroken(self.path, _reason(error)) from None


def _body(message: replay_pb2.Frame | replay_pb2.ReplayHeader) -> bytes:
    body = message.SerializeToString(deterministic=True)  # the same log is the same bytes, its map of rules too
    if len(body) > MAX_BODY:
        raise ValueError(f"a frame of {len(body)} bytes: the limit is {MAX_BODY}")
    return body


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
