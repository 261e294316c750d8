"""Calls with one message each way."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import trio
from google.protobuf.message import DecodeError, Message

from arena.transport.call import Call, Handler
from arena.transport.errors import RpcError, Status

AnyMessage = TypeVar("AnyMessage", bound=Message)


PATIENCE: Final = 5.0
"""Seconds in which the message of a call must have come, unless somebody says otherwise."""


def unary(method: Callable[[bytes, Call], Awaitable[bytes]], within: float = PATIENCE) -> Handler:
    """A handler for calls with one message each way, from a function that answers the one with the other."""

    async def handle(call: Call) -> None:
        call.send_nowait(await method(await receive_only(call, within), call))

    return handle


async def receive_only(call: Call, within: float = PATIENCE) -> bytes:
    """The one message of a peer that sends one, `within` so many seconds. Raises RpcError when it does not."""
    try:
        with trio.move_on_after(within):
            return await call.receive()
    except trio.EndOfChannel:
        raise RpcError(Status.INVALID_ARGUMENT, f"{call.method} takes one message, none came") from None
    raise RpcError(Status.DEADLINE_EXCEEDED, f"{call.method} takes one message, none came within {within:g} s")


def parse(kind: type[AnyMessage], data: bytes) -> AnyMessage:
    """The message in `data`. Raises RpcError when it is not of that kind."""
    try:
        return kind.FromString(data)
    except DecodeError:
        raise RpcError(Status.INVALID_ARGUMENT, f"{len(data)} bytes that are no {kind.DESCRIPTOR.full_name}") from None
