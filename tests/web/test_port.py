"""The HTTP port: health and metrics for those who ask, and nothing to gain for those who want to harm."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio

from arena.config import HttpLimits
from arena.transport import ListenError
from arena.web import Metrics, Port, app
from memory_arena import memory_arena

GET = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"
TRANSPORT: Any = SimpleNamespace(running=3, connections=2)


@asynccontextmanager
async def port(folder: Path, **limits: float) -> AsyncIterator[tuple[Any, int]]:
    """The lobby of an arena in memory, and a real port that speaks of it."""
    values: dict[str, Any] = {"requests_per_second": 1000.0, **limits}
    async with memory_arena(folder) as arena:
        opened = Port("127.0.0.1:0", HttpLimits(**values))
        arena.nursery.start_soon(opened.serve, app(arena.lobby, Metrics(arena.lobby, TRANSPORT)))
        with trio.fail_after(20):
            yield arena.lobby, int(opened.bound.rpartition(":")[2])


async def ask(number: int, data: bytes = GET) -> bytes:
    """All that comes back for those bytes until the connection is closed."""
    answer = b""
    async with await trio.open_tcp_stream("127.0.0.1", number) as stream:
        await stream.send_all(data)
        try:
            async for part in stream:
                answer += part
        except trio.BrokenResourceError:
            pass
    return answer


async def test_health_says_whether_matches_can_begin(tmp_path: Path) -> None:
    """200 and ready; 503 and draining when it is stopped; 503 and failing when results cannot be stored."""
    async with port(tmp_path) as (lobby, number):
        answer = await ask(number)
        assert answer.startswith(b"HTTP/1.1 200")
        assert b'{"status":"ready","version":' in answer
        lobby.closing.set()
        answer = await ask(number)
        assert answer.startswith(b"HTTP/1.1 503")
        assert b'"status":"draining"' in answer
        lobby.fault = OSError()
        assert b'"status":"failing"' in await ask(number)


async def test_metrics_are_served_as_text_for_prometheus(tmp_path: Path) -> None:
    """Status, type and body are what Prometheus expects."""
    async with port(tmp_path) as (_, number):
        head, _, body = (await ask(number, b"GET /metrics HTTP/1.0\r\n\r\n")).partition(b"\r\n\r\n")
    assert b" 200" in head.splitlines()[0]
    assert b"content-type: text/plain; version=0.0.4" in head
    assert b"\narena_connections 2.0\n" in body


@pytest.mark.parametrize(
    "data",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"garbage\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: \r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 20_000 + b"\r\n\r\n",
        b"POST /health HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999\r\n\r\n" + b"x" * 10_000,
        b"GET /health HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        b"GET /%ff%00/../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n",
        b"",
    ],
)
async def test_what_is_no_request_of_ours_harms_nobody(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, data: bytes
) -> None:
    """It gets an error or nothing, its connection ends in time, the next one is answered, and no line is logged."""
    async with port(tmp_path, request_seconds=0.3) as (_, number):
        assert b" 200" not in (await ask(number, data))[:16]
        assert b" 200" in await ask(number)
    assert caplog.messages == []


async def test_a_fault_of_ours_is_logged_and_the_next_request_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Metrics that cannot be made are a 500 and a line in the log; the arena goes on."""

    def fail(_: Metrics) -> bytes:
        raise ZeroDivisionError

    monkeypatch.setattr(Metrics, "text", fail)
    async with port(tmp_path) as (_, number):
        assert (await ask(number, GET.replace(b"health", b"metrics"))).startswith(b"HTTP/1.1 500")
        assert b" 200" in await ask(number)
    assert "/metrics cannot be answered" in caplog.text


async def test_a_connection_has_one_request(tmp_path: Path) -> None:
    """What is sent behind it is not answered, so that a connection costs what a request costs."""
    async with port(tmp_path) as (_, number):
        assert (await ask(number, GET * 50)).count(b"HTTP/1.1 200") == 1


async def test_one_that_drips_or_does_not_read_is_cut_off_in_time(tmp_path: Path) -> None:
    """Neither a request in drops nor an answer that is not taken holds a connection for longer than it may be."""
    async with port(tmp_path, request_seconds=0.3, connections=1) as (_, number):
        for data in (b"GET /hea", b"G", GET):
            stream = await trio.open_tcp_stream("127.0.0.1", number)
            with suppress(trio.BrokenResourceError):  # the other side has closed
                while True:
                    await stream.send_all(data)
                    await trio.sleep(0.05)
            await stream.aclose()
            assert b" 200" in await ask(number)


async def test_connections_above_the_limit_are_closed_and_those_within_are_answered(tmp_path: Path) -> None:
    """The one too many gets nothing; when another has gone there is room again."""
    async with port(tmp_path, connections=2) as (_, number):
        held = [await trio.open_tcp_stream("127.0.0.1", number) for _ in range(2)]
        await trio.sleep(0.05)
        assert await ask(number) == b""
        await held[0].send_all(GET)
        assert b" 200" in await held[0].receive_some()
        await held[0].aclose()
        await trio.sleep(0.05)
        assert b" 200" in await ask(number)
        await held[1].aclose()


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("127.0.0.1", "write HOST:PORT"),
        ("127.0.0.1:x", "write HOST:PORT"),
        ("127.0.0.1:70000", "write HOST:PORT"),
        ("0.0.0.0:0", "wants a loopback address"),
        ("example.org:80", "wants a loopback address"),
    ],
)
def test_an_address_that_will_not_do_is_refused_in_words(address: str, reason: str) -> None:
    """Only a loopback address with a port is listened on."""
    with pytest.raises(ListenError, match=reason):
        Port(address, HttpLimits())


def test_a_port_that_is_taken_is_refused_in_words() -> None:
    """Two cannot have the same."""
    first = Port("127.0.0.1:0", HttpLimits())
    try:
        with pytest.raises(ListenError, match="in use"):
            Port(first.bound, HttpLimits())
    finally:
        first._socket.close()
