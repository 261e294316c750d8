"""What came out of a run: who won how often, points, ratings before and after, and how matches ended."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from arena.cli.games import rules_in_words
from arena.cli.printing import Column, Json, print_table
from arena.cli.ratings import elo
from arena.plain import word
from arena.ratings import Rating
from arena.store import Ladder, Result, Store
from engine.states import Termination

PAGE = 500


@dataclass(slots=True)
class BotSummary:
    """A bot's share of a run. `points` are its side's in all matches, `faults` the endings that were its fault."""

    bot: str
    won: int = 0
    drawn: int = 0
    lost: int = 0
    void: int = 0
    points: int = 0
    faults: Counter[Termination] = field(default_factory=Counter)
    before: Rating = field(default_factory=Rating)
    after: Rating = field(default_factory=Rating)


@dataclass(slots=True)
class RunSummary:
    """A run as far as it was played; `newest` is its latest match."""

    run: str
    bots: dict[str, BotSummary] = field(default_factory=dict)
    terminations: Counter[Termination] = field(default_factory=Counter)
    newest: Result | None = None

    @property
    def decided(self) -> int:
        """Matches that count."""
        return sum(count for ending, count in self.terminations.items() if not ending.void)

    def take(self, result: Result) -> None:
        """Add a match, the newest first."""
        self.newest = self.newest or result
        self.terminations[result.termination] += 1
        for bot, side in dict.fromkeys((player.bot, player.side) for player in result.players):
            share = self.bots.setdefault(bot, BotSummary(bot))
            if result.termination.void:
                share.void += 1
                continue
            share.points += result.totals[side]
            share.won += result.winner == side
            share.drawn += result.winner is None
            share.lost += result.winner not in (None, side)
        if result.at_fault is not None:
            self.bots[result.bots[result.at_fault]].faults[result.termination] += 1


@dataclass(frozen=True, slots=True)
class Before:
    """How a run stood when the playing began: the place of its newest match in the log, ratings in one ladder."""

    ladder: Ladder
    seq: int
    ratings: Mapping[str, Rating]


def before(store: Store, ladder: Ladder) -> Before:
    """How things stand in a run, with the ratings in that ladder."""
    newest = store.matches(run=ladder.run, limit=1)
    return Before(ladder, newest[0].seq if newest else 0, _ratings(store, ladder))


def summary_of(store: Store, was: Before, bots: Sequence[str], *, whole: bool) -> RunSummary:
    """What a run has come to, as a `whole` or since it stood as it was. `bots` come first, in this order."""
    summary = RunSummary(was.ladder.run, {bot: BotSummary(bot) for bot in bots})
    for result in _newest_first(store, was.ladder.run, 0 if whole else was.seq):
        summary.take(result)
    after = _ratings(store, was.ladder)
    for bot, share in summary.bots.items():
        share.before = was.ratings.get(bot, Rating())
        share.after = after.get(bot, share.before)
    return summary


def _ratings(store: Store, ladder: Ladder) -> dict[str, Rating]:
    found = store.ratings(ladder.run, ladder.game)
    return {standing.bot: standing.rating for standing in found if standing.ladder == ladder}


def _newest_first(store: Store, run: str, since: int) -> Iterator[Result]:
    page = store.matches(run=run, limit=PAGE)
    while page:
        for result in page:
            if result.seq <= since:
                return
            yield result
        page = store.matches(run=run, before=page[-1].seq, limit=PAGE)


def document(summary: RunSummary) -> dict[str, Json]:
    """The run as JSON."""
    newest = summary.newest
    return {
        "run": summary.run,
        "game": newest.game if newest else None,
        "rules": json.loads(newest.rules) if newest else None,
        "matches": summary.decided,
        "terminations": {ending.value: count for ending, count in _in_order(summary.terminations)},
        "bots": [
            {
                "bot": share.bot,
                "won": share.won,
                "drawn": share.drawn,
                "lost": share.lost,
                "void": share.void,
                "points": share.points,
                "elo_before": share.before.milli / 1000,
                "elo_after": share.after.milli / 1000,
                "provisional": share.after.provisional,
                "at_fault": {ending.value: count for ending, count in _in_order(share.faults)},
            }
            for share in summary.bots.values()
        ],
    }


def print_summary(summary: RunSummary) -> None:
    """The run as tables: the bots, and how matches ended."""
    newest = summary.newest
    if newest is None:
        return
    rules = rules_in_words(newest.game, newest.rules_version, json.loads(newest.rules))
    numbers = ("won", "drawn", "lost", "points", "elo before", "elo after")
    print_table(
        [Column("bot"), *(Column(name, right=True) for name in numbers)],
        [
            [
                share.bot,
                str(share.won),
                str(share.drawn),
                str(share.lost),
                str(share.points),
                elo(share.before.milli),
                elo(share.after.milli, provisional=share.after.provisional),
            ]
            for share in summary.bots.values()
        ],
        f"run {word(summary.run)}: {word(newest.game)}, {rules}",
    )
    print_table(
        [Column("ended by"), Column("matches", right=True), *(Column(f"by {bot}", right=True) for bot in summary.bots)],
        [
            [ending.value, str(count), *(str(share.faults[ending] or "") for share in summary.bots.values())]
            for ending, count in _in_order(summary.terminations)
        ],
    )


def _in_order(counts: Counter[Termination]) -> list[tuple[Termination, int]]:
    return [(ending, counts[ending]) for ending in Termination if counts[ending]]
