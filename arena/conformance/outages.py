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
from arena.conformance.pauses import complaint, complaint_after_welcome
from arena.conformance.stage import HELLO_SECONDS, Stage
from arena.conformance.step import Part, step
from arena.process import BotProcess

_PASSING: Final = (
    grpc.StatusCode.RESOURCE_EXHAUSTED,
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.INTERNAL,
)
"""Statuses after which it is worth while to try again."""
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
    "come back after UNAVAILABLE, RESOURCE_EXHAUSTED, DEADLINE_EXCEEDED and INTERNAL, waiting longer each time, but "
    "soon again after a Welcome",
    "refusals-strikes-and-faults",
    alone=True,
)
def busy(stage: Stage) -> str:
    """It is let in at the sixth attempt; when it has given an answer the stream breaks."""
    stage.start()
    streams = _broken(stage, _PASSING)
    match = ScriptedMatch(stage.any_game, seed="busy")
    streams[-1].say(welcome(), match.offer)
    streams[-1].say(*match.start(stage.ready(streams[-1], match)))
    play_on(streams[-1], match, most=1)
    told = _pauses(stage, streams)
    broken = time.monotonic()
    streams[-1].break_off()
    again = stage.stream()
    if wrong := complaint_after_welcome([stream.opened for stream in streams], again.opened - broken):
        raise Failed(wrong)
    return told


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
    "give up after ARENA_PATIENCE seconds without an arena, since its start or since its last Welcome's stream ended, "
    "with an exit code that is not 0",
    "getting-in",
    needs="hello",
)
def nobody(stage: Stage) -> str:
    """ARENA_PATIENCE is 2. The arena is there for longer, and goes; when the bot is started again it never comes."""
    bot = stage.start(patience=_PATIENCE_SECONDS)
    stage.meet()
    stage.pause(_PATIENCE_SECONDS + _TOLERANCE_SECONDS)
    gone = time.monotonic()
    stage.arena.stop()
    _gives_up(bot, gone, "the stream of its Welcome had ended")
    bot = stage.start(patience=_PATIENCE_SECONDS)
    return f"{_gives_up(bot, bot.started, 'its start'):.1f} s"


def _gives_up(bot: BotProcess, since: float, what: str) -> float:
    """For how many seconds the bot looks for its arena before it ends."""
    code = bot.end(HELLO_SECONDS)
    looked = time.monotonic() - since
    if looked < _PATIENCE_SECONDS - _TOLERANCE_SECONDS:
        raise Failed(
            f"it ended {looked:.1f} s after {what}, with exit code {code}: ARENA_PATIENCE is {_PATIENCE_SECONDS}, and "
            "counts from there"
        )
    if code == 0:
        raise Failed(f"it ended {looked:.1f} s after {what}, with exit code 0")
    return looked


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
