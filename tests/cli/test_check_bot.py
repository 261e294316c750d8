"""`arena check-bot`: bots that pass and fail, mistakes on the command line, and Ctrl-C."""

from __future__ import annotations

import json
import os
import select
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import Result

from conformance_page import BOTS
from real_arena import gone

Run = Callable[..., Result]
HONEST = shlex.join([sys.executable, str(BOTS / "honest.py")])
DUMB = shlex.join([sys.executable, "-c", "print('\\x1b[31mred'); raise SystemExit(3)"])
"""Prints what steers a terminal, and ends."""


def test_a_bot_that_passes(run: Run, tmp_path: Path) -> None:
    """A line for each step, a summary, a report for a build server, exit code 0."""
    result = run("check-bot", HONEST, "--step", "1", "--step", "ready", "--step", "2", "--junit", tmp_path / "x.xml")
    assert result.exit_code == 0
    *steps, summary = result.stdout.splitlines()
    assert sorted(step.split()[:3] for step in steps) == [
        ["1", "hello", "ok"],
        ["2", "name", "ok"],
        ["7", "ready", "ok"],
    ]
    assert summary.startswith("3 passed, in ")
    suite = ET.parse(tmp_path / "x.xml").getroot()[0]
    assert [case.attrib["name"] for case in suite] == ["1 hello", "2 name", "7 ready"]
    assert suite.attrib["failures"] == "0"


def test_a_bot_that_fails(run: Run, tmp_path: Path) -> None:
    """What it did, what was expected, where to read, what it printed, how to try it again; exit code 1."""
    result = run("check-bot", DUMB, "--step", "environment", "--step", "7", "--junit", tmp_path / "x.xml")
    assert result.exit_code == 1
    assert "\x1b" not in result.stdout
    for text in (
        "what it did  it ended with exit code 3, and never printed the name ARENA_SERVER",
        "expected     when ARENA_SERVER is not there: end by itself",
        "read         proto/README.md#getting-in",
        "it printed   \\x1b[31mred",
        " --step 4\n",
        " 1  hello                FAILED",
        " 7  ready                not reached           it needs step hello",
        "2 failed, 1 not reached, in ",
    ):
        assert text in result.stdout
    suite = ET.parse(tmp_path / "x.xml").getroot()[0]
    assert [[child.tag for child in case] for case in suite] == [["failure"], ["failure"], ["skipped"]]


def test_one_document_for_programs(run: Run) -> None:
    """With --json nothing else is printed, and steps stand in the order of their numbers."""
    result = run("check-bot", HONEST, "--step", "15", "--step", "14", "--step", "3", "--game", "smear", "--json")
    assert result.exit_code == 0
    report = json.loads(result.stdout)
    assert report["game"] == "smear"
    assert report["passed"] is True
    assert report["steps"][1]["told"] == "--game smear leaves it out"
    assert [(step["step"], step["verdict"]) for step in report["steps"]] == [
        (3, "passed"),
        (14, "left out"),
        (15, "passed"),
    ]


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        ([], "COMMAND is missing (see arena check-bot --help)"),
        (["no-such-bot"], "bot no-such-bot does not start: there is no program 'no-such-bot'"),
        ([""], "a bot command is empty: give the words that start a bot, such as 'python my_bot.py'"),
        ([HONEST, "--step", "lane"], "there is no step lane; did you mean lanes?"),
        ([HONEST, "--game", "smaer"], "--game: there is no game smaer"),
        ([HONEST, "--jobs", "0"], "--jobs: '0' will not do: write a whole number, 1 or more"),
        (
            ["node", "bot.js"],
            "there is one COMMAND, and 'bot.js' is one word more; if it is the bot's, write its command in ",
        ),
        (["python", "-m", "bot"], "there is no option -m; if it is the bot's, write its command in quotes, such as "),
        ([HONEST, "--stpe", "1"], "there is no option --stpe; did you mean --step? (see arena check-bot --help)"),
        ([HONEST, "--step", ""], "a step is empty: write its number or its name"),
        ([HONEST, "--game", ""], "--game: the name is empty: there are "),
        ([HONEST, "--junit", ""], "--junit: the name is empty: write the name of a file"),
        ([HONEST, "--junit", "."], "--junit: . is a folder: write the name of a file"),
        ([HONEST, "--junit", "no/folder.xml"], "cannot write no/folder.xml: no such file or directory"),
        (
            [HONEST, "--game", "smear", "--step", "13"],
            "no step is left to try: step 13 draw-bridge is of another game, which --game smear leaves out",
        ),
    ],
)
def test_a_mistake_gets_a_line(
    run: Run, complaint_of: Callable[[Result], str], arguments: list[str], answer: str
) -> None:
    """Before a bot is started, and exit code 2."""
    assert complaint_of(run("check-bot", *arguments)).startswith(answer)


@pytest.mark.skipif(os.name != "posix", reason="signals are those of Unix")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_nothing_is_left_when_it_is_stopped(
    spawn: Callable[..., subprocess.Popen[str]], tmp_path: Path, number: signal.Signals
) -> None:
    """Ctrl-C in the middle of a check ends the bots and what they started, at once, with exit code 130.

    How far it came is said, and an older report is what it was.
    """
    os.mkfifo(tmp_path / "pids")
    pipe = os.open(tmp_path / "pids", os.O_RDWR)
    sleeps = f"{shlex.quote(sys.executable)} -c 'import time; time.sleep(600)'"
    (tmp_path / "bot.sh").write_text(f"{sleeps} & echo $$ $! >> pids; wait\n")
    (tmp_path / "old.xml").write_text("the last one")
    check = spawn("check-bot", "sh bot.sh", "--step", "1", "--step", "4", "--junit", "old.xml")
    words = b""
    while words.count(b"\n") < 2:
        assert select.select([pipe], [], [], 60.0)[0], "no bot was started"
        words += os.read(pipe, 100)
    os.close(pipe)
    check.send_signal(number)
    printed, errors = check.communicate(timeout=30)
    assert check.returncode == 130
    assert errors.strip() == "arena: interrupted"
    assert printed == "0 of 2 steps tried\n"
    assert (tmp_path / "old.xml").read_text() == "the last one"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bot.sh", "old.xml", "pids"]
    pids = [int(word) for word in words.split()]
    assert len(pids) == 4
    assert all(map(gone, pids))


def test_a_bot_that_plays_no_game_of_the_steps_is_not_called_good(run: Run, tmp_path: Path) -> None:
    """What its Hello leaves out is not tried, and if that is all, the exit code is that of a mistake."""
    bot = BOTS.parent.parent / "sample_bots" / "python" / "random_bot.py"
    (tmp_path / "whist.sh").write_text(f"ARENA_GAME=german-whist exec {sys.executable} {bot}\n")
    result = run("check-bot", "sh whist.sh", "--step", "smear", "--step", "draw-bridge")
    assert result.exit_code == 2, result.output
    assert "left out              draw-bridge is not played" in result.stdout
    assert result.stderr == ("arena: no step was tried: the bot plays no game of steps 13 draw-bridge, 15 smear\n")
