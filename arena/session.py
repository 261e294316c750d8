"""One connected bot: the arena's side of a stream, and the lane that outlives it.

A bot numbers its streams; (bot, number) is a lane. A newer stream on a lane replaces the older one and inherits its
match, so a lane is what a match seats, and a session is only how its messages travel.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Collection
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Final, Protocol

import trio

from arena.config import Limits, arena_version
from arena.identity import Key, NotAdmittedError
from arena.lines import about
from arena.tally import Tally
from arena.transport import Call, Gone, RpcError, Status, parse
from arena.v1 import play_pb2
from arena.wire import chunk

log = logging.getLogger("arena.session")

PROTOCOL_VERSIONS: Final = (1,)
"""Versions of the protocol that this arena speaks."""
STRAYS: Final = 8
"""Answers outside any match that a stream may send; one more ends it."""

NOISE: Final = 8
"""Messages other than answers that a stream may send about a match without an answer between; one more ends it."""


class TooNoisy(RpcError):
    """A stream that says much and answers nothing."""


class Seated(Protocol):
    """A match, as a session sees it: where the messages of a seat go."""

    @property
    def match_id(self) -> str:
        """Its id."""

    def ready(self, seat: int, message: play_pb2.Ready) -> None:
        """The seat accepts the match."""

    def choose(self, seat: int, message: play_pb2.Choose) -> None:
        """The seat answers a decision."""

    def resign(self, seat: int, message: play_pb2.Resign) -> None:
        """The seat gives up."""

    def lost(self, seat: int) -> None:
        """The seat's stream is gone."""

    def returned(self, seat: int, resume: play_pb2.Resume | None) -> None:
        """The seat has a new stream."""


@dataclass(slots=True, eq=False)
class Lane:
    """A bot's numbered place. `session` is its stream now, `match` and `seat` where it plays."""

    bot: str
    number: int
    session: Session | None = None
    match: Seated | None = None
    seat: int = 0
    games: frozenset[str] = frozenset()
    software: str = ""
    auto_draw: bool = False
    undelivered: dict[str, bytes] = field(default_factory=dict)
    """The ends of matches, by id, that the bot has not been told, because it was away."""
    faults: int = 0
    """Offers in a row that the bot did not take."""
    rests_until: float = 0.0
    """Until then, on trio's clock, it is offered nothing, because it did not take its last offers."""
    kept_until: float = 0.0
    """Until then, on trio's clock, it is kept for a bot that is away."""
    program: int = 0
    """The first lane of the program that has opened it: all seats of a bot in a match are one program's."""

    def describe(self, hello: play_pb2.Hello, played: Collection[str]) -> None:
        """Take over what the bot says of itself, for the matches to come; a running one stays as it was agreed."""
        self.games = frozenset(hello.games).intersection(played)
        self.software = f"{hello.software_name} {hello.software_version}".strip()[:100]
        self.auto_draw = hello.auto_draw

    def send(self, data: bytes) -> bool:
        """Send serialised events if the lane has a stream that has entered; False if it has none."""
        if self.session is None or not self.session.entered:
            return False
        self.session.send(data)
        return True


class Host(Protocol):
    """What a session needs of the arena that it is in."""

    @property
    def limits(self) -> Limits:
        """What a bot is allowed."""

    @property
    def games(self) -> Collection[str]:
        """The games that are played here."""

    @property
    def tally(self) -> Tally:
        """What is counted."""

    def identify(self, call: Call, hello: play_pb2.Hello) -> Key:
        """Who it is; NotAdmittedError if it proves nothing."""

    def stranger(self, call: Call) -> AbstractContextManager[None]:
        """The stream has not said Hello for as long as this lasts. RpcError when too many have not."""

    def admit(self, call: Call, bot: str, number: int) -> None:
        """There is room for that lane of the bot. RpcError when there is none, or when the bot comes too often."""

    def lane(self, bot: str, number: int) -> Lane:
        """The lane of that bot and number, a new one if there was none."""

    def turned_away(self, call: Call, reason: str, text: str) -> None:
        """The stream was ended, or not begun, for that reason."""

    def occupied(self, lane: Lane) -> None:
        """The lane has a new stream, which is not ready for a match yet."""

    def idle(self, lane: Lane) -> None:
        """The lane waits for a match."""

    def gone(self, lane: Lane) -> None:
        """The lane has no stream and no match."""

    async def ended(self, bot: str, resume: play_pb2.Resume) -> bytes:
        """The end of a match that the bot was in, as serialised events; empty if the arena knows no such match."""


@dataclass(slots=True, eq=False)
class Session:
    """One stream."""

    call: Call
    lane: Lane
    name: str = field(default_factory=lambda: secrets.token_hex(6))
    strays: int = 0
    entered: bool = True
    """False while it is being told how its last match ended: nothing of the next one may come between."""
    noise: int = 0
    about: Seated | None = None
    """The match during which `noise` is counted."""

    def send(self, data: bytes) -> None:
        """Send serialised events."""
        self.call.send_nowait(data)

    def goodbye(self, reason: play_pb2.GoodbyeReason.ValueType, text: str) -> None:
        """Say why, and end the stream once that is written."""
        self.send(chunk(play_pb2.Event(goodbye=play_pb2.Goodbye(reason=reason, text=text))))
        self.call.end(Status.OK, text)

    def dispatch(self, data: bytes) -> bool:
        """Hand a message of the bot to its match; True for an answer. Raises RpcError for what is no message."""
        request = parse(play_pb2.PlayRequest, data)
        kind = request.WhichOneof("message")
        match, seat = self.lane.match, self.lane.seat
        if match is not None:
            self.strays = 0  # one late answer after each match is no fault
        if kind == "choose":
            if match is None:
                self._stray(request.choose.decision_id)
            else:
                match.choose(seat, request.choose)
        elif kind == "ready":
            size = len(request.ready.nonce)
            if not 16 <= size <= 32:
                raise RpcError(Status.INVALID_ARGUMENT, f"Ready.nonce has {size} bytes: it needs 16 to 32")
            if match is not None:
                match.ready(seat, request.ready)
        elif kind == "resign":
            if match is not None:
                match.resign(seat, request.resign)
        elif kind == "hello":
            raise RpcError(Status.INVALID_ARGUMENT, "a second Hello: it is the first message of a stream and no other")
        else:
            raise RpcError(Status.INVALID_ARGUMENT, "an empty PlayRequest: set hello, ready, choose or resign")
        return self._is_answer(kind, match)

    def _is_answer(self, kind: str, match: Seated | None) -> bool:
        """Whether it was an answer; other messages are needed once a match, and too many of them end the stream."""
        if kind == "choose" or match is not self.about:
            self.about, self.noise = match, 0
        else:
            self.noise += 1
            if self.noise > NOISE:
                raise TooNoisy(Status.RESOURCE_EXHAUSTED, f"more than {NOISE} messages in a row that answer nothing")
        return kind == "choose"

    def _stray(self, decision_id: int) -> None:
        self.strays += 1
        if self.strays > STRAYS:
            text = f"more than {STRAYS} answers while no match is running"
            self.goodbye(play_pb2.GOODBYE_REASON_PROTOCOL, text)
            return
        rejected = play_pb2.Rejected(
            decision_id=decision_id,
            reason=play_pb2.REJECTION_REASON_NOT_YOUR_TURN,
            text="no match is running on this lane",
        )
        self.send(chunk(play_pb2.Event(rejected=rejected)))


async def receive_hello(call: Call, limits: Limits) -> play_pb2.Hello:
    """The first message of a stream. Raises RpcError when it is late, something else, or of another protocol."""
    with trio.move_on_after(limits.hello_seconds):
        request = parse(play_pb2.PlayRequest, await call.receive())
        if request.WhichOneof("message") != "hello":
            raise RpcError(Status.INVALID_ARGUMENT, "the first message of a stream must be Hello")
        hello = request.hello
        if hello.protocol_version not in PROTOCOL_VERSIONS:
            spoken = ", ".join(map(str, PROTOCOL_VERSIONS))
            text = f"protocol version {hello.protocol_version} is not spoken here: this arena speaks {spoken}"
            raise RpcError(Status.FAILED_PRECONDITION, text)
        if hello.lane >= limits.lanes:
            text = f"lane {hello.lane} is out of range: a bot has lanes 0 to {limits.lanes - 1}"
            raise RpcError(Status.INVALID_ARGUMENT, text)
        return hello
    raise RpcError(Status.DEADLINE_EXCEEDED, f"no Hello within {limits.hello_seconds:g} s")


def welcome(session: Session, limits: Limits, strikes: int) -> bytes:
    """The answer to Hello, as serialised events."""
    message = play_pb2.Welcome(
        session=session.name,
        arena_version=arena_version(),
        bot=session.lane.bot,
        limits=play_pb2.Limits(
            message_bytes=limits.message_bytes,
            note_bytes=limits.note_bytes,
            away_ms=limits.away_us // 1000,
            strikes=strikes,
            lanes=limits.lanes,
        ),
    )
    return chunk(play_pb2.Event(welcome=message))


async def _introduction(call: Call, host: Host) -> tuple[Lane, play_pb2.Hello]:
    """The lane that it takes, and the Hello; RpcError for one who cannot be let in."""
    with host.stranger(call):
        try:
            hello = await receive_hello(call, host.limits)
        except RpcError as refusal:
            host.turned_away(call, "hello", refusal.details)
            raise
    try:
        key = host.identify(call, hello)
    except NotAdmittedError as refusal:
        raise RpcError(Status.UNAUTHENTICATED, str(refusal)) from None
    if hello.games and not set(hello.games) & set(host.games):
        text = (
            f"none of the games {', '.join(hello.games)[:200]} is played here: this arena plays {', '.join(host.games)}"
        )
        raise RpcError(Status.FAILED_PRECONDITION, text)
    if key.lanes is not None and hello.lane >= len(key.lanes):
        text = f"lane {hello.lane} is out of range: this program has lanes 0 to {len(key.lanes) - 1}"
        raise RpcError(Status.INVALID_ARGUMENT, text)
    number = hello.lane if key.lanes is None else key.lanes[hello.lane]
    host.admit(call, key.bot, number)
    lane = host.lane(key.bot, number)
    lane.program = 0 if key.lanes is None else key.lanes.start
    return lane, hello


async def converse(call: Call, host: Host, strikes: int) -> None:
    """A bot's whole life on one stream: admit it, put it on its lane, pass on what it says until it is gone."""
    lane, hello = await _introduction(call, host)
    bot = lane.bot
    session = Session(call, lane, entered=False)
    replaced, lane.session = lane.session, session
    if replaced is not None:
        replaced.goodbye(play_pb2.GOODBYE_REASON_REPLACED, f"a newer stream of {bot} has taken lane {lane.number}")
    host.occupied(lane)
    lane.describe(hello, host.games)
    session.send(welcome(session, host.limits, strikes))
    about(bot=bot, lane=lane.number)
    log.info("bot came", extra={"peer": call.peer(), "software": lane.software})
    try:
        await _enter(lane, session, hello, host)
        while True:
            data = await call.receive()
            if session.dispatch(data):
                host.tally.answers.observe(trio.current_time() - call.received_at)
    except (Gone, trio.EndOfChannel):
        pass
    except TooNoisy as refusal:
        host.turned_away(call, "bot_noise", f"bot {bot}: {refusal.details}")
        raise
    finally:
        log.info("bot left")
        part(session, host)


def part(session: Session, host: Host) -> None:
    """The lane has this stream no more; if a newer one has taken it, or it has parted before, nothing changes."""
    lane = session.lane
    if lane.session is session:
        lane.session = None
        if lane.match is not None:
            lane.match.lost(lane.seat)
        else:
            host.gone(lane)


async def _enter(lane: Lane, session: Session, hello: play_pb2.Hello, host: Host) -> None:
    """Tell how matches ended that the bot has not heard of, then take up the lane's match or wait for the next.

    The match that it remembers can have ended, and the next one been offered, on a stream that was dead already.
    """
    resume = hello.resume if hello.HasField("resume") else None
    running = lane.match.match_id if lane.match is not None else None
    ends = []
    if resume is not None and resume.match_id != running and resume.match_id not in lane.undelivered:
        ends.append(await host.ended(lane.bot, resume))
        if lane.session is not session:  # while the end was looked up, a newer stream has come
            return
    session.entered = True
    ends += lane.undelivered.values()
    lane.undelivered.clear()
    if any(ends):
        session.send(b"".join(ends))
    if lane.match is not None:
        lane.match.returned(lane.seat, resume)
    else:
        host.idle(lane)
