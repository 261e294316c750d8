"""Bots as programs of their own: the environment they are started with, signals, exit statuses."""

from __future__ import annotations

import io
import os
import queue
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import grpc
import pytest

from arena.bot import Answer, Bot, Decision, Settings
from arena.bot.conversation import Conversation
from arena.bot.lane import Lane
from arena.bot.link import Link
from arena.bot.report import Report
from arena.bot.testing import goodbye, welcome
from arena.v1 import play_pb2
from bare_messages import asked, both, ended, offered, started
from stream_scripts import OneScriptArena, Responses, Talk

Serve: TypeAlias = Callable[..., OneScriptArena]
Start: TypeAlias = Callable[..., "subprocess.Popen[str]"]

ROOT = Path(__file__).parents[2]
SECONDS = 30
"""Longer than anything here takes, on whatever machine."""

BOT = """
import signal
import time
from arena.bot import run


def choose(decision):
    if decision.decision_id == 99:
        time.sleep(1000)
    return 0

run(choose)
"""


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts the bot with an environment; it is killed if it is still there after the test."""
    program = tmp_path / "plain_bot.py"
    program.write_text(BOT)
    processes: list[subprocess.Popen[str]] = []

    def begin(*arguments: str, **environment: str) -> subprocess.Popen[str]:
        processes.append(
            subprocess.Popen(
                [sys.executable, str(program), *arguments],
                env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
                stderr=subprocess.PIPE,
                text=True,
            )
        )
        return processes[-1]

    yield begin
    for process in processes:
        process.kill()
        process.communicate()


def end_of(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Exit status and stderr of a bot that leaves."""
    _, said = process.communicate(timeout=SECONDS)
    return process.returncode, said


def test_the_environment_is_all_that_a_bot_needs(serve: Serve, start: Start) -> None:
    """The launch contract: server, token, game, lanes and seed come from the environment."""

    def script(_: Talk) -> Responses:
        yield both(welcome("tester"), goodbye("FINISHED", "all is played"))

    arena = serve(script)
    bot = start(
        ARENA_SERVER=arena.address,
        ARENA_TOKEN="arena_1_secret",
        ARENA_CA="",
        ARENA_GAME="draw-bridge",
        ARENA_LANES="2",
        ARENA_SEED="7",
    )
    status, said = end_of(bot)
    assert status == 0
    assert sorted(said.splitlines()) == [
        "plain_bot: all is played",
        f"plain_bot: lane 0: connected to {arena.address} as tester",
    ]
    assert sorted(talk.hello.lane for talk in arena.talks) == [0, 1]
    assert all(list(talk.hello.games) == ["draw-bridge"] for talk in arena.talks)
    assert all(talk.stream.metadata["authorization"] == "Bearer arena_1_secret" for talk in arena.talks)


def test_a_bot_whose_words_nobody_reads_leaves_too() -> None:
    """When the arena that started it was killed, the pipe for its words has no reader: it gives up all the same."""
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "sample_bots.python.random_bot"]
    environment = {**os.environ, "ARENA_SERVER": "127.0.0.1:9", "ARENA_PATIENCE": "0.5"}
    bot = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=writer, stderr=writer)
    os.close(writer)
    with bot:
        try:
            assert bot.wait(SECONDS) != 0
        finally:
            bot.kill()


def test_patience_comes_from_the_environment(start: Start) -> None:
    """A bot that finds no arena for ARENA_PATIENCE seconds says so, and ends with status 1."""
    status, said = end_of(start(ARENA_SERVER="127.0.0.1:9", ARENA_PATIENCE="0.2"))
    assert status == 1
    assert "plain_bot: no arena at 127.0.0.1:9 for 0.2 s, giving up: " in said.splitlines()[-1]


def test_the_bridge_is_as_patient_as_every_bot() -> None:
    """It finds no arena for ARENA_PATIENCE seconds, says so, and ends with its program, with status 1."""
    reader = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    environment = {**os.environ, "ARENA_SERVER": "127.0.0.1:9", "ARENA_PATIENCE": "0.2"}
    done = subprocess.run(
        [sys.executable, "-m", "arena.bot.bridge", "--", *reader],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    assert done.returncode == 1
    assert "bridge: no arena at 127.0.0.1:9 for 0.2 s, giving up: " in done.stderr.splitlines()[-1]


def test_sigterm_lets_a_match_be_finished(serve: Serve, start: Start) -> None:
    """A bot that is told to leave in a match plays it to the end, accepts no other, and leaves with status 0."""
    started_bot: queue.SimpleQueue[subprocess.Popen[str]] = queue.SimpleQueue()
    answers: list[int] = []
    rest: list[play_pb2.PlayRequest] = []

    def script(talk: Talk) -> Responses:
        yield both(welcome(), offered())
        talk.next()
        started_bot.get().terminate()
        for number in range(3):
            yield both(started(), asked(number))
            answers.append(talk.next().choose.decision_id)
        yield ended()
        rest.extend(talk.rest())

    arena = serve(script)
    bot = start("--server", arena.address)
    started_bot.put(bot)
    status, said = end_of(bot)
    arena.close()
    assert (status, answers, rest) == (0, [0, 1, 2], [])
    assert "told to leave" in said


@pytest.mark.parametrize("connected", [True, False])
def test_sigterm_ends_an_idle_bot_at_once(serve: Serve, start: Start, *, connected: bool) -> None:
    """Without a match there is nothing to wait for, whether or not there is an arena."""

    def script(talk: Talk) -> Responses:
        yield welcome()
        talk.rest()

    address = serve(script).address if connected else "127.0.0.1:1"
    bot = start("--server", address)
    assert bot.stderr is not None
    first_line = bot.stderr.readline()
    assert ("connected to" if connected else "trying again") in first_line
    bot.terminate()
    assert end_of(bot) == (0, "plain_bot: told to leave\n")


def test_sigint_ends_a_bot_in_the_middle_of_a_thought(serve: Serve, start: Start) -> None:
    """Ctrl-C does not wait for choose, and the arena sees the stream end."""
    gone: queue.SimpleQueue[bool] = queue.SimpleQueue()
    started_bot: queue.SimpleQueue[subprocess.Popen[str]] = queue.SimpleQueue()

    def script(talk: Talk) -> Responses:
        yield both(welcome(), offered())
        talk.next()
        yield both(started(), asked(99))
        started_bot.get().send_signal(signal.SIGINT)
        gone.put(not talk.rest())

    arena = serve(script)
    bot = start("--server", arena.address)
    started_bot.put(bot)
    status, said = end_of(bot)
    assert status == 130
    assert "Traceback" not in said
    assert gone.get(timeout=SECONDS)


def test_a_bot_that_leaves_does_not_look_for_its_match_for_ever(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """Told to leave in a match whose arena is gone, it gives up when the match could not be played any more."""
    monkeypatch.setattr("arena.bot.lane.AWAY_SECONDS", 0.2)
    lanes: list[Lane] = []

    class Leaving(Bot):
        def choose(self, _: Decision) -> Answer:
            lanes[0].leave()
            return 0

    def script(talk: Talk) -> Responses:
        if talk.number == 0:
            yield both(welcome(), offered())
            talk.next()
            yield both(started(), asked(0))
            talk.next()
        talk.abort(grpc.StatusCode.UNAVAILABLE, "gone")

    arena = serve(script)
    link = Link(Settings(arena.address))
    talk = Conversation(Leaving(), nonce=lambda: b"n" * 16)
    lanes.append(Lane(0, talk, link, Report("bot", out=io.StringIO()), patience=1000))
    ending = lanes[0].run()
    link.close()
    assert ending.status == 1
    assert "for 0.2 s, giving up: gone" in ending.text
    assert len(arena.talks) <= 5, "with pauses"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "plain_bot: there is no arena to play in: give --server HOST:PORT, or set ARENA_SERVER\n"),
        (["--server", "nowhere"], "'nowhere' is no address: write HOST:PORT, such as 127.0.0.1:7878\n"),
    ],
)
def test_a_wrong_start_is_one_line(start: Start, arguments: list[str], complaint: str) -> None:
    """A mistake of the user's is one line and status 2."""
    status, said = end_of(start(*arguments, ARENA_SERVER=""))
    assert status == 2
    assert said.endswith(complaint)
    assert said.count("\n") == 1
