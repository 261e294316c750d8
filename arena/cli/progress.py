"""How far a run is: a bar and standings on a terminal, now and then a line in a pipe, nothing under --json."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from arena.cli.display import Display
from arena.cli.printing import clean, say
from arena.director import Director
from arena.due import Due
from arena.schedule import Plan
from arena.standings import Record, Standings
from arena.store import Result
from engine.effect import Finish
from engine.seating import members

LINES: Final = 20
"""About how many lines a run leaves in a pipe."""
SHOWN: Final = 3
"""So many teams are in a line, the best ones; all, where there is one more."""
ROWS: Final = 16
"""So many bots are in the table."""
PAUSE: Final = 0.25
"""Seconds between two changes on a terminal: more nobody reads, and each takes time from the matches."""


class Progress(Display):
    """Counts the matches of a run as they end, each number once: what is shown never goes back.

    `teams` play the plan, `due` is what is due of it now, `before` are the results that are there, for a terminal.
    """

    def __init__(
        self,
        teams: Sequence[Sequence[str]],
        plan: Plan,
        due: Due,
        *,
        before: Iterable[Result] = (),
        quiet: bool,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(quiet=quiet)
        self.done = due.planned - due.open
        self._plan = plan
        self._due = due
        self._counted = bytearray(plan.matches // 8 + 1)
        self._teams = {frozenset(team): " + ".join(team) for team in teams}
        self._won: Counter[frozenset[str]] = Counter()
        self._drawn = 0
        self._every = max(1, plan.matches // LINES)
        self._now = now
        self._began = self._shown = now()
        self._fresh = 0
        """Matches that have ended since it began."""
        self._standings = Standings([bot for team in teams for bot in team])
        if self._live is not None:
            self._standings.take_all(before)

    @property
    def total(self) -> int:
        """How many matches there are, as far as is known."""
        return max(self._plan.matches, self.done)

    def ended(self, director: Director, finish: Finish) -> None:
        """A match is over."""
        if self._live is not None and director.logged_end is not None:
            table = director.table
            self._standings.take(
                Result.from_log(
                    director.header,
                    director.logged_end,
                    sides=table.sides,
                    actions=table.acted,
                    rejected=table.rejected,
                    ended_ms=0,
                    log_hash=b"",
                )
            )
        if finish.termination.void:
            return
        self._fresh += 1
        is_new = self._is_new(director.header.number)
        self.done += is_new
        if finish.winner is None:
            self._drawn += 1
        else:
            bots = [seat.bot for seat in director.header.seats]
            self._won[frozenset(members(bots, director.table.sides)[finish.winner])] += 1
        last = self.done == self.total
        if self._live is not None and (last or self._now() - self._shown >= PAUSE):
            self._shown = self._now()
            self._live.update(self.picture(), refresh=True)
        if self._lines and is_new and (self.done % self._every == 0 or last):
            say(f"{self.done} of {self.total} matches: {self.score}")

    def _is_new(self, number: int) -> bool:
        """Whether a match of this number had not ended before; it has now."""
        place, bit = number >> 3, 1 << (number & 7)
        self._counted.extend(bytes(max(0, place + 1 - len(self._counted))))
        known = self._counted[place] & bit or (number <= self._due.planned and self._due.attempt(number) is None)
        self._counted[place] |= bit
        return not known

    @property
    def score(self) -> str:
        """Who has won how often since the start: `steady 39, random 1`; of many teams the best, and how many more."""
        teams = list(self._teams.items())
        if len(teams) > SHOWN + 1:
            teams = sorted(teams, key=lambda team: -self._won[team[0]])[:SHOWN]
        won = [f"{name} {self._won[team]}" for team, name in teams]
        more = len(self._teams) - len(teams)
        return ", ".join([*won, *([f"{more} more"] if more else []), *([f"drawn {self._drawn}"] * bool(self._drawn))])

    @property
    def line(self) -> str:
        """How far it is, how fast, and how long it will take: `120 of 600 matches, 3.1 a second, 2 min 35 s left`."""
        rate = self._fresh / max(self._now() - self._began, 1e-9)
        left = f", {_duration((self.total - self.done) / rate)} left" if rate and self.done < self.total else ""
        return f"{self.done} of {self.total} matches, {rate:.3g} a second{left}"

    def picture(self) -> RenderableType:
        """What a terminal shows."""
        table = Table(box=None, pad_edge=False, header_style="dim")
        table.add_column("bot")
        for name in ("sets", "score", "won", "drawn", "lost"):
            table.add_column(name, justify="right")
        ranked = sorted(self._standings.records.values(), key=lambda record: -_share(record))
        for record in ranked[:ROWS]:
            share = f"{_share(record):.1%}" if record.sets else "-"
            counts = map(str, (record.won, record.drawn, record.lost))
            table.add_row(Text(clean(record.bot + " !" * record.broken)), f"{record.sets:g}", share, *counts)
        rest = [Text(f"and {len(ranked) - ROWS} more")] if len(ranked) > ROWS else []
        return Group(ProgressBar(total=self.total, completed=self.done, width=40), Text(self.line), table, *rest)


def _share(record: Record) -> float:
    return record.score / record.sets if record.sets else 0.0


def _duration(seconds: float) -> str:
    """`45 s`, `2 min 35 s`, `3 h 10 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
