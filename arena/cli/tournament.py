"""`arena tournament`: many bots against each other, from a file or from the command line."""

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

FORMS = ("round-robin", "gauntlet", "swiss", "knockout")


@click.command(
    epilog="""\b
Examples:
  arena tournament "python a.py" "python b.py" ./c --sets 20
  arena tournament "python new.py" ./c ./d ./e --form gauntlet     the first against each of the others
  arena tournament ladder.toml                                     all of it in a file
  arena resume                                                     go on after Ctrl-C, a crash or a reboot

\b
A file:
  form = "round-robin"        # and challengers, rounds, sets, legs, concurrency, restart, seed, game, preset,
                              # time_control, memory_mib, start_seconds
  sets = 20
  [options]                   # of the rules
  target = 200
  [[bot]]
  name = "steady"             # as it is called in results
  command = "python -m sample_bots.python.steady_bot"
  folder = "."                # where it is started, from the place of the file
  environment = { DEPTH = "3" }
  memory_mib = 512            # with more in memory it is stopped; default: no limit
  start_seconds = 30          # to connect; default: time.missing_seconds of the arena

\b
memory_mib and start_seconds before the first bot are for all that have none of their own. What a bot prints is kept in
the data folder, logs/RUN/BOT.stderr: its beginning and the newest, 512 KiB in all. A bot that breaks a limit is named
with its last words; its matches stay due, and the others play on.

\b
In a Swiss nobody meets a bot twice as long as that can be avoided, and a bye of an odd number counts as won. In a
knockout the first bots are seeded, and rest where there is no power of two; a table that is drawn is decided by
points scored, then by one more set after another, and after eight by the seed. A round begins when the one before
has ended.

\b
A match that ends void, by a fault of the arena or a bot that is not ready, is played again with its whole set on
other decks, five times at most.
""",
)
@click.argument("bots", metavar="BOT BOT... | FILE.toml", nargs=-1)
@click.option(
    "--form",
    type=click.Choice(FORMS),
    default=FORMS[0],
    show_default=True,
    help="Everybody against everybody, challengers against the others, or rounds: against those who have done as well, "
    "or until one is left.",
)
@click.option(
    "--challengers",
    metavar="N",
    type=count,
    default="1",
    show_default=True,
    help="In a gauntlet: how many of the bots, from the first, meet the others.",
)
@click.option(
    "--rounds", metavar="N", type=count, show_default="as many as find one winner", help="In a Swiss: how many rounds."
)
@click.option(
    "--sets", metavar="N", type=count, default="1", show_default=True, help="How many sets each two of them play."
)
@click.option(
    "--legs",
    type=click.Choice(["1", "2"]),
    default="2",
    show_default=True,
    help="Matches in a set: two on the same decks with the seats changed, or one.",
)
@game_option
@rules_options
@time_option
@seed_option
@concurrency_option()
@restart_option
@limits_options
@run_option("a new one, tournament-1, tournament-2, ...")
@data_option
@json_option
@click.pass_context
def tournament(
    ctx: click.Context,
    /,
    *,
    bots: tuple[str, ...],
    form: str,
    challengers: int,
    rounds: int | None,
    sets: int,
    legs: str,
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
    """Play many bots against each other and rank them.

    Each BOT is the command that starts it, in quotes if it has several words. Every two that meet play sets: two
    matches on the same decks with the seats changed. Where partners play, each bot is a pair.

    A bot that cannot start is named, the others play on (in a Swiss or a knockout: to the end of the round). Ctrl-C
    lets the running matches end; 'arena resume' goes on from the data folder alone, loses and repeats nothing.
    """
    # Loading the arena takes half a second, which a help page and a mistyped option do without.
    from arena.cli.tournament_file import from_file  # noqa: PLC0415
    from arena.cli.tournament_run import from_commands, run_tournament  # noqa: PLC0415

    if len(bots) == 1 and bots[0].endswith(".toml"):
        _check_alone(ctx, bots[0])
        wanted = from_file(Path(bots[0]))
    else:
        wanted = from_commands(
            game,
            chosen_rules(game, preset, settings),
            bots,
            form=form,
            challengers=challengers,
            rounds=rounds,
            sets=sets,
            legs=int(legs),
            seed=seed,
            control=control,
            concurrency=concurrency,
            restart=restart,
            **limits,
        )
    run_tournament(wanted, run, data, as_json=as_json)


def _check_alone(ctx: click.Context, file: str) -> None:
    """UsageError when the command line says of the tournament what its file says."""
    given = [
        max(param.opts, key=len)
        for param in ctx.command.params
        if ctx.get_parameter_source(str(param.name)) is click.core.ParameterSource.COMMANDLINE
        and param.name not in {"bots", "run", "data", "as_json"}
    ]
    if given:
        raise click.UsageError(f"{', '.join(given)} and a file: say it in {file}, or give all on the command line")
