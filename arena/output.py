"""What a bot prints, kept in a file that does not grow without end."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

KEPT: Final = 512 * 1024
"""Bytes that are kept of a bot's output: the first half from its beginning, the second half the newest."""
_NOTE: Final = 64
"""Bytes in the second half that are for the note of what was left out."""


class Output:
    """The file `path`, behind what is there already. Raises OSError when it cannot be made or written.

    The beginning is written as it comes, the newest by `write`. What cannot be written later, on a full disk, is lost:
    no match may suffer from what a bot prints.
    """

    def __init__(self, path: Path, most: int = KEPT) -> None:
        self.path = path
        self._half = most // 2
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("ab+", buffering=0)
        self._file.close()
        self._file = path.open("rb+", buffering=0)
        old = self._file.read(most)
        self._head = min(len(old), self._half)
        self._newest = bytearray(old[self._half :])
        self._left_out = 0
        self.behind = False
        """Something of the newest is not in the file yet."""

    def take(self, data: bytes) -> None:
        """The bot has printed this."""
        if self._head < self._half:
            first, data = data[: self._half - self._head], data[self._half - self._head :]
            self._put(self._head, first)
            self._head += len(first)
        if data:
            self._newest += data
            over = len(self._newest) - (self._half - _NOTE)
            if over > 0:
                del self._newest[:over]
                self._left_out += over
            self.behind = True

    def write(self) -> None:
        """Bring the file up to date."""
        if not self.behind:
            return
        self.behind = False
        note = f"\n[{self._left_out} bytes are left out here]\n".encode() if self._left_out else b""
        self._put(self._half, note + self._newest)

    def tail(self, lines: int) -> str:
        """The end of it."""
        end = bytes(self._newest[-4096:])
        if len(end) < 4096:
            with suppress(OSError, ValueError):
                end = self.path.read_bytes()[: self._head][-4096:] + end
        return "\n".join(end.decode(errors="replace").splitlines()[-lines:])

    def close(self) -> None:
        """Write what is to be written, and no more."""
        self.write()
        self._file.close()

    def _put(self, place: int, data: bytes) -> None:
        with suppress(OSError):
            self._file.seek(place)
            self._file.write(data)
            self._file.truncate()
