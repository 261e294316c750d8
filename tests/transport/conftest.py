"""A server on loopback, and clients that talk to it."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any

import pytest
import trio

from arena.transport import SERVER_OPTIONS, Credentials, Handler, TrioServer
from loopback import Client, alarm

Start = Callable[..., Awaitable[tuple[TrioServer, str]]]


@pytest.fixture
async def start(nursery: trio.Nursery, soak: bool) -> Start:  # noqa: FBT001  # a fixture
    """Starts a server with the given handlers on a free port; gives it and its address. It stops with the test."""
    nursery.start_soon(alarm, 600 if soak else 10)

    async def begin(
        handlers: Mapping[str, Handler], *, grace: float = 0.5, credentials: Credentials | None = None, **rest: Any
    ) -> tuple[TrioServer, str]:
        server = TrioServer(handlers, **{"options": SERVER_OPTIONS, **rest})
        port = server.add_port("127.0.0.1:0", credentials)
        await nursery.start(functools.partial(server.serve, grace=grace))
        return server, f"127.0.0.1:{port}"

    return begin


@pytest.fixture
def client() -> Iterator[Callable[..., Client]]:
    """Makes clients and closes them after the test."""
    made: list[Client] = []

    def connect(*args: Any, **rest: Any) -> Client:
        made.append(Client(*args, **rest))
        return made[-1]

    yield connect
    for one in made:
        one.close()
