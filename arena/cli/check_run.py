"""What `arena check-bot` does when its options are read."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from contextlib import closing, nullcontext
from pathlib import Path

from arena.cli.check_report import document, in_words, line, so_far, summary
from arena.cli.complaint import FAILED
from arena.cli.interruption import interruptible
from arena.cli.printing import print_json, print_styled
from arena.cli.report_file import report_file
from arena.conformance.catalogue import steps_of
from arena.conformance.junit import junit_xml
from arena.conformance.run import Outcome, Verdict, check, left_out_by
from arena.conformance.step import Step
from arena.errors import ArenaError
from arena.launch import check_program, programs_of

_STYLES = {Verdict.PASSED: "", Verdict.FAILED: "bold red", Verdict.NOT_REACHED: "yellow", Verdict.LEFT_OUT: "dim"}


def run_check(command: str, game: str, wanted: Sequence[str], *, jobs: int, junit: Path | None, as_json: bool) -> None:
    """Try the steps, say how they went, and leave with that as exit code."""
    program = programs_of([command])[0]
    check_program(program)
    steps = steps_of(wanted)
    if all(left_out_by(step, game) for step in steps):
        raise ArenaError(
            f"no step is left to try: {_named(steps)} {'is' if len(steps) == 1 else 'are'} of another "
            f"game, which --game {game} leaves out"
        )
    begun = time.monotonic()
    found: list[Outcome] = []
    with report_file(junit) if junit is not None else nullcontext() as report:
        try:
            with interruptible(), closing(check(program, steps, game=game, jobs=jobs)) as outcomes:
                for outcome in outcomes:
                    found.append(outcome)
                    if not as_json:
                        print_styled(line(outcome), _STYLES[outcome.verdict])
                        sys.stdout.flush()
        except KeyboardInterrupt:
            if not as_json:
                _tell_failures(found, command, game)
                print_styled(so_far(found, len(steps)), "")
            raise
        found.sort(key=lambda outcome: outcome.step.number)
        if report is not None:
            report.write(junit_xml(command, found))
    if as_json:
        print_json(document(command, game, found))
    else:
        _tell_failures(found, command, game)
        print_styled(summary(found, time.monotonic() - begun), "")
    if any(outcome.verdict in (Verdict.FAILED, Verdict.NOT_REACHED) for outcome in found):
        sys.exit(FAILED)
    if all(outcome.verdict is Verdict.LEFT_OUT for outcome in found):
        raise ArenaError(f"no step was tried: the bot plays no game of {_named(steps)}")


def _tell_failures(found: Sequence[Outcome], command: str, game: str) -> None:
    """More of each step that failed, and an empty line, if any did."""
    failures = [outcome for outcome in found if outcome.verdict is Verdict.FAILED]
    for outcome in sorted(failures, key=lambda outcome: outcome.step.number):
        for number, text in enumerate(in_words(outcome, command, game)):
            print_styled(text, "bold" if number == 1 else "")
    if failures:
        print_styled("", "")


def _named(steps: Sequence[Step]) -> str:
    """`step 13 draw-bridge`, `steps 13 draw-bridge, 16 draw-bridge-seats`."""
    return f"step{'s' if len(steps) > 1 else ''} {', '.join(f'{step.number} {step.name}' for step in steps)}"
