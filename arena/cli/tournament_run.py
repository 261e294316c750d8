"""What `arena tournament` and `arena resume` do when their options are read."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from arena.cli import gate_run
from arena.cli.advice import advice
from arena.cli.complaint import FAILED, INTERRUPTED
from arena.cli.options import data_words
from arena.cli.outlet import dispense_with_output
from arena.cli.play import Played, open_run, play
from arena.cli.printing import Json, matches, print_json, say, warn
from arena.cli.standings import document, print_standings
from arena.cli.tournament_file import check
from arena.competition import Competition, Form, Restart, from_text
from arena.config import Limits
from arena.errors import ArenaError, NotFound
from arena.launch import programs_of
from arena.plain import word
from arena.standings import Standings
from arena.stats import Verdict
from arena.store import Run, Store
from engine.clock import TimeControl
from engine.game import Game, Rules


def from_commands(
    game: Game,
    rules: Rules,
    bots: Sequence[str],
    *,
    form: str,
    challengers: int,
    rounds: int | None,
    sets: int,
    legs: int,
    seed: int | None,
    control: TimeControl,
    concurrency: int | None,
    restart: str,
    **limits: int | None,
) -> Competition:
    """The tournament that a command line asks for."""
    return Competition(
        "tournament",
        game.name,
        rules,
        programs_of(list(bots), **limits),
        form=Form(form),
        challengers=challengers,
        rounds=rounds,
        sets=sets,
        legs=legs,
        seed=seed,
        control=control,
        concurrency=concurrency or os.cpu_count() or 1,
        restart=Restart(restart),
    )


def run_tournament(wanted: Competition, run: str | None, data: Path, *, as_json: bool) -> None:
    """Play it to its end and print the standings."""
    check(wanted, wanted.names)
    most = Limits().lanes
    if wanted.streams > most:
        raise ArenaError(f"a concurrency of {wanted.concurrency} is too much: a bot has {most} streams at most")
    with Store.open(data, hold=True) as store:
        opened, wanted = open_run(store, wanted, run)
        go_on(store, opened, wanted, as_json=as_json)


def resume(run: str | None, data: Path, *, as_json: bool) -> None:
    """Go on with a run, the newest that has something left to play if none is named."""
    Store.open(data, hold=False).close()  # a folder that is no data folder must not become one
    with Store.open(data, hold=True) as store:
        found = store.run(run) if run is not None else _unfinished(store)
        if not found.settings:
            raise ArenaError(f"run {found.name} is a {found.kind}, which nothing says how to go on with")
        competition = from_text(found.settings)
        play_on = go_on if competition.gate is None else gate_run.go_on
        play_on(store, found, competition, as_json=as_json)


def _unfinished(store: Store) -> Run:
    for run in reversed(store.runs()):
        if run.settings and _is_unfinished(store, run, from_text(run.settings)):
            return run
    raise NotFound(f"every run in {store.folder} is played to its end")


def _is_unfinished(store: Store, run: Run, competition: Competition) -> bool:
    if competition.gate is not None and gate_run.judged(store, run, competition).verdict is not Verdict.UNDECIDED:
        return False
    plan = competition.plan(run.name, store.results(run.name))
    return store.due(run.name, plan.matches, plan.legs).open > 0


def go_on(store: Store, run: Run, competition: Competition, *, as_json: bool) -> None:
    """Play what is due of a run, and print what has come of the whole of it."""
    dispense_with_output()
    played = play(store, run, competition, quiet=as_json)
    standings = Standings(competition.names)
    standings.take_all(store.results(run.name))
    if as_json:
        head: dict[str, Json] = {"run": run.name, "planned": played.planned, "due": played.due}
        print_json({**head, "winner": played.winner, **document(standings)})
    else:
        print_standings(standings, f"run {word(run.name)}: {competition.game}, {competition.form.value}")
        if played.winner is not None:
            say(f"{played.winner} has won")
        if played.summary.newest is not None:
            say(f"replays: {advice('replay', 'list', '--run', run.name, *data_words(store.folder))}")
    _leave(played, run, store.folder)


def _leave(played: Played, run: Run, data: Path) -> None:
    if played.due:
        again = advice("resume", run.name, *data_words(data))
        warn(f"{matches(played.due)} of {played.planned} still to play; go on with: {again}")
    if played.failure is not None:
        raise played.failure
    if played.due:
        sys.exit(INTERRUPTED if played.presses else FAILED)
