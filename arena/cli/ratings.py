"""`arena ratings`: who is better, by a fit to all results, and by live Elo."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import click

from arena.cli.games import rules_in_words
from arena.cli.options import data_option, json_option
from arena.cli.options import game as game_name
from arena.cli.printing import Column, Json, print_json, print_table, say, warn
from arena.errors import BadDataFolder, NotFound, nearest
from arena.plain import word
from arena.ratings import PROVISIONAL_SETS, Rating
from arena.standings import fitted
from arena.stats import Ladder as Fit
from arena.stats import Standing
from arena.store import Ladder, Store
from engine.game import Game

_NUMBERS = ("elo", "95 %", "ranks", "sets", "live", "matches")
COLUMNS = (Column("rank", right=True), Column("bot"), *(Column(name, right=True) for name in _NUMBERS))


@dataclass(frozen=True, slots=True)
class Table:
    """A ladder: the live ratings of the bots with a set that counts, and the fit to all its sets and bots."""

    ladder: Ladder
    live: Mapping[str, Rating]
    fit: Fit


def elo(milli: int, *, provisional: bool = False) -> str:
    """A rating as people read it: one decimal, and a question mark while it says little."""
    return f"{milli / 1000:.1f}{'?' if provisional else ''}"


def document(table: Table, standing: Standing) -> Json:
    """A rating as JSON."""
    ladder, live = table.ladder, table.live.get(standing.bot, Rating())
    return {
        "run": ladder.run,
        "game": ladder.game,
        "rules_version": ladder.rules_version,
        "rules": json.loads(ladder.rules),
        "kind": ladder.kind,
        "rank": standing.rank,
        "best_rank": standing.best,
        "worst_rank": standing.worst,
        "bot": standing.bot,
        "elo": standing.elo,
        "elo_low": standing.low,
        "elo_high": standing.high,
        "sets": standing.sets,
        "group": standing.group,
        "superiority": {
            other.bot: table.fit.superiority(standing.bot, other.bot)
            for other in table.fit.standings
            if other is not standing
        },
        "live_elo": live.milli / 1000,
        "matches": live.matches,
        "provisional": live.provisional,
    }


def _title(ladder: Ladder) -> str:
    rules = rules_in_words(ladder.game, ladder.rules_version, json.loads(ladder.rules))
    return f"run {word(ladder.run)}: {word(ladder.game)}, {rules}, {ladder.kind} ratings"


def _show(tables: Sequence[Table], *, superiority: bool) -> None:
    for table in tables:
        print_table(COLUMNS, [_row(table, standing) for standing in table.fit.standings], _title(table.ladder))
        if superiority:
            _show_superiority(table.fit)
    if any(rating.provisional for table in tables for rating in table.live.values()):
        say(f"? fewer than {2 * PROVISIONAL_SETS} matches: it says little yet")


def _row(table: Table, standing: Standing) -> list[str]:
    live = table.live.get(standing.bot, Rating())
    return [
        str(standing.rank),
        standing.bot,
        f"{standing.elo:.1f}",
        f"+-{standing.high - standing.elo:.1f}",
        str(standing.best) if standing.best == standing.worst else f"{standing.best}-{standing.worst}",
        f"{standing.sets:g}",
        elo(live.milli, provisional=live.provisional),
        str(live.matches),
    ]


def _show_superiority(fit: Fit) -> None:
    """How likely the bot of the row is stronger than that of the column."""
    bots = [standing.bot for standing in fit.standings]
    rows = []
    for bot in bots:
        chances = [fit.superiority(bot, other) for other in bots]
        rows.append([bot, *("" if chance is None else f"{chance:.1%}" for chance in chances)])
    print_table([Column("stronger than"), *(Column(bot, right=True) for bot in bots)], rows)


def _chosen_run(store: Store, run: str | None, *, every: bool) -> str | None:
    """The run to show, None for all: the one that is named, else the newest that has ratings."""
    if run is not None or every:
        return None if run is None else store.run(run).name
    rated = {standing.ladder.run for standing in store.ratings()}
    return next((each.name for each in reversed(store.runs()) if each.name in rated), None)


@click.command(
    epilog="""\b
Examples:
  arena ratings                          the newest run
  arena ratings --run ladder --json      another run, for a program
  arena ratings --rebuild                compute all again from the log of results
"""
)
@click.option("--run", metavar="NAME", show_default="the newest with ratings", help="Show this run.")
@click.option("--all", "every", is_flag=True, help="Show every run.")
@click.option("--game", "chosen", metavar="NAME", type=game_name, show_default="all", help="Show this game only.")
@click.option("--anchor", metavar="BOT", show_default="none, the mean is", help="The bot that stands at 1500.")
@click.option("--superiority", is_flag=True, help="Show how likely each bot is stronger than each other one.")
@click.option("--rebuild", is_flag=True, help="First compute the ratings of all runs again from the results.")
@data_option
@json_option
def ratings(
    *,
    run: str | None,
    every: bool,
    chosen: Game | None,
    anchor: str | None,
    superiority: bool,
    rebuild: bool,
    data: Path,
    as_json: bool,
) -> None:
    """Show the ratings of a run, best first.

    The rating of a bot is a fit to all results at once (Bradley-Terry, on the Elo scale), with the interval that has
    its strength with 95 %, and the ranks that it can have. Beside it stands the live Elo, which goes up and down match
    by match. The rated unit is a set of matches, and a rating belongs to a run, a game and its rules. Both are pure
    functions of the results: --rebuild gives the same live numbers, or finds out that they were changed.
    """
    if rebuild:
        Store.open(data, hold=False).close()  # a folder that is no data folder must not become one
    with Store.open(data, hold=rebuild) as store:
        if rebuild:
            before = store.ratings()
            sets = store.rebuild_ratings()
            same = "unchanged" if store.ratings() == before else "they were different before"
            warn(f"ratings computed again from {sets} rated set{'' if sets == 1 else 's'}: {same}")
        wanted = _chosen_run(store, run, every=every)
        tables = list(_tables(store, wanted, chosen.name if chosen else None, anchor))
    if as_json:
        print_json([document(table, standing) for table in tables for standing in table.fit.standings])
    elif tables:
        _show(tables, superiority=superiority)
    else:
        say("no rated matches yet")


def _tables(store: Store, run: str | None, game: str | None, anchor: str | None) -> Iterator[Table]:
    live = [
        (ladder, {standing.bot: standing.rating for standing in group})
        for ladder, group in groupby(store.ratings(run, game), lambda standing: standing.ladder)
    ]
    fits: dict[Ladder, Fit] = {}
    for name in dict.fromkeys(ladder.run for ladder, _ in live):
        fits |= fitted(store.results(name), anchor)
    if anchor is not None and not any(anchor in ratings for _, ratings in live):
        raise NotFound(
            f"no bot {anchor} has ratings here{nearest(anchor, [bot for _, ratings in live for bot in ratings])}"
        )
    for ladder, ratings in live:
        if ladder not in fits:
            raise BadDataFolder(
                store.folder,
                f"run {ladder.run} has ratings that follow from none of its results: "
                "'arena ratings --rebuild' computes them again",
            )
        yield Table(ladder, ratings, fits[ladder])
