"""A whole arena in one process without sockets: the real lobby, directors, logs and database, streams in memory.

Time is trio's autojump clock, so nothing waits and nothing is left to chance: what blocks runs at once in the loop.
"""

from __future__ import annotations

import math
import os
import random
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import trio

from arena.config import ArenaConfig, Limits
from arena.director import Director
from arena.identity import Doorkeeper
from arena.legs import FirstLegs, recorded_first_leg
from arena.lobby import Lobby
from arena.matchmaking import Matchmaker, planned
from arena.opening import running_folder
from arena.record import Recorder
from arena.reopening import take_up_running
from arena.schedule import Meetings
from arena.store import Result, Store
from arena.transport import Gone, RpcError, Status
from arena.v1 import play_pb2
from engine.clock import TimeControl
from engine.effect import Finish
from engine.game import complete_rules
from engine.games import find

T = TypeVar("T")


async def at_once(function: Callable[[], T], /) -> T:
    """Do what blocks here and now: under the autojump clock a thread would be waited for by jumping."""
    await trio.lowlevel.checkpoint()
    return function()


class MemoryCall:
    """A stream with the interface of `arena.transport.Call`, and the bot's end of it."""

    method = "/arena.v1.ArenaService/Play"
    outbox_bytes = 0

    def __init__(self, metadata: tuple[tuple[str, str], ...] = ()) -> None:
        self.metadata = metadata
        self.scope = trio.CancelScope()
        self.status: tuple[Status, str] | None = None
        self.received_at = 0.0
        self._to_arena, self._from_bot = trio.open_memory_channel[bytes](math.inf)
        self._to_bot, self._from_arena = trio.open_memory_channel[bytes](math.inf)

    # the arena's end

    def peer(self) -> str:
        """Where the bot is."""
        return "memory"

    async def receive(self) -> bytes:
        """The bot's next message."""
        if self.status is not None:
            raise Gone
        data = await self._from_bot.receive()
        if self.status is not None:  # as in the real one, what came just before the end is not handed out any more
            raise Gone
        self.received_at = trio.current_time()
        return data

    def send_nowait(self, data: bytes) -> None:
        """Send to the bot."""
        if self.status is None:
            self._to_bot.send_nowait(data)

    async def flush(self) -> None:
        """All that was sent is with the bot at once."""
        await trio.lowlevel.checkpoint()

    def end(self, code: Status = Status.OK, details: str = "") -> None:
        """End the stream."""
        if self.status is None:
            self.status = (code, details)
            self._to_bot.close()
            self._to_arena.close()

    def abort(self, code: Status, details: str = "") -> None:
        """End the stream and its handler."""
        self.end(code, details)
        self.scope.cancel()

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
        """Send a PlayRequest with this one field, if the stream is open."""
        self.say_bytes(play_pb2.PlayRequest(**message).SerializeToString())  # type: ignore[arg-type]

    def say_bytes(self, data: bytes) -> None:
        """Send any bytes."""
        if self.status is None:
            self._to_arena.send_nowait(data)

    def hang_up(self) -> None:
        """Break the stream as a lost connection does."""
        self.abort(Status.CANCELLED, "the peer is gone")

    @property
    def responses(self) -> trio.MemoryReceiveChannel[bytes]:
        """What the arena sends, until the stream ends."""
        return self._from_arena


def hello(name: str, **fields: object) -> play_pb2.Hello:
    """A Hello with the arena's draws."""
    return play_pb2.Hello(**{"protocol_version": 1, "name": name, "auto_draw": True, **fields})  # type: ignore[arg-type]


Choose = Callable[[play_pb2.Decision], "play_pb2.Choose | None"]


def same_choice(seed: object) -> Choose:
    """Any legal action, always the same one for the same question, whatever came between."""

    def choose(decision: play_pb2.Decision) -> play_pb2.Choose:
        dice = random.Random(f"{seed}/{decision.decision_id}")
        return play_pb2.Choose(decision_id=decision.decision_id, index=dice.randrange(len(decision.legal)))

    return choose


def random_choice(seed: object) -> Choose:
    """Any legal action, by dice of its own."""
    dice = random.Random(str(seed))

    def choose(decision: play_pb2.Decision) -> play_pb2.Choose:
        return play_pb2.Choose(decision_id=decision.decision_id, index=dice.randrange(len(decision.legal)))

    return choose


@dataclass
class MemoryBot:
    """A bot on one stream: answers offers and decisions, keeps all that it is told."""

    name: str
    choose: Choose
    think: float = 0.0
    ready_after: float = 0.0
    told: list[play_pb2.Event] = field(default_factory=list)
    call: MemoryCall = field(default_factory=MemoryCall)
    keep: bool = True
    lane: int = 0

    async def play(self, lobby: Lobby, **fields: object) -> None:
        """Play until the arena ends the stream."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.call.serve, lobby.play)
            self.call.say(hello=hello(self.name, **{"lane": self.lane, **fields}))
            async for data in self.call.responses:
                for event in play_pb2.PlayResponse.FromString(data).events:
                    if self.keep:
                        self.told.append(event)
                    await self.answer(event)

    async def answer(self, event: play_pb2.Event) -> None:
        """React to one event."""
        match event.WhichOneof("kind"):
            case "match_offered":
                await self._accept(event.match_offered)
            case "resumed" if event.resumed.awaits_ready:
                await self._accept(event.resumed.offer)
            case "decision":
                if self.think:
                    await trio.sleep(self.think)
                answer = self.choose(event.decision)
                if answer is not None:
                    self.call.say(choose=answer)

    async def _accept(self, offer: play_pb2.MatchOffered) -> None:
        if self.ready_after:
            await trio.sleep(self.ready_after)
        self.call.say(ready=play_pb2.Ready(match_id=offer.match_id, nonce=os.urandom(16)))

    def of(self, kind: str) -> list[play_pb2.Event]:
        """What it was told of one kind."""
        return [event for event in self.told if event.WhichOneof("kind") == kind]


@dataclass
class MemoryArena:
    """The arena under test, and all that ended in it."""

    lobby: Lobby
    store: Store
    nursery: trio.Nursery
    notes: list[str]
    """What was said of the matches that were found running."""
    ended: list[tuple[Director, Finish]] = field(default_factory=list)
    news: trio.Event = field(default_factory=trio.Event)

    async def play(self, *bots: MemoryBot, **fields: object) -> list[Result]:
        """Let the bots play until all that was planned is over; the results, first match first."""
        async with trio.open_nursery() as nursery:
            for bot in bots:
                nursery.start_soon(partial(bot.play, self.lobby, **fields))
            await self.lobby.quiet.wait()
            self.lobby.dismiss(play_pb2.GOODBYE_REASON_FINISHED, "all matches are played")
        return self.results()

    def heard(self, director: Director, finish: Finish) -> None:
        """A match is over; the lobby tells."""
        self.ended.append((director, finish))
        self.news.set()
        self.news = trio.Event()

    async def after(self, matches: int) -> list[Result]:
        """Wait until so many matches have ended; the results, first match first."""
        while len(self.ended) < matches:
            await self.news.wait()
        return self.results()

    def results(self) -> list[Result]:
        """What the database holds, first match first."""
        return self.store.matches(limit=100_000)[::-1]

    def snapshot(self, folder: Path) -> None:
        """Copy the data folder as it is now, as SIGKILL would leave it at this moment."""
        shutil.copytree(self.store.folder, folder)


@asynccontextmanager
async def memory_arena(
    folder: Path,
    names: Iterable[str] = ("a", "b"),
    matches: int = 1,
    *,
    legs: int = 1,
    matchmaker: Matchmaker | None = None,
    seed: int | None = 1,
    control: TimeControl | None = None,
    game: str = "draw-bridge",
    limits: Limits | None = None,
    doorkeeper: Doorkeeper | None = None,
    **rules: int | str,
) -> AsyncIterator[MemoryArena]:
    """An arena that plays `matches` between the names, in sets of `legs`; rules are the preset `match` with changes.

    On a folder where an arena was before, it goes on from there.
    """
    chosen = find(game)
    config = ArenaConfig(
        folder,
        "match-1",
        {game: complete_rules(chosen, "match", rules)},
        kind="match",
        open=True,
        seed=seed,
        control=control or TimeControl(),
        limits=limits or Limits(),
    )
    running_folder(folder).mkdir(parents=True, exist_ok=True)
    with Store.open(folder, hold=True) as store:
        store.open_run(config.run, config.kind, seeded=seed is not None, created_ms=0)
        plan = Meetings(game, chosen.sides, (tuple(names),), matches // legs, legs, config.run)
        due = store.due(config.run, matches, legs)
        async with trio.open_nursery() as nursery:
            recorder = Recorder(config, store, at_once)
            door = doorkeeper or Doorkeeper(is_open=True)
            lobby = Lobby(config, matchmaker or planned(plan, due), door, recorder.close, nursery, off_loop=at_once)
            lobby.recall = recorder.recall
            lobby.first_legs = FirstLegs(partial(recorded_first_leg, store, config.run))
            arena = MemoryArena(lobby, store, nursery, take_up_running(lobby, config, store))
            nursery.start_soon(lobby.lag.run)
            lobby.on_ended.append(arena.heard)
            yield arena
            nursery.cancel_scope.cancel()
