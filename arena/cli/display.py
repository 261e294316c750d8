"""What a run shows while it is played: a picture that changes in place, or lines, or nothing."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.live import Live

from arena.cli.printing import console, on_terminal


class Display:
    """On a terminal `_live` is the picture, in a pipe `_lines` is true; neither if it is `quiet`.

    The picture is there from entering the display to leaving it, and is gone then.
    """

    def __init__(self, *, quiet: bool) -> None:
        self._lines = not quiet and not on_terminal()
        self._live = None if quiet or self._lines else Live(console=console(), auto_refresh=False, transient=True)

    def __enter__(self) -> Self:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()
