"""What the results of a run come to: for each bot and for each two teams, kept up to date match by match.

Counts alone are kept, so a run of any length takes the memory of its bots. A match of a set with a void leg counts for
nothing; until its set is closed a leg counts as played, and not yet for the score.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from arena import store
from arena.stats import Ladder, Played, Set, one_set, rate
from arena.store import Result
from engine.states import Termination

REJECTED_MARK = 0.01
"""A bot with a larger share of rejected actions than this is marked: it looks weak, and is broken."""


@dataclass(slots=True)
class Record:
    """A bot's matches. `score` is in sets, `points` are its side's less the other's, `faults` its own endings."""

    bot: str
    won: int = 0
    drawn: int = 0
    lost: int = 0
    void: int = 0
    sets: float = 0.0
    score: float = 0.0
    points: int = 0
    deals: int = 0
    actions: int = 0
    rejected: int = 0
    endings: Counter[Termination] = field(default_factory=Counter)
    faults: Counter[Termination] = field(default_factory=Counter)

    @property
    def broken(self) -> bool:
        """So many of its actions were rejected that its results say little."""
        return self.rejected > REJECTED_MARK * (self.actions + self.rejected)


Team = tuple[str, ...]


class Standings:
    """The results of a run so far."""

    def __init__(self, bots: Sequence[str] = ()) -> None:
        self.records = {bot: Record(bot) for bot in bots}
        self.terminations: Counter[Termination] = Counter()
        self.cross: defaultdict[tuple[Team, Team], list[float]] = defaultdict(lambda: [0.0, 0.0])
        """Score and sets of a team against another."""
        self._open: dict[str, list[Result]] = {}
        self._sets: Counter[Set] = Counter()

    def take(self, result: Result) -> None:
        """A match has ended."""
        self.terminations[result.termination] += 1
        for player in result.players:
            record = self.records.setdefault(player.bot, Record(player.bot))
            record.actions += player.actions
            record.rejected += player.rejected
        for bot in dict.fromkeys(result.bots):
            self.records[bot].endings[result.termination] += 1
        if result.at_fault is not None:
            self.records[result.bots[result.at_fault]].faults[result.termination] += 1
        legs = self._open.setdefault(result.set_id, [])
        legs.append(result)
        if result.termination.void or len(legs) == result.legs:
            self._close(self._open.pop(result.set_id))

    def take_all(self, results: Iterable[Result]) -> None:
        """Matches have ended, in this order."""
        for result in results:
            self.take(result)

    def _close(self, legs: Sequence[Result]) -> None:
        void = any(leg.termination.void for leg in legs)
        for leg in legs:
            for bot, side in dict.fromkeys((player.bot, player.side) for player in leg.players):
                _count(self.records[bot], leg, side, void=void)
        closed = None if void else one_set([played_of(leg) for leg in legs])
        if closed is None:
            return
        self._sets[Set(closed.own, closed.other, closed.halves, closed.legs)] += 1
        for each in (closed, closed.turned()):
            cell = self.cross[each.own, each.other]
            cell[0] += each.score * each.weight
            cell[1] += each.weight
            for bot in dict.fromkeys(each.own):
                self.records[bot].score += each.score * each.weight
                self.records[bot].sets += each.weight

    def ladder(self, anchor: str | None = None) -> Ladder:
        """The ratings of all bots by all closed sets."""
        return rate(self._sets, bots=self.records, anchor=anchor)


def fitted(results: Iterable[Result], anchor: str | None = None) -> dict[store.Ladder, Ladder]:
    """The ratings of every ladder by all its closed sets. `anchor` stands at 1500 on the ladders that it is on."""
    runs: dict[store.Ladder, Standings] = {}
    for result in results:
        ladder = result.ladder
        if ladder is not None and result.rated:
            runs.setdefault(ladder, Standings()).take(result)
    return {
        ladder: standings.ladder(anchor if anchor in standings.records else None) for ladder, standings in runs.items()
    }


def played_of(result: Result) -> Played:
    """A match as statistics see it."""
    return Played(result.set_id, result.as_leg, result.totals, result.deals, result.legs)


def _count(record: Record, leg: Result, side: int, *, void: bool) -> None:
    if void:
        record.void += 1
        return
    record.won += leg.winner == side
    record.drawn += leg.winner is None
    record.lost += leg.winner not in (None, side)
    record.points += leg.totals[side] - max(total for other, total in enumerate(leg.totals) if other != side)
    record.deals += leg.deals
