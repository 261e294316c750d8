"""The connections of a bot to its arena."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Protocol

import grpc

from arena.bot.settings import PUBLIC, Settings
from arena.loopback import is_loopback
from arena.v1 import arena_pb2_grpc, play_pb2

LANES_PER_CONNECTION: Final = 64
"""An arena allows so many streams on a connection; more would wait without a word."""

_OPTIONS: Final = (
    # Channels to one address would share a connection otherwise.
    ("grpc.use_local_subchannel_pool", 1),
    # gRPC's own pauses between attempts to connect reach 2 minutes. These let a lane's pauses (`Pauses`) decide.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1000),
    # A link can die without a word (a router forgets it, a cable is drawn): whoever only waits to be asked would wait
    # for ever. A ping after 10 s of silence finds it out, soon enough to be back before a minute is over.
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),
    ("grpc.http2.max_pings_without_data", 0),
)


class Stream(Protocol):
    """A Play call of gRPC's, as far as it is used here."""

    def __iter__(self) -> Iterator[play_pb2.PlayResponse]:
        """The arena's responses; grpc.RpcError when the stream ends in another way than well."""

    def cancel(self) -> bool:
        """End the stream, if it has not ended; any thread may."""

    def is_active(self) -> bool:
        """It has not ended."""

    def code(self) -> grpc.StatusCode:
        """How the stream ended; waits for it."""

    def details(self) -> str:
        """The words that go with it."""


class Link:
    """Opens streams: one connection for each 64 lanes, made when the first of them needs it."""

    def __init__(self, settings: Settings) -> None:
        self.server = settings.server
        self.lanes = settings.lanes
        self._settings = settings
        self._metadata = (("authorization", f"Bearer {settings.token}"),) if settings.token else ()
        count = -(-settings.lanes // LANES_PER_CONNECTION)
        self._channels = [self._channel() for _ in range(count)]

    def play(self, lane: int, requests: Iterator[play_pb2.PlayRequest]) -> Stream:
        """Open the stream of a lane. It fails, when it is read, if there is no arena."""
        stub = arena_pb2_grpc.ArenaServiceStub(self._channels[lane // LANES_PER_CONNECTION])
        return stub.Play(requests, metadata=self._metadata)

    def close(self) -> None:
        """End all streams and connections."""
        for channel in self._channels:
            channel.close()

    def _channel(self) -> grpc.Channel:
        options = list(_OPTIONS)
        if is_loopback(self.server):
            options.append(("grpc.enable_http_proxy", 0))  # a proxy of the environment is for what is far away
        if not self._settings.ca:
            return grpc.insecure_channel(self.server, options)
        trusted = None if self._settings.ca == PUBLIC else self._settings.ca
        return grpc.secure_channel(self.server, grpc.ssl_channel_credentials(trusted), options)
