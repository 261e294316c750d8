"""Ctrl-C: the first one lets the running matches end, the second stops at once. Both say so, and how to go on."""

from __future__ import annotations

import signal

import trio

from arena.cli.printing import matches, warn
from arena.server import Arena


class Stopping:
    """Listens for Ctrl-C and for SIGTERM, which counts as one. `presses` is how many there were, at most 2."""

    def __init__(self, arena: Arena) -> None:
        self.arena = arena
        self.presses = 0
        self.serving = False
        """Set it once the arena serves: before that there is nothing to wait for."""

    async def listen(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Obey until cancelled, or until the arena has been told to stop at once."""
        with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as presses:
            task_status.started()
            async for _ in presses:
                self.presses += 1
                if self.presses == 1 and self.serving:
                    self._drain()
                else:
                    self._abort()
                    return

    def _drain(self) -> None:
        running = self.arena.running
        last = f", {matches(running)} {'is' if running == 1 else 'are'} played out; Ctrl-C again stops at once"
        warn(f"stopping: no match begins any more{last if running else ''}")
        self.arena.drain()

    def _abort(self) -> None:
        running = self.arena.running if self.serving else 0
        kept = f"; {matches(running)} in the middle of play can go on" if running else ""
        warn(f"stopped at once{kept}")
        self.arena.abort()
