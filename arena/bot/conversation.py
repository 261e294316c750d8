"""The bot's side of the protocol as a machine without input or output: responses in, requests out.

A conversation outlives its streams: `hello` opens each new one, `receive` takes what comes on it. It calls the bot's
hooks on the way, so a stream, a thread and a clock are all that is left to its owner (`arena.bot.lane`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from arena.bot.bot import Bot, hears, software
from arena.bot.decision import Choice, Decision, Resign, UnknownAction, dice_of
from arena.bot.offer import MatchOffer, offer_from_proto, rejection_from_proto, result_from_proto
from arena.v1 import play_pb2
from arena.wire import action_to_proto, decision_from_proto, event_from_proto

PROTOCOL_VERSION: Final = 1
NOTE_BYTES: Final = 512
"""What fits into a note."""


@dataclass(frozen=True, slots=True)
class Ending:
    """Why a lane has ended: the exit status of the program, and a line for people where there is something to say."""

    status: int
    text: str = ""


@dataclass(slots=True)
class _Current:
    """The match that the lane is in."""

    offer: MatchOffer
    dice: str | None
    nonce: bytes = b""
    seq: int = 0
    """The last seq seen."""
    begun: bool = False
    """The bot knows that it has started."""
    asked: Decision | None = None
    """The open question."""
    due: bool = False
    """It is the bot that has to do something about it."""


class Conversation:
    """The bot on one lane. `ending` is set when the arena has said a goodbye after which there is nothing to wait for.

    `closing`, set from outside, makes it accept no more matches. `welcomed` and `answers` are of the present stream.
    """

    def __init__(
        self,
        bot: Bot,
        *,
        nonce: Callable[[], bytes],
        lane: int = 0,
        name: str = "",
        games: tuple[str, ...] = (),
        seed: int | None = None,
    ) -> None:
        self.bot = bot
        self.closing = False
        self.ending: Ending | None = None
        self.welcomed: play_pb2.Welcome | None = None
        self.answers = 0
        self.farewell = ""
        """Why the arena ended the present stream, in its own words; empty if it has not said."""
        self._lane = lane
        self._name = name
        self._games = games
        self._seed = seed
        self._nonce = nonce
        self._hears = hears(bot)
        self._current: _Current | None = None

    @property
    def in_match(self) -> bool:
        """A match has been accepted and its end is not known."""
        return self._current is not None

    def hello(self) -> play_pb2.PlayRequest:
        """The first request of a new stream."""
        self.welcomed, self.answers, self.farewell = None, 0, ""
        hello = play_pb2.Hello(
            protocol_version=PROTOCOL_VERSION,
            software_name=software(self.bot),
            software_version=self.bot.version,
            games=self._games,
            lane=self._lane,
            auto_draw=self.bot.auto_draw,
            name=self._name,
        )
        if self._current is not None:
            offer = self._current.offer
            resume = play_pb2.Resume(match_id=offer.match_id, seat=offer.seat, last_seq=self._current.seq)
            hello.resume.CopyFrom(resume)
        return play_pb2.PlayRequest(hello=hello)

    def receive(self, response: play_pb2.PlayResponse) -> Iterator[play_pb2.PlayRequest]:
        """What to say to a response. Raises whatever the bot's own code raises."""
        for event in response.events:
            if event.seq:
                self._happened(event)
            else:
                yield from self._told(event)
        # Only now: what came later in the same message may have closed the question.
        current = self._current
        if current is not None and current.asked is not None and current.due:
            current.due = False
            yield self._answer(current.offer, current.asked)

    def _told(self, event: play_pb2.Event) -> Iterator[play_pb2.PlayRequest]:
        match event.WhichOneof("kind"):
            case "decision":
                self._asked(event.decision)
            case "rejected":
                self._rejected(event.rejected)
            case "match_offered":
                yield from self._offered(event.match_offered)
            case "resumed":
                yield from self._resumed(event.resumed)
            case "match_started":
                self._started()
            case "match_ended":
                self._ended(event.match_ended)
            case "welcome":
                self.welcomed = event.welcome
            case "goodbye":
                self._goodbye(event.goodbye)

    # -- the life of a match

    def _offered(self, msg: play_pb2.MatchOffered) -> Iterator[play_pb2.PlayRequest]:
        self._current = None  # should a match still be open here, the arena knows of it no more
        if msg.endpoint:
            text = f"match {msg.match_id} is to be played at {msg.endpoint}, where this version of the SDK cannot go"
            self.ending = Ending(1, text)
        elif not self.closing:
            self._current = self._match(offer_from_proto(msg))
            yield self._ready(self._current)

    def _resumed(self, msg: play_pb2.Resumed) -> Iterator[play_pb2.PlayRequest]:
        offer = offer_from_proto(msg.offer)
        if self._current is None or self._current.offer.match_id != offer.match_id:
            self._current = self._match(offer)
        elif msg.last_seq < self._current.seq:
            self._current.seq = 0  # a power cut has taken the arena back behind what was told: hear it as it goes now
        if msg.awaits_ready:
            yield self._ready(self._current)
        elif msg.last_seq:
            self._started()

    def _match(self, offer: MatchOffer) -> _Current:
        # By match and seat, not by lane: which match meets which lane is chance.
        return _Current(offer, None if self._seed is None else f"{self._seed}/{offer.match_id}/{offer.seat}")

    def _ready(self, current: _Current) -> play_pb2.PlayRequest:
        current.nonce = current.nonce or self._nonce()
        return play_pb2.PlayRequest(ready=play_pb2.Ready(match_id=current.offer.match_id, nonce=current.nonce))

    def _started(self) -> None:
        if self._current is not None and not self._current.begun:
            self._current.begun = True
            self.bot.match_started(self._current.offer)

    def _happened(self, event: play_pb2.Event) -> None:
        if event.HasField("match_ended"):
            self._ended(event.match_ended)
            return
        current = self._current
        if current is None or event.seq <= current.seq:
            return
        current.seq = event.seq
        happening = event_from_proto(event) if self._hears else None
        if happening is not None:  # None: of a kind that this version does not know
            self.bot.event(happening)

    def _ended(self, msg: play_pb2.MatchEnded) -> None:
        current = self._current
        if current is not None and current.offer.match_id == msg.match_id:
            self._current = None
            self.bot.match_ended(result_from_proto(msg, current.offer.seat))

    def _goodbye(self, msg: play_pb2.Goodbye) -> None:
        self.farewell = msg.text
        if msg.reason in (play_pb2.GOODBYE_REASON_REPLACED, play_pb2.GOODBYE_REASON_FINISHED):
            self.ending = Ending(0, msg.text)
        elif msg.reason == play_pb2.GOODBYE_REASON_PROTOCOL:
            self.ending = Ending(1, f"the arena ended the stream: {msg.text}")

    # -- questions and answers

    def _asked(self, msg: play_pb2.Decision) -> None:
        current = self._current
        if current is None:
            return
        self._started()
        decision_id, view, legal, left = decision_from_proto(msg)
        offered = tuple(UnknownAction(i) if action is None else action for i, action in enumerate(legal))
        current.asked = Decision(decision_id, view, offered, left, current.offer, dice_of(current.dice, decision_id))
        current.due = True

    def _rejected(self, msg: play_pb2.Rejected) -> None:
        rejection = rejection_from_proto(msg)
        self.bot.rejected(rejection)
        current, left = self._current, rejection.time_left
        if current is None or current.asked is None or current.asked.decision_id != rejection.decision_id:
            return
        # No strike: it is about another answer. No time: this strike was one too many.
        if rejection.reason is not None and rejection.reason.strike and left is not None:
            current.asked = replace(current.asked, time_left=left)
            current.due = True

    def _answer(self, offer: MatchOffer, decision: Decision) -> play_pb2.PlayRequest:
        answer = self.bot.choose(decision)
        plain, note = (answer.answer, answer.note) if isinstance(answer, Choice) else (answer, "")
        self.answers += 1
        chosen = decision.resolve(plain)
        if isinstance(chosen, Resign):
            return play_pb2.PlayRequest(resign=play_pb2.Resign(match_id=offer.match_id))
        choose = play_pb2.Choose(decision_id=decision.decision_id, note=cut(note))
        if isinstance(chosen, int):
            choose.index = chosen
        elif chosen is not None:
            choose.action.CopyFrom(action_to_proto(chosen))
        return play_pb2.PlayRequest(choose=choose)


def cut(note: str) -> str:
    """The note, at most NOTE_BYTES long in UTF-8."""
    return note.encode(errors="replace")[:NOTE_BYTES].decode(errors="ignore")
