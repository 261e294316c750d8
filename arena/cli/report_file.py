"""A report that a command writes into a file at its end: what stood there before stays until then."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from arena.errors import ArenaError


@dataclass(frozen=True, slots=True)
class ReportFile:
    """Where the report goes, and the file beside it that takes its place; None if it is written where it stands."""

    place: Path
    beside: Path | None

    def write(self, text: str) -> None:
        """The whole report. Raises ArenaError if the disk is full, or gone."""
        try:
            (self.beside or self.place).write_text(text, encoding="utf-8")
            if self.beside is not None:
                self.beside.replace(self.place)
        except OSError as error:
            raise _refusal(self.place, error) from None


@contextmanager
def report_file(path: Path) -> Iterator[ReportFile]:
    """A place for a report, tried at once: ArenaError if it cannot be written. Nothing is left if none is written.

    A pipe or a device, and a file in a folder that takes no other, are written where they stand.
    """
    place = Path(os.path.realpath(path))  # a link stays one
    beside = place.with_name(f"{place.name}.{os.getpid()}.part")
    try:
        there = place.exists()
        if there and not os.access(place, os.W_OK):
            raise PermissionError(0, "permission denied")
        if there and (not place.is_file() or not os.access(place.parent, os.W_OK)):
            yield ReportFile(place, None)
            return
        beside.touch()
    except OSError as error:
        raise _refusal(path, error) from None
    try:
        yield ReportFile(place, beside)
    finally:
        beside.unlink(missing_ok=True)


def _refusal(path: Path, error: OSError) -> ArenaError:
    return ArenaError(f"cannot write {path}: {(error.strerror or str(error)).lower()}")
