"""Plays a series under the eyes of whoever called, and stops it when asked to."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

import trio

from arena.cli.complaint import leaves
from arena.cli.configured import limits_of
from arena.cli.listening import harmless
from arena.cli.live import LiveBoard
from arena.cli.progress import Progress
from arena.cli.stopping import Stopping
from arena.cli.summary import RunSummary, before, summary_of
from arena.competition import Competition, from_text, to_text
from arena.config import ArenaConfig
from arena.director import Director
from arena.errors import ArenaError
from arena.lobby import Lobby
from arena.schedule import Rounds
from arena.series import Series
from arena.store import Run, Store
from engine.effect import Finish


class Display(Protocol):
    """Shows a run while it is played."""

    def __enter__(self) -> Self:
        """Begin to show."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        """Show no more."""

    def ended(self, director: Director, finish: Finish, /) -> None:
        """A match is over."""


@dataclass(frozen=True, slots=True)
class Played:
    """What came of it: the run so far, how many matches are still due, how often Ctrl-C was pressed, what failed.

    `planned` is how many there are in all, `winner` who has won a knockout.
    """

    summary: RunSummary
    due: int
    presses: int
    failure: ArenaError | None
    planned: int = 0
    winner: str | None = None


def open_run(
    store: Store, competition: Competition, name: str | None, *, strict: bool = True
) -> tuple[Run, Competition]:
    """The run of that name, a new one if it is None, and what to play; what may change of a run that is there is
    changed, and its bots keep their names.

    ArenaError when it is there and plays something else; if it is not `strict`, only when it is of another kind.
    """
    kind, seeded, text = competition.kind, competition.seed is not None, to_text(competition)
    now_ms = time.time_ns() // 1_000_000
    if name is None:
        return store.new_run(kind, seeded=seeded, created_ms=now_ms, settings=text), competition
    run = store.open_run(name, kind, seeded=seeded, created_ms=now_ms, settings=text)
    if strict and run.settings:
        known = from_text(run.settings)
        competition = competition.named_as(known)
        changes = list(known.differences(competition))
        if changes:
            raise ArenaError(f"run {name} cannot go on so: {'; '.join(changes)}; give the same, or another --run")
        text = to_text(known.lengthened(competition))
    if text != run.settings:
        store.change_settings(run, text)
    return run, competition


def play(
    store: Store,
    run: Run,
    competition: Competition,
    *,
    whole: bool = True,
    quiet: bool,
    live: LiveBoard | None = None,
    display: Display | None = None,
    until: Callable[[], bool] = lambda: False,
) -> Played:
    """Play the run to its end, with progress on the screen unless `quiet`, on the live board, or on another display.

    When `until` is true after a match, no more are begun. The summary is that of the `whole` run, or of what is played
    now.
    """
    config = ArenaConfig(
        store.folder,
        run.name,
        {competition.game: competition.rules},
        kind=competition.kind,
        seed=competition.seed,
        control=competition.control,
        limits=limits_of(store.folder),
        one_match=competition.one_match,
    )
    plan = competition.plan(run.name, store.results(run.name))
    was = before(store, competition.ladder(run.name))
    presses, failures = 0, list[ArenaError]()
    missing = store.due(run.name, plan.matches, plan.legs)
    due = missing.open
    if due:
        with ExitStack() as stack:
            series = Series(config, competition, store)
            if live is None and display is None:
                before_now = store.results(run.name)
                display = Progress(competition.teams, series.plan, missing, before=before_now, quiet=quiet)
            if display is not None:
                stack.enter_context(display)
                series.on_ended = [harmless(display.ended), lambda *_: series.arena.drain() if until() else None]
            presses, failures = trio.run(_play, series, live)
        plan = competition.plan(run.name, store.results(run.name))
        due = store.due(run.name, plan.matches, plan.legs).open
    summary = summary_of(store, was, competition.names, whole=whole)
    failure = failures[0] if failures else None
    winner = plan.course.winner if isinstance(plan, Rounds) else None
    return Played(summary, due, presses, failure, plan.matches, winner)


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
