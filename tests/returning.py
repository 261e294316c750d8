"""A bot that leaves in the middle of a match and comes back, on streams of its own making."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import trio

from arena.lobby import Lobby
from arena.v1 import play_pb2
from memory_arena import Choose, MemoryBot, MemoryCall


@dataclass
class ReturningBot:
    """Hangs up instead of answering wherever `leaves` says so, and comes back on a new stream after `away` seconds.

    `streams` are its streams so far, each with what it was told there. With `resumes` it says where it stands, else it
    comes from nothing.
    """

    name: str
    choose: Choose
    leaves: Callable[[play_pb2.Decision], bool]
    away: float = 0.1
    resumes: bool = True
    streams: list[MemoryBot] = field(default_factory=list)
    left_at: set[int] = field(default_factory=set)

    async def play(self, lobby: Lobby) -> None:
        """Play until the arena ends a stream of its own accord."""
        while True:
            stream = MemoryBot(self.name, lambda decision: self._answer(stream, decision), call=MemoryCall())  # noqa: B023 - used in this turn of the loop alone
            self.streams.append(stream)
            fields = {"resume": self.where()} if self.resumes and len(self.streams) > 1 else {}
            was = len(self.left_at)
            await stream.play(lobby, **fields)
            if len(self.left_at) == was:
                return
            await trio.sleep(self.away)

    def _answer(self, stream: MemoryBot, decision: play_pb2.Decision) -> play_pb2.Choose | None:
        if decision.decision_id not in self.left_at and self.leaves(decision):
            self.left_at.add(decision.decision_id)
            stream.call.hang_up()
            return None
        return self.choose(decision)

    def where(self) -> play_pb2.Resume:
        """Where it stands."""
        offers = self.of("match_offered")
        match_id = offers[-1].match_offered.match_id if offers else ""
        return play_pb2.Resume(match_id=match_id, last_seq=max((event.seq for event in self.told), default=0))

    @property
    def told(self) -> list[play_pb2.Event]:
        """All that it was told, stream by stream."""
        return [event for stream in self.streams for event in stream.told]

    def of(self, kind: str) -> list[play_pb2.Event]:
        """What it was told of one kind."""
        return [event for event in self.told if event.WhichOneof("kind") == kind]
