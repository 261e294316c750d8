"""The bot that does everything right, so that each of its neighbours can do one thing wrong.

It takes the first action that is offered, whatever the game. A subclass puts in a fault by overriding one method.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from queue import SimpleQueue
from typing import Any, Final

import grpc
from launch import Launch, run, say

from arena.v1 import play_pb2

FIRST_PAUSE: Final = 0.1
LAST_PAUSE: Final = 10.0
AWAY: Final = 60.0
"""Seconds after which an arena gives up a seat, so also a bot that was told to leave its match."""
REFUSALS: Final = (
    grpc.StatusCode.UNAUTHENTICATED,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.INVALID_ARGUMENT,
)
"""Statuses that would come again."""
STRIKES: Final = (play_pb2.REJECTION_REASON_NOT_LEGAL, play_pb2.REJECTION_REASON_MALFORMED)
FAREWELLS: Final = (play_pb2.GOODBYE_REASON_FINISHED, play_pb2.GOODBYE_REASON_REPLACED)


class Honest:
    """The bot on one lane."""

    def __init__(self, launch: Launch, lane: int) -> None:
        self.launch = launch
        self.lane = lane
        self.match: play_pb2.MatchOffered | None = None
        """The match in hand: accepted, and not known to have ended."""
        self.seq = 0
        """The last event of it that was told."""
        self.question: play_pb2.Decision | None = None
        """The last question on this stream."""
        self.due = False
        """It is to be answered."""
        self.welcomed = False
        """The present stream was welcomed."""
        self.dismissed = False
        """The arena has said that there is nothing to come back for."""
        self.leaving = threading.Event()
        self.patience = launch.patience
        self.requests: SimpleQueue[play_pb2.PlayRequest | None] = SimpleQueue()
        self.stream: grpc.Call | None = None

    # -- one stream after the other

    def stay(self) -> int:
        """Play until there is nothing to come back for; the exit code."""
        pause, lost = FIRST_PAUSE, time.monotonic()
        while not self.done():
            stream = self.talk()
            if self.done():
                break
            if stream.code() in REFUSALS:
                say(f"refused: {stream.details()}")
                return 1
            now = time.monotonic()
            if self.welcomed:
                pause, lost = FIRST_PAUSE, now
            if now - lost >= self.patience:
                say(f"no arena at {self.launch.server} for {self.patience:g} s: {stream.details()}")
                return 1
            self.wait(max(0.0, min(pause, lost + self.patience - now)))
            pause = min(2 * pause, LAST_PAUSE)
        return 0

    def leave(self) -> None:
        """Finish the match in hand, then end. Called from another thread."""
        self.patience = min(self.patience, AWAY)
        self.leaving.set()
        if self.match is None and self.stream is not None:
            self.stream.cancel()  # should a match have been accepted at this moment, the lane comes back for it

    def done(self) -> bool:
        """There is nothing to do any more."""
        return self.dismissed or (self.match is None and self.leaving.is_set())

    def wait(self, seconds: float) -> None:
        """Pause before the next stream; not a moment longer than there is something to come back for."""
        if self.match is None:
            self.leaving.wait(seconds)
        else:
            time.sleep(seconds)

    # -- one stream

    def talk(self) -> grpc.Call:
        """Play on a stream to its end, and return it: it knows how it ended."""
        self.welcomed = self.due = False
        self.question = None
        self.requests = SimpleQueue()
        self.say(hello=self.hello())
        with self.launch.dial() as channel:
            play = channel.stream_stream(
                "/arena.v1.ArenaService/Play",
                play_pb2.PlayRequest.SerializeToString,
                play_pb2.PlayResponse.FromString,
            )
            stream = self.stream = play(iter(self.requests.get, None), metadata=self.launch.metadata)
            try:
                if not self.done():
                    self.listen(stream)
            except grpc.RpcError:
                pass  # it broke, or was refused
            finally:
                self.requests.put(None)
                stream.cancel()
            return stream

    def listen(self, responses: Iterator[play_pb2.PlayResponse]) -> None:
        """Hear all that comes, and answer what is still asked when a message has been read to its end."""
        for response in responses:
            for event in response.events:
                if event.seq:
                    self.seq = event.seq
                self.hear(event)
                if self.done():
                    return  # the offer that follows the end of a match is not for a bot that leaves
            if self.due and self.question is not None and self.match is not None:
                self.due = False
                self.reply(self.answer(self.question))

    def hello(self) -> play_pb2.Hello:
        """The first message of a stream."""
        hello = play_pb2.Hello(
            protocol_version=1,
            software_name="honest",
            software_version="1",
            games=self.launch.games,
            lane=self.lane,
            auto_draw=True,
            name="" if self.launch.token else self.launch.name,
        )
        if self.match is not None:
            resume = play_pb2.Resume(match_id=self.match.match_id, seat=self.match.seat, last_seq=self.seq)
            hello.resume.CopyFrom(resume)
        return hello

    def hear(self, event: play_pb2.Event) -> None:
        """Take in what is told; what is not known, or of no use, is skipped."""
        match event.WhichOneof("kind"):
            case "welcome":
                self.welcomed = True
            case "match_offered":
                self.accept(event.match_offered)
            case "resumed":
                self.resume(event.resumed)
            case "decision":
                self.question, self.due = event.decision, True
            case "rejected":
                self.refused(event.rejected)
            case "match_ended":
                self.ended()
            case "goodbye":
                self.dismissed = event.goodbye.reason in FAREWELLS

    def accept(self, offer: play_pb2.MatchOffered) -> None:
        """Say Ready."""
        self.match, self.seq = offer, 0
        self.say(ready=play_pb2.Ready(match_id=offer.match_id, nonce=os.urandom(16)))

    def resume(self, resumed: play_pb2.Resumed) -> None:
        """Go on with a match, of which this process may know nothing."""
        if resumed.awaits_ready:
            self.accept(resumed.offer)
        elif self.match is None or self.match.match_id != resumed.offer.match_id:
            self.match, self.seq = resumed.offer, 0

    def refused(self, rejected: play_pb2.Rejected) -> None:
        """After a strike the question is answered again. All other refusals are of answers that count for nothing."""
        open_still = self.question is not None and self.question.decision_id == rejected.decision_id
        self.due = self.due or (open_still and rejected.reason in STRIKES)

    def ended(self) -> None:
        """The match in hand is over."""
        self.match, self.question, self.due = None, None, False

    # -- answers

    def choose(self, decision: play_pb2.Decision) -> int:
        """The index of an action: always the first."""
        del decision
        return 0

    def answer(self, decision: play_pb2.Decision) -> play_pb2.Choose:
        """The answer to a question."""
        return play_pb2.Choose(decision_id=decision.decision_id, index=self.choose(decision))

    def reply(self, choose: play_pb2.Choose) -> None:
        """Give an answer."""
        self.say(choose=choose)

    def say(self, **message: Any) -> None:
        """Send a message on the present stream."""
        self.requests.put(play_pb2.PlayRequest(**message))


if __name__ == "__main__":
    run(Honest)
