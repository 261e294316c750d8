"""Many rude clients at once, seeded dice: nothing is left of them, and a polite one notices nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import grpc
import trio

from arena.transport import Call
from loopback import Client, in_thread


async def echo(call: Call) -> None:
    """Send back what comes."""
    while True:
        call.send_nowait(await call.receive())


async def moody(call: Call) -> None:
    """Break, be silent, or pour, as the client's first message says."""
    mood = await call.receive()
    if mood == b"break":
        raise ZeroDivisionError
    if mood == b"pour":
        while True:
            call.send_nowait(bytes(5000))
            await trio.lowlevel.checkpoint()
    await trio.sleep_forever()


def _messages(dice: random.Random) -> Iterator[bytes]:
    yield dice.choice((b"break", b"pour", b"sleep"))
    for _ in range(dice.randrange(20)):
        yield bytes(dice.choice((0, 10, 5000, 100_000)))


def be_rude(address: str, seed: int, calls: int) -> None:
    """Make calls and end each in a bad way."""
    dice = random.Random(seed)
    client = Client(address)
    for _ in range(calls):
        call: Any = client.channel.stream_stream(dice.choice(("/t/Echo", "/t/Moody", "/t/Unknown")))(
            _messages(dice), timeout=dice.choice((0.001, 0.01, 0.05))
        )
        match dice.randrange(4):
            case 0:
                call.cancel()
            case 1:
                client.close()
                client = Client(address)
            case _:
                try:
                    for _ in range(dice.randrange(5)):
                        next(call, None)
                except grpc.RpcError:
                    pass
                call.cancel()
    client.close()


async def test_rude_clients_leave_nothing_behind(start: Any, client: Any, soak: bool) -> None:  # noqa: FBT001  # a fixture
    """Cancelled, broken, flooded, unread and oversize calls: none is left, and the server still serves."""
    server, address = await start({"/t/Echo": echo, "/t/Moody": moody}, max_outbox=20_000)
    polite = client(address).open()
    async with trio.open_nursery() as nursery:
        for seed in range(4):
            nursery.start_soon(in_thread, be_rude, address, seed, 1000 if soak else 15)
        for i in range(20):
            polite.send(b"%d" % i)
            assert await in_thread(polite.receive) == b"%d" % i
    # Left are the end and the next message of the polite call, and the next call.
    while (server.running, server._core.due) != (1, 3):  # noqa: ASYNC110  # nothing tells when the last one is gone
        await trio.sleep(0.01)
    polite.send(b"still here")
    assert await in_thread(polite.receive) == b"still here"
