"""Where the HTTP port listens, and what a client cannot do to the arena there.

hypercorn speaks HTTP. It bounds neither the connections nor the time that one may take, and would wait for ever for a
client that does not read; so it gets each connection through a `_Guarded` stream, which lets one request of a bounded
size in, and nothing of HTTP/2 or websockets. Whole connections are bounded in number, in rate and in time.
"""

from __future__ import annotations

import logging
import os
import socket
from ipaddress import ip_address
from typing import Any, Final

import trio
from hypercorn.config import Config
from hypercorn.trio.tcp_server import TCPServer
from hypercorn.trio.worker_context import WorkerContext
from hypercorn.typing import ConnectionState
from hypercorn.utils import wrap_app

from arena.config import HttpLimits
from arena.transport import ListenError

log = logging.getLogger("arena.web")

BACKLOG: Final = 64
"""Connections that the system keeps until it is their turn: at the usual rate, little more than a second."""
_END: Final = b"\r\n\r\n"


class Port:
    """Listens on `address`, `HOST:PORT` on loopback. `bound` is the address with the port that was taken."""

    def __init__(self, address: str, limits: HttpLimits) -> None:
        """Take the port. Raises ListenError."""
        host, _, number = address.rpartition(":")
        plain = host.strip("[]")
        if not number.isdecimal() or int(number) > 65535 or not plain:
            raise ListenError(address, "write HOST:PORT, such as 127.0.0.1:7879")
        if not (plain == "localhost" or _is_loopback(plain)):
            raise ListenError(address, "HTTP is in plain text, so it wants a loopback address such as 127.0.0.1:7879")
        family = socket.AF_INET6 if ":" in plain else socket.AF_INET
        self._limits = limits
        self._socket = socket.socket(family, socket.SOCK_STREAM)
        try:
            if os.name == "posix":
                self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self._socket.bind((plain, int(number)))
            self._socket.listen(BACKLOG)
        except OSError as error:
            self._socket.close()
            raise ListenError(address, (error.strerror or str(error)).lower()) from None
        self.bound = f"{host}:{self._socket.getsockname()[1]}"
        self._open = 0

    async def serve(self, app: Any) -> None:
        """Answer until cancelled."""
        config = Config()
        config.accesslog = config.errorlog = None
        config.h11_max_incomplete_size = self._limits.header_bytes
        config.keep_alive_max_requests = 1
        config.include_server_header = False
        wrapped = wrap_app(app, config.wsgi_max_body_size, "asgi")
        pause = 1 / self._limits.requests_per_second
        with trio.socket.from_stdlib_socket(self._socket) as listening:
            async with trio.open_nursery() as nursery:
                while True:
                    try:
                        peer, _ = await listening.accept()
                    except OSError:  # a peer that left at once, or no descriptor is free
                        await trio.sleep(pause)
                        continue
                    if self._open >= self._limits.connections:
                        peer.close()
                    else:
                        self._open += 1
                        nursery.start_soon(self._answer, wrapped, config, peer)
                    await trio.sleep(pause)

    async def _answer(self, app: Any, config: Config, peer: trio.socket.SocketType) -> None:
        stream = _Guarded(trio.SocketStream(peer), self._limits)
        try:
            with trio.move_on_after(self._limits.request_seconds):
                await TCPServer(app, config, WorkerContext(None), ConnectionState({}), stream)  # type: ignore[arg-type]  # all of a stream that it uses
        except Exception:  # one client's trouble is nobody else's
            log.exception("an HTTP connection failed")
        finally:
            self._open -= 1
            with trio.CancelScope(shield=True):
                await stream.aclose()


class _Guarded:
    """A connection as hypercorn sees it: one request with nothing behind its head, then silence until the end."""

    def __init__(self, stream: trio.SocketStream, limits: HttpLimits) -> None:
        self._stream = stream
        self._limits = limits
        self._head = b""
        self.socket = stream.socket

    async def receive_some(self, most: int) -> bytes:
        """What the client sends, up to the end of the first request's head; empty when there is nothing more."""
        while _END in self._head:  # whatever comes behind the request is dropped
            if not await self._stream.receive_some(most):
                return b""
        data = bytes(await self._stream.receive_some(min(most, self._limits.header_bytes)))
        start = len(self._head)
        self._head += data
        if self._head.startswith(b"PRI ") or len(self._head) > self._limits.header_bytes:
            return b""
        end = self._head.find(_END)
        return data if end < 0 else data[: end + len(_END) - start]

    async def send_all(self, data: bytes) -> None:
        """Send, to a client that reads in time."""
        with trio.move_on_after(self._limits.request_seconds) as patience:
            await self._stream.send_all(data)
        if patience.cancelled_caught:
            raise trio.BrokenResourceError("the client does not read")

    async def send_eof(self) -> None:
        """Say that nothing more follows."""
        await self._stream.send_eof()

    async def aclose(self) -> None:
        """Close."""
        await self._stream.aclose()


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
