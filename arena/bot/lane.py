"""A lane: the thread in which a bot plays, on one stream after the other until there is nothing to come back for.

The stream is gRPC's synchronous one. Measured against `grpc.aio` with a thread a lane it costs about the same CPU a
decision, 0.3 to 0.4 ms; it needs no second way to wait and to cancel, and a bot that thinks long, or that waits for
something else, never holds up another lane.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from math import inf
from queue import SimpleQueue
from typing import Final

import grpc

from arena.bot.conversation import Conversation, Ending
from arena.bot.link import Link, Stream
from arena.bot.pauses import LONGEST, Pauses
from arena.bot.report import Report
from arena.v1 import play_pb2

REFUSALS: Final = frozenset(
    {
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.PERMISSION_DENIED,
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.StatusCode.UNIMPLEMENTED,
    }
)
"""Statuses that another attempt would get again."""
AWAY_SECONDS: Final = 60.0
"""How long a bot that was told to leave looks for its match: an arena lets no seat be away longer."""


class Lane:
    """Plays until the arena says that all is played, until it is told to leave, or until it has lost patience."""

    def __init__(
        self, number: int, conversation: Conversation, link: Link, report: Report, *, patience: float = 0.0
    ) -> None:
        self.number = number
        self._conversation = conversation
        self._link = link
        self._report = report
        self._patience = patience or inf
        self._leaving = threading.Event()
        self._stream: Stream | None = None
        self._connected = False
        self._found = False
        """It has been connected before."""
        self._missed = False
        """It has been said that it is not connected."""
        self._hearing = False
        """The bot has been told something, and has not come back from that."""
        self._deserted_at: float | None = None
        """When it was first seen that the stream has ended meanwhile, by `time.monotonic`."""
        self._given_up: Ending | None = None

    # -- called from another thread

    def leave(self) -> None:
        """Finish the match in hand, if there is one, then end."""
        self._patience = min(self._patience, AWAY_SECONDS)
        self._conversation.closing = True
        self._leaving.set()
        if not self._conversation.in_match and self._stream is not None:
            self._stream.cancel()

    def deserted(self) -> Ending | None:
        """How it ends if the bot still thinks, or hangs, and there has been no stream for as long as it has patience.

        None if it goes on: the thread itself looks for an arena, but not before the bot has come back.
        """
        stream = self._stream
        if stream is None or not self._hearing or stream.is_active():
            self._deserted_at = None
            return None
        now = time.monotonic()
        if self._deserted_at is None:
            self._deserted_at = now
        if now - self._deserted_at < self._patience:
            return None
        self._given_up = self._impatient("the bot still thinks of what it was asked before")
        return self._given_up

    # -- the thread

    def run(self) -> Ending:
        """Play. Raises whatever the bot's own code raises."""
        pauses = Pauses()
        good = time.monotonic()
        while not self._done():
            opened = time.monotonic()
            stream = self._converse()
            if self._given_up is not None:
                return self._given_up
            if self._conversation.ending is not None:
                return self._conversation.ending
            if self._done():
                break
            code = stream.code()
            details = stream.details() or self._conversation.farewell or "it ended without a word"
            if code in REFUSALS:
                return Ending(1, f"{self._link.server} refuses: {details}")
            now = time.monotonic()
            if self._conversation.welcomed:
                good = now
                if self._conversation.answers or now - opened > LONGEST:
                    pauses.reset()
            if now - good >= self._patience:
                return self._impatient(details)
            self._disconnected(details)
            self._pause(max(0.0, min(pauses.next(), good + self._patience - now)))
        return Ending(0)

    def _done(self) -> bool:
        return self._leaving.is_set() and not self._conversation.in_match

    def _converse(self) -> Stream:
        """Play on one stream to its end."""
        requests: SimpleQueue[play_pb2.PlayRequest | None] = SimpleQueue()
        requests.put(self._conversation.hello())
        stream = self._stream = self._link.play(self.number, iter(requests.get, None))
        # Asked again now that `leave` can see the stream: one of the two ends it.
        if self._done():
            stream.cancel()
        try:
            for response in _responses(stream):
                self._hearing = True
                for request in self._conversation.receive(response):
                    requests.put(request)
                self._hearing = False
                if not self._connected and self._conversation.welcomed is not None:
                    self._welcomed(self._conversation.welcomed)
                if self._conversation.ending is not None or self._done():
                    break
        finally:
            requests.put(None)
            stream.cancel()
        return stream

    def _pause(self, seconds: float) -> None:
        if self._conversation.in_match:
            time.sleep(seconds)  # told to leave or not, there is a match to be finished
        else:
            self._leaving.wait(seconds)

    # -- what is said of it

    def _impatient(self, details: str) -> Ending:
        return Ending(1, f"no arena at {self._link.server} for {self._patience:g} s, giving up: {details}")

    def _welcomed(self, welcome: play_pb2.Welcome) -> None:
        if self._found:
            self._say("connected again")
        elif self.number == 0 or self._missed:
            self._say(f"connected to {self._link.server} as {welcome.bot}")
        self._connected, self._found, self._missed = True, True, False

    def _disconnected(self, details: str) -> None:
        if not self._missed:
            what = "connection lost" if self._found else f"no arena at {self._link.server} yet"
            self._say(f"{what}, trying again: {details}")
        self._connected, self._missed = False, True

    def _say(self, text: str) -> None:
        self._report.say(f"lane {self.number}: {text}" if self._link.lanes > 1 else text)


def _responses(stream: Stream) -> Iterator[play_pb2.PlayResponse]:
    """What comes on the stream until it ends, in whatever way: its status says that."""
    with suppress(grpc.RpcError):
        yield from stream
