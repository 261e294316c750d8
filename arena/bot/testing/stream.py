"""One stream of a bot with a scripted arena, held from the arena's end: messages out, requests in."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Final, TypeAlias

import grpc

from arena.v1 import play_pb2

Message: TypeAlias = play_pb2.PlayResponse | play_pb2.Event | bytes
"""What an arena can say: a response, an event, or the bytes of a response with whatever no message class can hold."""
WITHIN: Final = 10.0
"""Seconds for which a script waits unless it says otherwise."""


class Silence(AssertionError):
    """The bot did not say what the script waits for."""


class Left(AssertionError):
    """The bot has ended the stream."""


@dataclass(frozen=True, slots=True)
class _End:
    """The status with which the arena ends the stream."""

    code: grpc.StatusCode
    text: str


class Stream:
    """A stream that has said Hello. Times are in seconds; nothing blocks for ever.

    `opened` is when the bot said Hello, by `time.monotonic`. `metadata` is what came with the call, such as the token.
    """

    def __init__(self, hello: play_pb2.Hello, metadata: dict[str, str]) -> None:
        self.hello = hello
        self.metadata = metadata
        self.opened = time.monotonic()
        self._said: SimpleQueue[play_pb2.PlayRequest | None] = SimpleQueue()
        self._to_say: SimpleQueue[bytes | _End] = SimpleQueue()
        self._over = False
        self._left = False

    def say(self, *messages: Message) -> None:
        """Send all that is given as one response. Nothing happens when the stream has ended."""
        self._to_say.put(b"".join(map(to_bytes, messages)))

    def hear(self, within: float = WITHIN) -> play_pb2.PlayRequest:
        """What the bot says next. Raises Silence if it says nothing within so many seconds, Left if it has left."""
        request = self._next(within)
        if request is None:
            raise Left("the bot ended the stream")
        return request

    def ready(self, within: float = WITHIN) -> play_pb2.Ready:
        """The Ready that the bot says next; answers to questions are passed over. Raises Silence for all else."""
        deadline = time.monotonic() + within
        while (request := self.hear(max(0.0, deadline - time.monotonic()))).HasField("choose"):
            pass  # a second answer to a question of the match before, perhaps
        return self._of("ready", request).ready

    def choose(self, decision_id: int, within: float = WITHIN) -> play_pb2.Choose:
        """The bot's answer to a decision; answers to earlier ones are passed over. Raises Silence for all else."""
        deadline = time.monotonic() + within
        while True:
            request = self._of("choose", self.hear(max(0.0, deadline - time.monotonic())))
            if request.choose.decision_id == decision_id:
                return request.choose
            if request.choose.decision_id > decision_id:
                raise Silence(f"the bot answered decision {request.choose.decision_id}: {decision_id} is open")

    def quiet(self, seconds: float) -> play_pb2.PlayRequest | None:
        """What the bot says within so many seconds; None if nothing. Raises Left if it leaves."""
        try:
            return self.hear(seconds)
        except Silence:
            return None

    def wait_left(self, within: float = WITHIN) -> list[play_pb2.PlayRequest]:
        """Wait until the bot has ended the stream; what it said before. Raises Silence if it stays."""
        deadline = time.monotonic() + within
        said: list[play_pb2.PlayRequest] = []
        try:
            while (request := self._next(max(0.0, deadline - time.monotonic()))) is not None:
                said.append(request)
        except Silence:
            words = ", ".join(request.WhichOneof("message") or "an empty message" for request in said) or "nothing"
            raise Silence(f"the bot had not left after {within:.1f} s, in which it said {words}") from None
        return said

    @property
    def left(self) -> bool:
        """The stream has ended, or the bot has said that nothing more will come from it."""
        return self._left or self._over

    def end(self, code: grpc.StatusCode = grpc.StatusCode.OK, text: str = "") -> None:
        """End the stream with a status, after all that was said."""
        self._to_say.put(_End(code, text))

    def break_off(self) -> None:
        """End the stream as a link does that breaks: without a word, with UNAVAILABLE."""
        self.end(grpc.StatusCode.UNAVAILABLE, "the link has broken")

    # -- the arena's threads

    def read(self, requests: Iterator[play_pb2.PlayRequest]) -> None:
        """Take what the bot says until it has left. One that half-closes is answered with the end, as by an arena."""
        try:
            for request in requests:
                self._said.put(request)
            self.end()
        except grpc.RpcError:
            pass  # it broke, which is a way to leave
        except ValueError:
            pass  # the arena was stopped
        self._left = True
        self._said.put(None)

    def responses(self, abort: Callable[[grpc.StatusCode, str], object]) -> Iterator[bytes]:
        """What is to be sent, until the end; `abort` ends the stream with a status by raising."""
        while isinstance(message := self._to_say.get(), bytes):
            yield message
        if message.code is not grpc.StatusCode.OK:
            abort(message.code, message.text)

    def over(self) -> None:
        """The stream has ended, from whichever end."""
        self._over = True
        self._said.put(None)
        self._to_say.put(_End(grpc.StatusCode.OK, ""))

    # -- the rest

    def _next(self, within: float) -> play_pb2.PlayRequest | None:
        try:
            request = self._said.get(timeout=max(0.0, within))
        except Empty:
            raise Silence(f"the bot said nothing for {within:.1f} s") from None
        if request is None:
            self._said.put(None)  # for whoever asks again
        return request

    @staticmethod
    def _of(kind: str, request: play_pb2.PlayRequest) -> play_pb2.PlayRequest:
        found = request.WhichOneof("message")
        if found != kind:
            raise Silence(f"the bot said {found or 'an empty message'}, not {kind}")
        return request


def to_bytes(message: Message) -> bytes:
    """The bytes of a response: an event becomes one of its own. Joined end to end they are one response."""
    if isinstance(message, bytes):
        return message
    if isinstance(message, play_pb2.Event):
        message = play_pb2.PlayResponse(events=[message])
    return message.SerializeToString()
