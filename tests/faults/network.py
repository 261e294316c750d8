"""A network between simulated bots and the arena: each stream delays what it carries, and can break at any moment."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from typing import Any

import trio

from arena.transport import Gone, RpcError, Status
from arena.v1 import play_pb2


class Pipe:
    """One direction of a stream. What is put in comes out at `far` after `delay` seconds, in order, until it is cut."""

    def __init__(self, delay: float) -> None:
        self.is_cut = False
        self._delay = delay
        self._near, self._under_way = trio.open_memory_channel[tuple[float, bytes]](math.inf)
        self._arrived, self.far = trio.open_memory_channel[bytes](math.inf)

    def put(self, data: bytes) -> None:
        """Send, if there still is anywhere to send to."""
        if not self.is_cut:
            self._near.send_nowait((trio.current_time() + self._delay, data))

    def finish(self) -> None:
        """Send no more; what is under way arrives, and then the end."""
        self._near.close()

    def end(self) -> None:
        """Let the far end see that nothing more comes, now."""
        self.is_cut = True
        self._near.close()
        self._arrived.close()

    async def carry(self) -> None:
        """Carry for as long as there is anything."""
        async for due, data in self._under_way:
            await trio.sleep_until(due)
            if not self.is_cut:
                self._arrived.send_nowait(data)
        if not self.is_cut:
            self._arrived.close()


class Link:
    """A stream as the arena sees it, with the interface of `arena.transport.Call`, and the bot's end of it."""

    method = "/arena.v1.ArenaService/Play"

    def __init__(self, delay: float) -> None:
        self.metadata: tuple[tuple[str, str], ...] = ()
        self.scope = trio.CancelScope()
        self.status: tuple[Status, str] | None = None
        self.is_broken = False
        self.received_at = 0.0
        self._up, self._down = Pipe(delay), Pipe(delay)

    # the arena's end

    def peer(self) -> str:
        """Where the bot is."""
        return "simulated"

    async def receive(self) -> bytes:
        """The bot's next message."""
        if self.status is not None:
            raise Gone
        data = await self._up.far.receive()
        self.received_at = trio.current_time()
        return data

    def send_nowait(self, data: bytes) -> None:
        """Send to the bot."""
        if self.status is None:
            self._down.put(data)

    def end(self, code: Status = Status.OK, details: str = "") -> None:
        """End the stream once all that was sent has arrived."""
        if self.status is None:
            self.status = (code, details)
            self._down.finish()
            self._up.end()

    async def serve(self, handler: Callable[[Any], Awaitable[None]]) -> None:
        """Run the arena's handler as the transport does."""
        try:
            with self.scope:
                await handler(self)
            self.end()
        except (Gone, trio.EndOfChannel):
            self.end()
        except RpcError as error:
            self.end(error.code, error.details)

    # the bot's end

    def say(self, **message: object) -> None:
        """Send a PlayRequest with this one field."""
        self.say_bytes(play_pb2.PlayRequest(**message).SerializeToString())  # type: ignore[arg-type]

    def say_bytes(self, data: bytes) -> None:
        """Send any bytes."""
        if self.status is None:
            self._up.put(data)

    @property
    def responses(self) -> trio.MemoryReceiveChannel[bytes]:
        """What the arena sends, until the stream ends."""
        return self._down.far

    # the network

    async def carry(self) -> None:
        """Carry what both ends say."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._up.carry)
            nursery.start_soon(self._down.carry)

    async def break_off(self, bot_notices: float, arena_notices: float) -> None:
        """Carry nothing more from now on, nor what is under way. Each end notices when it does, in seconds."""
        self.silence()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._end_up, arena_notices)
            await trio.sleep(bot_notices)
            self._down.end()

    async def _end_up(self, seconds: float) -> None:
        await trio.sleep(seconds)
        self.end(Status.CANCELLED, "the peer is gone")
        self.scope.cancel()

    def silence(self) -> None:
        """Carry nothing more, and let nobody notice."""
        self.is_broken = True
        self._up.is_cut = self._down.is_cut = True
