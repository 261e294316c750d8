"""A TCP proxy that stands between real bots and a real arena, and does to their connections what networks do."""

from __future__ import annotations

import math
import socket
import struct
from dataclasses import dataclass, field
from functools import partial

import trio

CHUNK = 65_536
_RESET = struct.pack("ii", 1, 0)  # SO_LINGER: close with a reset, and drop what is not sent


@dataclass(eq=False)
class Connection:
    """One connection through the proxy, from the bot to the arena."""

    bot: trio.SocketStream
    arena: trio.SocketStream
    limit: float
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    flows: trio.Event = field(default_factory=trio.Event)

    def reset(self) -> None:
        """Break it off on both sides, at once: each peer gets a reset."""
        for end in (self.bot, self.arena):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        self.scope.cancel()


class Proxy:
    """Listens on a port of its own and passes connections on to `server`, `host:port`.

    `delay` is the time one way in seconds, `rate` how many bytes a second the bot's side reads. Once `accepts` is False
    new connections are closed at once. Each new connection takes a number off `resets`: after so many bytes from the
    arena it is reset.
    """

    def __init__(self, server: str, *, delay: float = 0.0) -> None:
        self.server = server
        self.delay = delay
        self.rate = math.inf
        self.resets: list[int] = []
        self.accepts = True
        self.address = ""
        self.connections: list[Connection] = []
        self.seen = 0
        """How many connections there have been."""

    async def serve(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Pass connections on until cancelled."""
        async with trio.open_nursery() as nursery:
            (listener,) = await nursery.start(partial(trio.serve_tcp, self._pass_on, 0, host="127.0.0.1"))
            self.address = f"127.0.0.1:{listener.socket.getsockname()[1]}"
            task_status.started()

    def hold(self) -> None:
        """Let nothing pass on the connections that there are, either way, and tell nobody."""
        for connection in self.connections:
            connection.flows = trio.Event()

    def release(self) -> None:
        """Let everything pass again, what was held first."""
        for connection in self.connections:
            connection.flows.set()

    def reset(self) -> None:
        """Reset every connection."""
        for connection in self.connections:
            connection.reset()

    async def _pass_on(self, bot: trio.SocketStream) -> None:
        host, _, port = self.server.rpartition(":")
        async with bot:
            if not self.accepts:
                return
            try:
                arena = await trio.open_tcp_stream(host, int(port))
            except OSError:
                return
            async with arena:
                connection = Connection(bot, arena, self.resets.pop() if self.resets else math.inf)
                connection.flows.set()
                self.connections.append(connection)
                self.seen += 1
                with connection.scope:
                    async with trio.open_nursery() as nursery:
                        nursery.start_soon(self._one_way, connection, bot, arena)
                        nursery.start_soon(self._one_way, connection, arena, bot)
                self.connections.remove(connection)

    async def _one_way(self, connection: Connection, source: trio.SocketStream, target: trio.SocketStream) -> None:
        """Carry one direction; each chunk has the same delay, however many are under way."""
        send, receive = trio.open_memory_channel[tuple[float, bytes]](64)

        async def deliver() -> None:
            left = connection.limit if target is connection.bot else math.inf
            async for due, data in receive:
                await trio.sleep_until(due)
                await connection.flows.wait()
                if target is connection.bot:
                    await trio.sleep(len(data) / self.rate)
                await target.send_all(data[: round(min(left, len(data)))])
                left -= len(data)
                if left < 0:
                    connection.reset()
                    return

        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(deliver)
                async with send:
                    while data := await source.receive_some(CHUNK):
                        await send.send((trio.current_time() + self.delay, data))
            await target.send_eof()
        except* (trio.BrokenResourceError, trio.ClosedResourceError, OSError):
            connection.scope.cancel()
