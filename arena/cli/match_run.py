"""What `arena match` does when its options are read."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from arena.cli.advice import advice
from arena.cli.complaint import FAILED, INTERRUPTED
from arena.cli.options import data_words
from arena.cli.outlet import dispense_with_output
from arena.cli.play import Played, open_run, play
from arena.cli.printing import matches, print_json, say, warn
from arena.cli.summary import document, print_summary
from arena.competition import Competition, Restart
from arena.config import Limits
from arena.errors import ArenaError
from arena.launch import programs_of
from arena.store import Store
from engine.clock import TimeControl
from engine.game import Game, Rules
from engine.seating import seats_of_a_bot


def run_match(
    game: Game,
    rules: Rules,
    bots: Sequence[str],
    *,
    sets: int,
    legs: int,
    control: TimeControl,
    seed: int | None,
    lanes: int | None,
    restart: str,
    run: str | None,
    data: Path,
    as_json: bool,
    **limits: int | None,
) -> None:
    """Play the run up to so many sets and print what came of it; `lanes` matches at once (None: one a core)."""
    dispense_with_output()
    most = Limits().lanes // seats_of_a_bot(game.sides, len(bots))
    if lanes is not None and lanes > most:
        raise ArenaError(f"--concurrency {lanes} is too much: bots have lanes for {most} matches of {game.name}")
    total = sets * legs
    at_once = min(lanes or os.cpu_count() or 1, most, total)
    programs = programs_of(list(bots), **limits)
    wanted = Competition(
        "match",
        game.name,
        rules,
        programs,
        sets=sets,
        legs=legs,
        seed=seed,
        control=control,
        concurrency=at_once,
        restart=Restart(restart),
    )
    with Store.open(data, hold=True) as store:
        opened, wanted = open_run(store, wanted, run)
        played = play(store, opened, wanted, quiet=as_json)
    if as_json:
        print_json({**document(played.summary), "planned": total, "due": played.due, "data": str(data)})
    else:
        _report(played, data)
    if played.failure is not None:
        raise played.failure
    if played.due:
        again = [*sys.argv[1:], *([] if run else ["--run", opened.name])]
        warn(f"{matches(played.due)} of {total} still to play; go on with: {advice(*again)}")
        sys.exit(INTERRUPTED if played.presses else FAILED)


def _report(played: Played, data: Path) -> None:
    print_summary(played.summary)
    newest = played.summary.newest
    if newest is not None:
        where = advice("replay", "show", newest.name, *data_words(data))
        say(f"replays are in {data}; the latest match: {where}")
