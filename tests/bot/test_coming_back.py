"""Bots that lose their arena, and find it again or give it up."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeAlias

import grpc
import pytest

from arena.bot import Answer, Decision, Settings, play
from arena.bot.testing import ScriptedArena, ScriptedMatch, goodbye, welcome
from bare_messages import asked, both, ended, offered, resumed, started
from stream_scripts import Noting, OneScriptArena, Responses, Talk, first, one_match

Serve: TypeAlias = Callable[..., OneScriptArena]


def test_a_stream_that_breaks_in_a_match_is_resumed(
    serve: Serve, noting: type[Noting], capfd: pytest.CaptureFixture[str]
) -> None:
    """The bot comes back by itself with what it has seen, and the start of the match is not told again."""

    def script(talk: Talk) -> Responses:
        yield welcome()
        if talk.number == 0:
            yield offered()
            talk.next()
            yield both(started(), asked(0))
            talk.next()
            talk.abort(grpc.StatusCode.UNAVAILABLE, "pulled the plug")
        yield both(resumed(), asked(2))
        talk.next()
        yield both(ended(), goodbye("FINISHED"))

    arena = serve(script)
    assert play(noting, Settings(arena.address)) == 0
    assert noting.notes == ["started m1", "choose 0", "choose 2", "ended m1"]
    assert arena.talks[1].hello.resume.match_id == "m1"
    said = capfd.readouterr().err
    assert "connection lost, trying again: pulled the plug" in said
    assert "connected again" in said


def test_a_bot_comes_back_when_the_arena_is_up_again(serve: Serve) -> None:
    """An arena that stops and comes back on its port finds its bot again, though it said goodbye."""

    def stopping(_: Talk) -> Responses:
        yield both(welcome(), goodbye("SHUTDOWN", "back in a minute"))

    arena = serve(stopping)
    result: list[int] = []
    thread = threading.Thread(target=lambda: result.append(play(first, Settings(arena.address))))
    thread.start()
    while not arena.talks:
        thread.join(0.01)
    arena.stop()
    arena.script = one_match
    back = time.monotonic()
    arena.start()
    thread.join(30)
    assert result == [0]
    assert sum(talk.stream.opened > back for talk in arena.talks) == 1


def test_patience_has_an_end(capfd: pytest.CaptureFixture[str]) -> None:
    """An arena that is never there is given up after the time that was set, with status 1 and two lines."""
    assert play(first, Settings("127.0.0.1:1", patience=0.3)) == 1
    lines = capfd.readouterr().err.splitlines()
    assert len(lines) == 2
    assert "no arena at 127.0.0.1:1 yet, trying again" in lines[0]
    assert "no arena at 127.0.0.1:1 for 0.3 s, giving up" in lines[1]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> FakeTime:
    """A clock for lanes that only the test moves; pauses are noted instead of waited for."""
    fake = FakeTime()
    monkeypatch.setattr("arena.bot.lane.time", fake)
    monkeypatch.setattr("arena.bot.lane.Lane._pause", lambda _, seconds: fake.pauses.append(seconds))
    return fake


class FakeTime:
    """Stands still."""

    def __init__(self) -> None:
        self.now = 0.0
        self.pauses: list[float] = []

    def monotonic(self) -> float:
        """Seconds since the test began."""
        return self.now


def test_a_bot_that_hangs_in_its_own_code_is_not_kept_by_an_arena_that_is_gone(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Nobody waits for its answer any more; so the program ends when patience does, with a line that says so."""
    asked_at, answer = threading.Event(), threading.Event()

    def hangs(decision: Decision) -> Answer:
        asked_at.set()
        answer.wait(60)
        return decision.legal[0]

    with ScriptedArena() as arena:
        status: list[int] = []
        bot = threading.Thread(target=lambda: status.append(play(hangs, Settings(arena.address, patience=1.0))))
        bot.start()
        stream, match = arena.stream(), ScriptedMatch("german-whist")
        stream.say(welcome(), match.offer)
        stream.say(*match.start(stream.ready().nonce))
        assert asked_at.wait(30)
        bot.join(2.5)
        assert bot.is_alive()  # it may think as long as it likes while the arena is there
        arena.stop()
        bot.join(30)
        assert status == [1]
    answer.set()
    said = capfd.readouterr().err
    assert f"no arena at {arena.address} for 1 s, giving up: the bot still thinks" in said
    assert "Traceback" not in said


def test_a_flapping_connection_makes_few_lines(
    serve: Serve, clock: FakeTime, capfd: pytest.CaptureFixture[str]
) -> None:
    """P07: twenty connections that break in a row leave one stream at a time, short pauses, and few lines."""
    running: list[int] = []
    most: list[int] = []

    def script(talk: Talk) -> Responses:
        running.append(talk.number)
        most.append(len(running))
        if talk.number < 20:
            yield both(welcome(), offered() if talk.number == 0 else resumed(), asked(talk.number))
            talk.next()
            running.remove(talk.number)
            talk.abort(grpc.StatusCode.UNAVAILABLE, "flap")
        yield both(welcome(), resumed(), ended(), goodbye("FINISHED"))

    arena = serve(script)
    assert play(first, Settings(arena.address)) == 0
    assert len(arena.talks) == 21
    assert max(most) == 1
    assert len(clock.pauses) == 20
    assert max(clock.pauses) <= 0.1, "a match went on on every one of them"
    assert len(capfd.readouterr().err.splitlines()) <= 21


def test_pauses_grow_while_nothing_is_played(serve: Serve, clock: FakeTime) -> None:
    """An arena that lets a bot in only to drop it is asked ever more rarely; it is there, so it is not given up."""

    def script(talk: Talk) -> Responses:
        yield welcome()
        clock.now += 1
        if talk.number == 7:
            yield goodbye("FINISHED")
        talk.abort(grpc.StatusCode.UNAVAILABLE, "no")

    arena = serve(script)
    assert play(first, Settings(arena.address, patience=3)) == 0
    assert len(arena.talks) == 8
    assert clock.pauses[-1] > clock.pauses[0] * 4


def test_an_arena_that_lets_nobody_in_is_given_up(
    serve: Serve, clock: FakeTime, capfd: pytest.CaptureFixture[str]
) -> None:
    """Where there is no Welcome there is no arena: patience ends on the dot, the last pause being cut short for it."""

    def script(talk: Talk) -> Responses:
        clock.now += 1
        talk.abort(grpc.StatusCode.UNAVAILABLE, "not yet")

    arena = serve(script)
    assert play(first, Settings(arena.address, patience=7.05)) == 1
    assert len(arena.talks) == 8
    assert clock.pauses[6] <= 0.05 + 1e-9
    assert f"no arena at {arena.address} for 7.05 s, giving up: not yet" in capfd.readouterr().err


def test_patience_begins_anew_with_every_success(serve: Serve, clock: FakeTime) -> None:
    """It is counted from the end of the last stream with a Welcome; from then a bot is as patient as at the start."""

    def script(talk: Talk) -> Responses:
        clock.now += 100
        if talk.number % 2:
            yield welcome()
        if talk.number == 5:
            yield goodbye("FINISHED")
        talk.abort(grpc.StatusCode.UNAVAILABLE, "no")

    arena = serve(script)
    assert play(first, Settings(arena.address, patience=150)) == 0
    assert len(arena.talks) == 6


def test_a_fault_of_the_arena_is_no_end(serve: Serve) -> None:
    """After an internal error of the arena the bot comes back."""

    def script(talk: Talk) -> Responses:
        yield welcome()
        if talk.number == 0:
            talk.abort(grpc.StatusCode.INTERNAL, "a fault of the arena")
        yield goodbye("FINISHED")

    arena = serve(script)
    assert play(first, Settings(arena.address)) == 0
    assert len(arena.talks) == 2
