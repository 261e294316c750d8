"""grpcio's own blocking client, to be used in threads beside a trio server."""

from __future__ import annotations

import functools
import queue
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

import grpc
import trio

T = TypeVar("T")


async def in_thread(blocking: Callable[..., T], *args: Any) -> T:
    """Run a blocking function of a client in a thread, and leave it there if the test is over."""
    return await trio.to_thread.run_sync(functools.partial(blocking, *args), abandon_on_cancel=True)


async def alarm(seconds: float) -> None:
    """Ends a test that waits for what does not come."""
    await trio.sleep(seconds)
    raise TimeoutError(f"the test has taken {seconds} s")


@asynccontextmanager
async def timely_nursery() -> AsyncIterator[trio.Nursery]:
    """A nursery that has ten seconds."""
    with trio.fail_after(10):
        async with trio.open_nursery() as nursery:
            yield nursery


class Client:
    """A blocking client with a connection of its own; its methods are for threads."""

    def __init__(
        self, address: str, *options: tuple[str, int], credentials: grpc.ChannelCredentials | None = None
    ) -> None:
        own = (("grpc.use_local_subchannel_pool", 1), *options)
        if credentials is None:
            self.channel = grpc.insecure_channel(address, options=own)
        else:
            self.channel = grpc.secure_channel(address, credentials, options=own)

    def open(self, method: str = "/t/Echo", **rest: Any) -> Stream:
        """A call with messages both ways."""
        return Stream(self.channel, method, **rest)

    def unary(self, method: str, data: bytes = b"", **rest: Any) -> bytes:
        """A call with one message each way."""
        answer: bytes = self.channel.unary_unary(method)(data, **{"timeout": 5, **rest})
        return answer

    def close(self) -> None:
        """Close the connection, which cancels its calls."""
        self.channel.close()


class Stream:
    """One call of a client."""

    def __init__(self, channel: grpc.Channel, method: str, **rest: Any) -> None:
        self._requests: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.call: Any = channel.stream_stream(method)(iter(self._requests.get, None), **rest)

    def send(self, *messages: bytes) -> None:
        """Send messages."""
        for message in messages:
            self._requests.put(message)

    def half_close(self) -> None:
        """Send no more."""
        self._requests.put(None)

    def receive(self) -> bytes:
        """The next message; RpcError when the call has failed, StopIteration when it has ended well."""
        message: bytes = next(self.call)
        return message

    def rest(self) -> tuple[list[bytes], grpc.StatusCode]:
        """The messages that are still to come, and the status of the call."""
        messages: list[bytes] = []
        with suppress(grpc.RpcError):
            messages.extend(self.call)
        self.half_close()
        return messages, self.call.code()

    def outcome(self) -> tuple[int, str]:
        """Wait for the end of the call: its status and details. Messages that are left are read and dropped."""
        try:
            for _ in self.call:
                pass
        except grpc.RpcError:
            pass
        self.half_close()  # lets the thread end that sends for this call
        return self.call.code().value[0], self.call.details()
