"""Brings events from the completion queue into trio.

A helper thread blocks in the queue. It hands the first event over and stands still; a task then takes all that is ready
itself, without a change of threads, and lets the helper go on when the queue stays empty. So the two are never in the
queue at the same time, and everything but the waiting happens in the trio thread.
"""

from __future__ import annotations

import threading
import time
from typing import Final

import trio

from arena.transport.core import Core, Event

_PASS: Final = 256
"""Events taken before the other tasks have their turn."""


class Pump:
    """Runs the tags of a core's events in the trio thread, until nothing is due."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._task: trio.lowlevel.Task | None = None
        self._first: Event | None = None
        self._stamp = 0.0
        self._turn = threading.Lock()
        self._turn.acquire()
        self.scope = trio.CancelScope(shield=True)
        """To give up with; a cancellation from outside does not stop the pump."""
        self.finished = trio.Event()
        """Set when nothing is due any more."""
        self.noticed_at = 0.0
        """When the events that are being taken were noticed, on trio's clock: none of them was there before.

        Only where more than a pass was waiting, those beyond may have been there for as long as the pass took.
        """

    async def run(self) -> None:
        """Pump. Something must be due."""
        token = trio.lowlevel.current_trio_token()
        threading.Thread(target=self._wait, args=(token,), name="grpc-queue", daemon=True).start()
        with self.scope:
            while self._core.due:
                await self._park()
                # The helper cannot read trio's clock, but how long ago it saw the event is the same on any clock.
                self.noticed_at = trio.current_time() - (time.perf_counter() - self._stamp)
                event, self._first = self._first, None
                while event is not None:
                    event = self._take(event)
                    left_at = trio.current_time()
                    # What the tasks start now is often done at once: one more look saves the helper a round.
                    await trio.lowlevel.cancel_shielded_checkpoint()
                    self.noticed_at = left_at
                    event = event or self._core.take()
                self._turn.release()
            self.finished.set()

    def _take(self, event: Event) -> Event | None:
        """Run the tags of this event and of those behind it; returns the next if the pass ended before the queue."""
        core = self._core
        following: Event | None = event
        for _ in range(_PASS):
            if following is None:
                break
            core.due -= 1
            following.tag(following)
            following = core.take() if core.due else None
        return following

    async def _park(self) -> None:
        """Wait until the helper has something."""
        self._task = trio.lowlevel.current_task()

        def give_up(_: object) -> trio.lowlevel.Abort:
            self._task = None
            return trio.lowlevel.Abort.SUCCEEDED

        await trio.lowlevel.wait_task_rescheduled(give_up)

    def _wake(self) -> None:
        if self._task is not None:
            task, self._task = self._task, None
            trio.lowlevel.reschedule(task)

    def _wait(self, token: trio.lowlevel.TrioToken) -> None:
        """The helper thread."""
        while self._core.due:
            self._first = self._core.wait()
            self._stamp = time.perf_counter()
            try:
                token.run_sync_soon(self._wake)
            except trio.RunFinishedError:
                return
            self._turn.acquire()
