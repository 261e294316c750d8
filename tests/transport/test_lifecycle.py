"""Calls and servers begin, fail and end."""

from __future__ import annotations

import functools
import logging
import socket
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import pytest
import trio

from arena.transport import SERVER_OPTIONS, Call, ListenError, RpcError, Status, TrioServer, unary
from arena.transport.addresses import check_address
from arena.transport.core import Core
from loopback import in_thread


async def echo(call: Call) -> None:
    """Send back what comes."""
    while True:
        call.send_nowait(await call.receive())


async def upper(data: bytes, _: Call) -> bytes:
    """Answer in capitals; refuse what has no letters."""
    if not data.isalpha():
        raise RpcError(Status.INVALID_ARGUMENT, "letters, please")
    return data.upper()


async def test_a_unary_call(start: Any, client: Any) -> None:
    """One message each way, or an RpcError as the status; no message at all is INVALID_ARGUMENT."""
    _, address = await start({"/t/Upper": unary(upper)})
    connection = client(address)
    assert await in_thread(connection.unary, "/t/Upper", b"abc") == b"ABC"
    with pytest.raises(grpc.RpcError) as refused:
        await in_thread(connection.unary, "/t/Upper", b"1")
    assert (refused.value.code(), refused.value.details()) == (grpc.StatusCode.INVALID_ARGUMENT, "letters, please")
    silent = connection.open("/t/Upper")
    silent.half_close()
    assert await in_thread(silent.outcome) == (Status.INVALID_ARGUMENT, "/t/Upper takes one message, none came")


async def test_an_unknown_method_is_unimplemented(start: Any, client: Any) -> None:
    """The status names the method."""
    _, address = await start({"/t/Echo": echo})
    stream = client(address).open("/t/Other")
    assert await in_thread(stream.outcome) == (Status.UNIMPLEMENTED, "no method /t/Other")


async def test_a_handler_that_breaks_ends_its_call_alone(
    start: Any, client: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """P12: the peer gets INTERNAL at once, the log the traceback, and other calls go on."""

    async def broken(call: Call) -> None:
        await call.receive()
        raise ZeroDivisionError

    server, address = await start({"/t/Echo": echo, "/t/Broken": broken})
    connection = client(address)
    innocent, victim = connection.open(), connection.open("/t/Broken")
    innocent.send(b"a")
    assert await in_thread(innocent.receive) == b"a"
    victim.send(b"x")
    with caplog.at_level(logging.ERROR), trio.fail_after(1):
        assert await in_thread(victim.outcome) == (Status.INTERNAL, "internal error")
    assert [record.getMessage() for record in caplog.records] == ["the handler of /t/Broken failed"]
    innocent.send(b"b")
    assert await in_thread(innocent.receive) == b"b"
    assert server.running == 1


@pytest.mark.parametrize("way", ["cancel", "deadline", "close"])
async def test_a_client_that_goes_away_cancels_the_handler(start: Any, client: Any, way: str) -> None:
    """Whether it cancels, its time is up or its connection closes: the handler ends, and nothing is left."""
    started, ended = trio.Event(), trio.Event()

    async def wait(call: Call) -> None:
        started.set()
        try:
            await call.receive()
        finally:
            ended.set()

    server, address = await start({"/t/Wait": wait})
    connection = client(address)
    stream = connection.open("/t/Wait", **({"timeout": 0.2} if way == "deadline" else {}))
    await started.wait()
    if way == "cancel":
        stream.call.cancel()
    elif way == "close":
        connection.close()
    await ended.wait()
    await trio.testing.wait_all_tasks_blocked()
    assert server.running == 0
    stream.half_close()


async def stopped_after(server: TrioServer, grace: float, cue: Callable[[], Awaitable[None]]) -> float:
    """Serve until the cue is over, then stop; returns the seconds that this took."""
    async with trio.open_nursery() as nursery:
        await nursery.start(functools.partial(server.serve, grace=grace))
        await cue()
        began = trio.current_time()
        nursery.cancel_scope.cancel()
    return trio.current_time() - began


async def test_a_shutdown_is_told_to_every_client_and_takes_no_time(client: Any) -> None:
    """Running calls end with UNAVAILABLE "server shutdown", long before the grace is over, and serve returns."""
    server = TrioServer({"/t/Echo": echo})
    address = f"127.0.0.1:{server.add_port('127.0.0.1:0')}"
    streams = [client(address).open() for _ in range(5)]

    async def talk() -> None:
        for stream in streams:
            stream.send(b"x")
            assert await in_thread(stream.receive) == b"x"

    assert await stopped_after(server, 20, talk) < 2
    for stream in streams:
        assert await in_thread(stream.outcome) == (Status.UNAVAILABLE, "server shutdown")


async def test_a_shutdown_does_not_wait_longer_than_its_grace_for_a_peer_that_does_not_read(client: Any) -> None:
    """Such a call is cancelled when the grace is over."""

    async def pour(call: Call) -> None:
        call.send_nowait(bytes(100_000))
        call.send_nowait(bytes(100_000))
        poured.set()
        await trio.sleep_forever()

    poured = trio.Event()
    server = TrioServer({"/t/Pour": pour})
    address = f"127.0.0.1:{server.add_port('127.0.0.1:0')}"
    stream = client(address, ("grpc.http2.bdp_probe", 0)).open("/t/Pour")  # its window stays at 64 KiB
    assert 0.1 <= await stopped_after(server, 0.1, poured.wait) < 2
    code, _ = await in_thread(stream.outcome)
    assert code in {Status.UNAVAILABLE, Status.CANCELLED}


async def test_a_handler_can_say_goodbye_while_the_server_shuts_down(client: Any) -> None:
    """What a cancelled handler sends and says is delivered within the grace."""

    async def polite(call: Call) -> None:
        call.send_nowait(b"hello")
        try:
            await trio.sleep_forever()
        finally:
            call.send_nowait(b"goodbye")
            call.end(Status.ABORTED, "stopping")

    server = TrioServer({"/t/Polite": polite})
    stream = client(f"127.0.0.1:{server.add_port('127.0.0.1:0')}").open("/t/Polite")
    async with trio.open_nursery() as nursery:
        await nursery.start(server.serve)
        assert await in_thread(stream.receive) == b"hello"
        nursery.cancel_scope.cancel()
    assert await in_thread(stream.receive) == b"goodbye"
    assert await in_thread(stream.outcome) == (Status.ABORTED, "stopping")


async def test_a_port_is_free_again_when_serve_has_returned(client: Any) -> None:
    """A server that is started anew gets its old port at once, though clients were connected to it."""
    server = TrioServer({"/t/Echo": echo})
    address = f"127.0.0.1:{server.add_port('127.0.0.1:0')}"
    stream = client(address).open()
    async with trio.open_nursery() as nursery:
        await nursery.start(server.serve)
        stream.send(b"x")
        assert await in_thread(stream.receive) == b"x"
        nursery.cancel_scope.cancel()
    assert f"127.0.0.1:{TrioServer({}).add_port(address)}" == address


async def test_a_server_serves_once() -> None:
    """A second serve is an error of the program."""
    server = TrioServer({})
    with trio.move_on_after(0):
        await server.serve()
    with pytest.raises(RuntimeError, match="a server serves once"):
        await server.serve()


async def test_a_port_that_another_server_has_is_refused_in_one_line(start: Any, capfd: Any) -> None:
    """Two servers never share a port, and the second says so; nothing else is written anywhere."""
    _, address = await start({})
    with pytest.raises(ListenError) as refused:
        TrioServer({}).add_port(address)
    assert str(refused.value) == f"cannot listen on {address}: address already in use"
    assert capfd.readouterr() == ("", "")


async def test_the_c_core_does_not_share_a_port_either(start: Any) -> None:
    """Should somebody take the port after it was looked at, the C core refuses it."""
    _, address = await start({})
    assert Core(SERVER_OPTIONS).listen(address, None) == 0


def test_a_port_whose_connections_are_still_waiting_to_be_forgotten_is_free() -> None:
    """A server that closed its connections itself and is started anew gets its port (TIME_WAIT)."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)) as peer:
            listener.accept()[0].close()
            assert peer.recv(1) == b""
    check_address(f"127.0.0.1:{port}")


def test_an_address_that_this_machine_lacks_is_no_hindrance_beside_one_that_it_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A machine without IPv6 can listen on `localhost` all the same."""
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, 0)) for host in ("192.0.2.1", "127.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    check_address("localhost:0")
    del found[1]
    with pytest.raises(ListenError, match="cannot assign requested address"):
        check_address("localhost:0")


def test_a_name_of_which_one_address_is_taken_is_refused() -> None:
    """`localhost` may be two addresses: a server on only one of them would be missed by half of its clients."""
    with socket.create_server(("127.0.0.1", 0)) as other, pytest.raises(ListenError, match="address already in use"):
        TrioServer({}).add_port(f"localhost:{other.getsockname()[1]}")


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("127.0.0.1", "write HOST:PORT"),
        ("127.0.0.1:99999", "with a port up to 65535"),
        ("::1:80", "write HOST:PORT"),
        (":5000", "write HOST:PORT"),
        ("127.0.0.1:http", "write HOST:PORT"),
        ("host.invalid:5000", "the host is not known"),
        ("192.0.2.1:5000", "cannot assign requested address"),
    ],
)
def test_an_address_that_cannot_be_used_is_refused_in_one_line(address: str, reason: str) -> None:
    """The error names the address, says what is wrong, and is one line."""
    with pytest.raises(ListenError) as refused:
        TrioServer({}).add_port(address)
    text = str(refused.value)
    assert text.startswith(f"cannot listen on {address}: ")
    assert reason in text
    assert "\n" not in text
