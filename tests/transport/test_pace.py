"""Those who call too often, or from too many connections, are held up and refused; nobody else is."""

from __future__ import annotations

import socket
from typing import Any

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from arena.pace import Pace
from arena.transport import Call, Status, TrioServer, address_of, server_options, unary
from arena.transport.server import TOO_OFTEN
from loopback import in_thread


async def echo(call: Call) -> None:
    """Send back what comes."""
    while True:
        call.send_nowait(await call.receive())


@given(st.integers(1, 20), st.integers(1, 50), st.lists(st.floats(0, 3), max_size=60))
def test_no_stretch_of_time_has_more_than_burst_and_rate_allow(rate: int, burst: int, pauses: list[float]) -> None:
    """In every stretch at most `burst` come and `rate` a second; nobody is refused who would have kept to that."""
    pace, now, times = Pace(rate, burst), 100.0, list[float]()
    for pause in pauses:
        now += pause
        if pace.admits("a", now):
            times.append(now)
        else:
            over = [len(times) - first + 1 > burst + rate * (now - then) - 1e-6 for first, then in enumerate(times)]
            assert any(over)
    for first in range(len(times)):
        for last in range(first, len(times)):
            assert last - first + 1 <= burst + rate * (times[last] - times[first]) + 1e-6


def test_each_key_has_a_pace_of_its_own_and_quiet_ones_are_forgotten() -> None:
    """One that comes too often keeps nobody else out; however many keys there are, few are kept."""
    pace = Pace(10, 2)
    assert [pace.admits("a", 0.0) for _ in range(3)] == [True, True, False]
    assert pace.admits("b", 0.0)
    for number in range(50_000):
        assert pace.admits(f"k{number}", 1 + number / 1000)
    assert len(pace._due) <= 4096


@pytest.mark.parametrize(
    ("peer", "address"),
    [
        ("ipv4:10.1.2.3:40123", "10.1.2.3"),
        ("ipv6:%5B::1%5D:40123", "::/64"),
        ("ipv6:%5B2001:db8:1:2:aaaa::1%5D:1", "2001:db8:1:2::/64"),
        ("ipv6:[2001:db8:1:2:bbbb::1]:1", "2001:db8:1:2::/64"),
        ("ipv6:%5Bfe80::1%25eth0%5D:1", "fe80::/64"),
        ("unix:", "unix"),
        ("unix:/tmp/x", "unix"),
        ("memory", "memory"),
        ("ipv6:nonsense", "ipv6:nonsense"),
    ],
)
def test_an_address_is_one_host_or_one_network(peer: str, address: str) -> None:
    """Ports do not count, nor the part of an IPv6 address that its owner chooses freely."""
    assert address_of(peer) == address


async def test_calls_at_a_pace_too_fast_are_held_and_refused(start: Any, client: Any) -> None:
    """Those within the burst are served; one more is refused a while later, and counted; then there is room again."""
    refused: list[tuple[str, str]] = []
    _, address = await start(
        {"/t/Echo": echo},
        pace=Pace(2, 3),
        on_refused=lambda limit, text, _peer: refused.append((limit, text)),
    )
    connection = client(address)
    streams = []
    for _ in range(3):
        streams.append(connection.open())
        streams[-1].send(b"x")
        assert await in_thread(streams[-1].receive) == b"x"
    began = trio.current_time()
    assert await in_thread(connection.open().outcome) == (Status.RESOURCE_EXHAUSTED, TOO_OFTEN)
    assert trio.current_time() - began > 0.8
    assert refused == [("address_calls", TOO_OFTEN)]
    streams[0].send(b"y")
    assert await in_thread(streams[0].receive) == b"y"
    again = connection.open()
    again.send(b"z")
    assert await in_thread(again.receive) == b"z"


async def test_calls_that_are_held_end_with_the_server(client: Any) -> None:
    """A server that stops does not wait for calls that it means to refuse."""
    refused = trio.Event()
    server = TrioServer({"/t/Echo": echo}, pace=Pace(0.001, 1), on_refused=lambda *_: refused.set())
    connection = client(f"127.0.0.1:{server.add_port('127.0.0.1:0')}")
    with trio.fail_after(10):
        async with trio.open_nursery() as nursery:
            await nursery.start(server.serve)
            first = connection.open()
            first.send(b"x")
            await in_thread(first.receive)
            late = connection.open()
            await refused.wait()
            nursery.cancel_scope.cancel()
        assert await in_thread(late.outcome) == (Status.UNAVAILABLE, "server shutdown")


async def test_connections_above_the_limit_are_closed(start: Any, client: Any) -> None:
    """So many are served, the next is closed at once, and its place is free again when another has gone."""
    _, address = await start({"/t/Echo": echo}, options=server_options(connections=3))
    host, port = address.split(":")
    stream = client(address).open()
    stream.send(b"x")
    await in_thread(stream.receive)

    def greet() -> socket.socket:
        connection = socket.create_connection((host, int(port)), timeout=5)
        connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0")
        return connection

    def answered(connection: socket.socket) -> bool:
        try:
            return connection.recv(100) != b""
        except ConnectionResetError:
            return False

    held = [greet() for _ in range(2)]
    assert [await in_thread(answered, one) for one in held] == [True, True]
    with greet() as over:
        assert not await in_thread(answered, over)
    stream.send(b"y")
    assert await in_thread(stream.receive) == b"y"
    for one in held:
        one.close()
    served = False
    while not served:
        with greet() as again:
            served = await in_thread(answered, again)


async def test_a_connection_without_a_call_is_closed_after_a_while(start: Any, client: Any) -> None:
    """Whoever has nothing to ask holds no connection for long; one with a call keeps it."""
    options = {**dict(server_options()), "grpc.max_connection_idle_ms": 200}
    _, address = await start({"/t/Echo": echo}, options=tuple(options.items()))
    stream = client(address).open()
    stream.send(b"x")
    await in_thread(stream.receive)
    host, port = address.split(":")

    def wait_for_the_end() -> None:
        with socket.create_connection((host, int(port)), timeout=9) as connection:
            connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0")
            while connection.recv(4096):
                pass

    await in_thread(wait_for_the_end)
    stream.send(b"y")
    assert await in_thread(stream.receive) == b"y"


async def test_a_request_that_does_not_come_is_not_waited_for(start: Any, client: Any) -> None:
    """A call for one message ends with DEADLINE_EXCEEDED when the message does not come in time."""

    async def never(_: bytes, __: Call) -> bytes:
        return b""

    _, address = await start({"/t/One": unary(never, within=0.1)})
    assert await in_thread(client(address).open("/t/One").outcome) == (
        Status.DEADLINE_EXCEEDED,
        "/t/One takes one message, none came within 0.1 s",
    )
