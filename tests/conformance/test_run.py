"""In which order steps are tried, side by side or alone, and what becomes of those that cannot be."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator

import psutil
import pytest

from arena.conformance.failed import Failed
from arena.conformance.run import Outcome, Verdict, check
from arena.conformance.stage import Stage
from arena.conformance.step import Part, Step
from arena.launch import BotFailedError, BotProgram
from real_arena import gone

SLEEPER = BotProgram("sleeper", (sys.executable, "-c", "import time; time.sleep(600)"))


def made(name: str, script: Callable[[Stage], str | None], **terms: object) -> Step:
    """A step of this test's own."""
    return Step(1, name, Part.MANNERS, "do it", "time", script, **terms)  # type: ignore[arg-type]


def passed(_: Stage) -> None:
    """Nothing is asked of the bot."""


def failed(_: Stage) -> None:
    """Everything is."""
    raise Failed("it did nothing")


HELLO = made("hello", passed)


def verdicts(outcomes: Iterator[Outcome]) -> dict[str, Verdict]:
    """How each step ended."""
    return {outcome.step.name: outcome.verdict for outcome in outcomes}


def test_what_a_failed_step_would_have_led_to_is_not_reached() -> None:
    """Nor what that would have led to; all else is tried, whatever the order in which steps are given."""
    steps = [
        made("third", passed, needs="second"),
        made("second", passed, needs="first"),
        made("first", failed, needs="hello"),
        made("beside", passed, needs="hello"),
        HELLO,
    ]
    assert verdicts(check(SLEEPER, steps)) == {
        "hello": Verdict.PASSED,
        "first": Verdict.FAILED,
        "second": Verdict.NOT_REACHED,
        "third": Verdict.NOT_REACHED,
        "beside": Verdict.PASSED,
    }


def test_steps_of_games_that_the_bot_does_not_play_are_left_out() -> None:
    """What it plays is what its first step finds out."""

    def plays_smear(stage: Stage) -> None:
        stage.plays = ("smear",)

    games: list[tuple[str, ...]] = []

    def notes(stage: Stage) -> None:
        games.append(stage.plays)

    steps = [
        made("hello", plays_smear),
        made("bridge", notes, needs="hello", games=("draw-bridge",)),
        made("cards", notes, needs="hello", games=("draw-bridge", "smear")),
    ]
    found = verdicts(check(SLEEPER, steps))
    assert found == {"hello": Verdict.PASSED, "bridge": Verdict.LEFT_OUT, "cards": Verdict.PASSED}
    assert games == [("smear",)]


def test_the_first_step_is_tried_even_if_nobody_asks_for_it() -> None:
    """It is told when it fails, and then nothing else is reached but what needs no Hello."""
    dead = BotProgram("dead", (sys.executable, "-c", "raise SystemExit(3)"))
    steps = [made("free", passed), made("deal", passed, needs="ready")]
    outcomes = {outcome.step.name: outcome for outcome in check(dead, steps)}
    assert {name: outcome.verdict for name, outcome in outcomes.items()} == {
        "hello": Verdict.FAILED,
        "free": Verdict.PASSED,
        "deal": Verdict.NOT_REACHED,
    }
    assert outcomes["hello"].told == "the bot ended without a Hello; its exit code is 3"
    assert outcomes["deal"].told == "it needs step hello"


@pytest.mark.parametrize(("answered", "then"), [(True, Verdict.PASSED), (False, Verdict.NOT_REACHED)])
def test_a_bot_that_never_answers_is_not_asked_in_every_step(*, answered: bool, then: Verdict) -> None:
    """What asks is not reached, without a wait each; after a wrong answer it is tried."""

    def asks(stage: Stage) -> None:
        stage.answered = answered
        raise Failed("it did not answer as it should")

    steps = [HELLO, made("index", asks, needs="hello", answer_will_do=True), made("deal", passed, needs="index")]
    found = {outcome.step.name: outcome for outcome in check(SLEEPER, steps, jobs=3)}
    assert found["index"].verdict is Verdict.FAILED
    assert found["deal"].verdict is then
    assert found["deal"].told == ("" if answered else "it needs step index")


def test_a_step_waits_for_all_that_comes_before_what_it_needs() -> None:
    """Also where the one between them is not asked for; the first that was not passed is named."""
    steps = [HELLO, made("ready", failed, needs="hello"), made("deal", passed, needs="index")]
    told = {outcome.step.name: outcome.told for outcome in check(SLEEPER, steps, jobs=3)}
    assert told["deal"] == "it needs step ready"


@pytest.mark.parametrize("jobs", [1, 3])
def test_so_many_steps_are_tried_at_the_same_time(jobs: int) -> None:
    """As many as are asked for; those that are to be alone come last, one by one, with nothing beside them."""
    lock, now, most, order = threading.Lock(), set[str](), [0], list[str]()
    together = threading.Barrier(jobs, timeout=30)

    def script(name: str, *, alone: bool) -> Callable[[Stage], None]:
        def play(_: Stage) -> None:
            with lock:
                now.add(name)
                order.append(name)
                most[0] = max(most[0], len(now))
                assert not alone or now == {name}
            if not alone:
                together.wait()
            with lock:
                now.discard(name)

        return play

    steps = [HELLO, made("a", script("a", alone=True), alone=True, needs="hello")]
    steps += [made(name, script(name, alone=False), needs="hello") for name in ("b", "c", "d")]
    steps += [made("e", script("e", alone=True), alone=True, needs="hello")]
    assert set(verdicts(check(SLEEPER, steps, jobs=jobs)).values()) == {Verdict.PASSED}
    assert most == [jobs]
    assert order[3:] == ["a", "e"]


def test_a_fault_of_the_kit_is_no_failure_of_the_bot() -> None:
    """It is raised where the outcomes are read, and the bots of the other steps are ended."""
    started: list[int] = []
    waiting = threading.Event()

    def starts(stage: Stage) -> None:
        started.append(stage.start().pid)
        waiting.set()
        stage.stream(60)

    def breaks(_: Stage) -> None:
        assert waiting.wait(30)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(check(SLEEPER, [made("a", starts), made("b", breaks)], jobs=2))
    assert not any(map(psutil.pid_exists, started))


def test_who_stops_to_listen_ends_all_bots() -> None:
    """Nothing that was started is left, and nothing is started any more."""
    started: list[int] = []
    waiting = threading.Event()

    def starts(stage: Stage) -> None:
        started.append(stage.start().pid)
        waiting.set()
        stage.stream(60)

    outcomes = check(SLEEPER, [made("a", starts), made("b", passed), made("c", starts)], jobs=2)
    assert next(outcomes).step.name == "b"
    assert waiting.wait(30)
    outcomes.close()
    assert started
    assert not any(map(psutil.pid_exists, started))


def test_what_a_bot_started_and_left_behind_is_ended_too() -> None:
    """A bot may end and leave a process; it is ended with the step."""
    code = "import subprocess, sys; print(subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']).pid)"
    left: list[int] = []

    def starts(stage: Stage) -> None:
        bot = stage.start()
        bot.end(30)
        left.append(int(bot.printed()))

    assert verdicts(check(BotProgram("parent", (sys.executable, "-c", code)), [made("a", starts)])) == {
        "a": Verdict.PASSED
    }
    assert len(left) == 1
    assert gone(left[0])


def test_what_a_bot_says_is_told_in_few_words_that_steer_no_terminal() -> None:
    """Of what it printed the last lines, of a long one the beginning; of what it did, too."""
    code = "print('first'); print('\\x1b[2J' + 'x' * 5000 + '\\n' * 7 + '\\tlast')"

    def says(stage: Stage) -> None:
        stage.start().end(30)
        raise Failed("it said '\x1b[2J" + "y" * 5000)

    outcome = next(check(BotProgram("loud", (sys.executable, "-c", code)), [made("a", says)]))
    assert outcome.told == "it said '\\x1b[2J" + "y" * 384 + "..."
    assert outcome.printed == "\\x1b[2J" + "x" * 393 + "...\n\n\n\n\n\n\n    last"


def test_a_program_that_the_system_cannot_start_is_said(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A file that says it can be executed, and cannot: an error in a line, no failed step."""
    program = tmp_path_factory.mktemp("bots") / "bot"
    program.write_bytes(b"\0")
    program.chmod(0o755)

    def starts(stage: Stage) -> None:
        stage.start()

    with pytest.raises(BotFailedError, match="bot x does not start: exec format error"):
        list(check(BotProgram("x", (str(program),)), [made("a", starts)]))
