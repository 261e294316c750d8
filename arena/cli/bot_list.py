"""`arena bot list`."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import data_option, json_option
from arena.cli.printing import Column, Json, iso_time, print_json, print_table, say
from arena.store import Registration, Registry

COLUMNS = (Column("bot"), Column("owner"), Column("registered (UTC)"), Column("state"))


def document(one: Registration) -> dict[str, Json]:
    """A registered bot as JSON; `revoked` is null while its token is good."""
    return {
        "bot": one.bot,
        "name": one.name,
        "version": one.version,
        "owner": one.owner,
        "registered": iso_time(one.created_ms),
        "revoked": None if one.revoked_ms is None else iso_time(one.revoked_ms),
    }


def _row(one: Registration) -> list[str]:
    moment = iso_time(one.created_ms).replace("T", " ").removesuffix("+00:00")
    return [one.bot, one.owner or "-", moment, "good" if one.revoked_ms is None else "revoked"]


@click.command(
    name="list",
    epilog="""\b
Examples:
  arena bot list                  by name, the versions in order of registration
  arena bot list --json           for a program
""",
)
@data_option
@json_option
def list_bots(*, data: Path, as_json: bool) -> None:
    """List the registered bots, also those that were revoked."""
    with Registry.open(data) as registry:
        listed = registry.all()
    if as_json:
        print_json([document(one) for one in listed])
    elif listed:
        print_table(COLUMNS, [_row(one) for one in listed])
    else:
        say("no bot is registered: 'arena bot add NAME' does it")
