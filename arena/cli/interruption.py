"""For commands that start bots by themselves: whoever ends such a command ends its bots too."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interruptible() -> Iterator[None]:
    """SIGTERM and SIGHUP count as Ctrl-C, KeyboardInterrupt, in the main thread. The first one counts."""

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        for number in numbers:
            signal.signal(number, signal.SIG_IGN)  # now the bots are ended, and that is not to be interrupted
        raise KeyboardInterrupt

    names = ("SIGINT", "SIGTERM", "SIGHUP")
    numbers = [number for name in names if (number := getattr(signal, name, None)) is not None]
    before = {number: signal.signal(number, interrupt) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
