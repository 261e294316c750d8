"""What a peer cannot do to the server, whatever it sends or does not read."""

from __future__ import annotations

import socket
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

import grpc
import pytest
import trio

from arena.transport import SERVER_OPTIONS, Call, RpcError, Status, server_options
from arena.transport.options import KEEPALIVE_SLACK_US
from loopback import in_thread

KIB = 1024


async def echo(call: Call) -> None:
    """Send back what comes."""
    while True:
        call.send_nowait(await call.receive())


async def test_a_message_of_the_largest_size_comes_through(start: Any, client: Any) -> None:
    """64 KiB are allowed to the last byte."""
    _, address = await start({"/t/Echo": echo})
    stream = client(address).open()
    stream.send(bytes(64 * KIB))
    assert len(await in_thread(stream.receive)) == 64 * KIB


@pytest.mark.parametrize("compression", [None, grpc.Compression.Gzip])
async def test_a_message_that_is_too_large_ends_its_call_alone(start: Any, client: Any, compression: Any) -> None:
    """One byte more is RESOURCE_EXHAUSTED, packed or not, and other calls on the same connection go on (P64)."""
    _, address = await start({"/t/Echo": echo})
    connection = client(address)
    innocent, stream = connection.open(), connection.open(compression=compression)
    stream.send(bytes(64 * KIB + 1))
    code, details = await in_thread(stream.outcome)
    assert code == Status.RESOURCE_EXHAUSTED
    assert "larger than max" in details
    innocent.send(b"still here")
    assert await in_thread(innocent.receive) == b"still here"


async def test_metadata_that_is_too_large_is_refused(start: Any, client: Any) -> None:
    """More than 8 KiB are RESOURCE_EXHAUSTED each time, not only sometimes."""
    _, address = await start({"/t/Echo": echo})
    connection = client(address)
    for _ in range(2):
        stream = connection.open(metadata=(("x", "y" * 9 * KIB),))
        code, details = await in_thread(stream.outcome)
        assert (code, "metadata size" in details) == (Status.RESOURCE_EXHAUSTED, True)


async def test_the_limit_of_metadata_can_be_raised(start: Any, client: Any) -> None:
    """Up to it, none is refused."""
    _, address = await start({"/t/Echo": echo}, options=server_options(metadata_bytes=16 * KIB))
    connection = client(address)
    for _ in range(5):
        stream = connection.open(metadata=(("x", "y" * 14 * KIB),))
        stream.half_close()
        assert await in_thread(stream.outcome) == (Status.OK, "")


async def test_streams_beyond_those_of_a_connection_wait_for_their_turn(start: Any, client: Any) -> None:
    """The client holds them back without a word until another stream ends."""
    server, address = await start({"/t/Echo": echo}, options=server_options(streams=2))
    connection = client(address)
    streams = []
    for _ in range(2):  # one after the other: of those that are opened at the same moment any may be first
        streams.append(connection.open())
        streams[-1].send(b"x")
        assert await in_thread(streams[-1].receive) == b"x"
    third = connection.open()
    third.send(b"x")
    assert server.running == 2
    streams[0].half_close()
    assert await in_thread(third.receive) == b"x"


async def test_a_peer_that_does_not_read_is_ended_at_the_bound_of_its_outbox(start: Any, client: Any) -> None:
    """The server holds no more than `max_outbox` bytes for it, and tells it why it was ended."""
    most, ended = [0], trio.Event()

    async def pour(call: Call) -> None:
        try:
            while True:
                call.send_nowait(bytes(10 * KIB))
                most.append(call.outbox_bytes)
                await trio.lowlevel.checkpoint()
        finally:
            ended.set()

    _, address = await start({"/t/Pour": pour}, max_outbox=256 * KIB)
    stream = client(address).open("/t/Pour")
    await ended.wait()
    assert 200 * KIB < max(most) <= 256 * KIB
    assert await in_thread(stream.outcome) == (
        Status.RESOURCE_EXHAUSTED,
        f"slow reader: more than {256 * KIB} bytes are waiting to be read",
    )


async def test_the_end_of_a_call_does_not_wait_for_ever_for_a_peer_that_does_not_read(start: Any, client: Any) -> None:
    """After `end_grace` the call is over, though its last messages were never read."""

    async def last_words(call: Call) -> None:
        for _ in range(20):
            call.send_nowait(bytes(10 * KIB))
        raise RpcError(Status.ABORTED, "enough")

    server, address = await start({"/t/Last": last_words}, end_grace=0.1)
    stream = client(address, ("grpc.http2.bdp_probe", 0)).open("/t/Last")  # its window stays at 64 KiB
    await in_thread(stream.call.initial_metadata)
    began = trio.current_time()
    while server.running:  # noqa: ASYNC110  # only the outside shows that a call is over
        await trio.sleep(0.01)
    assert 0.05 < trio.current_time() - began < 2
    assert await in_thread(stream.outcome) == (Status.ABORTED, "enough")


async def test_a_flood_is_stopped_by_flow_control(start: Any, client: Any) -> None:
    """A peer that sends all it can while few messages are taken gets rid of no more than the window holds."""
    taken, enough = [], trio.Event()

    async def take_few(call: Call) -> None:
        while len(taken) < 5:
            taken.append(await call.receive())
        enough.set()
        await trio.sleep_forever()

    _, address = await start({"/t/Flood": take_few})
    sent = 0
    stop = False

    def flood() -> Any:
        nonlocal sent
        while not stop:
            sent += 1
            yield bytes(KIB)

    call = client(address).channel.stream_stream("/t/Flood")(flood())
    await enough.wait()
    before = -1
    while sent != before:  # until the client is stopped
        before = sent
        await trio.sleep(0.2)
    stop = True
    call.cancel()
    assert len(taken) == 5
    assert sent < 100  # without flow control it is thousands


async def test_a_connection_that_is_no_http_2_is_dropped_and_nobody_else_notices(start: Any, client: Any) -> None:
    """Garbage closes the connection; one that says nothing is closed when the time for a handshake is over."""
    options = {**dict(SERVER_OPTIONS), "grpc.server_handshake_timeout_ms": 100}
    _, address = await start({"/t/Echo": echo}, options=tuple(options.items()))
    stream = client(address).open()
    host, port = address.split(":")

    def knock(data: bytes) -> bytes:
        with socket.create_connection((host, int(port)), timeout=5) as connection:
            connection.sendall(data)
            answer = b""
            try:
                while part := connection.recv(4096):
                    answer += part
            except ConnectionResetError:
                pass
            return answer

    for data in (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b""):
        await in_thread(knock, data)
    stream.send(b"still here")
    assert await in_thread(stream.receive) == b"still here"


def _frame(kind: int, flags: int, stream: int, body: bytes) -> bytes:
    """A frame of HTTP/2 (RFC 9113, section 4.1)."""
    return len(body).to_bytes(3, "big") + bytes((kind, flags)) + stream.to_bytes(4, "big") + body


def _call_of(path: bytes) -> bytes:
    """A connection that asks for one method, by hand: no client library sends such a path."""
    fields = {
        b":method": b"POST",
        b":scheme": b"http",
        b":path": path,
        b":authority": b"x",
        b"content-type": b"application/grpc",
        b"te": b"trailers",
    }
    block = b"".join(b"\0" + bytes((len(n),)) + n + bytes((len(v),)) + v for n, v in fields.items())
    return b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + _frame(4, 0, 0, b"") + _frame(1, 4, 1, block)


async def test_a_path_that_is_no_text_is_an_unknown_method(start: Any, client: Any) -> None:
    """A method's name that is not UTF-8 gets UNIMPLEMENTED like every other that there is not; nobody else notices."""
    _, address = await start({"/t/Echo": echo})
    stream = client(address).open()
    host, port = address.split(":")

    def ask(path: bytes) -> bytes:
        with socket.create_connection((host, int(port)), timeout=5) as connection:
            connection.sendall(_call_of(path))
            answer = b""
            while b"grpc-message" not in answer:
                answer += connection.recv(4096)
            return answer

    for path in (b"/\xff", b"/\xc3(/x", b"/plain/unknown"):
        answer = await in_thread(ask, path)
        assert b"no method /" in answer
    stream.send(b"still here")
    assert await in_thread(stream.receive) == b"still here"


async def test_more_calls_than_allowed_are_refused_in_words(start: Any, client: Any) -> None:
    """The call too many gets RESOURCE_EXHAUSTED, and its place is free again when another has ended."""
    _, address = await start({"/t/Echo": echo}, max_calls=1)
    connection = client(address)
    first = connection.open()
    first.send(b"x")
    await in_thread(first.receive)
    refused = connection.open()
    assert await in_thread(refused.outcome) == (Status.RESOURCE_EXHAUSTED, "the server is full: 1 calls are running")
    first.half_close()
    assert await in_thread(first.outcome) == (Status.OK, "")
    second = connection.open()
    second.send(b"x")
    assert await in_thread(second.receive) == b"x"


async def test_a_dead_peer_is_found_by_its_silence(start: Any) -> None:
    """A connection that answered pings and then no more is closed, and the handler of its call is cancelled."""
    gone = trio.Event()

    async def wait(call: Call) -> None:
        try:
            await call.receive()
        finally:
            gone.set()

    patience = server_options(longest_think_us=200_000 - KEEPALIVE_SLACK_US)
    options = {**dict(patience), "grpc.keepalive_time_ms": 50}
    _, address = await start({"/t/Wait": wait}, options=tuple(options.items()))
    host, port = address.split(":")
    stream = await trio.open_tcp_stream(host, int(port))
    async with stream:
        await stream.send_all(OPENING)
        async with aclosing(_pings(stream)) as pings:
            for _ in range(4):  # more than the C core sends without data unless it is told to
                await stream.send_all(_frame(PING, ACK, 0, await anext(pings)))
        assert not gone.is_set()
        await gone.wait()


# HTTP/2 by hand: a peer that says only what it is told to say.

SETTINGS, PING, HEADERS, ACK, END_HEADERS = 4, 6, 1, 1, 4


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


async def _pings(stream: trio.SocketStream) -> AsyncGenerator[bytes]:
    """The payloads of the server's keepalive pings."""
    data = b""
    while part := await stream.receive_some():
        data += part
        while len(data) >= 9 and len(data) >= 9 + int.from_bytes(data[:3], "big"):
            size = int.from_bytes(data[:3], "big")
            kind, flags, payload, data = data[3], data[4], data[9 : 9 + size], data[9 + size :]
            if kind == PING and not flags & ACK:
                yield payload


def _literal(name: bytes, value: bytes) -> bytes:
    """A header field in HPACK, not indexed."""
    return b"\x00" + bytes([len(name)]) + name + bytes([len(value)]) + value


_CALL = b"".join(
    _literal(name, value)
    for name, value in (
        (b":method", b"POST"),
        (b":scheme", b"http"),
        (b":path", b"/t/Wait"),
        (b":authority", b"x"),
        (b"te", b"trailers"),
        (b"content-type", b"application/grpc"),
    )
)
OPENING = (
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
    + _frame(SETTINGS, 0, 0, b"")
    + _frame(SETTINGS, ACK, 0, b"")
    + _frame(HEADERS, END_HEADERS, 1, _CALL)
)
