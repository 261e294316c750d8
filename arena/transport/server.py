"""A gRPC server for trio: one task for each call, in a nursery of the server's own."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Final

import trio

from arena.transport.addresses import check_address
from arena.transport.call import SHUTDOWN, Call, Handler
from arena.transport.core import Core, Credentials, Event, Options
from arena.transport.errors import ListenError, Status
from arena.transport.options import SERVER_OPTIONS
from arena.transport.peers import Peers
from arena.transport.pump import Pump

log = logging.getLogger("arena.transport")

_LAST_WAIT: Final = 5.0
"""Seconds that the C core has for the end of calls that were cancelled."""


class TrioServer:
    """Serves the methods in `handlers`, by full name such as `/arena.v1.ArenaService/Play`.

    `max_outbox` bounds the bytes that wait to be written to a peer, `max_calls` the calls at the same time, `end_grace`
    the seconds in which a peer must have read what was sent before the end of a call.
    """

    def __init__(
        self,
        handlers: Mapping[str, Handler],
        options: Options = SERVER_OPTIONS,
        *,
        max_outbox: int = 256 * 1024,
        max_calls: int = 10_000,
        end_grace: float = 5.0,
    ) -> None:
        self._handlers = dict(handlers)
        self._max_outbox = max_outbox
        self._max_calls = max_calls
        self._end_grace = end_grace
        self._core = Core(options)
        self._pump = Pump(self._core)
        self._nursery: trio.Nursery | None = None
        self._running = 0
        self._peers = Peers()
        self._served = False

    @property
    def running(self) -> int:
        """Calls that have a handler."""
        return self._running

    @property
    def connections(self) -> int:
        """Connections with a call on them that has a handler."""
        return self._peers.connections

    def add_port(self, address: str, credentials: Credentials | None = None) -> int:
        """Listen on `HOST:PORT`, `[IPV6]:PORT` or `unix:PATH`; port 0 takes a free one. Returns the port.

        Connections are accepted from `serve` on, and the port is free again when that has returned. Without credentials
        they are in plain text. Raises ListenError.
        """
        check_address(address)
        port = self._core.listen(address, credentials)
        if not port:
            raise ListenError(address, "the address is taken or cannot be used here")
        return port

    async def serve(self, *, grace: float = 1.0, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Serve until cancelled, once in the life of a server.

        Then handlers are cancelled, and calls that they did not end themselves end with UNAVAILABLE "server shutdown".
        Peers have `grace` seconds to take that in. What a handler raises ends its own call alone, unless it is no
        Exception.
        """
        if self._served:
            raise RuntimeError("a server serves once")
        self._served = True
        self._core.start()
        self._core.accept(self._on_call)
        async with trio.open_nursery() as machinery:
            machinery.start_soon(self._pump.run)
            try:
                async with trio.open_nursery() as nursery:
                    self._nursery = nursery
                    task_status.started()
                    await trio.sleep_forever()
            finally:
                self._nursery = None
                with trio.CancelScope(shield=True):
                    await self._stop(grace)

    async def _stop(self, grace: float) -> None:
        self._core.shutdown(_nothing)
        with trio.move_on_after(grace):
            await self._pump.finished.wait()
        if not self._pump.finished.is_set():
            self._core.cancel_calls()
            with trio.move_on_after(_LAST_WAIT):
                await self._pump.finished.wait()
        if self._pump.finished.is_set():
            self._core.close()
        else:
            self._pump.scope.cancel()
            log.error("%d operations did not come to an end", self._core.due)

    def _on_call(self, event: Event) -> None:
        """A call came in, or the server was shut down."""
        if not event.success:
            return
        call = Call(self._core, event, self._pump, max_outbox=self._max_outbox, end_grace=self._end_grace)
        if self._nursery is None:
            call.refuse(Status.UNAVAILABLE, SHUTDOWN)
            return
        self._core.accept(self._on_call)
        handler = self._handlers.get(call.method)
        if handler is None:
            call.refuse(Status.UNIMPLEMENTED, f"no method {call.method}")
        elif self._running >= self._max_calls:
            call.refuse(Status.RESOURCE_EXHAUSTED, f"the server is full: {self._max_calls} calls are running")
        else:
            self._running += 1
            self._nursery.start_soon(self._run, call, handler, name=call.method)

    async def _run(self, call: Call, handler: Handler) -> None:
        peer = call.peer()
        self._peers.enter(peer)
        try:
            await call.run(handler)
        finally:
            self._peers.leave(peer)
            self._running -= 1


def _nothing(_: Event) -> None:
    pass
