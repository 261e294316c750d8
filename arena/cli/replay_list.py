"""`arena replay list`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from arena.cli.options import data_option, json_option, whole_number
from arena.cli.printing import Column, print_json, print_table, say, warn
from arena.cli.replay_listing import Listed, from_replay, from_result
from arena.cli.replay_source import read_file
from arena.plain import word
from arena.store import Result, Store
from engine.seating import members

SHOWN = 40
"""How many matches a person is shown who does not ask for a number."""
COLUMNS = (
    Column("match"),
    Column("number", right=True),
    Column("ended (UTC)"),
    Column("game"),
    Column("bots"),
    Column("totals", right=True),
    Column("winner"),
    Column("by"),
    Column("deals", right=True),
)


@click.command(
    name="list",
    epilog="""\b
Examples:
  arena replay list                      the newest matches of all runs
  arena replay list --run match-3 --bot steady_bot
  arena replay list --json               all of them, for a program
  arena replay list *.arp                what is in these files
""",
)
@click.argument("files", metavar="[FILE]...", nargs=-1, type=click.Path(path_type=Path))
@click.option("--run", metavar="NAME", show_default="all", help="Only matches of this run.")
@click.option("--bot", metavar="NAME", show_default="all", help="Only matches of this bot.")
@click.option(
    "--limit",
    metavar="N",
    type=whole_number,
    show_default=f"{SHOWN}, with --json all",
    help="At most so many, 0 for all.",
)
@data_option
@json_option
def list_matches(
    *, files: tuple[Path, ...], run: str | None, bot: str | None, limit: int | None, data: Path, as_json: bool
) -> None:
    """List matches, the newest first.

    Without FILE the matches of the data folder that have ended, else those in the files.
    """
    most = limit if limit is not None else 0 if as_json else SHOWN
    if files:
        listed = [from_replay(read_file(path).read()) for path in files]
    else:
        with Store.open(data, hold=False) as store:
            listed = [from_result(result) for result in newest(store, run, bot, most + 1 if most else 0)]
    if most and len(listed) > most:
        warn(f"the newest {most} matches; --limit 0 shows all")
        listed = listed[:most]
    if as_json:
        print_json([match.document for match in listed])
    elif listed:
        print_table(COLUMNS, [_row(match) for match in listed])
    else:
        say("no matches")


def newest(store: Store, run: str | None, bot: str | None, most: int) -> Sequence[Result]:
    """The newest matches, at most so many, 0 for all."""
    found: list[Result] = []
    while page := store.matches(
        run=run, bot=bot, before=found[-1].seq if found else None, limit=min(500, most - len(found) or 500)
    ):
        found += page
        if most and len(found) >= most:
            break
    return found


def _row(match: Listed) -> list[str]:
    return [
        word(match.name),
        str(match.number),
        match.ended.replace("T", " ").removesuffix("+00:00") if match.ended else "",
        word(match.game),
        " ".join("+".join(map(word, team)) for team in members(match.bots, match.sides)),
        ":".join(map(str, match.totals)),
        word(match.victors),
        match.termination or "not ended",
        str(match.deals),
    ]
