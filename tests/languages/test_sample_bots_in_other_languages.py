"""The sample bots in other languages than Python, playing in a real arena: games, decks, a killed arena, TLS."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from pathlib import Path

import psutil
import pytest

from certificates import Authority
from engine.game import Game
from engine.games import registered
from engine.states import Termination
from faults.crowded import address, check, crowd, drain, serve
from other_languages import LANGUAGES, Language, built
from playing import every_game
from real_arena import ROOT, Process, arena, run_arena

RANDOM = f"{sys.executable} -m sample_bots.python.random_bot"
DUEL = next(game for game in registered().values() if len(game.sides) == 2)


def in_play(data: Path) -> None:
    """Wait until a match is well under way: a bot that has not heard of it yet may leave without it."""
    deadline = time.monotonic() + 60
    while not any(path.stat().st_size > 3000 for path in (data / "running").glob("*.arp")):
        assert time.monotonic() < deadline, "no match is under way"
        threading.Event().wait(0.02)


def last_words(language: Language, **environment: str) -> list[str]:
    """What the bot says until it ends, with exit code 1."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
    done = subprocess.run(
        language.command,
        cwd=ROOT,
        env={**inherited, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    return done.stderr.splitlines()


def test_its_own_tests_pass(language: Language) -> None:
    """One that proves decks deals the vectors again, and finds out a changed card, share or secret."""
    done = subprocess.run(language.tests, cwd=language.folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@every_game
def test_it_plays_every_game(language: Language, game: Game, tmp_path: Path) -> None:
    """A match against the random bot is played out without a fault and verified; a bot that can proves its decks."""
    bot = " ".join(language.command)
    played = json.loads(run_arena("match", bot, RANDOM, "--game", game.name, "--json", "--data", str(tmp_path)))
    assert set(played["terminations"]) <= {"score", "deal_limit"}
    assert run_arena("replay", "verify", "--run", "match-1", "--data", str(tmp_path)).endswith("1 proved, 0 failed\n")
    (match,) = json.loads(run_arena("replay", "list", "--json", "--data", str(tmp_path)))
    assert "best of" in run_arena("replay", "show", match["match_id"], "--notes", "--data", str(tmp_path))
    (log,) = (tmp_path / "logs" / "match-1").glob(f"{language.name}_bot*.stderr")
    said = log.read_text()
    assert re.search(r"decks: fair, [1-9]\d* deals dealt again" if language.proves else language.end, said)
    assert "NOT FAIR" not in said
    assert "refused" not in said


def test_it_comes_back_to_a_killed_arena_and_leaves_after_its_match(language: Language, tmp_path: Path) -> None:
    """P30: it dials until the arena is back and goes on with its match; SIGTERM lets that end, then it is gone."""
    data, notes = tmp_path / "data", tmp_path / "notes"
    with serve(data, DUEL, "127.0.0.1:0") as first:
        server = address(first)
        other = crowd(server, notes, ["bot-1"], 1, "--think", "0.06")
        with other, Process(language.command, ARENA_SERVER=server, ARENA_NAME="bot-0") as bot:
            in_play(data)
            first.signal(signal.SIGKILL)
            first.wait()
            bot.wait_line("once more in")
            bot.signal(signal.SIGTERM)
            with serve(data, DUEL, server) as again:
                again.wait_line("listening on")
                assert bot.wait() == 0
                drain(again)
            ends = [line for line in bot.seen if language.end in line]
            assert len(ends) == 1
            assert "fair, 1 deals" in ends[0] or not language.proves
    played, *later = (result.termination for result in check(data, notes))
    assert played in (Termination.SCORE, Termination.DEAL_LIMIT)
    # It may have been offered another one, and did not take it.
    assert set(later) <= {Termination.VOID_NOT_READY}


def test_killed_and_started_anew_it_goes_on_with_its_match(language: Language, tmp_path: Path) -> None:
    """P36: a bot that remembers nothing is told its deal from the beginning, plays it out, and can prove its deck."""
    data, notes = tmp_path / "data", tmp_path / "notes"
    with serve(data, DUEL, "127.0.0.1:0") as served:
        server = address(served)
        with crowd(server, notes, ["bot-1"], 1, "--think", "0.06"):
            with Process(language.command, ARENA_SERVER=server, ARENA_NAME="bot-0") as first:
                in_play(data)
                first.signal(signal.SIGKILL)
            with Process(language.command, ARENA_SERVER=server, ARENA_NAME="bot-0") as again:
                again.wait_line("decks: fair, 1 deals" if language.proves else language.end)
                again.signal(signal.SIGTERM)
                assert again.wait() == 0
            drain(served)
    first_result, *_ = check(data, notes)
    assert first_result.termination in (Termination.SCORE, Termination.DEAL_LIMIT)


def test_a_missing_toolchain_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What is not run is said, with what would be needed; that is a failure under CI alone."""
    monkeypatch.setenv("PATH", str(tmp_path))
    for language in LANGUAGES:
        line = f"{language.name} {'.'.join(map(str, language.least))} or newer is not installed"
        monkeypatch.delenv("CI", raising=False)
        with pytest.raises(pytest.skip.Exception, match=line):
            built(language)
        monkeypatch.setenv("CI", "true")
        with pytest.raises(pytest.fail.Exception, match=line):
            built(language)


def test_make_bots_leaves_out_what_cannot_be_built(tmp_path: Path) -> None:
    """Whoever lacks a language gets the bots of the others, and is told what is missing."""
    make = shutil.which("make")
    assert make is not None
    foreign = {name: value for name, value in os.environ.items() if name != "CI" and not name.startswith("MAKE")}
    done = subprocess.run(
        [make, "bots"], cwd=ROOT, env={**foreign, "PATH": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert {f"{language.target} is not built" for language in LANGUAGES} == {
        line.partition(" is not installed: ")[2].partition("; ")[0] for line in done.stderr.splitlines()
    }


def test_they_play_each_other_over_tls_with_tokens(languages: list[Language], tmp_path: Path) -> None:
    """Registered, each with its token, they find the arena by its certificate; no token is printed."""
    data, authority = tmp_path / "data", Authority(tmp_path)
    certificate, key = authority.pair()
    trusted = tmp_path / "trusted.pem"
    trusted.write_bytes(authority.trusted)
    tokens = [run_arena("bot", "add", language.name, "--data", str(data)).strip() for language in languages]
    words = ["--listen", "127.0.0.1:0", "--tls-cert", str(certificate), "--tls-key", str(key), "--data", str(data)]
    with arena("serve", *words, "--game", DUEL.name) as served:
        server = address(served)
        with ExitStack() as all_of_them:
            bots = [
                all_of_them.enter_context(
                    Process(language.command, ARENA_SERVER=server, ARENA_CA=str(trusted), ARENA_TOKEN=token)
                )
                for language, token in zip(languages, tokens, strict=True)
            ]
            for language, bot in zip(languages, bots, strict=True):
                bot.wait_line(f"playing as {language.name}@1")
                bot.wait_line(language.end)
            for bot in bots:
                bot.signal(signal.SIGTERM)
            assert [bot.wait() for bot in bots] == [0 for _ in bots]
            assert not any(token in line for token in tokens for bot in bots for line in bot.seen)


@pytest.mark.parametrize(
    ("environment", "line"),
    [
        ({}, "ARENA_SERVER"),
        ({"ARENA_SERVER": "arena.example:7878", "ARENA_TOKEN": "arena_1_x"}, "in plain text: set ARENA_CA"),
        ({"ARENA_SERVER": "127.0.0.1:1", "ARENA_LANES": "none"}, "ARENA_LANES is"),
        ({"ARENA_SERVER": "127.0.0.1:1", "ARENA_CA": "/nowhere.pem"}, "/nowhere.pem"),
        ({"ARENA_SERVER": "127.0.0.1:1", "ARENA_PATIENCE": "soon"}, "ARENA_PATIENCE is"),
        ({"ARENA_SERVER": "127.0.0.1:1", "ARENA_PATIENCE": "-1"}, "ARENA_PATIENCE is"),
    ],
)
def test_what_it_cannot_do_it_says_in_a_line(language: Language, environment: dict[str, str], line: str) -> None:
    """A mistake in its environment ends it with exit code 1 and one line; a token is not sent in plain text."""
    (said,) = last_words(language, **environment)
    assert line in said
    assert "arena_1_x" not in said


@pytest.mark.parametrize("lanes", ["1", "3"])
def test_patience_has_an_end(language: Language, lanes: str) -> None:
    """A bot that finds no arena for ARENA_PATIENCE seconds ends with exit code 1 and one line that says so."""
    began = time.monotonic()
    said = last_words(language, ARENA_SERVER="127.0.0.1:1", ARENA_LANES=lanes, ARENA_PATIENCE="0.5")
    assert 0.5 <= time.monotonic() - began < 10
    assert "127.0.0.1:1 " in said[-1]
    assert ["giving up" in line for line in said] == [False] * (len(said) - 1) + [True]


def test_a_killed_arena_leaves_no_bots_behind(language: Language, tmp_path: Path) -> None:
    """Bots look for the arena that started them and was killed, and leave in the end: these, and those of the SDK."""
    impatient = (
        "import functools; from arena import cli, series; "
        "series.contract = functools.partial(series.contract, patience=3); cli.main()"
    )
    words = ("match", " ".join(language.command), RANDOM, "--matches", "10000", "--data", str(tmp_path))
    with Process([sys.executable, "-c", impatient, *words]) as killed:
        in_play(tmp_path)
        bots = psutil.Process(killed.pid).children(recursive=True)
        assert [bot.environ()["ARENA_PATIENCE"] for bot in bots] == ["3"] * 2
        killed.signal(signal.SIGKILL)
        killed.wait()
        _, left = psutil.wait_procs(bots, timeout=60)
        for bot in left:
            bot.kill()
        assert left == []
