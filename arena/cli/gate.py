"""`arena gate`: may the new bot replace the old one?"""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import (
    chosen_rules,
    concurrency_option,
    count,
    data_option,
    game_option,
    json_option,
    limits_options,
    restart_option,
    rules_options,
    run_option,
    seed_option,
    time_option,
)
from engine.clock import TimeControl
from engine.game import Game


@click.command(
    epilog="""\b
Examples:
  arena gate "python my_bot.py" "python old/my_bot.py"              my_bot against old-my_bot
  arena gate "python new.py" "python old.py" --elo0 -5 --elo1 5     no worse than before
  arena gate "python new.py" "python old.py" --margin 2             by points a deal, faster
  arena gate "python new.py" "python old.py" --json > report.json   for a job; see the exit code

\b
Exit code: 0 accepted, 1 rejected, 2 a mistake or a bot that failed, 3 undecided after all sets.
"""
)
@click.argument("new")
@click.argument("old")
@click.option(
    "--sets", metavar="N", type=count, default="2000", show_default=True, help="The budget: at most so many sets."
)
@click.option("--elo0", type=float, default=0.0, show_default=True, help="Rejected is who is no stronger than this.")
@click.option("--elo1", type=float, default=10.0, show_default=True, help="Accepted is who is as strong as this.")
@click.option(
    "--margin",
    metavar="POINTS",
    type=float,
    show_default="none, by results",
    help="Test points a deal instead of results: accepted is who scores so many more.",
)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="How often one that is no better may pass.")
@click.option("--beta", type=float, default=0.05, show_default=True, help="How often one that is better may not.")
@game_option
@rules_options
@time_option
@seed_option
@concurrency_option()
@restart_option
@limits_options
@run_option("a new one, gate-1, gate-2, ...")
@data_option
@json_option
def gate(
    *,
    new: str,
    old: str,
    sets: int,
    elo0: float,
    elo1: float,
    margin: float | None,
    alpha: float,
    beta: float,
    game: Game,
    preset: str,
    settings: tuple[tuple[str, str], ...],
    control: TimeControl,
    seed: int | None,
    concurrency: int | None,
    restart: str,
    run: str | None,
    data: Path,
    as_json: bool,
    **limits: int | None,
) -> None:
    """Say whether a new bot is better than an old one.

    Plays sets of NEW against OLD until a sequential test decides. Each is the command that starts it, in quotes if
    it has several words. A set is two matches on the same decks with the seats changed. Sets count in the order of
    the schedule, whichever end first.
    """
    rules = chosen_rules(game, preset, settings)
    # Loading the arena takes half a second, which a help page and a mistyped option do without.
    from arena.cli.gate_run import gate_of, run_gate  # noqa: PLC0415
    from arena.gate import GateTerms  # noqa: PLC0415

    try:
        terms = GateTerms(elo0, elo1, alpha, beta, margin)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    wanted = gate_of(
        game,
        rules,
        (new, old),
        terms,
        sets=sets,
        seed=seed,
        control=control,
        concurrency=concurrency,
        restart=restart,
        **limits,
    )
    run_gate(wanted, run, data, as_json=as_json)
