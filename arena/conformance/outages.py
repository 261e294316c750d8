"""Steps 40, 52, 53, 55 and 56: arenas that let nobody in, that stop, or that are not there."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import cycle, islice
from typing import Final

import grpc

from arena.bot.testing import ScriptedMatch, Stream, goodbye, welcome
from arena.conformance.course import play_on
from arena.conformance.failed import Failed
from arena.conformance.pauses import complaint
from arena.conformance.stage import HELLO_SECONDS, Stage
from arena.conformance.step import Part, step

_STREAMS: Final = 6
"""Streams one after the other: five pauses between them."""
_EARLY_SECONDS: Final = 1.0
"""How long after the bot its arena starts."""
_PATIENCE_SECONDS: Final = 2
_TOLERANCE_SECONDS: Final = 0.5
"""A bot counts from a moment of its own."""


@step(
    40,
    "flapping",
    Part.HOSTILE,
    "with six streams that break at once: never have two at a time, and wait longer each time",
    "when-the-stream-breaks",
    needs="hello",
    alone=True,
)
def flapping(stage: Stage) -> str:
    """None of them is made welcome."""
    stage.start()
    streams = _broken(stage, [grpc.StatusCode.UNAVAILABLE])
    return _pauses(stage, streams)


@step(
    52,
    "shutdown",
    Part.HOSTILE,
    "come back after GOODBYE_REASON_SHUTDOWN, and go on with its match",
    "refusals-strikes-and-faults",
)
def shutdown(stage: Stage) -> None:
    """Said while it is asked; the stream ends with OK."""
    match = ScriptedMatch(stage.any_game, seed="shutdown")
    stage.start()
    stream = stage.meet()
    stage.begin(stream, match)
    stage.take(stream, match)
    stream.say(*match.news(), goodbye("SHUTDOWN", "the arena stops"))
    stream.end()
    play_on(stage.resume(match), match, most=2)


@step(
    53,
    "busy",
    Part.HOSTILE,
    "come back after UNAVAILABLE and RESOURCE_EXHAUSTED, waiting longer each time",
    "refusals-strikes-and-faults",
    alone=True,
)
def busy(stage: Stage) -> str:
    """It is let in at the sixth attempt."""
    stage.start()
    streams = _broken(stage, [grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.UNAVAILABLE])
    match = ScriptedMatch(stage.any_game, seed="busy")
    streams[-1].say(welcome(), match.offer)
    stage.ready(streams[-1], match)
    return _pauses(stage, streams)


@step(
    55,
    "early",
    Part.HOSTILE,
    "find an arena that starts a second after it",
    "when-the-stream-breaks",
    needs="hello",
)
def early(stage: Stage) -> None:
    """Nobody listens before."""
    stage.arena.stop()
    stage.start()
    stage.pause(_EARLY_SECONDS)
    stage.arena.start()
    stage.meet()


@step(
    56,
    "nobody",
    Part.HOSTILE,
    "give up after ARENA_PATIENCE seconds without an arena, with an exit code that is not 0",
    "getting-in",
    needs="hello",
)
def nobody(stage: Stage) -> str:
    """ARENA_PATIENCE is 2."""
    stage.arena.stop()
    bot = stage.start(patience=_PATIENCE_SECONDS)
    code = bot.end(HELLO_SECONDS)
    lived = time.monotonic() - bot.started
    if lived < _PATIENCE_SECONDS - _TOLERANCE_SECONDS:
        raise Failed(f"it ended after {lived:.1f} s, with exit code {code}: ARENA_PATIENCE is {_PATIENCE_SECONDS}")
    if code == 0:
        raise Failed(f"it ended after {lived:.1f} s, with exit code 0")
    return f"{lived:.1f} s"


def _broken(stage: Stage, codes: Sequence[grpc.StatusCode]) -> list[Stream]:
    """The bot's next streams, all but the last of them ended with one of the statuses in turn."""
    streams = [stage.stream()]
    for code in islice(cycle(codes), _STREAMS - 1):
        streams[-1].end(code, "the arena is busy")
        streams.append(stage.stream())
    return streams


def _pauses(stage: Stage, streams: Sequence[Stream]) -> str:
    """How long the bot was away, in words. Raises Failed if it came back too soon."""
    if (most := stage.arena.most_at_once) > 1:
        raise Failed(f"it had {most} streams at a time, and ARENA_LANES is 1")
    opened = [stream.opened for stream in streams]
    if wrong := complaint(opened):
        raise Failed(wrong)
    return f"{len(opened) - 1} pauses, {opened[-1] - opened[0]:.1f} s together"
