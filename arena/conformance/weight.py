"""Steps 59 to 62: what a bot costs on this machine, in one long match with an arena that answers at once."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import count
from typing import Final

from arena.bot.testing import ScriptedMatch
from arena.conformance.course import first
from arena.conformance.failed import Failed
from arena.conformance.stage import Stage
from arena.conformance.step import Part, step
from engine.games import find

_START_SECONDS: Final = 10.0
_PACE: Final = 20.0
"""Decisions a second."""
_CPU_MS: Final = 50.0
"""For a decision."""
_GROWTH_MIB: Final = 64.0

_WARM: Final = (50, 3.0)
"""Decisions, and seconds if that comes first, before the pace and the processor time are measured."""
_MEASURED: Final = (400, 4.0)
"""Decisions, and seconds if that comes first, in which they are."""
_SETTLED: Final = (200, 10.0)
"""The same, before memory is measured."""
_WINDOW: Final = (1500, 20.0)
"""And in which it is."""
_ALL_SECONDS: Final = 40.0
_TOO_MUCH_MIB: Final = 512.0
"""What it may grow by while memory is measured again and again."""
_LOOK: Final = 25
"""Memory is looked at after so many decisions."""
_FAR: Final = 1_000_000
"""A target that no match reaches."""


@step(
    59,
    "start",
    Part.WEIGHT,
    "say Hello within 10 s of its start",
    "getting-in",
    needs="hello",
    alone=True,
)
def start(stage: Stage) -> str:
    """From the start of the program."""
    bot = stage.start()
    took = stage.stream().opened - bot.started
    if took > _START_SECONDS:
        raise Failed(f"it said Hello {took:.1f} s after its start")
    return f"{took:.2f} s"


@step(
    60,
    "pace",
    Part.WEIGHT,
    "make 20 decisions a second, in a match with an arena that answers at once",
    "time",
    alone=True,
)
def pace(stage: Stage) -> str:
    """As many as fit into the time."""
    course = _Course(stage)
    course.go_on(*_WARM)
    begun = time.monotonic()
    made = course.go_on(*_MEASURED)
    rate = made / (time.monotonic() - begun)
    if rate < _PACE:
        raise Failed(f"it made {rate:.1f} decisions a second")
    return f"{rate:,.0f} decisions a second"


@step(
    61,
    "cpu",
    Part.WEIGHT,
    "use at most 50 ms of processor time for a decision",
    "time",
    alone=True,
)
def cpu(stage: Stage) -> str:
    """Of the bot and all that it has started."""
    course = _Course(stage)
    course.go_on(*_WARM)
    before = stage.bot().weigh().cpu_seconds
    made = course.go_on(*_MEASURED)
    used = 1000 * (stage.bot().weigh().cpu_seconds - before) / made
    if used > _CPU_MS:
        raise Failed(f"it used {used:.1f} ms of processor time for a decision")
    return f"{used:.1f} ms"


@step(
    62,
    "memory",
    Part.WEIGHT,
    "grow by at most 64 MiB, after a warm-up of 200 decisions, in the next 1,500 (or as many as fit into 20 s)",
    "limits",
    alone=True,
)
def memory(stage: Stage) -> str:
    """A collector lets its heap grow until it sees a need to clean up. So a bot that has grown too much is measured
    again, and fails if it always grows so: a leak has no end.
    """
    course = _Course(stage)
    course.go_on(*_SETTLED)

    def grown() -> float:
        return stage.bot().weigh().resident_mib - before

    settled = stage.bot().weigh().resident_mib
    deadline = time.monotonic() + _ALL_SECONDS
    while True:
        before = stage.bot().weigh().resident_mib
        made = course.go_on(*_WINDOW, until=lambda: grown() > _GROWTH_MIB)
        growth, now = grown(), stage.bot().weigh().resident_mib
        if growth <= _GROWTH_MIB:
            return f"{now:.0f} MiB, grew by {growth:.1f} MiB in {made:,} decisions"
        if now - settled > _TOO_MUCH_MIB or time.monotonic() > deadline:
            raise Failed(f"it grew by {now - settled:.0f} MiB, at the end by {growth:.0f} MiB in {made:,} decisions")


class _Course:
    """Matches one after the other, each as long as can be. What the bot answers is not judged: only its weight is."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._numbers = count()
        stage.start()
        self._stream = stage.meet()
        self._match = self._begun()

    def go_on(self, most: int, seconds: float, *, until: Callable[[], bool] = lambda: False) -> int:
        """Let the bot answer so often, or as often as it can in so many seconds, or `until` that is so; how often."""
        deadline = time.monotonic() + seconds
        for made in range(1, most + 1):
            if not self._match.asked:
                self._stream.say(*self._match.news())
                self._match = self._begun()
            choose = self._stream.choose(self._match.decision_id)
            if self._match.answer(choose):
                self._match.answer(first(self._match))
            # A refusal is nothing to be heard of here: the question has been answered for the bot.
            self._stream.say(*(event for event in self._match.news() if not event.HasField("rejected")))
            if time.monotonic() > deadline or (made % _LOOK == 0 and until()):
                return made
        return most

    def _begun(self) -> ScriptedMatch:
        options = {option.name for option in find(self._stage.any_game).options}
        endless = {name: 0 for name in options if name.startswith("max_")} | {"target": _FAR}
        match = ScriptedMatch(self._stage.any_game, seed=f"weight-{next(self._numbers)}", rules=endless)
        self._stage.begin(self._stream, match)
        return match
