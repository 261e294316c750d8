"""Clients that do what they should not, as fast as they can: the flood of flood.py. One kind for each process."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import os
import random
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import grpc.aio

from arena.v1 import arena_pb2, play_pb2

PLAY = "/arena.v1.ArenaService/Play"
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(3) + b"\4" + bytes(5)
OTHER_GAME = "german-whist"
"""What hostile bots say that they play, so that honest ones are not paired with them."""


def channel(server: str) -> grpc.aio.Channel:
    """A connection of its own."""
    return grpc.aio.insecure_channel(server, (("grpc.use_local_subchannel_pool", 1),))


def hello(name: str, **fields: Any) -> bytes:
    """A Hello."""
    message = play_pb2.Hello(**{"protocol_version": 1, "name": name, "games": [OTHER_GAME], **fields})
    return play_pb2.PlayRequest(hello=message).SerializeToString()


async def messages(server: str, _: str, number: int) -> None:
    """Flood a stream that was let in with messages that mean nothing."""
    junk = [
        play_pb2.PlayRequest(ready=play_pb2.Ready(match_id="x", nonce=bytes(16))),
        play_pb2.PlayRequest(resign=play_pb2.Resign(match_id="x")),
        play_pb2.PlayRequest(choose=play_pb2.Choose(decision_id=7, index=3)),
    ]
    async with channel(server) as connection:
        stream = connection.stream_stream(PLAY)()
        await stream.write(hello(f"messages-{number}"))
        for message in itertools.cycle(junk):
            await stream.write(message.SerializeToString())


async def huge(server: str, _: str, number: int) -> None:
    """Send messages of 64 KiB, then one of 8 MiB."""
    async with channel(server) as connection:
        stream = connection.stream_stream(PLAY)()
        await stream.write(hello(f"huge-{number}"))
        note = play_pb2.PlayRequest(choose=play_pb2.Choose(note="x" * 65_000)).SerializeToString()
        for _attempt in range(8):
            await stream.write(note)
        await stream.write(bytes(8 << 20))
        await stream.read()


async def storm(server: str, http: str, _: int) -> None:
    """Connect and leave, to both ports, with and without a word."""
    for address, words in ((server, PREFACE), (server, b""), (http, b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")):
        host, _colon, port = address.rpartition(":")
        _reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(words)
        writer.close()


async def streams(server: str, _: str, __: int) -> None:
    """Open a thousand streams that never say Hello, 64 on each of 16 connections."""

    async def open_many() -> None:
        async with channel(server) as connection:
            opened = [connection.stream_stream(PLAY)() for _ in range(64)]
            await asyncio.gather(*(one.read() for one in opened), return_exceptions=True)

    await asyncio.gather(*(open_many() for _ in range(16)))


async def hellos(server: str, _: str, number: int) -> None:
    """Introduce oneself badly: another protocol, a lane out of range, garbage, a lane that is taken all the time."""
    wrong = [
        hello("x", protocol_version=9),
        hello("x", lane=9999),
        b"\xff" * 50,
        hello("a b"),
        hello(f"h-{number}"),
    ]
    async with channel(server) as connection:
        for data in random.sample(wrong, len(wrong)):
            stream = connection.stream_stream(PLAY)()
            await stream.write(data)
            await stream.read()


async def crowd(server: str, _: str, number: int) -> None:
    """Come under ever new names, take every offer and never read or answer."""
    async with channel(server) as connection:
        for seat in range(64):
            stream = connection.stream_stream(PLAY)()
            await stream.write(hello(f"crowd-{number}-{seat}-{random.randrange(10**6)}"))
        await asyncio.sleep(2)


async def watchers(server: str, _: str, __: int) -> None:
    """Watch the running matches, many times over, and never read."""
    async with channel(server) as connection:
        ask = connection.unary_unary("/arena.v1.ArenaService/ListMatches")
        found = arena_pb2.ListMatchesResponse.FromString(await ask(arena_pb2.ListMatchesRequest().SerializeToString()))
        running = [match.match_id for match in found.matches if not match.termination] or ["x"]
        opened = []
        for _attempt in range(60):
            request = arena_pb2.WatchMatchRequest(match_id=random.choice(running)).SerializeToString()
            opened.append(connection.unary_stream("/arena.v1.ArenaService/WatchMatch")(request))
        await asyncio.sleep(2)


async def requests(server: str, _: str, __: int) -> None:
    """Ask for the longest lists, as fast as it goes."""
    async with channel(server) as connection:
        many = arena_pb2.ListMatchesRequest(limit=1000).SerializeToString()
        calls = [
            connection.unary_unary(f"/arena.v1.ArenaService/{method}")
            for method in ("ListMatches", "ListRatings", "ListGames")
        ]
        for _attempt in range(50):
            await asyncio.gather(
                *(call(many if not at else b"") for at, call in enumerate(calls)), return_exceptions=True
            )


Kind = Callable[[str, str, int], Awaitable[None]]
KINDS: dict[str, Kind] = {
    kind.__name__: kind for kind in (messages, huge, storm, streams, hellos, crowd, watchers, requests)
}


async def attack(kind: Kind, server: str, http: str, number: int) -> None:
    """Do it again and again."""
    while True:
        with contextlib.suppress(grpc.aio.AioRpcError, OSError, asyncio.InvalidStateError, grpc.aio.UsageError):
            await kind(server, http, number)
        await asyncio.sleep(0)


async def main(arguments: argparse.Namespace) -> None:
    """Several of the kind at the same time, until the process is ended."""
    kind = KINDS[arguments.kind]
    await asyncio.gather(*(attack(kind, arguments.server, arguments.http, number) for number in range(arguments.hands)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("server", help="host:port")
    parser.add_argument("http", help="host:port")
    parser.add_argument("--hands", type=int, default=1, help="how many of the kind at the same time")
    os.nice(19)  # they stand for other machines, whose processors are not those of the arena
    asyncio.run(main(parser.parse_args()))
