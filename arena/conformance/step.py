"""What a step is, and the list of all of them in the order of proto/conformance.md."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from arena.conformance.stage import Stage


class Part(StrEnum):
    """The three parts of the kit."""

    MANNERS = "manners"
    HOSTILE = "hostile arena"
    WEIGHT = "weight"


Script = Callable[[Stage], str | None]
"""Plays a step, and returns what was measured, if anything.

Raises Failed, NotAsExpected, Silence or Left when the bot fails it.
"""


@dataclass(frozen=True, slots=True)
class Step:
    """One step. `expects` says what the bot is to do, after "expected:"; `section` is an anchor of proto/README.md.

    `needs` names the step without which this one cannot be tried, empty if there is none; `games` those with one of
    which it can be, empty for all. An `alone` step measures time, so nothing else runs beside it. What needs
    an `answer_will_do` step is tried if the bot gave any answer in that, be it a wrong one.
    """

    number: int
    name: str
    part: Part
    expects: str
    section: str
    script: Script
    needs: str = ""
    games: tuple[str, ...] = ()
    alone: bool = False
    answer_will_do: bool = False


STEPS: Final[list[Step]] = []
"""All steps, by number; filled by the modules that hold their scripts."""


def step(
    number: int,
    name: str,
    part: Part,
    expects: str,
    section: str,
    *,
    needs: str = "index",
    games: tuple[str, ...] = (),
    alone: bool = False,
    answer_will_do: bool = False,
) -> Callable[[Script], Script]:
    """Enter a script in the list of steps."""

    def enter(script: Script) -> Script:
        STEPS.append(Step(number, name, part, expects, section, script, needs, games, alone, answer_will_do))
        STEPS.sort(key=lambda known: known.number)
        return script

    return enter
