"""Standard output and error as ways out that can close: a reader leaves, a disk fills up, a terminal goes away.

A command that prints an answer ends with its output. A run does not: matches go on, whether or not anybody looks.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class OutputLostError(Exception):
    """Standard output takes nothing more; `reader_left` if that is because nobody reads it any longer.

    No OSError, so that nobody on the way takes it for one of his own.
    """

    def __init__(self, error: OSError) -> None:
        super().__init__(f"cannot write to standard output: {(error.strerror or str(error)).lower()}")
        self.reader_left = error.errno == errno.EPIPE


class Outlet(io.FileIO):
    """A file descriptor to write to. From the first write that fails on, it takes everything and drops it.

    That first failure raises OutputLostError, unless the outlet is `dispensable`; it is kept as `lost`.
    """

    def __init__(self, descriptor: int, *, dispensable: bool) -> None:
        super().__init__(descriptor, "w", closefd=False)
        self.dispensable = dispensable
        self.lost: OutputLostError | None = None

    def write(self, data: ReadableBuffer, /) -> int:
        """Write what can be written; gives how many bytes are done with."""
        if self.lost is None:
            try:
                return super().write(data)
            except OSError as error:
                self.lost = OutputLostError(error)
            if not self.dispensable:
                raise self.lost
        return memoryview(data).nbytes


def open_outlets() -> None:
    """Make standard output and error of this process outlets; standard error is dispensable.

    A standard stream that was closed from the start then leads nowhere.
    """
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            # It gets the lowest number that is free, which is the stream's own: else a database might come to have it,
            # and be written over by libraries that report to standard error.
            setattr(sys, name, Path(os.devnull).open("r+"))  # noqa: SIM115 (it stays open)
        elif name != "stdin":
            setattr(sys, name, _text(stream, dispensable=name == "stderr"))


def dispense_with_output() -> None:
    """From now on lost output stops nothing; `check_output` says in the end whether any was lost."""
    outlet = _outlet()
    if outlet is not None:
        outlet.dispensable = True


def check_output() -> None:
    """Raises OutputLostError if output was lost for another reason than that its reader left."""
    outlet = _outlet()
    if outlet is not None and outlet.lost is not None and not outlet.lost.reader_left:
        raise outlet.lost


def _outlet() -> Outlet | None:
    """Standard output as an outlet; None if it is none, as in a test."""
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    return raw if isinstance(raw, Outlet) else None


def _text(stream: TextIO, *, dispensable: bool) -> TextIO:
    outlet = Outlet(stream.fileno(), dispensable=dispensable)
    writer = io.BufferedWriter(outlet)
    # A name in letters that the terminal does not have is no reason to stop.
    errors = "backslashreplace" if stream.errors == "strict" else stream.errors
    return io.TextIOWrapper(writer, stream.encoding, errors, line_buffering=bool(stream.line_buffering))
