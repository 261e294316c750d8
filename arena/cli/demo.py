"""`arena demo`: two sample bots, one match, live."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import click

from arena.cli.complaint import FAILED, INTERRUPTED
from arena.cli.live import Spectator
from arena.cli.options import chosen_rules, data_option, game_option, json_option, rules_options, seed_option
from arena.cli.outcome import document, print_outcome
from arena.cli.play import Wish, open_run, play
from arena.cli.printing import print_json, say, warn
from arena.cli.stopping import data_words
from arena.launch import BotProgram
from arena.store import Result, Store
from engine.game import Game

BOTS = tuple(
    BotProgram(name, (sys.executable, "-m", f"sample_bots.python.{name}_bot")) for name in ("steady", "random")
)
"""They travel with the arena, so the demo needs no checkout."""


@click.command(
    epilog="""\b
Examples:
  arena demo                              one match by the rules of the preset match
  arena demo --option target=100          a shorter one
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
    """Watch two sample bots play one match.

    Starts an arena on this machine and two bots, steady and random, as programs of their own that connect to it; shows
    their match while it is played, then the result, their ratings, and how to look at the replay. All demos together
    are the run demo in the data folder, so the ratings go on; one with --seed is a run of its own.
    """
    wish = Wish(
        game, chosen_rules(game, preset, settings), BOTS, data, "demo", None if seed is not None else "demo", seed
    )
    with Store.open(data, hold=True) as store:
        run = open_run(store, wish)
        ended = store.next_number(run.name) - 1
        total = ended if store.due(run.name, ended) else ended + 1
        spectator = None if as_json else Spectator()
        played = play(store, run, wish, total, whole=False, quiet=True, spectator=spectator)
    newest = played.outcome.newest
    if as_json:
        print_json({**document(played.outcome), "match_id": newest.match_id if newest else None, "data": str(data)})
    elif newest is not None and not played.due:
        print_outcome(played.outcome)
        _how_to_look(newest, data)
    if played.failure is not None:
        raise played.failure
    if played.due:
        warn("the match is not over; go on with: " + shlex.join(["arena", "demo", *data_words(data)]))
        sys.exit(INTERRUPTED if played.presses else FAILED)


def _how_to_look(newest: Result, data: Path) -> None:
    say(f"the replay is in {data}; read it, and prove it, with")
    for verb in ("show", "verify"):
        say(f"  {shlex.join(['arena', 'replay', verb, newest.name, *data_words(data)])}")
