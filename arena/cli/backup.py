"""`arena backup` and `arena restore`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from arena.cli.advice import advice
from arena.cli.options import data_option, json_option
from arena.cli.printing import matches, print_json, say


@click.command(
    epilog="""\b
Examples:
  arena backup /backups/2030-01-31        beside a running arena too
  arena replay list --data /backups/2030-01-31
""",
)
@click.argument("destination", metavar="DEST", type=click.Path(path_type=Path))
@data_option
@json_option
def backup(*, destination: Path, data: Path, as_json: bool) -> None:
    """Copy a data folder to DEST, also while an arena plays in it.

    The copy holds every result that any bot was told before, the ratings, the registered bots, and the running matches
    as far as they have come. What bots have printed, below logs, stays behind. It has the seeds of running matches in
    it, so only its owner can read it. DEST is there whole in the end, or not at all.
    """
    from arena.backup import back_up  # noqa: PLC0415 (the arena takes half a second to load)

    held = back_up(data, destination)
    if as_json:
        print_json({"backup": str(destination), **asdict(held)})
        return
    say(f"{destination} holds {matches(held.ended)} and {held.running} running")
    say(f"go back to it with: {advice('restore', str(destination), '--data', 'NEW')}")


@click.command(
    epilog="""\b
Examples:
  arena restore /backups/2030-01-31 --data arena-data
""",
)
@click.argument("source", metavar="BACKUP", type=click.Path(path_type=Path))
@data_option
@json_option
def restore(*, source: Path, data: Path, as_json: bool) -> None:
    """Make a data folder of a backup: a new one, or one that is empty.

    First the database, every replay and every log of a running match are checked. Running matches go on at the next
    start with the same run if their bots come back; else they are void and played again.
    """
    from arena.backup import restore as restore_backup  # noqa: PLC0415 (as above)

    held = restore_backup(source, data)
    if as_json:
        print_json({"data": str(data), **asdict(held)})
    else:
        say(f"{data} holds {matches(held.ended)} and {held.running} running")
