"""What goes wrong for a person: one line that says what, where, and what would be right.

The command line prints the line and leaves with `exit_code`; a traceback is only for a fault of the arena's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from arena.plain import phrase


def nearest(word: str, known: Iterable[str]) -> str:
    """`; did you mean X?` for the word of `known` most like `word`, or nothing. Dashes in front do not count."""
    plain = {other.lstrip("-"): other for other in known}
    close = get_close_matches(word.lstrip("-"), plain, n=1)
    return f"; did you mean {plain[close[0]]}?" if close else ""


class ArenaError(Exception):
    """Something that a person has to know; `str` of it is one line."""

    exit_code = 2


def unexpected(error: Exception) -> Exception | None:
    """The error if a log must tell how it came about; None if its one line says all that there is to know."""
    return None if isinstance(error, ArenaError) else error


LONGEST: Final = 400
"""The most characters that a message repeats of what stands in somebody's file."""


def shortened(text: str) -> str:
    """`text` as it may stand in a message: one line, without what steers a terminal, of a long one the beginning.

    A line of a stranger's must not pass for one of the arena's.
    """
    told = phrase(text)
    return told if len(told) <= LONGEST else f"{told[:LONGEST]}..."


class BadReplay(ArenaError):
    """A file or blob that is no replay, or a damaged one. `where` is the place in it, `what` is wrong there."""

    def __init__(self, where: str, what: str) -> None:
        what = shortened(what)
        super().__init__(f"{where}: {what}")
        self.where = where
        self.what = what


class JournalBroken(ArenaError):
    """The log of a running match cannot be written: the disk is full, or gone. What is in the file is whole."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"cannot write {path}: {reason}")
        self.path = path
        self.reason = reason


class DataFolderHeld(ArenaError):
    """Another process has the data folder. `process` is its id, None if that is not known."""

    def __init__(self, folder: Path, process: int | None) -> None:
        by = f"process {process}" if process else "its process is not known"
        super().__init__(f"data folder {folder} is in use by another arena ({by}): stop it, or give another --data")
        self.folder = folder
        self.process = process


class DataFolderNewer(ArenaError):
    """The data folder was written by a later arena; `found` and `known` are versions of its database."""

    def __init__(self, folder: Path, found: int, known: int) -> None:
        super().__init__(
            f"data folder {folder} is of version {found}, this arena knows versions up to {known}: use a newer arena"
        )
        self.folder = folder
        self.found = found
        self.known = known


class BadDataFolder(ArenaError):
    """The data folder cannot be used as one."""

    def __init__(self, folder: Path, what: str) -> None:
        super().__init__(f"data folder {folder}: {what}")
        self.folder = folder
        self.what = what


class NotFound(ArenaError):
    """Nothing goes by that name; the message says what there is, or where it was looked for."""


class Ambiguous(ArenaError):
    """A name fits several things; `choices` are their full names."""

    SHOWN = 8

    def __init__(self, name: str, choices: Sequence[str]) -> None:
        more = f" and {len(choices) - self.SHOWN} more" if len(choices) > self.SHOWN else ""
        super().__init__(f"{name} could be {', '.join(choices[: self.SHOWN])}{more}: write more of it")
        self.name = name
        self.choices = tuple(choices)


class BadConfig(ArenaError):
    """A setting that will not do; `where` is its file and line, its variable, or its option."""

    def __init__(self, where: str, what: str) -> None:
        super().__init__(f"{where}: {what}")
        self.where = where
        self.what = what
