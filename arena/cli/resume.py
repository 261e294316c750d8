"""`arena resume`: go on with what was stopped."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import data_option, json_option, run_name


@click.command(
    epilog="""\b
Examples:
  arena resume                    the newest run that has matches left to play
  arena resume tournament-3       that one
  arena resume --data league      of another data folder
"""
)
@click.argument("run", metavar="[RUN]", type=run_name, required=False)
@data_option
@json_option
def resume(*, run: str | None, data: Path, as_json: bool) -> None:
    """Go on with a run that was stopped.

    The data folder is enough, after Ctrl-C, a crash or a reboot. What was being played goes on where it was,
    nothing is lost and nothing is played twice. The bots are started as they were the first time, in the same
    folders.
    """
    # Loading the arena takes half a second, which a help page and a mistyped option do without.
    from arena.cli.tournament_run import resume as go_on  # noqa: PLC0415

    go_on(run, data, as_json=as_json)
