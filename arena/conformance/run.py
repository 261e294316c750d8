"""Runs the steps with a bot, some side by side, and says of each how it went."""

from __future__ import annotations

import threading
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from queue import Empty, SimpleQueue
from typing import Final

from arena.bot.testing import Left, Silence
from arena.conformance.catalogue import all_steps, steps_of
from arena.conformance.failed import Failed
from arena.conformance.stage import Stage
from arena.conformance.step import Step
from arena.errors import LONGEST, shortened
from arena.launch import BotProgram
from arena.plain import plain
from arena.process import NotAsExpected
from engine.games import registered

_FIRST: Final = "hello"
"""The step that finds out which games the bot plays."""
_LINES: Final = 8
"""So many lines of what a bot printed last are told when it fails a step."""
_LAST_WORDS_SECONDS: Final = 1.0
"""How long a bot that went silent may take to end, for a report that says so."""
_STOP_SECONDS: Final = 5.0
_WAKE_SECONDS: Final = 0.5


class Verdict(StrEnum):
    """How a step ended."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_REACHED = "not reached"
    LEFT_OUT = "left out"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a step went: `told` is what the bot did, or what was measured; `printed` its last lines if it failed."""

    step: Step
    verdict: Verdict
    seconds: float = 0.0
    told: str = ""
    printed: str = ""
    answered: bool = False
    """The bot gave an answer, be it a wrong one."""


def check(
    program: BotProgram, steps: Sequence[Step], *, game: str = "", jobs: int = 1
) -> Generator[Outcome, None, None]:
    """The outcome of each step, in the order in which they end; `jobs` are tried at the same time.

    A step begins when the one that it needs has been passed, if that is among them; step hello is tried in any case,
    and told if it fails. Steps that measure time come last, each alone. Whoever stops to listen ends all bots. Raises
    BotFailedError if there is no such program.
    """
    running = _Running(program, game)
    verdicts: dict[str, Verdict] = {}
    try:
        if any(step.needs for step in steps) and all(step.name != _FIRST for step in steps):
            running.start(steps_of([_FIRST])[0])
            outcome = running.ended()
            verdicts[_FIRST] = outcome.verdict
            if outcome.verdict is Verdict.FAILED:
                yield outcome
        yield from _in_turn(running, list(steps), verdicts, jobs)
    finally:
        running.stop()


def _in_turn(running: _Running, waiting: list[Step], verdicts: dict[str, Verdict], jobs: int) -> Iterator[Outcome]:
    while waiting or running.threads:
        named = {step.name for step in waiting} | set(running.threads)
        due = [step for step in waiting if not named.intersection(_before(step))]
        for step in due:
            outcome = _without_a_try(step, verdicts, running.plays, running.game)
            if outcome is not None:
                waiting.remove(step)
                verdicts[step.name] = outcome.verdict
                yield outcome
        for step in _next([step for step in due if step in waiting], len(running.threads), jobs):
            waiting.remove(step)
            running.start(step)
        if running.threads:
            outcome = running.ended()
            wrong_will_do = outcome.step.answer_will_do and outcome.answered
            verdicts[outcome.step.name] = Verdict.PASSED if wrong_will_do else outcome.verdict
            yield outcome


def _before(step: Step) -> tuple[str, ...]:
    """The names of the steps that it needs: the first of all, then what the one that it names needs, then that one."""
    if not step.needs:
        return ()
    known = {each.name: each for each in all_steps()}
    names, needed = [step.needs], known.get(step.needs)
    while needed is not None and needed.needs:
        names.append(needed.needs)
        needed = known.get(needed.needs)
    return tuple(dict.fromkeys((_FIRST, *reversed(names))))


def _next(due: Sequence[Step], busy: int, jobs: int) -> Sequence[Step]:
    """What can begin now, beside so many steps that are being tried: one that is to be alone when nothing else is."""
    together = [step for step in due if not step.alone]
    if together:
        return together[: max(0, jobs - busy)]
    return due[:1] if not busy else ()


def left_out_by(step: Step, game: str) -> bool:
    """The step is of other games than the one that the bot is checked with; `game` is empty for all."""
    return bool(game and step.games and game not in step.games)


def _without_a_try(step: Step, verdicts: Mapping[str, Verdict], plays: Sequence[str], game: str) -> Outcome | None:
    """The outcome of a step that cannot be tried; None for one that can. A step that was not tried counts as passed."""
    for needed in _before(step):
        if verdicts.get(needed, Verdict.PASSED) is not Verdict.PASSED:
            return Outcome(step, Verdict.NOT_REACHED, told=f"it needs step {needed}")
    if left_out_by(step, game):
        return Outcome(step, Verdict.LEFT_OUT, told=f"--game {game} leaves it out")
    if step.games and not set(step.games) & set(plays):
        return Outcome(step, Verdict.LEFT_OUT, told=f"{' or '.join(step.games)} is not played")
    return None


class _Running:
    """The steps that are being tried, each in a thread; `plays` are the games of the bot, as far as they are known.

    `game` is the one that it is checked with, empty for all.
    """

    def __init__(self, program: BotProgram, game: str) -> None:
        self.plays: tuple[str, ...] = (game,) if game else tuple(registered())
        self.threads: dict[str, threading.Thread] = {}
        self._program = program
        self.game = game
        self._stages: list[Stage] = []
        self._outcomes: SimpleQueue[Outcome | BaseException] = SimpleQueue()

    def start(self, step: Step) -> None:
        """Try the step."""
        stage = Stage(self._program, self.plays, self.game)
        self._stages.append(stage)
        thread = threading.Thread(target=self._try, args=(step, stage), name=f"step {step.name}", daemon=True)
        self.threads[step.name] = thread
        thread.start()

    def ended(self) -> Outcome:
        """Wait until a step has ended. Raises what is no fault of the bot's."""
        outcome = None
        while outcome is None:
            # Python hears of a signal that comes just before a wait begins only when the wait has ended.
            with suppress(Empty):
                outcome = self._outcomes.get(timeout=_WAKE_SECONDS)
        if isinstance(outcome, BaseException):
            raise outcome
        self.threads.pop(outcome.step.name).join()
        return outcome

    def stop(self) -> None:
        """End all bots and arenas, at once."""
        for stage in tuple(self._stages):
            stage.end()
        deadline = time.monotonic() + _STOP_SECONDS
        for thread in self.threads.values():
            thread.join(max(0.0, deadline - time.monotonic()))

    def _try(self, step: Step, stage: Stage) -> None:
        """The thread of a step."""
        begun = time.monotonic()
        try:
            with stage:
                outcome = _tried(step, stage, begun)
        except BaseException as error:  # noqa: BLE001 - whatever it is, who waits for the outcome must hear of it
            self._outcomes.put(error)
            return
        self._stages.remove(stage)
        if step.name == _FIRST:
            self.plays = stage.plays
        self._outcomes.put(outcome)


def _tried(step: Step, stage: Stage, begun: float) -> Outcome:
    try:
        told = step.script(stage) or ""
    except (Failed, NotAsExpected, Silence, Left) as failure:
        told = str(failure)
        if isinstance(failure, Silence | Left) and (ending := stage.ending(_LAST_WORDS_SECONDS)):
            told = f"{told}; {ending}"
        took = time.monotonic() - begun
        return Outcome(step, Verdict.FAILED, took, shortened(told), _printed(stage), stage.answered)
    return Outcome(step, Verdict.PASSED, time.monotonic() - begun, shortened(told), answered=stage.answered)


def _printed(stage: Stage) -> str:
    """The last lines that the bot printed, none too long, and without what steers a terminal."""
    lines = stage.bot().printed().splitlines()[-_LINES:] if stage.bots else []
    plain_lines = (plain(line.expandtabs(4)) for line in lines)  # indented as they were: a traceback is read by that
    return "\n".join(line if len(line) <= LONGEST else f"{line[:LONGEST]}..." for line in plain_lines)
