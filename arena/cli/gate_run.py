"""What `arena gate` does when its options are read, and `arena resume` with a gate."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, Final

from arena.cli.advice import advice
from arena.cli.complaint import INTERRUPTED
from arena.cli.gate_progress import GateProgress
from arena.cli.options import data_words
from arena.cli.outlet import dispense_with_output
from arena.cli.play import open_run, play
from arena.cli.printing import print_json, say, warn
from arena.competition import Competition, Restart
from arena.gate import Gate, GateTerms
from arena.launch import programs_of
from arena.standings import Standings
from arena.stats import Verdict
from arena.store import Run, Store
from engine.clock import TimeControl
from engine.game import Game, Rules

EXIT: Final = {Verdict.ACCEPTED: 0, Verdict.REJECTED: 1, Verdict.UNDECIDED: 3}


def gate_of(
    game: Game,
    rules: Rules,
    commands: tuple[str, str],
    terms: GateTerms,
    *,
    sets: int,
    seed: int | None,
    control: TimeControl,
    concurrency: int | None,
    restart: str,
    **limits: int | None,
) -> Competition:
    """The gate that a command line asks for; the new bot is the first."""
    return Competition(
        "gate",
        game.name,
        rules,
        programs_of(list(commands), **limits),
        sets=sets,
        legs=2,
        seed=seed,
        control=control,
        concurrency=concurrency or os.cpu_count() or 1,
        restart=Restart(restart),
        gate=terms,
    )


def run_gate(wanted: Competition, run: str | None, data: Path, *, as_json: bool) -> None:
    """Play it until it is decided, or its budget is spent."""
    with Store.open(data, hold=True) as store:
        opened, wanted = open_run(store, wanted, run)
        go_on(store, opened, wanted, as_json=as_json)


def go_on(store: Store, run: Run, competition: Competition, *, as_json: bool) -> None:
    """Play on from what is there, say the verdict, and leave with it as exit code."""
    dispense_with_output()
    before = judged(store, run, competition)
    presses, failure = 0, None
    if before.verdict is Verdict.UNDECIDED:
        progress = GateProgress(before, competition.sets, quiet=as_json)
        played = play(store, run, competition, quiet=True, display=progress, until=lambda: progress.decided)
        presses, failure = played.presses, played.failure
    gate = judged(store, run, competition)
    report = document(store, run, competition, gate)
    if as_json:
        print_json(report)
    else:
        say(in_words(competition, gate))
        say(f"the matches: {advice('replay', 'list', '--run', run.name, *data_words(store.folder))}")
    if gate.verdict is Verdict.UNDECIDED and (presses or failure is not None):
        warn(f"go on with: {advice('resume', run.name, *data_words(store.folder))}")
    if failure is not None and gate.verdict is Verdict.UNDECIDED:
        raise failure
    sys.exit(INTERRUPTED if presses and gate.verdict is Verdict.UNDECIDED else EXIT[gate.verdict])


def judged(store: Store, run: Run, competition: Competition) -> Gate:
    """The gate by all results of the run."""
    gate = Gate(competition.gate or GateTerms(), competition.names[0])
    for result in store.results(run.name):
        gate.take(result)
    return gate


def in_words(competition: Competition, gate: Gate) -> str:
    """The verdict as a sentence."""
    new, old = competition.names
    finding = gate.finding
    counts = "; ".join("-".join(map(str, row)) for row in gate.tally.counts) or "none"
    return (
        f"{finding.verdict.value}: {new} against {old} after {finding.sets} sets, LLR {finding.llr:.2f} "
        f"({finding.lower:.2f} to {finding.upper:.2f}, by {finding.measure}); sets by score, 0 to 1: {counts}"
    )


def document(store: Store, run: Run, competition: Competition, gate: Gate) -> dict[str, Any]:
    """The report for a job."""
    finding, standings = gate.finding, Standings(competition.names)
    standings.take_all(store.results(run.name))
    mean, interval = gate.margins.mean, gate.margins.interval()
    return {
        "run": run.name,
        "verdict": finding.verdict.value,
        "new": competition.names[0],
        "old": competition.names[1],
        "game": competition.game,
        "terms": gate.terms.document(),
        "measure": finding.measure,
        "llr": finding.llr,
        "lower": finding.lower,
        "upper": finding.upper,
        "sets": finding.sets,
        "budget": competition.sets,
        "scores": [list(row) for row in gate.tally.counts],
        "points_a_deal": mean,
        "points_a_deal_interval": None if interval is None else list(interval),
        "matches": sum(standings.terminations.values()),
        "terminations": {ending.value: count for ending, count in standings.terminations.items()},
        "broken": [record.bot for record in standings.records.values() if record.broken],
    }
