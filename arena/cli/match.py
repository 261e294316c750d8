"""`arena match`: bots against each other, started and stopped by the arena."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

import click

from arena.cli.complaint import FAILED, INTERRUPTED
from arena.cli.options import (
    chosen_rules,
    count,
    data_option,
    game_option,
    json_option,
    rules_options,
    run_option,
    seed_option,
    time_option,
)
from arena.cli.outcome import document, print_outcome
from arena.cli.play import Played, Wish, check_same, open_run, play
from arena.cli.printing import print_json, say, warn
from arena.cli.stopping import data_words, matches
from arena.launch import programs
from arena.store import Store
from engine.clock import TimeControl
from engine.game import Game


@click.command(
    name="match",
    epilog="""\b
Examples:
  arena match "python my_bot.py" "python -m sample_bots.python.steady_bot"
  arena match "python new.py" "python old.py" --matches 200 --seed 1
  arena match "python my_bot.py" ./other_bot --preset seed --option target=200
  arena match "python my_bot.py" ./other_bot --matches 500 --run night    go on with a run
""",
)
@click.argument("bots", metavar="BOT BOT", nargs=-1)
@click.option("--matches", "total", metavar="N", type=count, default="1", show_default=True, help="How many matches.")
@game_option
@rules_options
@time_option
@seed_option
@click.option(
    "--concurrency",
    metavar="N",
    type=count,
    show_default="as many as there are cores",
    help="How many matches at the same time; each bot is one program and opens so many seats.",
)
@run_option("a new one, match-1, match-2, ...")
@data_option
@json_option
def match(
    *,
    bots: tuple[str, ...],
    total: int,
    game: Game,
    preset: str,
    settings: tuple[tuple[str, str], ...],
    control: TimeControl,
    seed: int | None,
    concurrency: int | None,
    run: str | None,
    data: Path,
    as_json: bool,
) -> None:
    """Play bots against each other.

    Each BOT is the command that starts it, in quotes if it has several words. The arena starts both, tells them by
    environment where to connect, seats them, changing seats from match to match, and stops them in the end. What they
    print is kept in the data folder, below logs.

    Ctrl-C lets the running matches end, a second one stops at once; the same command with --run goes on where it was.
    """
    if len(bots) != 2:
        raise click.UsageError(
            f"a match wants two bots, not {len(bots)}: a command each, quoted if it has several words"
        )
    rules = chosen_rules(game, preset, settings)
    teams = tuple(programs(list(bots)))
    lanes = min(concurrency or os.cpu_count() or 1, total)
    wish = Wish(game, rules, teams, data, "match", run, seed, control, lanes)
    with Store.open(data, hold=True) as store:
        opened = open_run(store, wish)
        check_same(store, opened, wish)
        played = play(store, opened, wish, total, whole=True, quiet=as_json)
    if as_json:
        print_json({**document(played.outcome), "planned": total, "due": played.due, "data": str(data)})
    else:
        _report(played, data)
    if played.failure is not None:
        raise played.failure
    if played.due:
        again = [*sys.argv[1:], *([] if run else ["--run", opened.name])]
        warn(f"{matches(played.due)} of {total} still to play; go on with: arena {shlex.join(again)}")
        sys.exit(INTERRUPTED if played.presses else FAILED)


def _report(played: Played, data: Path) -> None:
    print_outcome(played.outcome)
    newest = played.outcome.newest
    if newest is not None:
        where = shlex.join(["arena", "replay", "show", newest.name, *data_words(data)])
        say(f"replays are in {data}; the latest match: {where}")
