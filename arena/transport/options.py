"""The options of the arena's server, each with its reason."""

from __future__ import annotations

from typing import Final

from arena.transport.core import Options

KEEPALIVE_SLACK_US: Final = 10_000_000
"""How much longer than its longest think a peer may take to answer a ping, in microseconds."""


def server_options(
    longest_think_us: int = 10_000_000,
    *,
    message_bytes: int = 64 * 1024,
    metadata_bytes: int = 8 * 1024,
    streams: int = 64,
    connections: int = 8_192,
    idle_us: int = 60_000_000,
    handshake_us: int = 10_000_000,
) -> Options:
    """Channel arguments for a TrioServer.

    `longest_think_us` is the longest that a bot may compute without a look at its socket, in microseconds; `streams` is
    for one connection. `idle_us` is how long a connection may be without a call, `handshake_us` how long until it
    speaks HTTP/2.
    """
    patience_ms = (longest_think_us + KEEPALIVE_SLACK_US) // 1000
    return (
        # Two servers must not share a port: the kernel would deal the connections out between them.
        ("grpc.so_reuseport", 0),
        # A larger message ends its call with RESOURCE_EXHAUSTED; counted after decompression.
        ("grpc.max_receive_message_length", message_bytes),
        # Metadata above the first limit is refused sometimes, above the second always; alone, the first lets 16 KiB in.
        ("grpc.max_metadata_size", metadata_bytes),
        ("grpc.absolute_max_metadata_size", metadata_bytes),
        # How far a peer may send ahead of what is taken from it. The probe of the bandwidth would raise it: 33,000
        # messages of a flooder were accepted in 3 s without these two, 230 with them.
        ("grpc.http2.lookahead_bytes", 16 * 1024),
        ("grpc.http2.bdp_probe", 0),
        # More streams than this wait without a word in the client, so what a peer should be told it must be told in a
        # status. Clients in Python share a connection among channels, so a bot's lanes may all be on one.
        ("grpc.max_concurrent_streams", streams),
        # A ping after 10 s of silence finds a peer that died without closing its connection. A bot with a single
        # thread cannot answer while it thinks, so it has the longest think and some more. The C core wants the time
        # said twice, and to be told that pings may go on while no data flows.
        ("grpc.keepalive_time_ms", 10_000),
        ("grpc.keepalive_timeout_ms", patience_ms),
        ("grpc.http2.ping_timeout_ms", patience_ms),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.max_pings_without_data", 0),
        # Bots may ping too, every 5 s at the most; by default 5 min, and who pings more often is thrown out.
        ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
        # One connection more is closed at once; whoever has no call on one for so long gives it up. That also ends
        # a peer that sends the head of a call byte by byte, for until it is whole there is no call.
        ("grpc.max_allowed_incoming_connections", connections),
        ("grpc.max_connection_idle_ms", idle_us // 1000),
        # A connection that never gets as far as HTTP/2 is dropped; by default after 2 min.
        ("grpc.server_handshake_timeout_ms", handshake_us // 1000),
    )


SERVER_OPTIONS: Final = server_options()
"""The options at their defaults."""
