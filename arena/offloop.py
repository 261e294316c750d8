"""Where the arena waits for the disk: outside its loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

import trio

T = TypeVar("T")


class OffLoop(Protocol):
    """Runs a function that blocks, while the loop goes on. A simulation that holds the clock runs it at once."""

    async def __call__(self, function: Callable[[], T], /) -> T:
        """What `function` returns or raises."""


async def in_thread(function: Callable[[], T], /) -> T:
    """Run `function` in a thread of its own."""
    return await trio.to_thread.run_sync(function)
