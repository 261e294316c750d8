"""Brings events from the completion queue into trio.

One helper thread blocks in the queue. It hands the first event over and stands still; the trio thread then takes all
that is ready itself, without further changes of threads, and lets the helper go on when the queue is empty. So the two
are never in the queue at the same time, and everything but the waiting happens in the trio thread.
"""

from __future__ import annotations

import threading
import time
from typing import Final

import trio

from arena.transport.core import Core, Event

_PASS: Final = 256
"""Events taken before the tasks have their turn."""


class Pump:
    """Runs the tags of a core's events in the trio thread, until nothing is due."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._first: Event | None = None
        self._stamp = 0.0
        self._turn = threading.Lock()
        self._turn.acquire()
        self.finished = trio.Event()
        """Set when nothing is due any more."""
        self.noticed_at = 0.0
        """When the events that are being taken were noticed, on trio's clock: none of them was there before.

        Only where more than a pass was waiting, those beyond may have been there for as long as the pass took.
        """

    def start(self) -> None:
        """Begin. Something must be due. To be called from trio, whose thread it then is."""
        self._token = trio.lowlevel.current_trio_token()
        threading.Thread(target=self._wait, name="grpc-queue", daemon=True).start()

    def _wait(self) -> None:
        """The helper thread."""
        while not self.finished.is_set():
            self._first = self._core.wait()
            self._stamp = time.perf_counter()
            try:
                self._token.run_sync_soon(self._drain)
            except trio.RunFinishedError:
                return
            self._turn.acquire()

    def _drain(self) -> None:
        """Take what is ready, in the trio thread."""
        core = self._core
        event, self._first = self._first, None
        # The helper cannot read trio's clock, but how long ago it saw the first event is the same on any clock.
        self.noticed_at = trio.current_time() - (time.perf_counter() - self._stamp)
        for _ in range(_PASS):
            if event is None:
                self._turn.release()
                return
            core.due -= 1
            event.tag(event)
            if not core.due:
                self.finished.set()
                self._turn.release()
                return
            event = core.take()
        self._first = event
        self._stamp = time.perf_counter()
        self._token.run_sync_soon(self._drain)
