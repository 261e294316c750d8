"""Every bound of an arena: what bots, guests and clients of the HTTP port may do, each with its unit and range.

A strike is no bound but a rule (`engine.terms`), and the clock of a match is agreed with its offer.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine.clock import SECOND

KIB = 1024
MIB = 1024 * KIB


@dataclass(frozen=True, slots=True)
class Range:
    """How a bound is set: in which table of the file, its unit, the least and the most, and what it bounds."""

    table: str
    unit: str
    least: float
    most: float
    meaning: str


def _bound(default: float, within: Range) -> Any:
    return field(default=default, metadata={"range": within})


def _size(default: int, least: int, most: int, meaning: str) -> Any:
    return _bound(default, Range("limits", "bytes", least, most, meaning))


def _count(default: int, most: int, meaning: str, unit: str = "", least: int = 1) -> Any:
    return _bound(default, Range("limits", unit, least, most, meaning))


def _seconds(default: float, most: float, meaning: str, table: str = "time") -> Any:
    return _bound(default, Range(table, "s", 0.1, most, meaning))


@dataclass(frozen=True, slots=True)
class Limits:
    """What the arena allows bots, and those who only ask or watch. Sizes are in bytes, times in seconds, rates in 1/s.

    An address is one of IPv4, or a network of 64 bits of IPv6.
    """

    message_bytes: int = _size(64 * KIB, KIB, 16 * MIB, "a message to the arena")
    metadata_bytes: int = _size(8 * KIB, KIB, MIB, "the metadata of a call")
    note_bytes: int = _size(512, 0, 8 * KIB, "the note of a decision; the rest is cut off")
    outbox_bytes: int = _size(256 * KIB, 64 * KIB, 64 * MIB, "what may wait for one that reads too slowly")
    resume_chunk_bytes: int = _size(32 * KIB, KIB, MIB, "a message that tells a bot what it missed")
    connections: int = _count(8_192, 1_000_000, "connections at the same time; one more is closed at once")
    streams: int = _count(64, 10_000, "streams of one connection")
    lanes: int = _count(64, 10_000, "lanes of one bot")
    calls: int = _count(10_000, 1_000_000, "calls at the same time, of all kinds")
    sessions: int = _count(4_096, 1_000_000, "streams of bots at the same time; a bot in a match always comes back")
    matches: int = _count(2_048, 1_000_000, "matches at the same time; whoever could begin another waits")
    strangers: int = _count(2_048, 1_000_000, "streams that have not said Hello yet")
    strangers_per_address: int = _count(512, 1_000_000, "the same from one address")
    watchers: int = _count(256, 100_000, "streams that stay: who watches a match or the health, or asks reflection")
    watchers_per_match: int = _count(32, 100_000, "the same for one match")
    watchers_per_address: int = _count(64, 100_000, "the same from one address")
    requests: int = _count(256, 100_000, "requests about games, matches and ratings at the same time")
    requests_per_address: int = _count(32, 100_000, "the same from one address")
    requests_per_second: float = _count(
        50, 1_000_000, "the same from one address, with four seconds' worth at once", "1/s"
    )
    calls_per_second: float = _count(200, 1_000_000, "calls of all kinds from one address, in the long run", "1/s")
    calls_at_once: int = _count(4_096, 1_000_000, "calls of all kinds from one address that may come in a burst")
    hellos_per_second: float = _count(8, 1_000_000, "Hellos of one bot, with four for each lane at once", "1/s")
    handshake_seconds: float = _seconds(10.0, 600, "until a new connection speaks HTTP/2")
    idle_seconds: float = _seconds(60.0, 86_400, "that a connection may be without any call")
    hello_seconds: float = _seconds(5.0, 600, "until a stream says Hello, or a request has come")
    ready_seconds: float = _seconds(20.0, 3_600, "until a bot is Ready for a match that it was offered")
    away_seconds: float = _seconds(60.0, 86_400, "that a bot may be away in a match, in all")
    missing_seconds: float = _seconds(60.0, 86_400, "that a bot which the arena started may be without any stream")

    @property
    def ready_within_us(self) -> int:
        """`ready_seconds` in microseconds."""
        return round(self.ready_seconds * SECOND)

    @property
    def away_us(self) -> int:
        """`away_seconds` in microseconds."""
        return round(self.away_seconds * SECOND)


@dataclass(frozen=True, slots=True)
class HttpLimits:
    """What the HTTP port allows."""

    connections: int = _bound(
        256, Range("http", "", 1, 10_000, "connections at the same time; one more is closed at once")
    )
    header_bytes: int = _bound(16 * KIB, Range("http", "bytes", KIB, MIB, "a request with its head"))
    request_seconds: float = _seconds(5.0, 600, "for a request to come, and for its answer to be read", "http")
    requests_per_second: float = _bound(
        50, Range("http", "1/s", 1, 10_000, "requests, each on a connection of its own")
    )
