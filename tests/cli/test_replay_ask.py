"""`arena replay ask`: a bot asked offline what a seat of a logged match was asked."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from click.testing import Result

from real_arena import gone
from recording import Tape

Run = Callable[..., Result]
Complaint = Callable[[Result], str]

FIRST = "from arena.bot import Choice, run\nrun(lambda decision: Choice(0, 'the first'))\n"
BOTS = {
    "first.py": FIRST,
    "resigning.py": "from arena.bot import Resign, run\nrun(lambda decision: Resign())\n",
    "whist.py": "from arena.bot import Bot, run\nclass W(Bot):\n    games = ('german-whist',)\nrun(W)\n",
    "raising.py": "from arena.bot import run\nrun(lambda decision: 1 // 0)\n",
}


@pytest.fixture
def tape(tmp_path: Path) -> Tape:
    """A deal that seat 0 plays by its first legal action each time, seat 1 by dice; the file m1.arp."""
    for name, code in BOTS.items():
        (tmp_path / name).write_text(code)
    tape = Tape(tmp_path, rules={"max_deals": 1}, auto_draw=(True, True)).ready()
    while tape.finish is None:
        if tape.table.turn == 0:
            tape.answer(0, "as ever")
        else:
            tape.play(actions=1)
    return tape


def ask(run: Run, *words: str) -> Result:
    """Ask a bot in Python."""
    *options, bot = words
    return run("replay", "ask", "m1.arp", *options, "--", sys.executable, bot)


@pytest.mark.usefixtures("tape")
def test_the_bot_that_played_differs_nowhere(run: Run) -> None:
    """The same answers to the same questions: one line, exit code 0."""
    told = ask(run, "first.py")
    assert told.exit_code == 0
    assert told.stdout == "28 decisions of seat 0 (steady): 28 the same, 0 differ\n"


def test_each_difference_is_a_line(run: Run, tape: Tape) -> None:
    """Deal, decision, phase, the logged action, the bot's, its note; exit code 1."""
    told = ask(run, "--seat", "1", "first.py")
    *lines, last = told.stdout.splitlines()
    assert told.exit_code == 1
    assert last.endswith(f"{len(lines)} differ")
    assert all(line.startswith("deal 0, decision ") and line.endswith("  (the first)") for line in lines)
    assert any(", play: logged play " in line and ", now play " in line for line in lines)
    assert len(lines) < sum(f.action.seat == 1 and not f.action.auto for f in tape.replay().frames)


@pytest.mark.usefixtures("tape")
def test_all_decisions_can_be_told_and_read_by_programs(run: Run) -> None:
    """`--all` tells what is the same too; `--json` is an array of objects and nothing else."""
    assert len(ask(run, "--all", "first.py").stdout.splitlines()) == 29
    found = json.loads(ask(run, "--all", "--json", "first.py").stdout)
    assert len(found) == 28
    assert found[0].keys() == {
        *("deal", "decision_id", "phase", "legal", "logged", "logged_note", "now", "said", "note", "same")
    }
    assert found[0]["logged"] == found[0]["now"] == found[0]["legal"][0]
    assert json.loads(ask(run, "--json", "first.py").stdout) == []


@pytest.mark.usefixtures("tape")
def test_a_bot_that_resigns_is_asked_on(run: Run) -> None:
    """The match goes on as it was logged, whatever the bot says."""
    lines = ask(run, "resigning.py").stdout.splitlines()
    assert len(lines) == 29
    assert all(line.endswith(", now resign") for line in lines[:-1])


@pytest.mark.usefixtures("tape")
@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--seat", "2", "first.py"], "match demo/m1 has no seat 2: they are 0 to 1"),
        (["whist.py"], "it plays german-whist"),
        (["raising.py"], "ZeroDivisionError"),
        (["nothing.py"], "the bot ended without a Hello (it ended with exit code 2)"),
    ],
)
def test_what_cannot_be_asked_is_said(run: Run, words: Iterable[str], complaint: str) -> None:
    """Exit code 2, what is wrong, and what the bot printed last; no traceback of the arena's own."""
    told = ask(run, *words)
    assert told.exit_code == 2
    assert complaint in told.stderr
    assert told.stdout == ""


@pytest.mark.usefixtures("tape")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_whoever_ends_the_command_ends_the_bot_and_its_children(
    spawn: Callable[..., subprocess.Popen[str]], number: signal.Signals, tmp_path: Path
) -> None:
    """A closed terminal or a job's time limit leaves nothing running, like Ctrl-C."""
    (tmp_path / "parent.py").write_text(
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "open('children', 'w').write(str(child.pid))\n"
        "open('written', 'w').close()\n"
        "time.sleep(600)\n"
    )
    process = spawn("replay", "ask", "m1.arp", "--", sys.executable, "parent.py")
    while not (tmp_path / "written").exists():
        assert process.poll() is None
        threading.Event().wait(0.02)
    process.send_signal(number)
    assert process.wait(60) == 130
    assert gone(int((tmp_path / "children").read_text()))


@pytest.mark.usefixtures("tape")
def test_a_program_that_is_none_and_a_missing_command_are_named(run: Run, complaint_of: Complaint) -> None:
    """Before anything is started."""
    assert "there is no program 'nowhere'" in complaint_of(run("replay", "ask", "m1.arp", "--", "nowhere"))
    assert "COMMAND is missing" in complaint_of(run("replay", "ask", "m1.arp"))
