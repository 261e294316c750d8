"""A stream to an arena in memory that a test speaks on word by word."""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from typing import Any

import trio

from arena.transport import Status
from arena.v1 import play_pb2
from memory_arena import MemoryArena, MemoryCall, hello

PATIENCE = 100.0
"""Seconds, on a clock that jumps, after which a message that does not come is a failure."""


class Talk:
    """One stream. What the arena says waits until it is asked for."""

    def __init__(self, arena: MemoryArena, metadata: tuple[tuple[str, str], ...] = ()) -> None:
        self.call = MemoryCall(metadata)
        self._heard: deque[play_pb2.Event] = deque()
        arena.nursery.start_soon(self.call.serve, arena.lobby.play)

    async def greet(self, name: str = "a", **fields: Any) -> play_pb2.Welcome:
        """Say Hello, and be welcomed."""
        self.call.say(hello=hello(name, **fields))
        return (await self.next("welcome")).welcome

    async def message(self) -> list[play_pb2.Event]:
        """The events of the arena's next message; none when it has ended the stream."""
        async for data in self.call.responses:
            return list(play_pb2.PlayResponse.FromString(data).events)
        return []

    async def next(self, kind: str) -> play_pb2.Event:
        """The next event of that kind; what comes before it is passed over. Fails when it does not come."""
        while True:
            while self._heard:
                event = self._heard.popleft()
                if event.WhichOneof("kind") == kind:
                    return event
            with trio.fail_after(PATIENCE):
                more = await self.message()
            assert more, f"the stream ended with {self.call.status} before any {kind}"
            self._heard.extend(more)

    async def rest(self) -> list[play_pb2.Event]:
        """All that is said until the arena ends the stream."""
        while more := await self.message():
            self._heard.extend(more)
        return list(self._heard)

    async def quiet(self, seconds: float = 1.0) -> list[play_pb2.Event]:
        """All that was said until so many seconds from now."""
        await trio.sleep(seconds)
        with suppress(trio.WouldBlock, trio.EndOfChannel):
            while True:
                self._heard.extend(play_pb2.PlayResponse.FromString(self.call.responses.receive_nowait()).events)
        heard, self._heard = list(self._heard), deque()
        return heard

    async def status(self) -> tuple[Status, str]:
        """How the arena ends the stream."""
        with trio.fail_after(PATIENCE):
            await self.rest()
        assert self.call.status is not None
        return self.call.status

    async def begin(self, nonce: bytes = bytes(16)) -> str:
        """Take the next offer; the match's id."""
        offer = (await self.next("match_offered")).match_offered
        self.call.say(ready=play_pb2.Ready(match_id=offer.match_id, nonce=nonce))
        return offer.match_id


def kinds(events: list[play_pb2.Event]) -> list[str | None]:
    """The kinds of the events."""
    return [event.WhichOneof("kind") for event in events]
