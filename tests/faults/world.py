"""A simulated world: an arena that is stopped, killed and paused, the bots that play in it, and the network between.

Everything is decided by one seed, the order in which tasks run too: the same seed gives the same logs, byte for byte.
"""

from __future__ import annotations

import logging
import os
import secrets
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final
from unittest.mock import patch

import trio
import trio.testing

from arena import lag
from arena.matchmaking import OpenPairing
from arena.replay import Journal, Replay, read_replay
from arena.store import Result, Store
from arena.v1 import play_pb2
from faults.network import Link
from faults.player import Player
from faults.sdk_player import SdkPlayer
from faults.weather import Weather
from memory_arena import MemoryArena, memory_arena

UNIX: Final = 1_790_000_000
"""Wall clock at the beginning of the world."""
LONG: Final = 20_000.0
"""Seconds, made-up ones, after which a world that is not over hangs."""


@dataclass
class Outcome:
    """What a world leaves behind."""

    weather: Weather
    results: list[Result]
    replays: list[Replay]
    players: list[Player]
    complaints: list[str]
    files: list[bytes]


class World:
    """One simulation."""

    def __init__(self, weather: Weather, folder: Path, clock: trio.testing.MockClock) -> None:
        self.over = False
        self._weather = weather
        self._folder = folder / "0"
        self._clock = clock
        self._dice = Random(f"world {weather.seed}")
        self._lives = 0
        self._arena: MemoryArena | None = None
        self._links: list[Link] = []
        self._complaints: list[str] = []
        self._writes = 0
        self._synced: dict[str, int] = {}
        self._death: tuple[str, int] | None = None
        self._power = trio.CancelScope()
        self._nursery: trio.Nursery
        names = [f"bot-{number}" for number in range(weather.bots)]
        self._players = [self._player(name, lane) for name in names for lane in range(weather.lanes)]

    def _player(self, name: str, lane: int) -> Player:
        """A bot of some kind on that lane."""
        dice = Random(f"{name} {lane} {self._weather.seed}")
        if dice.random() < 0.3:
            return SdkPlayer(self, name, lane, dice)
        return Player(self, name, lane, dice, self._weather.guilt)

    async def run(self) -> Outcome:
        """Live to the end."""
        with self._watched(), trio.fail_after(LONG):
            async with trio.open_nursery() as self._nursery:
                self._nursery.start_soon(self._break_streams)
                self._nursery.start_soon(self._stand_still)
                async with trio.open_nursery() as playing:
                    for player in self._players:
                        playing.start_soon(player.live)
                    deaths = iter(self._weather.deaths)
                    while not self.over:
                        await self._live(next(deaths, None))
                        await trio.sleep(self._dice.choice([0.1, 3, 100]))
                self._nursery.cancel_scope.cancel()
        return self._left_behind()

    # -- for the bots

    def dial(self) -> Link | None:
        """A new stream; None while the arena is down."""
        if self._arena is None:
            return None
        link = Link(self._dice.choice([0, 0.01, 0.1]))
        self._links.append(link)
        self._nursery.start_soon(link.carry)
        self._arena.nursery.start_soon(link.serve, self._arena.lobby.play)
        return link

    def start(self, function: Callable[..., Any], *arguments: object) -> None:
        """Let something happen beside."""
        self._nursery.start_soon(function, *arguments)

    # -- the lives of the arena

    async def _live(self, death: tuple[str, int] | None) -> None:
        """One life of the arena's process, from its start to its end."""
        self._lives += 1
        self._writes, self._death = 0, death
        folder = self._folder
        weather = self._weather
        async with memory_arena(
            folder,
            [f"bot-{number}" for number in range(weather.bots)],
            weather.matches,
            legs=weather.legs,
            matchmaker=None if weather.is_planned else self._pairing(folder),
            game=weather.game.name,
            seed=weather.seed if weather.is_seeded else None,
            control=weather.control,
            **{option.name: 1 for option in weather.game.options if option.name.startswith("max_")},
        ) as arena:
            with trio.CancelScope() as self._power:
                self._arena = arena
                await self._play(arena)
            self._arena = None
            if not self.over:
                self._stamp(self._folder)
        for link in self._links:
            link.silence()
            self.start(link.break_off, self._dice.uniform(0, 1), 0.0)
        self._links.clear()
        self._complaints += [
            f"match {director.header.match_id}: {director.failure!r}"
            for director, _ in arena.ended
            if director.failure is not None
        ]
        if self._folder != folder:
            shutil.rmtree(folder)

    async def _play(self, arena: MemoryArena) -> None:
        """Play to the end of all, or of this life."""
        weather, lobby = self._weather, arena.lobby
        if not weather.is_planned:
            self._count_down(arena)
        await lobby.quiet.wait()
        if self._death is not None and self._is_left(arena):  # it was drained
            lobby.dismiss(play_pb2.GOODBYE_REASON_SHUTDOWN, "the arena stops")
            await trio.sleep(1)
            return
        with trio.move_on_after(300):  # whoever is away looks in once more
            while not all(player.knows_all for player in self._players):  # noqa: ASYNC110 # made-up time
                await trio.sleep(1)
        lobby.dismiss(play_pb2.GOODBYE_REASON_FINISHED, "all is played")
        await trio.sleep(1)
        self.over = True

    def _is_left(self, arena: MemoryArena) -> bool:
        """Something is still to be played."""
        if self._weather.is_planned:
            return not arena.lobby.matchmaker.exhausted
        return len(arena.results()) < self._weather.matches

    def _count_down(self, arena: MemoryArena) -> None:
        """Where whoever waits is paired, stop when there are enough matches."""

        def look(*_: object) -> None:
            if len(arena.results()) >= self._weather.matches:
                arena.lobby.drain()

        arena.lobby.on_ended.append(look)
        look()

    def _pairing(self, folder: Path) -> OpenPairing:
        """Pairs whoever waits, and counts on from where the arena was."""
        weather = self._weather
        folder.mkdir(parents=True, exist_ok=True)
        with Store.open(folder, hold=True) as store:
            run = store.open_run("match-1", "match", seeded=weather.is_seeded, created_ms=0).name
            return OpenPairing({weather.game.name: weather.game}, store.next_number(run))

    # -- faults

    @contextmanager
    def _watched(self) -> Iterator[None]:
        """Made-up time everywhere, dice for secrets, an eye on the disk and on the arena's own complaints."""
        dice = Random(f"secrets {self._weather.seed}")
        write, record = Journal._write, Store.close_match

        def writing(journal: Journal, data: bytes, head: bytes) -> None:
            self._touched(journal, b"")
            self._touched(journal, data[: self._dice.randrange(len(data))])
            write(journal, data, head)
            self._touched(None, b"")

        def recording(store: Store, result: Result, packed: bytes) -> Any:
            self._touched(None, b"")
            changes = record(store, result, packed)
            self._touched(None, b"")
            return changes

        sync = Journal.sync

        def syncing(journal: Journal) -> None:
            self._synced[journal.path.name] = journal.size
            sync(journal)

        handler = _Complaints(self._complaints)
        logging.getLogger("arena").addHandler(handler)
        try:
            with (
                # A stall is what the meter is there for; without one it need not look so often.
                patch.object(lag, "PERIOD", lag.PERIOD if self._weather.stalls else 5.0),
                patch.object(Journal, "_write", writing),
                patch.object(Journal, "sync", syncing),
                patch.object(Store, "close_match", recording),
                patch.object(time, "time", lambda: UNIX + trio.current_time()),
                patch.object(time, "time_ns", lambda: round((UNIX + trio.current_time()) * 1e6) * 1000),
                patch.object(secrets, "token_bytes", dice.randbytes),
                patch.object(secrets, "token_hex", lambda size: dice.randbytes(size).hex()),
            ):
                yield
        finally:
            logging.getLogger("arena").removeHandler(handler)

    def _touched(self, journal: Journal | None, torn: bytes) -> None:
        """The disk is about to be written to, or was: the moment at which the arena's process may end.

        `torn` is what of this write is on the disk already.
        """
        self._writes += 1
        if self._arena is None or self._death is None or self._writes < self._death[1]:
            return
        how = self._death[0]
        if how == "tear" and not torn:
            return
        arena, self._death = self._arena, None
        if how == "drain":
            self._death = ("drain", 10**9)
            arena.lobby.drain()
            return
        self._arena = None
        if how != "stop":
            self._folder = self._folder.with_name(str(self._lives))
            arena.snapshot(self._folder)
            if journal is not None and torn and how == "tear":
                copy = self._folder / "running" / journal.path.name
                copy.write_bytes(copy.read_bytes() + torn)
            if how == "cut":
                self._cut_power()
            for link in self._links:
                link.silence()  # what the arena does until it is cancelled nobody hears
        self._power.cancel()

    def _cut_power(self) -> None:
        """Take off the logs any part of what was not synced yet."""
        for path in sorted((self._folder / "running").iterdir()):
            data, kept = path.read_bytes(), self._synced.get(path.name, 0)
            path.write_bytes(data[: self._dice.randrange(kept, len(data) + 1)])

    def _stamp(self, folder: Path) -> None:
        """Give the logs the time that it is in this world."""
        for path in (folder / "running").iterdir():
            os.utime(path, (UNIX + trio.current_time(),) * 2)

    async def _break_streams(self) -> None:
        while True:
            await trio.sleep(self._dice.expovariate(1 / self._weather.breaks))
            player = self._dice.choice(self._players)
            if player.link is not None and player.afford(2):
                bot_notices, arena_notices = self._dice.uniform(0, 1), self._dice.uniform(0, 3)
                self.start(player.link.break_off, bot_notices, arena_notices)

    async def _stand_still(self) -> None:
        for seconds in self._weather.stalls:
            await trio.sleep(self._dice.uniform(0, 20))
            self._clock.jump(seconds)

    # -- the end

    def _left_behind(self) -> Outcome:
        with Store.open(self._folder, hold=False) as store:
            results = store.matches(limit=100_000)[::-1]
            files = [store.replay(result) for result in results]
        with Store.open(self._folder, hold=True) as store:
            before = store.ratings()
            store.rebuild_ratings()
            if store.ratings() != before:
                self._complaints.append(f"ratings are {before}, by the record {store.ratings()}")
        self._complaints += [f"left running: {path.name}" for path in (self._folder / "running").iterdir()]
        for player in self._players:
            self._complaints += player.diary.complaints
            if not self._weather.has_power_cuts:
                self._complaints += player.diary.contradictions
        replays = [read_replay(file) for file in files]
        return Outcome(self._weather, results, replays, self._players, self._complaints, files)


class _Complaints(logging.Handler):
    """Collects what the arena says of its own faults."""

    def __init__(self, into: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._into = into

    def emit(self, record: logging.LogRecord) -> None:
        """Take it down."""
        self._into.append(self.format(record))


def simulate(seed: int, folder: Path) -> Outcome:
    """Let the world of a seed live, with trio's own dice thrown by the seed."""
    clock = trio.testing.MockClock(autojump_threshold=0)
    run = trio._core._run
    with patch.object(run, "_ALLOW_DETERMINISTIC_SCHEDULING", True):
        run._r.seed(seed)
        return trio.run(World(Weather.of(seed), folder, clock).run, clock=clock)
