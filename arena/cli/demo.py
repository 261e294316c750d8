"""`arena demo`: sample bots, one match, live."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import chosen_rules, data_option, game_option, json_option, rules_options, seed_option
from engine.game import Game


@click.command(
    epilog="""\b
Examples:
  arena demo                              one match by the rules of the preset match
  arena demo --option target=100          a shorter one
  arena demo --game NAME                  one of another game, see 'arena games'
  arena demo | cat                        without colour, a line for each deal
""",
)
@game_option
@rules_options
@seed_option
@data_option
@json_option
def demo(
    *,
    game: Game,
    preset: str,
    settings: tuple[tuple[str, str], ...],
    seed: int | None,
    data: Path,
    as_json: bool,
) -> None:
    """Watch sample bots play one match.

    Starts an arena on this machine, and a sample bot for each seat, programs of their own that connect to it; shows
    their match while it is played, then the result, their ratings, whether the replay proves it, and how to look at it.
    Where two play each other they are steady-1 and steady-2, the sample bot steady_bot twice; with partners steady-1
    and steady-2 play against random-1 and random-2. All demos of a game are one run in the data folder, so the ratings
    go on; one with --seed is a run of its own.
    """
    rules = chosen_rules(game, preset, settings)
    # Loading the arena takes half a second, which a help page and a mistyped option do without.
    from arena.cli.demo_run import run_demo  # noqa: PLC0415

    run_demo(game, rules, seed=seed, data=data, as_json=as_json)
