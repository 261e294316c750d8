"""A gRPC server for trio: one task for each call, in a nursery of the server's own."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

import trio

from arena.pace import Pace
from arena.transport.addresses import check_address
from arena.transport.call import SHUTDOWN, Call, Handler
from arena.transport.core import Core, Credentials, Event, Options
from arena.transport.errors import ListenError, Status
from arena.transport.options import SERVER_OPTIONS
from arena.transport.peers import Peers, address_of
from arena.transport.pump import Pump

log = logging.getLogger("arena.transport")

TOO_OFTEN: Final = "too many calls from your address: make fewer, or wait"
Refused: TypeAlias = Callable[[str, str, str], None]

_HELD: Final = 1.0
"""Seconds after which a call is refused that came too soon after others of its address."""
_MOST_HELD: Final = 4096
"""Calls that wait for that at most; those beyond are refused at once."""
_LAST_WAIT: Final = 5.0
"""Seconds that the C core has for the end of calls that were cancelled."""


class TrioServer:
    """Serves the methods in `handlers`, by full name such as `/arena.v1.ArenaService/Play`.

    `max_outbox` bounds the bytes that wait to be written to a peer, `max_calls` the calls at the same time, `end_grace`
    the seconds in which a peer must have read what was sent before the end of a call. `pace` bounds how often calls
    come from one address; who calls more often is refused, a while later, so that a connection whose calls all wait
    cannot go on. `on_refused` hears which bound it was, what the peer is told, and who that is.
    """

    def __init__(
        self,
        handlers: Mapping[str, Handler],
        options: Options = SERVER_OPTIONS,
        *,
        max_outbox: int = 256 * 1024,
        max_calls: int = 10_000,
        end_grace: float = 5.0,
        pace: Pace | None = None,
        on_refused: Refused = lambda _limit, _text, _peer: None,
    ) -> None:
        self._handlers = dict(handlers)
        self._max_outbox = max_outbox
        self._max_calls = max_calls
        self._end_grace = end_grace
        self._pace = pace
        self._on_refused = on_refused
        self._held: deque[tuple[float, Call]] = deque()
        self._holds = trio.Event()
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
                    nursery.start_soon(self._let_go)
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
        peer = call.peer()
        if self._pace is not None and not self._pace.admits(address_of(peer), trio.current_time()):
            self._on_refused("address_calls", TOO_OFTEN, peer)
            if len(self._held) < _MOST_HELD:
                self._held.append((trio.current_time() + _HELD, call))
                self._holds.set()
            else:
                call.refuse(Status.RESOURCE_EXHAUSTED, TOO_OFTEN)
            return
        handler = self._handlers.get(call.method)
        if handler is None:
            call.refuse(Status.UNIMPLEMENTED, f"no method {call.method}")
        elif self._running >= self._max_calls:
            text = f"the server is full: {self._max_calls} calls are running"
            self._on_refused("all_calls", text, peer)
            call.refuse(Status.RESOURCE_EXHAUSTED, text)
        else:
            self._running += 1
            self._nursery.start_soon(self._run, call, handler, peer, name=call.method)

    async def _let_go(self) -> None:
        """Refuse the calls that are held when their time is over."""
        try:
            while True:
                if not self._held:
                    self._holds = trio.Event()
                    await self._holds.wait()
                await trio.sleep_until(self._held[0][0])
                while self._held and self._held[0][0] <= trio.current_time():
                    self._held.popleft()[1].refuse(Status.RESOURCE_EXHAUSTED, TOO_OFTEN)
        finally:
            for _, call in self._held:
                call.refuse(Status.UNAVAILABLE, SHUTDOWN)
            self._held.clear()

    async def _run(self, call: Call, handler: Handler, peer: str) -> None:
        self._peers.enter(peer)
        try:
            await call.run(handler)
        finally:
            self._peers.leave(peer)
            self._running -= 1


def _nothing(_: Event) -> None:
    pass
