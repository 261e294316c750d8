"""`arena results`: what came of a run, as tables and as a log that a stranger can compute everything from."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from arena.cli.group import Lazy, LazyGroup
from arena.cli.options import data_option, json_option, run_name
from arena.cli.outlet import dispense_with_output
from arena.cli.printing import Json, print_json
from arena.cli.standings import document, print_standings
from arena.plain import word
from arena.standings import Standings
from arena.store import Result, Store

COMMANDS = {
    "show": Lazy("arena.cli.results:show", "Show the standings of a run, who beat whom, and how matches ended."),
    "export": Lazy("arena.cli.results:export", "Write the result of every match, in the order of the schedule."),
}
FIELDS = (
    *("number", "attempt", "match_id", "set_id", "leg", "legs", "game", "rules_version", "rules", "rated"),
    *("bots", "sides", "termination", "winner", "at_fault", "totals", "deals", "actions", "rejected"),
    *("offered_ms", "ended_ms", "log_hash"),
)


@click.group(
    cls=LazyGroup,
    table=COMMANDS,
    epilog="""\b
Examples:
  arena results show tournament-1
  arena results export tournament-1 > results.csv
""",
)
def results() -> None:
    """Show and export the results of a run."""


@click.command(
    epilog="""\b
Examples:
  arena results show                     the run that was played last
  arena results show ladder --json
"""
)
@click.argument("run", metavar="[RUN]", type=run_name, required=False)
@data_option
@json_option
def show(*, run: str | None, data: Path, as_json: bool) -> None:
    """Show the standings of a run, who beat whom, and how matches ended."""
    with Store.open(data, hold=False) as store:
        name = store.run(run).name
        standings = Standings()
        standings.take_all(store.results(name))
    if as_json:
        print_json({"run": name, **document(standings)})
    else:
        print_standings(standings, f"run {word(name)}")


@click.command(
    epilog="""\b
Examples:
  arena results export tournament-1 > results.csv
  arena results export tournament-1 --format jsonl > results.jsonl
"""
)
@click.argument("run", metavar="[RUN]", type=run_name, required=False)
@click.option(
    "--format",
    "form",
    type=click.Choice(["csv", "jsonl"]),
    default="csv",
    show_default=True,
    help="Comma-separated values with a head line, or a JSON object for each match.",
)
@data_option
def export(*, run: str | None, form: str, data: Path) -> None:
    """Write the result of every match, in the order of the schedule.

    Void matches and earlier attempts are there too. In CSV, lists are words with a space between them. The ratings and
    every table follow from these lines alone; `log_hash` is the head of the match's log, which proves the rest.
    """
    dispense_with_output()
    with Store.open(data, hold=False) as store:
        name = store.run(run).name
        rows = map(row_of, sorted(store.results(name), key=lambda result: (result.number, result.attempt)))
        if form == "jsonl":
            for row in rows:
                click.echo(json.dumps(row))
            return
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(FIELDS)
        for row in rows:
            writer.writerow(_cells(row))


def row_of(result: Result) -> dict[str, Json]:
    """A result as it is exported, keys in the order of `FIELDS`."""
    players = result.players
    values: dict[str, Json] = {
        "rules": json.loads(result.rules),
        "bots": [player.bot for player in players],
        "sides": [player.side for player in players],
        "termination": result.termination.value,
        "totals": list(result.totals),
        "actions": [player.actions for player in players],
        "rejected": [player.rejected for player in players],
        "log_hash": result.log_hash.hex(),
    }
    return {field: values[field] if field in values else getattr(result, field) for field in FIELDS}


def _cells(row: dict[str, Json]) -> Iterator[str]:
    for value in row.values():
        match value:
            case None:
                yield ""
            case dict():
                yield json.dumps(value, sort_keys=True, separators=(",", ":"))
            case list():
                yield " ".join(map(str, value))
            case _:
                yield str(value)
