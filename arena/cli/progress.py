"""How far a run is: a bar on a terminal, now and then a line in a pipe, nothing under --json."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from arena.cli.printing import clean, console, on_terminal, say
from arena.director import Director
from engine.effect import Finish
from engine.seating import members

LINES = 20
"""About how many lines a run leaves in a pipe."""


class Progress:
    """Counts the matches of a run as they end: `teams` play it, `done` are those that had ended before."""

    def __init__(self, teams: Sequence[Sequence[str]], total: int, done: int, *, quiet: bool) -> None:
        self.total = total
        self.done = done
        self._teams = {frozenset(team): " + ".join(team) for team in teams}
        self._won: Counter[frozenset[str]] = Counter()
        self._drawn = 0
        self._every = max(1, total // LINES)
        self._lines = not quiet and not on_terminal()
        self._bar = None if quiet or self._lines else _bar()
        self._task = self._bar.add_task("", total=total, completed=done, score="", rate="") if self._bar else None

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def ended(self, director: Director, finish: Finish) -> None:
        """A match is over."""
        if finish.termination.void:
            return
        self.done += 1
        if finish.winner is None:
            self._drawn += 1
        else:
            bots = [seat.bot for seat in director.header.seats]
            self._won[frozenset(members(bots, director.table.sides)[finish.winner])] += 1
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, advance=1, score=clean(self.score), refresh=True)
        if self._lines and (self.done % self._every == 0 or self.done == self.total):
            say(f"{self.done} of {self.total} matches: {self.score}")

    @property
    def score(self) -> str:
        """Who has won how often since the start: `steady 39, random 1`."""
        won = [f"{name} {self._won[team]}" for team, name in self._teams.items()]
        return ", ".join([*won, *([f"drawn {self._drawn}"] if self._drawn else [])])


def _bar() -> Bar:
    return Bar(
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("matches"),
        TextColumn("{task.fields[score]}", markup=False),
        TimeRemainingColumn(),
        console=console(),
        auto_refresh=False,
    )
