"""What `arena check-bot` does when its options are read."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from arena.cli.check_report import document, in_words, line, summary
from arena.cli.complaint import FAILED
from arena.cli.interruption import interruptible
from arena.cli.printing import print_json, print_styled
from arena.conformance.catalogue import steps_of
from arena.conformance.junit import junit_xml
from arena.conformance.run import Outcome, Verdict, check
from arena.errors import ArenaError
from arena.launch import check_program, programs_of

_STYLES = {Verdict.PASSED: "", Verdict.FAILED: "bold red", Verdict.NOT_REACHED: "yellow", Verdict.LEFT_OUT: "dim"}


def run_check(command: str, game: str, wanted: Sequence[str], *, jobs: int, junit: Path | None, as_json: bool) -> None:
    """Try the steps, say how they went, and leave with that as exit code."""
    program = programs_of([command])[0]
    check_program(program)
    steps = steps_of(wanted)
    if junit is not None:
        _write(junit, "")  # a place that cannot be written is said now, and not a minute later
    begun = time.monotonic()
    found: list[Outcome] = []
    with interruptible(), closing(check(program, steps, game=game, jobs=jobs)) as outcomes:
        for outcome in outcomes:
            found.append(outcome)
            if not as_json:
                print_styled(line(outcome), _STYLES[outcome.verdict])
                sys.stdout.flush()
    found.sort(key=lambda outcome: outcome.step.number)
    if junit is not None:
        _write(junit, junit_xml(command, found))
    failures = [outcome for outcome in found if outcome.verdict is Verdict.FAILED]
    if as_json:
        print_json(document(command, game, found))
    else:
        for outcome in failures:
            for number, text in enumerate(in_words(outcome, command, game)):
                print_styled(text, "bold" if number == 1 else "")
        if failures:
            print_styled("", "")
        print_styled(summary(found, time.monotonic() - begun), "")
    if any(outcome.verdict in (Verdict.FAILED, Verdict.NOT_REACHED) for outcome in found):
        sys.exit(FAILED)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ArenaError(f"cannot write {path}: {(error.strerror or str(error)).lower()}") from None
