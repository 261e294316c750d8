"""What `arena demo` does when its options are read."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from arena.cli.advice import advice
from arena.cli.complaint import FAILED, INTERRUPTED
from arena.cli.live import LiveBoard
from arena.cli.options import data_words
from arena.cli.outlet import dispense_with_output
from arena.cli.play import open_run, play
from arena.cli.printing import print_json, say, warn
from arena.cli.replay_source import Source, from_store
from arena.cli.replay_verify import conclusion, examine
from arena.cli.summary import document, print_summary
from arena.competition import Competition
from arena.errors import ArenaError
from arena.launch import BotProgram
from arena.replay import export_jsonl
from arena.store import Result, Store
from engine.game import Game, Rules
from engine.games import registered


def demo_bots(sides: Sequence[int]) -> tuple[BotProgram, ...]:
    """A sample bot for each seat; they travel with the arena, so no checkout is needed.

    Where everybody plays alone, all are the same sensible bot: a close match, worth watching. With partners, one side
    is sensible and the other plays anything, which shows what sense is worth.
    """
    alone = len(set(sides)) == len(sides)
    kinds = ["steady" if alone or side == 0 else "random" for side in sides]
    return tuple(
        BotProgram(f"{kind}-{kinds[: seat + 1].count(kind)}", (sys.executable, "-m", f"sample_bots.python.{kind}_bot"))
        for seat, kind in enumerate(kinds)
    )


def demo_run(game: Game) -> str:
    """The run of a game's demos: each game has its own, or a demo that was stopped would be in the way of another's."""
    return "demo" if game.name == next(iter(registered())) else f"demo-{game.name}"


def run_demo(game: Game, rules: Rules, *, seed: int | None, data: Path, as_json: bool) -> None:
    """Play one match of the sample bots, live, prove it, and print what came of it."""
    dispense_with_output()
    demo = Competition("demo", game.name, rules, demo_bots(game.sides), seed=seed)
    with Store.open(data, hold=True) as store:
        run, demo = open_run(store, demo, None if seed is not None else demo_run(game), strict=False)
        ended = store.next_number(run.name) - 1
        demo = replace(demo, sets=ended if store.due(run.name, ended).open else ended + 1)
        live = None if as_json else LiveBoard()
        played = play(store, run, demo, whole=False, quiet=True, live=live)
        newest = played.summary.newest
        source = from_store(store, newest) if newest is not None else None
    report = examine(source) if source is not None else None
    if as_json:
        match_id, proved = newest.match_id if newest else None, report is not None and report.ok
        print_json({**document(played.summary), "match_id": match_id, "proved": proved, "data": str(data)})
    elif newest is not None and source is not None and report is not None and not played.due:
        print_summary(played.summary)
        say(conclusion(source, report))
        say(f"written out to {_written(source, newest, data)}, a JSON object a line")
        _how_to_look(newest, data)
    if played.failure is not None:
        raise played.failure
    if played.due:
        warn("the match is not over; go on with: " + advice(*sys.argv[1:]))
        sys.exit(INTERRUPTED if played.presses else FAILED)


def _written(source: Source, newest: Result, data: Path) -> Path:
    """The file below the data folder into which the match is exported."""
    path = data / "exports" / f"{newest.run}.{newest.match_id}.jsonl"
    try:
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in export_jsonl(source.read())), encoding="utf-8")
    except OSError as error:
        raise ArenaError(f"cannot write {path}: {(error.strerror or str(error)).lower()}") from None
    return path


def _how_to_look(newest: Result, data: Path) -> None:
    say(f"the replay is in {data}; read it, and prove it, with")
    for verb in ("show", "verify"):
        say(f"  {advice('replay', verb, newest.name, *data_words(data))}")
