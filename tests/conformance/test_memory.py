"""What the kit makes of a bot that takes memory and does not give it back."""

from __future__ import annotations

import sys
from pathlib import Path

from arena.conformance.catalogue import steps_of
from arena.conformance.run import Outcome, Verdict, check
from arena.launch import BotProgram
from conformance_page import BOTS, ROOT

SWELLING = """
from honest import Honest
from launch import run

class Swelling(Honest):
    heap = []

    def choose(self, decision):
        if len(self.heap) < {full}:
            self.heap.append(b"." * 1024**2)
        return super().choose(decision)

run(Swelling)
"""


def weighed(folder: Path, full: int) -> Outcome:
    """How the step ends for a bot whose heap grows by 1 MiB for a decision until it is `full`."""
    bot = folder / "swelling.py"
    bot.write_text(SWELLING.format(full=full))
    environment = (("PYTHONPATH", f"{BOTS}:{ROOT}"),)
    program = BotProgram("swelling", (sys.executable, str(bot)), folder, environment)
    return list(check(program, steps_of(["memory"])))[-1]


def test_a_heap_that_fills_up_is_no_leak(tmp_path: Path) -> None:
    """After 200 decisions it grows by 150 MiB more, as a collector may let it, and then no more."""
    outcome = weighed(tmp_path, 350)
    assert outcome.verdict is Verdict.PASSED, outcome.told
    assert outcome.told.endswith("MiB in 1,500 decisions")


def test_what_grows_on_and_on_is_stopped_in_time(tmp_path: Path) -> None:
    """Long before the machine has no more memory."""
    outcome = weighed(tmp_path, 100_000)
    assert outcome.verdict is Verdict.FAILED
    assert int(outcome.told.removeprefix("it grew by ").split()[0]) < 700
