"""Plays a series under the eyes of whoever called, and stops it when asked to."""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import trio

from arena.cli.complaint import leaves
from arena.cli.configured import limits_of
from arena.cli.listening import harmless
from arena.cli.live import LiveBoard
from arena.cli.progress import Progress
from arena.cli.stopping import Stopping
from arena.cli.summary import RunSummary, before, summary_of
from arena.config import ArenaConfig
from arena.errors import ArenaError
from arena.launch import BotProgram
from arena.lobby import Lobby
from arena.ratings import kind_of
from arena.series import Series, SeriesPlan
from arena.store import Ladder, Run, Store, rules_key
from arena.wire import rules_to_text
from engine.clock import TimeControl
from engine.game import Game, Rules
from engine.seating import members, seating, teams


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody wants played, by whom (see `engine.seating`), in a run of this kind and name (None: a new one)."""

    game: Game
    rules: Rules
    bots: tuple[BotProgram, ...]
    data: Path
    kind: str
    run: str | None = None
    seed: int | None = None
    control: TimeControl = field(default_factory=TimeControl)
    lanes: int = 1
    legs: int = 1

    @property
    def seats(self) -> tuple[str, ...]:
        """The bots by seat, in the first match."""
        return tuple(self.bots[place].name for place in seating(self.game.sides, len(self.bots)))

    @property
    def teams(self) -> tuple[tuple[str, ...], ...]:
        """The bots that play on one side, of each side."""
        return members(self.seats, self.game.sides)

    def ladder(self, run: str) -> Ladder:
        """Where the bots are rated; nowhere if they are no two teams, and then no rating is found there."""
        kind = kind_of(self.seats, self.game.sides) or ""
        return Ladder(run, self.game.name, self.game.rules_version, self.rules_key, kind)

    @property
    def rules_key(self) -> str:
        """The rules as results and ratings have them."""
        return rules_key(rules_to_text(self.rules))


@dataclass(frozen=True, slots=True)
class Played:
    """What came of it: the run so far, how many matches are still due, how often Ctrl-C was pressed, what failed."""

    summary: RunSummary
    due: int
    presses: int
    failure: ArenaError | None


def open_run(store: Store, wish: Wish) -> Run:
    """The run of the wish. ArenaError when it is there and of another kind."""
    now_ms = time.time_ns() // 1_000_000
    if wish.run is None:
        return store.new_run(wish.kind, seeded=wish.seed is not None, created_ms=now_ms)
    return store.open_run(wish.run, wish.kind, seeded=wish.seed is not None, created_ms=now_ms)


def check_same(store: Store, run: Run, wish: Wish) -> None:
    """ArenaError when a run that goes on was played by other bots or other rules so far."""
    for result in store.matches(run=run.name, limit=1):
        sides = [player.side for player in result.players]
        if set(map(frozenset, members(result.bots, sides))) != set(map(frozenset, wish.teams)):
            were = " and ".join(sorted(teams(result.bots, sides)))
            raise ArenaError(f"run {run.name} is one of {were}: give the same bots, or another --run")
        if (result.game, result.rules) != (wish.game.name, wish.rules_key):
            raise ArenaError(f"run {run.name} is played by other rules: give the same, or another --run")


def play(
    store: Store, run: Run, wish: Wish, total: int, *, whole: bool, quiet: bool, live: LiveBoard | None = None
) -> Played:
    """Play the run up to `total` matches, with progress on the screen unless `quiet`, or on the live board.

    The summary is that of the `whole` run, or of what is played now.
    """
    config = ArenaConfig(
        wish.data,
        run.name,
        {wish.game.name: wish.rules},
        kind=wish.kind,
        seed=wish.seed,
        control=wish.control,
        limits=limits_of(wish.data),
    )
    plan = SeriesPlan(config, wish.game.name, wish.bots, total, wish.lanes, wish.legs)
    names = [bot.name for bot in wish.bots]
    was = before(store, wish.ladder(run.name))
    presses, failures = 0, list[ArenaError]()
    due = store.due(run.name, total, wish.legs).open
    if due:
        with ExitStack() as stack:
            series = Series(plan, store)
            if live is None:
                progress = stack.enter_context(Progress(wish.teams, total, total - due, quiet=quiet))
                series.on_ended = [harmless(progress.ended)]
            presses, failures = trio.run(_play, series, live)
    summary = summary_of(store, was, names, whole=whole)
    return Played(summary, store.due(run.name, total, wish.legs).open, presses, failures[0] if failures else None)


async def _play(series: Series, live: LiveBoard | None) -> tuple[int, list[ArenaError]]:
    stopping = Stopping(series.arena)
    failures: list[ArenaError] = []

    def prepare(lobby: Lobby) -> None:
        stopping.serving = True
        if live is not None:
            live.watch(lobby)

    series.prepare = prepare
    async with trio.open_nursery() as nursery:
        await nursery.start(stopping.listen)
        async with trio.open_nursery() as watching:
            if live is not None:
                watching.start_soon(live.follow)
            try:
                await series.play()
            except* ArenaError as group:
                failures += [error for error in leaves(group) if isinstance(error, ArenaError)]
            if live is not None:
                live.leave()
        nursery.cancel_scope.cancel()
    return stopping.presses, failures
