"""A simulated bot: plays every game at random, over streams that break, with every fault that its dice bid it.

It is either innocent, and then whatever it does must cost it no match, or it does a deed, and says so in its diary.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, Protocol

import trio

from arena.v1 import action_pb2, card_pb2, play_pb2
from faults.diary import Deed, Diary
from faults.network import Link

MATCH_BUDGET: Final = 25.0
"""Seconds that an innocent bot wastes in a match at most."""
DECISION_BUDGET: Final = 5.0
"""Likewise in a decision."""
STRIKES: Final = 3


class Network(Protocol):
    """What a bot needs of the world."""

    over: bool
    """All is played, and nobody need come back."""

    def dial(self) -> Link | None:
        """A new stream; None while the arena is down."""

    def start(self, function: Callable[..., object], *arguments: object) -> None:
        """Let something happen beside."""


class Player:
    """One bot on one lane, over all its streams."""

    def __init__(self, network: Network, name: str, lane: int, dice: Random, guilt: float) -> None:
        self.name, self.lane, self.dice, self.guilt = name, lane, dice, guilt
        self.diary = Diary()
        self.link: Link | None = None
        self._network = network
        self._newer: Link | None = None
        self._match_id = ""
        self._known = 0  # the last seq of that match
        self._remembers = False
        self._begin("")

    def _begin(self, match_id: str) -> None:
        self._match_id, self._known = match_id, 0
        self._match_budget, self._decision_budget = MATCH_BUDGET, DECISION_BUDGET
        self._strikes, self._asked, self._answered = 0, -1, 0
        self._sin = self.dice.choice(list(Deed)) if match_id and self.dice.random() < self.guilt else None
        self._sins_at = self.dice.randrange(12)  # the how many-th answer, if it is a sin of play

    @property
    def _sins(self) -> bool:
        return self._sin not in (None, Deed.UNREADY) and self._answered >= self._sins_at

    @property
    def knows_all(self) -> bool:
        """It has been told how its last match ended, as far as it remembers one."""
        return self.diary.forgot or not self._match_id or bool(self.diary.ends[self._match_id])

    def afford(self, seconds: float) -> bool:
        """An innocent bot may waste so many seconds now, and they are taken off what it may waste."""
        if min(self._match_budget, self._decision_budget) < seconds:
            return False
        self._match_budget -= seconds
        self._decision_budget -= seconds
        return True

    # -- streams

    async def live(self) -> None:
        """Play until all is over."""
        while not self._network.over:
            link, self._newer = self._newer or self._network.dial(), None
            if link is None:
                await trio.sleep(self._while_down())
                continue
            self.link = link
            pause = await self._converse(link)
            if pause is None:
                return
            if self._newer is None:
                await trio.sleep(pause)

    def _while_down(self) -> float:
        """How long it waits when the arena does not answer: with a deed, until that was up and has waited in vain."""
        if self._match_id and not self.diary.ends[self._match_id] and self.dice.random() < self.guilt / 4:
            self.diary.deeds[self._match_id].add(Deed.AWAY)
            return self.dice.uniform(60, 200)
        return self.dice.uniform(0.1, 2)

    async def _converse(self, link: Link) -> float | None:
        """Play on one stream; gives the seconds until the next one, None if there is to be none."""
        self._greet(link)
        async for data in link.responses:
            for event in events_of(data):
                pause = await self._react(link, event)
                if pause is not None:
                    return pause
                if event.goodbye.reason == play_pb2.GOODBYE_REASON_FINISHED:
                    return None
                if event.goodbye.reason == play_pb2.GOODBYE_REASON_REPLACED:
                    self.diary.complaints.append(f"{self.name} {self.lane}: its newest stream was replaced")
        return self.dice.uniform(0, 0.5)

    def _greet(self, link: Link) -> None:
        hello = play_pb2.Hello(protocol_version=1, name=self.name, lane=self.lane, auto_draw=self.lane % 2 == 0)
        if self._match_id and self._remembers:
            hello.resume.match_id, hello.resume.last_seq = self._match_id, self._known
        elif self._match_id:
            self.diary.forgot = True
        self._remembers = True
        link.say(hello=hello)

    def break_off(self, link: Link, arena_notices: float = 0.0) -> None:
        """Let the stream break; this end notices at once."""
        self._network.start(link.break_off, 0.0, arena_notices)

    # -- what it is told

    def _hear(self, event: play_pb2.Event) -> None:
        kind = event.WhichOneof("kind")
        if kind == "match_ended":
            self.diary.ends[event.match_ended.match_id].append(event.match_ended)
        elif event.seq:
            self.diary.hear(self._match_id, event)
            self._known = max(self._known, event.seq)

    async def _react(self, link: Link, event: play_pb2.Event) -> float | None:
        self._hear(event)
        match event.WhichOneof("kind"):
            case "match_offered":
                return await self._offered(link, event.match_offered)
            case "resumed":
                if event.resumed.offer.match_id != self._match_id:
                    self._begin(event.resumed.offer.match_id)
                self.diary.seats[self._match_id] = event.resumed.offer.seat
                if event.resumed.awaits_ready:
                    return await self._take(link)
            case "decision":
                return await self._decide(link, event.decision)
            case "rejected" if event.rejected.reason in (
                play_pb2.REJECTION_REASON_NOT_LEGAL,
                play_pb2.REJECTION_REASON_MALFORMED,
            ):
                self._strikes += 1
                if self._sins:
                    return await self._commit(link, self._question)
                self._answer(link, self._question)
        return None

    async def _offered(self, link: Link, offer: play_pb2.MatchOffered) -> float | None:
        self._begin(offer.match_id)
        self.diary.seats[offer.match_id] = offer.seat
        return await self._take(link)

    async def _take(self, link: Link) -> float | None:
        """Say Ready, or what is said instead."""
        if self._sin is Deed.UNREADY:
            self.diary.deeds[self._match_id].add(Deed.UNREADY)
            way = self.dice.randrange(3)
            if way == 0:
                link.say(resign=play_pb2.Resign(match_id=self._match_id))
                return None
            if way == 1:
                self.break_off(link)
                return self.dice.uniform(2.5, 30)
            await trio.sleep(self.dice.uniform(20.5, 30))
        if self.dice.random() < 0.1 and self.afford(1):
            self.break_off(link)
            return self.dice.uniform(0, 1)
        await trio.sleep(self.dice.choice([0, self.dice.uniform(0, 2)]))
        self.diary.ready_on[self._match_id] = link
        for _ in range(self.dice.choice([1, 1, 1, 2])):
            link.say(ready=play_pb2.Ready(match_id=self._match_id, nonce=self.dice.randbytes(16)))
        if self.dice.random() < 0.03 and self.afford(1):
            self.break_off(link)
            return self.dice.uniform(0, 1)
        return None

    # -- what it answers

    async def _decide(self, link: Link, question: play_pb2.Decision) -> float | None:
        is_new = self._take_in(question)
        if self._sins:
            return await self._commit(link, question)
        await trio.sleep(self.dice.uniform(0, 0.05))
        if is_new and self.dice.random() < 0.25:
            return await self._mischief(link, question)
        self._answer(link, question)
        return None

    def _take_in(self, question: play_pb2.Decision) -> bool:
        """Remember the open question; whether it was put for the first time."""
        self._question = question
        self.diary.questions[self._match_id].append(question)
        is_new = question.decision_id != self._asked
        if is_new:
            self._asked, self._decision_budget = question.decision_id, DECISION_BUDGET
            self._answered += 1
        return is_new

    def _answer(self, link: Link, question: play_pb2.Decision) -> None:
        """Answer, the same whenever the question is put, by index or by action."""
        index = choice_of(self._match_id, question.decision_id, len(question.legal))
        action = question.legal[index]
        self.diary.chosen[self._match_id][question.decision_id] = action.SerializeToString()
        how = {"index": index} if self.dice.random() < 0.5 else {"action": action}
        link.say(choose=play_pb2.Choose(decision_id=question.decision_id, note="hm" * (index % 2), **how))

    async def _mischief(self, link: Link, question: play_pb2.Decision) -> float | None:
        """Answer with a fault that must cost nothing."""
        return await self.dice.choice(
            [
                self._think_long,
                self._answer_twice,
                self._answer_others,
                self._answer_wrongly,
                self._leave_first,
                self._answer_and_leave,
                self._forget,
                self._send_half,
                self._take_over,
            ]
        )(link, question)

    async def _think_long(self, link: Link, question: play_pb2.Decision) -> float | None:
        if self.afford(3):
            await trio.sleep(self.dice.uniform(0, 3))
        self._answer(link, question)
        return None

    async def _answer_twice(self, link: Link, question: play_pb2.Decision) -> float | None:
        """Two answers or more: the first counts."""
        self._answer(link, question)
        for other in range(self.dice.randrange(1, 4)):
            link.say(choose=play_pb2.Choose(decision_id=question.decision_id, index=other))
        return None

    async def _answer_others(self, link: Link, question: play_pb2.Decision) -> float | None:
        """Answers to what nobody asks, before the answer."""
        for other in (question.decision_id + 1, max(0, question.decision_id - 1), question.decision_id + 7):
            if other != question.decision_id:
                link.say(choose=play_pb2.Choose(decision_id=other, index=0))
        self._answer(link, question)
        return None

    async def _answer_wrongly(self, link: Link, question: play_pb2.Decision) -> float | None:
        if self._strikes < STRIKES and self._sin not in (Deed.ILLEGAL, Deed.MALFORMED):
            link.say(choose=self._wrong(question, illegal=self.dice.random() < 0.5))
        else:
            self._answer(link, question)
        return None  # the refusal will be answered

    async def _leave_first(self, link: Link, question: play_pb2.Decision) -> float | None:
        if not self.afford(2):
            return self._answer(link, question)
        self.break_off(link, self.dice.uniform(0, 1))
        return self.dice.uniform(0, 2)

    async def _answer_and_leave(self, link: Link, question: play_pb2.Decision) -> float | None:
        """The answer may get there or not, and the arena may notice late."""
        self._answer(link, question)
        if not self.afford(2):
            return None
        await trio.sleep(self.dice.choice([0, self.dice.uniform(0, 0.3)]))
        self.break_off(link, self.dice.uniform(0, 5))
        return self.dice.uniform(0, 2)

    async def _forget(self, link: Link, question: play_pb2.Decision) -> float | None:
        """Be started anew, from nothing."""
        if not self.afford(2):
            return self._answer(link, question)
        self.break_off(link)
        self._remembers = False
        return self.dice.uniform(0, 2)

    async def _send_half(self, link: Link, question: play_pb2.Decision) -> float | None:
        """Half an answer, upon which the arena ends the stream."""
        if not self.afford(1):
            return self._answer(link, question)
        choose = play_pb2.Choose(decision_id=question.decision_id, index=0)
        data = play_pb2.PlayRequest(choose=choose).SerializeToString()
        link.say_bytes(data[: len(data) // 2 + 1])
        return None

    async def _take_over(self, link: Link, question: play_pb2.Decision) -> float | None:
        """Open another stream on the lane: the newest has the match."""
        self._newer = self._network.dial()
        if self._newer is None:
            return self._answer(link, question)
        self._network.start(self._hear_out, link, question)
        return 0.0

    async def _hear_out(self, link: Link, question: play_pb2.Decision) -> None:
        """Answer on an older stream too, and hear it out."""
        if self.dice.random() < 0.5:
            self._answer(link, question)
        was_replaced = False
        async for data in link.responses:
            for event in events_of(data):
                if was_replaced:
                    self.diary.complaints.append(f"{self.name} {self.lane}: told {event} on a replaced stream")
                was_replaced |= event.goodbye.reason == play_pb2.GOODBYE_REASON_REPLACED

    async def _commit(self, link: Link, question: play_pb2.Decision) -> float | None:
        """Do the deed."""
        assert self._sin is not None
        deeds = self.diary.deeds[self._match_id]
        if self._sin in (Deed.ILLEGAL, Deed.MALFORMED):
            deeds |= {Deed.ILLEGAL, Deed.MALFORMED}  # the fourth gives the name, and either may be the fourth
            usual = 0.8 if self._sin is Deed.ILLEGAL else 0.2
            link.say(choose=self._wrong(question, illegal=self.dice.random() < usual))
            return None
        deeds.add(self._sin)
        if self._sin is Deed.RESIGNS:
            link.say(resign=play_pb2.Resign(match_id=self._match_id))
        elif self._sin is Deed.AWAY:
            self.break_off(link, self.dice.uniform(0, 2))
            return self.dice.uniform(60, 80)
        return None

    def _wrong(self, question: play_pb2.Decision, *, illegal: bool) -> play_pb2.Choose:
        wrong = play_pb2.Choose(decision_id=question.decision_id)
        if illegal:
            legal = {action.SerializeToString() for action in question.legal}
            wrong.action.CopyFrom(next(action for action in _ACTIONS if action.SerializeToString() not in legal))
        elif self.dice.random() < 0.5:
            wrong.index = len(question.legal) + self.dice.randrange(3)
        return wrong


def choice_of(match_id: str, decision_id: int, count: int) -> int:
    """Which of so many legal actions is taken, the same whenever the question is put and whoever asks."""
    return Random(f"{match_id}/{decision_id}").randrange(count)


def events_of(data: bytes) -> Sequence[play_pb2.Event]:
    """The events of a message."""
    return play_pb2.PlayResponse.FromString(data).events


_ACTIONS: Final = [
    action_pb2.Action(call=action_pb2.Call(kind=action_pb2.CALL_KIND_REDOUBLE)),
    action_pb2.Action(draw=action_pb2.Draw()),
    *(action_pb2.Action(play=action_pb2.Play(card=card)) for card in card_pb2.Card.values() if card),
]
"""One of them is always against the rules."""
