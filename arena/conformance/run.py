"""Runs the steps with a bot, some side by side, and says of each how it went."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum

from arena.bot.testing import Left, Silence
from arena.conformance.program import Failed
from arena.conformance.stage import Stage
from arena.conformance.step import Step
from arena.launch import BotProgram


class Verdict(StrEnum):
    """How a step ended."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_REACHED = "not reached"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a step went: `told` is what the bot did, or what was measured; `printed` its last words if it failed."""

    step: Step
    verdict: Verdict
    seconds: float
    told: str = ""
    printed: str = ""


def check(program: BotProgram, steps: Sequence[Step], *, game: str = "", jobs: int = 1) -> Iterator[Outcome]:
    """The outcome of each step, in the order in which they end. The steps that others need come first."""
    failed: set[str] = set()
    named = {step.name for step in steps}
    needed = {step.needs for step in steps} & named
    first = [step for step in steps if step.name in needed]
    rest = [step for step in steps if step.name not in needed]
    for wave in (first, [step for step in rest if not step.alone], [step for step in rest if step.alone]):
        reached: list[Step] = []
        for step in wave:
            if _blocked(step, failed, steps):
                failed.add(step.name)
                yield Outcome(step, Verdict.NOT_REACHED, 0.0, f"it needs step {step.needs}")
            elif wave is first:  # one needs the other
                outcome = _tried(program, step, game)
                failed.update({step.name} if outcome.verdict is Verdict.FAILED else ())
                yield outcome
            else:
                reached.append(step)
        yield from _side_by_side(program, reached, game, 1 if reached and reached[0].alone else jobs)


def _blocked(step: Step, failed: set[str], steps: Iterable[Step]) -> bool:
    return step.needs in failed and any(step.needs == other.name for other in steps)


def _side_by_side(program: BotProgram, steps: Sequence[Step], game: str, jobs: int) -> Iterator[Outcome]:
    with ThreadPoolExecutor(max_workers=jobs, thread_name_prefix="step") as pool:
        yield from pool.map(lambda step: _tried(program, step, game), steps)


def _tried(program: BotProgram, step: Step, game: str) -> Outcome:
    begun = time.monotonic()
    with Stage(program, game) as stage:
        try:
            told = step.script(stage) or ""
        except (Failed, Silence, Left) as failure:
            return Outcome(step, Verdict.FAILED, time.monotonic() - begun, str(failure), _printed(stage))
    return Outcome(step, Verdict.PASSED, time.monotonic() - begun, told)


def _printed(stage: Stage) -> str:
    """The last lines that the bot printed."""
    return "\n".join(stage.bot().printed().splitlines()[-5:]) if stage.bots else ""
