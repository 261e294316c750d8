"""`arena ratings`: who is better, by live Elo."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

import click

from arena.cli.games import rules_in_words
from arena.cli.options import data_option, json_option
from arena.cli.options import game as game_name
from arena.cli.printing import Column, Json, print_json, print_table, say, warn
from arena.errors import NotFound
from arena.ratings import PROVISIONAL_SETS
from arena.store import Ladder, Standing, Store
from engine.game import Game

COLUMNS = (Column("rank", right=True), Column("bot"), Column("elo", right=True), Column("matches", right=True))


def elo(milli: int, *, provisional: bool = False) -> str:
    """A rating as people read it: one decimal, and a question mark while it says little."""
    return f"{milli / 1000:.1f}{'?' if provisional else ''}"


def document(rank: int, standing: Standing) -> Json:
    """A rating as JSON."""
    ladder, rating = standing.ladder, standing.rating
    return {
        "run": ladder.run,
        "game": ladder.game,
        "rules_version": ladder.rules_version,
        "rules": json.loads(ladder.rules),
        "kind": ladder.kind,
        "rank": rank,
        "bot": standing.bot,
        "elo": rating.milli / 1000,
        "matches": rating.matches,
        "provisional": rating.provisional,
    }


def _title(ladder: Ladder) -> str:
    rules = rules_in_words(ladder.game, ladder.rules_version, json.loads(ladder.rules))
    return f"run {ladder.run}: {ladder.game}, {rules}, {ladder.kind} ratings"


def _show(ladders: Sequence[tuple[Ladder, Sequence[Standing]]]) -> None:
    for ladder, standings in ladders:
        rows = [
            [
                str(rank),
                standing.bot,
                elo(standing.rating.milli, provisional=standing.rating.provisional),
                str(standing.rating.matches),
            ]
            for rank, standing in enumerate(standings, 1)
        ]
        print_table(COLUMNS, rows, _title(ladder))
    if any(standing.rating.provisional for _, standings in ladders for standing in standings):
        say(f"? fewer than {2 * PROVISIONAL_SETS} matches: it says little yet")


def _chosen_run(store: Store, run: str | None, *, every: bool) -> str | None:
    """The run to show, None for all: the one that is named, else the newest that has ratings."""
    names = [each.name for each in store.runs()]
    if run is not None and run not in names:
        raise NotFound(f"no run {run} in {store.folder}: there are {', '.join(names) or 'none'}")
    if run is not None or every:
        return run
    rated = {standing.ladder.run for standing in store.ratings()}
    return next((name for name in reversed(names) if name in rated), None)


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
@click.option("--rebuild", is_flag=True, help="First compute the ratings of all runs again from the results.")
@data_option
@json_option
def ratings(*, run: str | None, every: bool, chosen: Game | None, rebuild: bool, data: Path, as_json: bool) -> None:
    """Show the ratings of a run, best first.

    Live Elo: everybody starts at 1500, the rated unit is a set of matches, and a rating belongs to a run, a game and
    its rules. It is a pure function of the results: --rebuild gives the same numbers, or finds out that they were
    changed.
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
        standings = store.ratings(wanted, chosen.name if chosen else None)
    ladders = [(ladder, list(group)) for ladder, group in groupby(standings, lambda standing: standing.ladder)]
    if as_json:
        print_json([document(rank, one) for _, group in ladders for rank, one in enumerate(group, 1)])
    elif ladders:
        _show(ladders)
    else:
        say("no rated matches yet")
