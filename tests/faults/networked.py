"""A real arena on a real socket with a proxy before it, in this process, and bots of the SDK in threads."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio

from arena.bot import Answer, Decision, Settings, link, play
from arena.config import ArenaConfig, Limits
from arena.identity import Doorkeeper
from arena.matchmaking import PlannedMatches
from arena.replay import Replay, read_replay, verify
from arena.schedule import series
from arena.server import Arena
from arena.store import Result, Store
from arena.transport import server_options
from engine.clock import TimeControl
from engine.game import complete_rules
from engine.games import find
from faults.proxy import Proxy

PATIENCE = 60.0
"""Seconds after which a test has failed."""


def last(decision: Decision) -> Answer:
    """Play what stands last; so there is always a bid."""
    return decision.legal[-1]


def slowly(decision: Decision) -> Answer:
    """The same after a while, so that a match lasts."""
    threading.Event().wait(0.03)
    return last(decision)


async def until(holds: Callable[[], object]) -> None:
    """Wait until something holds."""
    while not holds():  # noqa: ASYNC110 # nobody tells of it
        await trio.sleep(0.005)


@dataclass
class Networked:
    """The arena, and the proxy through which `a` reaches it; `b` reaches it without one."""

    arena: Arena
    proxy: Proxy
    nursery: trio.Nursery
    over: trio.Event = field(default_factory=trio.Event)
    statuses: dict[str, int] = field(default_factory=dict)
    leaving: list[Callable[[], None]] = field(default_factory=list)

    def join(self, name: str, choose: Callable[[Decision], Answer] = last, **settings: Any) -> None:
        """Let a bot come: `a` through the proxy."""
        address = self.proxy.address if name == "a" else self.arena.address
        chosen = Settings(address, name=name, **{"patience": 5.0, **settings})
        self.nursery.start_soon(self._join, name, partial(play, choose, chosen, on_leave=self.leaving.append))

    async def _join(self, name: str, playing: Callable[[], int]) -> None:
        self.statuses[name] = await trio.to_thread.run_sync(playing, abandon_on_cancel=True)

    async def asked(self, decision_id: int) -> None:
        """Wait until the first match has got so far."""
        await until(
            lambda: any(director.table.decision_id >= decision_id for director in self.arena.lobby.directors.values())
        )

    async def finished(self) -> list[tuple[Result, Replay]]:
        """Wait for the end of all that was planned; results and logs, each proved."""
        await self.over.wait()
        found = []
        for result in self.arena.store.matches()[::-1]:
            replay = read_replay(self.arena.store.replay(result))
            assert not verify(replay, known_hash=result.log_hash).failures
            found.append((result, replay))
        return found


@asynccontextmanager
async def networked(
    folder: Path,
    *,
    matches: int = 1,
    delay: float = 0.0,
    control: TimeControl | None = None,
    limits: Limits | None = None,
    game: str = "draw-bridge",
    **rules: int | str,
) -> AsyncIterator[Networked]:
    """An arena that plays so many matches between `a` and `b`, and is then over."""
    chosen = find(game)
    with Store.open(folder, hold=True) as store:
        store.open_run("match-1", "match", seeded=True, created_ms=0)
        config = ArenaConfig(
            folder,
            "match-1",
            {game: complete_rules(chosen, "match", {"max_deals": 1, **rules})},
            kind="match",
            open=True,
            seed=1,
            control=control or TimeControl(),
            limits=limits or Limits(),
        )
        plan = PlannedMatches(series(game, chosen.sides, ("a", "b"), matches))
        arena = Arena(config, store, plan, Doorkeeper(is_open=True))
        arena.finished("all is played")
        with trio.fail_after(PATIENCE):
            async with trio.open_nursery() as nursery:
                over = trio.Event()

                async def serve(task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
                    await arena.serve(task_status=task_status)
                    over.set()

                await nursery.start(serve)
                proxy = Proxy(arena.address, delay=delay)
                await nursery.start(proxy.serve)
                network = Networked(arena, proxy, nursery, over)
                try:
                    yield network
                finally:
                    for leave in network.leaving:  # or they would look for the arena for ever
                        leave()
                nursery.cancel_scope.cancel()


QUICK = {"grpc.keepalive_time_ms": 100, "grpc.keepalive_timeout_ms": 400, "grpc.http2.ping_timeout_ms": 400}


def quick_pings_of_arena(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the arena find dead peers in half a second instead of half a minute."""
    monkeypatch.setattr(
        "arena.server.server_options", lambda **options: tuple({**dict(server_options(**options)), **QUICK}.items())
    )


def quick_pings_of_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let bots find a dead link in half a second, and the arena bear so many pings."""
    bear = {"grpc.http2.min_ping_interval_without_data_ms": 50}
    monkeypatch.setattr(
        "arena.server.server_options", lambda **options: tuple({**dict(server_options(**options)), **bear}.items())
    )
    monkeypatch.setattr(link, "_OPTIONS", [(option, QUICK.get(option, value)) for option, value in link._OPTIONS])
