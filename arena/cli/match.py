"""`arena match`: bots against each other, started and stopped by the arena."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import (
    check_number,
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
    name="match",
    epilog="""\b
Examples:
  arena match "python my_bot.py" "python -m sample_bots.python.steady_bot"
  arena match "python new.py" "python old.py" --matches 200 --seed 1
  arena match "python new.py" "python old.py" --sets 100    200 matches, each deck from both sides
  arena match "python my_bot.py" ./other_bot --preset seed --option target=200
  arena match "python my_bot.py" ./other_bot --matches 500 --run night    go on with a run
  arena match A B --game NAME             where partners play: two pairs, A on seats 0 and 2, B on 1 and 3
  arena match A B C D --game NAME         where partners play: A and C against B and D
""",
)
@click.argument("bots", metavar="BOT BOT...", nargs=-1)
@click.option("--matches", metavar="N", type=count, show_default="1", help="How many matches.")
@click.option(
    "--sets",
    metavar="N",
    type=count,
    show_default="none, single matches",
    help="Instead: how many sets of two matches on the same decks, the bots' seats changed.",
)
@game_option
@rules_options
@time_option
@seed_option
@concurrency_option("; each bot is one program and opens a lane for each seat")
@restart_option
@limits_options
@run_option("a new one, match-1, match-2, ...")
@data_option
@json_option
def match(
    *,
    bots: tuple[str, ...],
    matches: int | None,
    sets: int | None,
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
    """Play bots against each other.

    Each BOT is the command that starts it, in quotes if it has several words. The arena starts them, tells them by
    environment where to connect, seats them, changing seats from match to match, and stops them in the end. What they
    print is kept in the data folder, below logs. A bot is called after its program, and where two programs have one
    name, also after the folders by which their paths differ, or with a number.

    Where sides are partnerships, two bots play as pairs, each on all seats of its side, or four as single bots, in the
    order of the seats; partners stay together. The two kinds have ratings of their own.

    Ctrl-C lets the running matches end, a second one stops at once; the same command with --run goes on where it was.
    """
    check_number(game, len(bots))
    if matches is not None and sets is not None:
        raise click.UsageError("--matches and --sets are two ways to say how much is played: give one of them")
    rules = chosen_rules(game, preset, settings)
    # Loading the arena takes half a second, which a help page and a mistyped option do without.
    from arena.cli.match_run import run_match  # noqa: PLC0415

    run_match(
        game,
        rules,
        bots,
        sets=sets or matches or 1,
        legs=2 if sets is not None else 1,
        control=control,
        seed=seed,
        lanes=concurrency,
        restart=restart,
        run=run,
        data=data,
        as_json=as_json,
        **limits,
    )
