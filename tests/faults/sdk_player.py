"""A simulated bot whose words are those of the SDK: its streams break, and it never does a deed."""

from __future__ import annotations

from collections import defaultdict
from random import Random

import trio

from arena.bot import Answer, Bot, Decision, MatchOffer, MatchResult
from arena.bot.conversation import Conversation
from arena.v1 import play_pb2
from engine.event import Event
from faults.network import Link
from faults.player import Network, Player, choice_of


class Noting(Bot):
    """Answers the same whenever a question is put, and notes what its hooks are told, by match."""

    def __init__(self) -> None:
        self.match_id = ""
        self.happened: dict[str, list[Event]] = defaultdict(list)
        self.started: dict[str, int] = defaultdict(int)
        self.ended: dict[str, int] = defaultdict(int)

    def choose(self, decision: Decision) -> Answer:
        """The choice of that question."""
        return decision.legal[choice_of(decision.offer.match_id, decision.decision_id, len(decision.legal))]

    def match_started(self, offer: MatchOffer) -> None:
        """Noted."""
        self.match_id = offer.match_id
        self.started[offer.match_id] += 1

    def event(self, event: Event) -> None:
        """Noted."""
        self.happened[self.match_id].append(event)

    def match_ended(self, result: MatchResult) -> None:
        """Noted."""
        self.ended[result.match_id] += 1


class SdkPlayer(Player):
    """One bot of the SDK on one lane."""

    def __init__(self, network: Network, name: str, lane: int, dice: Random) -> None:
        super().__init__(network, name, lane, dice, guilt=0.0)
        self.bot = Noting()
        self.talk = Conversation(self.bot, nonce=lambda: dice.randbytes(16), lane=lane, name=name)

    async def _converse(self, link: Link) -> float | None:
        """Play on one stream."""
        link.say_bytes(self.talk.hello().SerializeToString())
        async for data in link.responses:
            response = play_pb2.PlayResponse.FromString(data)
            for event in response.events:
                self._look(event)
            for request in self.talk.receive(response):
                await trio.sleep(self.dice.uniform(0, 0.05))
                self._note(link, request)
                link.say_bytes(request.SerializeToString())
            if self.talk.ending is not None:
                return None
        return self.dice.uniform(0, 0.5)

    def _look(self, event: play_pb2.Event) -> None:
        """Remember what the judge asks for."""
        self._hear(event)
        kind = event.WhichOneof("kind")
        if kind in ("match_offered", "resumed"):
            offer = event.match_offered if kind == "match_offered" else event.resumed.offer
            if offer.match_id != self._match_id:
                self._begin(offer.match_id)
            self.diary.seats[offer.match_id] = offer.seat
        elif kind == "decision":
            self._take_in(event.decision)

    def _note(self, link: Link, request: play_pb2.PlayRequest) -> None:
        if request.HasField("ready"):
            self.diary.ready_on[request.ready.match_id] = link
        elif request.HasField("choose"):
            action = self._question.legal[request.choose.index]
            self.diary.chosen[self._match_id][request.choose.decision_id] = action.SerializeToString()
