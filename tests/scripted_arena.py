"""An arena that says what a test tells it to: a plain synchronous gRPC server, its messages, and bots to meet it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent import futures
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, ClassVar

import grpc

from arena.bot import Answer, Bot, Decision, MatchOffer, MatchResult
from arena.v1 import match_pb2, play_pb2
from arena.wire import decision_chunk
from engine.action import PLAYS, Action
from engine.card import parse_card
from engine.clock import SECOND, TimeLeft
from engine.view import Trick, View

HAND = tuple(sorted(map(parse_card, ("2C", "9H", "AS"))))
LEGAL: tuple[Action, ...] = tuple(PLAYS[card] for card in HAND)
LEFT = TimeLeft(60 * SECOND, 10 * SECOND)


@dataclass
class Talk:
    """One stream, as the arena sees it. A script reads requests from it and yields responses."""

    number: int
    requests: Iterator[play_pb2.PlayRequest]
    context: grpc.ServicerContext
    hello: play_pb2.Hello = field(default_factory=play_pb2.Hello)

    def next(self) -> play_pb2.PlayRequest:
        """What the bot says next; StopIteration when it has left."""
        return next(self.requests)

    def rest(self) -> list[play_pb2.PlayRequest]:
        """All that the bot still says, until it has left."""
        found: list[play_pb2.PlayRequest] = []
        with suppress(grpc.RpcError):
            found.extend(self.requests)
        return found

    @property
    def metadata(self) -> dict[str, Any]:
        """What came with the call."""
        return dict(self.context.invocation_metadata() or ())


Script = Callable[[Talk], Iterator[play_pb2.PlayResponse]]


class ScriptedArena:
    """Serves a script on a port of loopback; `talks` are the streams so far, in the order of their Hellos."""

    def __init__(self, script: Script, *, port: int = 0, credentials: grpc.ServerCredentials | None = None) -> None:
        self.script = script
        self.talks: list[Talk] = []
        self._server = grpc.server(futures.ThreadPoolExecutor(16), options=[("grpc.so_reuseport", 0)])
        play = grpc.stream_stream_rpc_method_handler(
            self._play, play_pb2.PlayRequest.FromString, play_pb2.PlayResponse.SerializeToString
        )
        service = grpc.method_handlers_generic_handler("arena.v1.ArenaService", {"Play": play})
        self._server.add_generic_rpc_handlers((service,))
        listen = f"127.0.0.1:{port}"
        if credentials is None:
            self.port = self._server.add_insecure_port(listen)
        else:
            self.port = self._server.add_secure_port(listen, credentials)
        self.address = f"127.0.0.1:{self.port}"
        self._server.start()

    def _play(
        self, requests: Iterator[play_pb2.PlayRequest], context: grpc.ServicerContext
    ) -> Iterator[play_pb2.PlayResponse]:
        talk = Talk(len(self.talks), requests, context)
        talk.hello = talk.next().hello
        self.talks.append(talk)
        return self.script(talk)

    def stop(self) -> None:
        """End all streams and the server."""
        self._server.stop(0).wait()


def said(**kinds: Any) -> play_pb2.PlayResponse:
    """A response with one event for each kind that is given."""
    return play_pb2.PlayResponse(events=[play_pb2.Event(**{kind: message}) for kind, message in kinds.items()])


def both(*responses: play_pb2.PlayResponse) -> play_pb2.PlayResponse:
    """Responses joined into one, as an arena joins them."""
    return play_pb2.PlayResponse.FromString(b"".join(response.SerializeToString() for response in responses))


def happened(seq: int, **kinds: Any) -> play_pb2.PlayResponse:
    """A response with one event of the match."""
    return play_pb2.PlayResponse(events=[play_pb2.Event(seq=seq, **kinds)])


def welcome() -> play_pb2.PlayResponse:
    """The answer to Hello."""
    return said(welcome=play_pb2.Welcome(session="s", arena_version="1", bot="tester"))


def offer(match_id: str = "m1", **changes: Any) -> play_pb2.MatchOffered:
    """An offer of a match to seat 0."""
    fields = {
        "match_id": match_id,
        "game": "draw-bridge",
        "rules_version": 1,
        "rules": {"target": "300", "reveal": "hidden"},
        "seat": 0,
        "names": ["tester", "other"],
        "sides": [0, 1],
    }
    return play_pb2.MatchOffered(**{**fields, **changes})


def offered(match_id: str = "m1", **changes: Any) -> play_pb2.PlayResponse:
    """The response that offers a match."""
    return said(match_offered=offer(match_id, **changes))


def started(match_id: str = "m1") -> play_pb2.PlayResponse:
    """All seats are ready."""
    return said(match_started=play_pb2.MatchStarted(match_id=match_id))


def resumed(match_id: str = "m1", **changes: Any) -> play_pb2.PlayResponse:
    """The stream has taken over a match."""
    return said(resumed=play_pb2.Resumed(offer=offer(match_id), **{"totals": [0, 0], "last_seq": 5, **changes}))


def asked(decision_id: int = 0, legal: tuple[Action, ...] = LEGAL) -> play_pb2.PlayResponse:
    """A question: seat 0 leads to a trick of the play."""
    view = View(
        seat=0,
        deal_no=0,
        dealer=1,
        phase="play",
        hand=HAND,
        hand_counts=(3, 3),
        totals=(0, 0),
        taken=(4, 6),
        table=Trick(0, ()),
    )
    return play_pb2.PlayResponse.FromString(decision_chunk(decision_id, view, legal, LEFT))


def rejected(decision_id: int, reason: str, *, strikes_left: int = 2, clock: bool = True) -> play_pb2.PlayResponse:
    """An answer was refused."""
    message = play_pb2.Rejected(
        decision_id=decision_id,
        reason=play_pb2.RejectionReason.Value(f"REJECTION_REASON_{reason}"),
        text="DB-6.3: spades were led",
        strikes_left=strikes_left,
    )
    if clock:
        message.clock.bank_ms, message.clock.decision_ms = 50_000, 3_000
    return said(rejected=message)


def ended(match_id: str = "m1", *, seq: int = 9) -> play_pb2.PlayResponse:
    """Seat 0 has won."""
    message = play_pb2.MatchEnded(
        match_id=match_id,
        outcomes=[match_pb2.OUTCOME_WON, match_pb2.OUTCOME_LOST],
        totals=[310, 40],
        termination=match_pb2.TERMINATION_SCORE,
        text="tester won 310 - 40",
        log_hash=b"h",
    )
    return happened(seq, match_ended=message)


def goodbye(reason: str, text: str = "farewell") -> play_pb2.PlayResponse:
    """The arena ends the stream."""
    return said(goodbye=play_pb2.Goodbye(reason=play_pb2.GoodbyeReason.Value(f"GOODBYE_REASON_{reason}"), text=text))


def one_match(talk: Talk) -> Iterator[play_pb2.PlayResponse]:
    """A match of one decision, then all is played."""
    yield welcome()
    yield offered()
    assert talk.next().ready.match_id == "m1"
    yield both(started(), asked(0))
    assert talk.next().choose.index == 0
    yield both(ended(), goodbye("FINISHED", "all is played"))


def first(decision: Decision) -> Answer:
    """The smallest bot."""
    return 0 if decision.legal else 1


class Noting(Bot):
    """Plays the first legal action, and notes its hooks for all its instances."""

    notes: ClassVar[list[str]] = []

    def choose(self, decision: Decision) -> Answer:
        """The first one."""
        self.notes.append(f"choose {decision.decision_id}")
        return 0

    def match_started(self, offer: MatchOffer) -> None:
        """Noted."""
        self.notes.append(f"started {offer.match_id}")

    def match_ended(self, result: MatchResult) -> None:
        """Noted."""
        self.notes.append(f"ended {result.match_id}")
