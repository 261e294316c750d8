"""An arena that does what a script tells it: one port, and a queue of the streams that bots open there."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent import futures
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Final, Self

import grpc

from arena.bot.testing.stream import WITHIN, Silence, Stream
from arena.v1 import play_pb2

_STREAMS: Final = 192
"""Streams at the same time; each takes a thread."""
_OPTIONS: Final = (
    ("grpc.so_reuseport", 0),
    # As an arena: bots may ping every 5 s, also while nothing is said; by default who pings so often is thrown out.
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
)
_STOP_SECONDS: Final = 5.0
_LOOK_SECONDS: Final = 0.1
"""So often is looked whether a Hello can still come."""


class ScriptedArena:
    """Listens on a port of 127.0.0.1; `address` says where. Bots of any language can be pointed at it.

        with ScriptedArena() as arena:
            bot = subprocess.Popen(command, env={**os.environ, "ARENA_SERVER": arena.address})
            stream = arena.stream()
            stream.say(welcome(), match.offer)
            assert stream.ready().match_id == match.match_id

    With `key` and `certificate`, both PEM, it speaks TLS. `stop` and `start` make an arena that was killed and is back.
    """

    def __init__(self, *, port: int = 0, key: bytes = b"", certificate: bytes = b"") -> None:
        self._credentials = grpc.ssl_server_credentials([(key, certificate)]) if certificate else None
        self._port = port
        self._new: SimpleQueue[Stream | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._live: set[Stream] = set()
        self._opened = 0
        self._most = 0
        self._server: grpc.Server | None = None
        self._kept: socket.socket | None = None
        self.start()

    @property
    def address(self) -> str:
        """Host and port."""
        return f"127.0.0.1:{self._port}"

    @property
    def opened(self) -> int:
        """How many streams have said Hello so far."""
        return self._opened

    @property
    def most_at_once(self) -> int:
        """How many streams were open at the same time, at most."""
        return self._most

    def stream(self, within: float = WITHIN, *, as_long_as: Callable[[], bool] = lambda: True) -> Stream:
        """The next stream, in the order of their Hellos.

        Raises Silence if there is none within so many seconds, or when `as_long_as` is no longer true: a bot that has
        ended will never say Hello.
        """
        deadline = time.monotonic() + within
        while True:
            going_on = as_long_as()  # asked before the last look: its Hello may have come as it ended
            with suppress(Empty):
                found = self._new.get(timeout=min(_LOOK_SECONDS, max(0.0, deadline - time.monotonic())))
                if found is not None:
                    return found
                self._new.put(None)  # for whoever asks again
                raise Silence("the arena was closed")
            if not going_on:
                raise Silence("the bot ended without a Hello")
            if time.monotonic() >= deadline:
                raise Silence(f"the bot said no Hello within {within:.1f} s")

    def streams(self, count: int, within: float = WITHIN) -> list[Stream]:
        """The next streams, by lane. Raises Silence if there are not so many within so many seconds."""
        deadline = time.monotonic() + within
        found = [self.stream(deadline - time.monotonic()) for _ in range(count)]
        return sorted(found, key=lambda stream: stream.hello.lane)

    def start(self) -> None:
        """Listen, on the port that it had before."""
        if self._kept is not None:
            self._kept.close()
        server = grpc.server(futures.ThreadPoolExecutor(_STREAMS), options=_OPTIONS)
        play = grpc.stream_stream_rpc_method_handler(self._play, play_pb2.PlayRequest.FromString, bytes)
        handlers = grpc.method_handlers_generic_handler("arena.v1.ArenaService", {"Play": play})
        server.add_generic_rpc_handlers((handlers,))
        if self._credentials is None:
            self._port = server.add_insecure_port(self.address)
        else:
            self._port = server.add_secure_port(self.address, self._credentials)
        server.start()
        self._server = server

    def stop(self) -> None:
        """Be gone, as an arena is that was killed: all streams break, nobody listens."""
        server, self._server = self._server, None
        if server is not None:
            server.stop(0).wait(_STOP_SECONDS)
            with suppress(OSError):
                self._kept = _keep(self._port)

    def close(self) -> None:
        """Be gone for good: whoever waits for a stream waits no more."""
        self.stop()
        if self._kept is not None:
            self._kept.close()
        self._new.put(None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _play(self, requests: Iterator[play_pb2.PlayRequest], context: grpc.ServicerContext) -> Iterator[bytes]:
        first = next(requests, None)
        if first is None or first.WhichOneof("message") != "hello":
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, "the first message of a stream is Hello")
        metadata = {key: value for key, value in context.invocation_metadata() or () if isinstance(value, str)}
        stream = Stream(first.hello, metadata)
        with self._lock:
            self._live.add(stream)
            self._opened += 1
            self._most = max(self._most, len(self._live))

        def over() -> None:
            with self._lock:
                self._live.discard(stream)
            stream.over()

        if not context.add_callback(over):
            over()
        threading.Thread(target=stream.read, args=(requests,), name="scripted arena", daemon=True).start()
        self._new.put(stream)
        try:
            yield from stream.responses(context.abort)
        finally:
            # Before the bot hears of it, so that the next stream of the lane is not there at the same time. Without the
            # lock: who knows in which thread a generator is closed that nobody wants any more.
            self._live.discard(stream)


def _keep(port: int) -> socket.socket:
    """Keep a port while nobody listens there: who dials is refused, and who asks for any port is given another."""
    kept = socket.socket()
    kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    kept.bind(("127.0.0.1", port))
    return kept
