"""What `arena demo` does when its options are read."""

from __future__ import annotations

import sys
from pathlib import Path

from arena.cli.advice import advice
from arena.cli.complaint import FAILED, INTERRUPTED
from arena.cli.live import LiveBoard
from arena.cli.options import data_words
from arena.cli.outlet import dispense_with_output
from arena.cli.play import Wish, open_run, play
from arena.cli.printing import print_json, say, warn
from arena.cli.summary import document, print_summary
from arena.launch import BotProgram
from arena.store import Result, Store
from engine.game import Game, Rules

BOTS = tuple(
    BotProgram(name, (sys.executable, "-m", "sample_bots.python.steady_bot")) for name in ("steady-1", "steady-2")
)
"""Two of the same sensible bot: a close match, worth watching. They travel with the arena, so no checkout is needed."""


def run_demo(game: Game, rules: Rules, *, seed: int | None, data: Path, as_json: bool) -> None:
    """Play one match of the sample bots, live, and print what came of it."""
    dispense_with_output()
    wish = Wish(game, rules, BOTS, data, "demo", None if seed is not None else "demo", seed)
    with Store.open(data, hold=True) as store:
        run = open_run(store, wish)
        ended = store.next_number(run.name) - 1
        total = ended if store.due(run.name, ended).open else ended + 1
        live = None if as_json else LiveBoard()
        played = play(store, run, wish, total, whole=False, quiet=True, live=live)
    newest = played.summary.newest
    if as_json:
        print_json({**document(played.summary), "match_id": newest.match_id if newest else None, "data": str(data)})
    elif newest is not None and not played.due:
        print_summary(played.summary)
        _how_to_look(newest, data)
    if played.failure is not None:
        raise played.failure
    if played.due:
        warn("the match is not over; go on with: " + advice("demo", *data_words(data)))
        sys.exit(INTERRUPTED if played.presses else FAILED)


def _how_to_look(newest: Result, data: Path) -> None:
    say(f"the replay is in {data}; read it, and prove it, with")
    for verb in ("show", "verify"):
        say(f"  {advice('replay', verb, newest.name, *data_words(data))}")
