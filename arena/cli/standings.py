"""The standings of a run as tables and as JSON: ratings with intervals, who beat whom, how matches ended."""

from __future__ import annotations

from collections import Counter
from typing import Any

from arena.cli.printing import Column, print_table, say
from arena.standings import REJECTED_MARK, Record, Standings
from arena.stats import Ladder, Standing
from engine.states import Termination

_NUMBERS = ("elo", "95 %", "sets", "score", "won", "drawn", "lost", "void")


def print_standings(standings: Standings, title: str) -> None:
    """All tables of a run."""
    ladder = standings.ladder()
    print_table(
        [Column("rank", right=True), Column("bot"), *(Column(name, right=True) for name in _NUMBERS)],
        [_row(standings.records[each.bot], each.rank, each.elo, each.high - each.elo) for each in ladder.standings],
        title,
    )
    marked = [record.bot for record in standings.records.values() if record.broken]
    if marked:
        say(f"! more than {REJECTED_MARK:.0%} of its answers were rejected: {', '.join(marked)}")
    if len(standings.records) > 2:
        _print_cross(standings, ladder)
    _print_endings(standings)


def _row(record: Record, rank: int, elo: float, reach: float) -> list[str]:
    score = f"{record.score / record.sets:.1%}" if record.sets else "-"
    return [
        str(rank),
        record.bot + (" !" if record.broken else ""),
        f"{elo:.1f}",
        f"+-{reach:.1f}",
        f"{record.sets:g}",
        score,
        str(record.won),
        str(record.drawn),
        str(record.lost),
        str(record.void),
    ]


def _print_cross(standings: Standings, ladder: Ladder) -> None:
    """Score and sets of each team against each other one."""
    order = {each.bot: place for place, each in enumerate(ladder.standings)}
    teams = sorted({team for team, _ in standings.cross}, key=lambda team: [order[bot] for bot in team])
    rows = []
    for team in teams:
        cells = []
        for other in teams:
            score, sets = standings.cross.get((team, other), (0.0, 0.0))
            cells.append(f"{score:g}/{sets:g}" if sets else "")
        rows.append([" + ".join(dict.fromkeys(team)), *cells])
    names = [" + ".join(dict.fromkeys(team)) for team in teams]
    print_table([Column("sets won against"), *(Column(name, right=True) for name in names)], rows)


def _print_endings(standings: Standings) -> None:
    used = [ending for ending in Termination if standings.terminations[ending]]
    if not used:
        return
    faults = [[record.bot, *(_share(record, ending) for ending in used)] for record in standings.records.values()]
    total = ["all", *(str(standings.terminations[ending]) for ending in used)]
    print_table([Column("ended by"), *(Column(ending.value, right=True) for ending in used)], [*faults, total])


def _share(record: Record, ending: Termination) -> str:
    """How many of a bot's matches ended so, and how many by its fault."""
    count, own = record.endings[ending], record.faults[ending]
    return f"{count}" + (f" ({own} own)" if own else "")


def document(standings: Standings) -> dict[str, Any]:
    """All of it as JSON."""
    ladder = standings.ladder()
    return {
        "matches": sum(standings.terminations.values()),
        "terminations": _counts(standings.terminations),
        "standings": [_standing(standings.records[each.bot], each) for each in ladder.standings],
        "meetings": [
            {"bots": list(own), "against": list(other), "score": score, "sets": sets}
            for (own, other), (score, sets) in sorted(standings.cross.items())
        ],
    }


def _standing(record: Record, rated: Standing) -> dict[str, Any]:
    return {
        "rank": rated.rank,
        "best_rank": rated.best,
        "worst_rank": rated.worst,
        "bot": record.bot,
        "elo": rated.elo,
        "elo_low": rated.low,
        "elo_high": rated.high,
        "sets": record.sets,
        "score": record.score,
        "won": record.won,
        "drawn": record.drawn,
        "lost": record.lost,
        "void": record.void,
        "points": record.points,
        "deals": record.deals,
        "actions": record.actions,
        "rejected": record.rejected,
        "endings": _counts(record.endings),
        "at_fault": _counts(record.faults),
    }


def _counts(counts: Counter[Termination]) -> dict[str, int]:
    return {ending.value: counts[ending] for ending in Termination if counts[ending]}
