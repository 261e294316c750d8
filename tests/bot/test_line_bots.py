"""The sample bots that read lines, in awk and Perl: they play every game, by the rules, in a real arena too."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from arena.bot.bridge.bridged import Bridged
from arena.bot.bridge.child import Child
from arena.bot.bridge.forms import json_lines, text_lines
from arena.bot.local import LocalMatch, play_match
from engine.action import Call, CallKind
from engine.game import Game
from engine.states import Termination
from playing import every_game
from sample_bots.python import random_bot

ROOT = Path(__file__).resolve().parents[2]
AWK = ["awk", "-W", "interactive", "-f", str(ROOT / "sample_bots" / "awk" / "awk_bot.awk")]
PERL = ["perl", str(ROOT / "sample_bots" / "perl" / "perl_bot.pl")]
BRIDGE = [sys.executable, "-m", "arena.bot.bridge"]
each_bot = pytest.mark.parametrize(("command", "form"), [(AWK, text_lines), (PERL, json_lines)], ids=["awk", "perl"])


def play(game: Game, command: list[str], form: Callable[..., str], said: list[str]) -> LocalMatch:
    """Let a program play a match against random bots, partners together."""
    with ExitStack() as leaving:

        def bridged() -> Bridged:
            child = Child(command, os.environ, say=said.append, gone=lambda failure: said.append(str(failure)))
            leaving.callback(child.wait)
            leaving.callback(child.stop)
            return Bridged(child, form=form, say=said.append)

        return play_match([bridged, random_bot.choose], game=game.name, seed=2)


@every_game
@each_bot
def test_a_program_plays_every_game(
    game: Game, command: list[str], form: Callable[..., str], capfd: pytest.CaptureFixture[str]
) -> None:
    """It plays to the end without a refusal or a warning, bids where there is an auction, and leaves a note."""
    said: list[str] = []
    match = play(game, command, form, said)
    assert match.termination in (Termination.SCORE, Termination.DEAL_LIMIT)
    mine = [move for move in match.transcript if match.places[move.seat] == 0 and not move.auto]
    calls = [move.action for move in mine if isinstance(move.action, Call)]
    assert not calls or {CallKind.PASS, CallKind.BID} <= {call.kind for call in calls}
    assert any(move.note == "from the top" for move in mine)
    assert said == []
    assert capfd.readouterr().err == ""


@each_bot
def test_a_program_says_what_was_refused(
    command: list[str], form: Callable[..., str], capfd: pytest.CaptureFixture[str]
) -> None:
    """A refusal goes to stderr, for its author."""
    child = Child(command, os.environ, say=print, gone=print)
    child.tell(form({"kind": "rejected", "decision_id": 3, "reason": "not_legal", "text": "DB-6.3: follow"}))
    child.stop()
    child.wait()
    assert re.fullmatch("refused: .*DB-6.3: follow\n", capfd.readouterr().err)


@every_game
def test_in_a_real_arena_awk_plays_perl(game: Game, tmp_path: Path) -> None:
    """Started by the arena as anybody would, on all seats of their sides, both play a match without trouble."""
    awk, perl = shlex.join([*BRIDGE, "--text", "--", *AWK]), shlex.join([*BRIDGE, "--", *PERL])
    done = subprocess.run(
        [sys.executable, "-m", "arena.cli", "match", awk, perl, "--game", game.name, "--seed", "1", "--json"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "ARENA_DATA": str(tmp_path / "data")},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    assert set(json.loads(done.stdout)["terminations"]) <= {"score", "deal_limit"}
    logs = list((tmp_path / "data" / "logs").rglob("*.stderr"))
    assert len(logs) == 2
    for line in "".join(log.read_text() for log in logs).splitlines():
        assert re.fullmatch("bridge: (lane [0-9]: )?(connected to .*|all matches are played|told to leave)", line)
