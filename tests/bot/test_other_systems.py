"""The SDK and the sample bots in Python on Windows and macOS, as far as that shows where those are not at hand."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.bot.testing import welcome
from bare_messages import asked, both, ended, offered, started
from other_systems import BREAK, NAMES, command, missing, taken
from real_arena import run_arena
from stream_scripts import OneScriptArena, Responses, Talk

Serve = Callable[..., OneScriptArena]

ROOT = Path(__file__).resolve().parents[2]
on_both = pytest.mark.parametrize("system", NAMES)

EVERYTHING = """
import importlib, os, pkgutil, sys
import arena.bot, arena.errors, arena.loopback, arena.v1, arena.wire, engine, sample_bots.python
from arena.bot.local import play_matches

for top in (arena.bot, arena.v1, arena.wire, engine, sample_bots.python):
    for found in pkgutil.walk_packages(top.__path__, top.__name__ + "."):
        if found.name != "arena.bot.bridge.__main__":
            importlib.import_module(found.name)
assert arena.bot.bridge.child.sys.platform == sys.platform != "linux"
bots = [sample_bots.python.steady_bot.SteadyBot, sample_bots.python.random_bot.choose]
assert len(list(play_matches(bots, 2, game="german-whist", rules={"target": 1}))) == 2
print("loaded", sum(name.partition(".")[0] in ("arena", "engine", "sample_bots") for name in sys.modules))
"""
PROGRAM = """
import json, sys
for line in sys.stdin:
    told = json.loads(line)
    if told["kind"] == "decision":
        print(0, flush=True)
print("the program leaves", file=sys.stderr)
"""


def run_there(system: str, source: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a program as on that system."""
    (folder / "planted.py").write_text(source)
    return subprocess.run(
        command(system, "planted"),
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_what_is_taken_away_is_what_those_systems_lack() -> None:
    """Of what Unix alone has nothing is left on Windows; macOS keeps it, but not what is Linux' own."""
    assert {"fork", "killpg", "getuid", "set_blocking"} - taken("win32", "os") <= {"set_blocking"}
    assert {"SIGKILL", "SIGALRM", "SIGHUP", "pthread_kill"} <= taken("win32", "signal")
    assert {"poll", "epoll"} <= taken("win32", "select")
    assert all(missing("win32", module) for module in ("fcntl", "grp", "posix", "pwd", "resource", "termios"))
    assert not {"fork", "killpg"} & taken("darwin", "os")
    assert "SIGKILL" not in taken("darwin", "signal")
    assert "poll" not in taken("darwin", "select")
    assert {"epoll"} <= taken("darwin", "select")
    assert not missing("darwin", "fcntl")
    assert not {"SIGTERM", "SIGINT", "signal"} & taken("win32", "signal")


@pytest.mark.parametrize(
    "line",
    [
        "import fcntl",
        "from pwd import getpwuid",
        "from os import fork",
        "import os; os.killpg(os.getpgrp(), 0)",
        "import signal; signal.SIGKILL",
        "import select as waiting; waiting.poll()",
        "import os, sys; assert os.name != 'nt' and sys.platform != 'win32'",
    ],
)
def test_a_call_that_only_unix_has_is_found_out(line: str, tmp_path: Path) -> None:
    """A program that makes one fails on that Windows, and runs here."""
    done = run_there("win32", line, tmp_path)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(
        ("AttributeError", "ImportError", "ModuleNotFound", "AssertionError")
    )
    assert subprocess.run([sys.executable, "-c", line], check=False).returncode == 0


@on_both
def test_every_module_of_the_sdk_loads_and_plays_by_itself(system: str, tmp_path: Path) -> None:
    """All of arena.bot, arena.wire, arena.v1, the engine and the sample bots import, and bots play in one process."""
    done = run_there(system, EVERYTHING, tmp_path)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.split()[1]) > 80


@on_both
def test_bots_play_an_arena_to_the_end(system: str, tmp_path: Path) -> None:
    """A sample bot, and a program behind the line bridge, play a match without a fault, and leave when it is over."""
    (tmp_path / "lines.py").write_text(PROGRAM)
    steady = shlex.join(command(system, "sample_bots.python.steady_bot"))
    bridged = shlex.join(command(system, "arena.bot.bridge", "--", sys.executable, str(tmp_path / "lines.py")))
    words = ["match", steady, bridged, "--option", "max_deals=2", "--seed", "1", "--data", str(tmp_path / "data")]
    played = json.loads(run_arena(*words, "--json"))
    assert played["terminations"] == {"deal_limit": 1}
    said = "".join(path.read_text() for path in (tmp_path / "data" / "logs").rglob("*.stderr"))
    assert said.count(": all matches are played") == 2, said
    assert "the program leaves" in said


def test_ctrl_break_lets_a_bridge_and_its_program_finish_the_match(serve: Serve) -> None:
    """Windows' way to say SIGTERM goes to a group of processes: the program is not in it, and plays on."""
    going: list[subprocess.Popen[str]] = []
    known = threading.Event()

    def script(talk: Talk) -> Responses:
        yield both(welcome(), offered())
        talk.next()
        yield both(started(), asked(0))
        talk.next()
        assert known.wait(30)
        os.killpg(going[0].pid, BREAK)
        yield asked(1)
        talk.next()
        yield ended()
        talk.rest()

    words = command("win32", "arena.bot.bridge", "--server", serve(script).address, "--", sys.executable, "-c", PROGRAM)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(words, env=environment, stderr=subprocess.PIPE, text=True, process_group=0) as bridge:
        going.append(bridge)
        known.set()
        try:
            said = bridge.communicate(timeout=60)[1]
        finally:
            bridge.kill()
    assert bridge.returncode == 0, said
    assert said.splitlines()[1:] == ["bridge: told to leave", "the program leaves"]


def test_a_bot_without_stderr_plays(serve: Serve, tmp_path: Path) -> None:
    """Started by pythonw it has nobody to say anything to."""

    def script(talk: Talk) -> Responses:
        yield both(welcome(), offered())
        talk.next()
        yield both(started(), asked(0))
        talk.next()
        yield ended()
        talk.rest()

    source = (
        "import os, signal, sys, threading\nsys.stdout = sys.stderr = None\nfrom arena.bot import run\n"
        "run(lambda decision: os.kill(os.getpid(), signal.SIGTERM) or 0)"
    )
    arena = serve(script)
    done = subprocess.run(
        [sys.executable, "-c", source],
        env={**os.environ, "PYTHONPATH": str(ROOT), "ARENA_SERVER": arena.address},
        check=False,
        timeout=60,
    )
    assert done.returncode == 0
