"""One call, as its handler sees it: a way in, a way out, and an end.

    OPEN ── end() ──> ENDING ── all is written ──> OVER ── the peer has it ──> CLOSED
      └──── abort(), or nothing to write ───────────^

A peer that goes away closes the call from every state. Whatever happens, the handler's scope is cancelled when the
call is closed, so a handler need not watch for it.
"""

from __future__ import annotations

import logging
import math
from collections import deque
from collections.abc import Awaitable, Callable
from enum import IntEnum
from typing import Final, TypeAlias

import trio

from arena.transport.core import Core, Event, Rpc
from arena.transport.errors import Gone, RpcError, Status
from arena.transport.pump import Pump

log = logging.getLogger("arena.transport")

SHUTDOWN: Final = "server shutdown"
MAX_JOINED: Final = 32 * 1024
"""Bytes up to which messages that wait are joined into one."""


class _State(IntEnum):
    OPEN = 0
    ENDING = 1  # the end was said, but messages before it are still being written
    OVER = 2  # the status is on its way
    CLOSED = 3


class Call(Rpc):
    """One call.

    Made by the server; a handler has it until it returns. All methods are to be used in the trio thread. `metadata`
    and `method` tell what was called, `peer()` by whom.
    """

    def __init__(self, core: Core, event: Event, pump: Pump, *, max_outbox: int, end_grace: float) -> None:
        super().__init__(core, event)
        self._pump = pump
        self._max_outbox = max_outbox
        self._end_grace = end_grace
        self.scope = trio.CancelScope()
        """The scope in which the handler runs. Cancelled when the call is closed or aborted."""
        self.received_at = 0.0
        """When the message that `receive` returned last came out of the completion queue, in seconds of trio's clock.

        That is before the handler had its turn, so what else the loop had to do first is not in it.
        """
        self.lag = 0.0
        """How many of the seconds before `received_at` that message may have been waiting for this process.

        The process noticed at `received_at - lag` that something was there, and not before; the message came then or
        later. It is time that a peer should not be charged for.
        """
        self._state = _State.OPEN
        self._message: bytes | None = None
        self._message_at = 0.0
        self._noticed_at = 0.0
        self._half_closed = False
        self._reader: trio.lowlevel.Task | None = None
        self._writing = 0
        self._outbox: deque[bytes] = deque()
        self._outbox_bytes = 0
        self._written: trio.Event | None = None
        self._final = (Status.OK, "")
        self._end_by = math.inf

    # In.

    async def receive(self) -> bytes:
        """The next message.

        Exactly one is asked for ahead, and the one after it only when this one has been taken: a peer that sends more
        than it is asked for is stopped by HTTP/2 flow control and costs no memory here.

        Raises trio.EndOfChannel when the peer has sent its last message (it may still listen), and Gone when the call
        is over. A peer that breaks off can show as either; in its own scope a handler is then cancelled. One task at a
        time may receive.
        """
        if self._message is None and not self._half_closed and self._state is _State.OPEN:
            await self._park()
        else:
            await trio.lowlevel.checkpoint()
        if self._state is not _State.OPEN:
            raise Gone
        message, self._message = self._message, None
        if message is None:
            raise trio.EndOfChannel
        self.received_at = self._message_at
        self.lag = self._message_at - self._noticed_at
        self._read()
        return message

    async def _park(self) -> None:
        """Wait for the next message or the end."""
        if self._reader is not None:
            raise trio.BusyResourceError("another task is receiving from this call")
        self._reader = trio.lowlevel.current_task()

        def give_up(_: object) -> trio.lowlevel.Abort:
            self._reader = None
            return trio.lowlevel.Abort.SUCCEEDED

        await trio.lowlevel.wait_task_rescheduled(give_up)

    def _wake(self) -> None:
        if self._reader is not None:
            reader, self._reader = self._reader, None
            trio.lowlevel.reschedule(reader)

    def _on_message(self, data: bytes | None) -> None:
        self._message = data
        self._half_closed = data is None
        self._message_at = trio.current_time()
        self._noticed_at = self._pump.noticed_at
        self._wake()

    # Out.

    @property
    def outbox_bytes(self) -> int:
        """Bytes handed over that are not yet written, those of the message that is being written among them."""
        return self._writing + self._outbox_bytes

    @property
    def is_writing(self) -> bool:
        """True while a message is being written."""
        return bool(self._writing)

    def send_nowait(self, data: bytes) -> None:
        """Send a serialised message.

        What is sent while another message is being written waits, and then goes out joined, end to end, as ONE
        message: right for a protobuf message whose fields are all repeated, because joining two is merging them. Where
        that would be wrong, `await flush()` first. No message is joined to more than `MAX_JOINED` bytes.

        A peer that does not read is ended with RESOURCE_EXHAUSTED when more than `max_outbox` bytes would be waiting.
        Does nothing when the call is over.
        """
        if self._state is not _State.OPEN:
            return
        if not self._writing:
            self._start_writing(data)
        elif self.outbox_bytes + len(data) > self._max_outbox:
            text = f"slow reader: more than {self._max_outbox} bytes are waiting to be read"
            self.abort(Status.RESOURCE_EXHAUSTED, text)
        else:
            self._outbox.append(data)
            self._outbox_bytes += len(data)

    def _start_writing(self, data: bytes) -> None:
        self._writing = len(data) or 1  # an empty message is written too
        self._write(data)

    def _on_written(self) -> None:
        if self._outbox:
            parts = [self._outbox.popleft()]
            size = len(parts[0])
            while self._outbox and size + len(self._outbox[0]) <= MAX_JOINED:
                parts.append(self._outbox.popleft())
                size += len(parts[-1])
            self._outbox_bytes -= size
            self._start_writing(b"".join(parts))
            return
        self._writing = 0
        if self._state is _State.ENDING:
            self._state = _State.OVER
            self._finish(*self._final)
        self._flushed()

    async def flush(self) -> None:
        """Wait until nothing is left to be written, because the peer has room for it or because the call is over."""
        await trio.lowlevel.checkpoint()
        while self._writing and self._state <= _State.ENDING:
            if self._written is None:
                self._written = trio.Event()
            await self._written.wait()

    def _flushed(self) -> None:
        if self._written is not None:
            self._written.set()
            self._written = None

    def _clear(self) -> None:
        self._outbox.clear()
        self._outbox_bytes = 0

    # The end.

    def end(self, code: Status = Status.OK, details: str = "") -> None:
        """End the call once all that was sent is written.

        A peer that does not read has the server's `end_grace`, then the call is aborted; a handler that still runs then
        is cancelled. From now on nothing more can be sent or received.
        """
        if self._state is not _State.OPEN:
            return
        self._final = (code, details)
        if self._writing:
            self._state = _State.ENDING
            self._end_by = trio.current_time() + self._end_grace
            self.scope.deadline = min(self.scope.deadline, self._end_by)
        else:
            self._state = _State.OVER
            self._finish(code, details)
        self._wake()

    def abort(self, code: Status, details: str = "") -> None:
        """End the call now: drop what waits to be written, and cancel the handler."""
        if self._state <= _State.ENDING:
            self._state = _State.OVER
            self._clear()
            if self._writing:
                self._kill(code, details)
            else:
                self._finish(code, details)
            self._flushed()
        self.scope.cancel()
        self._wake()

    def _on_closed(self) -> None:
        self._state = _State.CLOSED
        self._clear()
        self._flushed()
        self.scope.cancel()
        self._wake()

    # The server's business.

    def refuse(self, code: Status, details: str) -> None:
        """End a call that gets no handler."""
        self._open()
        self.end(code, details)

    async def run(self, handler: Handler) -> None:
        """Run the handler and end the call as it says: how it returns or what it raises is the call's status."""
        self._open()
        self._read()
        try:
            with self.scope:
                await handler(self)
            self.end()
        except trio.Cancelled:
            self.end(Status.UNAVAILABLE, SHUTDOWN)
            raise
        except Exception as error:  # noqa: BLE001  # whatever it is, it must not reach the other calls
            self._fail(error)
        except BaseExceptionGroup as group:
            failures, others = group.split(Exception)
            if failures is not None:
                self._fail(failures)
            self.end(Status.UNAVAILABLE, SHUTDOWN)
            if others is not None:
                raise others from None
        await self._settle()

    def _fail(self, error: Exception) -> None:
        """End the call for what a handler raised; log what is no way to end one."""
        told = list(_leaves(error))
        if all(isinstance(one, RpcError | Gone | trio.EndOfChannel) for one in told):
            code, details = next(((e.code, e.details) for e in told if isinstance(e, RpcError)), (Status.OK, ""))
            self.end(code, details)
            return
        log.error("the handler of %s failed", self.method, exc_info=error)
        self.end(Status.INTERNAL, "internal error")

    async def _settle(self) -> None:
        """Give the peer the rest of the grace to read what is written."""
        if self._state is _State.ENDING:
            with trio.CancelScope(deadline=self._end_by):
                await self.flush()
            self.abort(*self._final)


Handler: TypeAlias = Callable[[Call], Awaitable[None]]
"""Serves one call. When it returns the call ends with OK, when it raises RpcError with that status."""


def _leaves(error: BaseException) -> list[BaseException]:
    """The exceptions in a group, or the one that is no group."""
    if isinstance(error, BaseExceptionGroup):
        return [leaf for one in error.exceptions for leaf in _leaves(one)]
    return [error]
