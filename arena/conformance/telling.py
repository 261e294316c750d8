"""Steps 41 to 43, 51 and 54: one and the same match, told late, in pieces, all at once, in haste, and not at all."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from arena.bot.testing import ScriptedMatch, welcome
from arena.conformance.course import carry_out, later, play_on, words
from arena.conformance.failed import Failed
from arena.conformance.long_past import long_past
from arena.conformance.stage import Stage
from arena.conformance.step import Part, step
from arena.v1 import play_pb2

_DELAY_SECONDS: Final = 0.4
_HUGE: Final = 1024**2
"""Bytes."""
_TO_READ_SECONDS: Final = 60.0
"""How long a bot may take to read that: the step is not about time, and some read ten thousand events a second."""
_LEFT_MS: Final = 500
"""What the clock has left."""
_TOLERANCE_SECONDS: Final = 0.1
"""What this machine may add to the time of an answer."""
_HASTY: Final = 3
"""Questions with such a clock."""
_SILENCE_SECONDS: Final = 2.0


@step(41, "delays", Part.HOSTILE, "play when every message comes late", "time")
def delays(stage: Stage) -> None:
    """So much is every message late."""
    match = ScriptedMatch(stage.any_game, seed="delays")

    def late(*events: play_pb2.Event) -> None:
        stage.pause(_DELAY_SECONDS)
        stream.say(*events)

    stage.start()
    stream = stage.stream()
    late(welcome())
    late(match.offer)
    late(*match.start(stage.ready(stream, match)))
    play_on(stream, match, lambda events: late(*events), most=4)


@step(42, "tiny", Part.HOSTILE, "play when every event comes in a message of its own", "in-one-minute")
def tiny(stage: Stage) -> None:
    """A deal."""
    match = ScriptedMatch(stage.any_game, seed="tiny")

    def in_pieces(events: Sequence[play_pb2.Event]) -> None:
        for event in events:
            stream.say(event)

    stage.start()
    stream = stage.meet()
    stream.say(match.offer)
    in_pieces(match.start(stage.ready(stream, match)))
    play_on(stream, match, in_pieces, deals=1)


@step(43, "huge", Part.HOSTILE, "play when events come in one message of 1 MiB", "in-one-minute")
def huge(stage: Stage) -> str:
    """The match begins with a message that tells of hundreds of deals."""
    match = ScriptedMatch(stage.any_game, seed="huge")
    past, deals = long_past(stage.any_game, _HUGE)

    def say(events: Sequence[play_pb2.Event]) -> None:
        stream.say(*(later(event, len(past), deals) for event in events))

    stage.start()
    stream = stage.meet()
    stream.say(match.offer)
    started, *dealt = match.start(stage.ready(stream, match))
    stream.say(started, *past, *(later(event, len(past), deals) for event in dealt))
    play_on(stream, match, say, most=4, within=_TO_READ_SECONDS)
    return f"{len(past):,} events"


@step(
    51,
    "clock",
    Part.HOSTILE,
    "answer within the half second that its clock has left",
    "time",
    alone=True,
)
def clock(stage: Stage) -> str:
    """Three times, after two answers without haste."""
    match = ScriptedMatch(stage.any_game, seed="clock")
    stage.start()
    stream = stage.meet()
    stage.begin(stream, match)
    play_on(stream, match, most=2)
    longest = 0.0
    for _ in range(_HASTY):
        asked = match.news()
        asked[-1].decision.clock.bank_ms = asked[-1].decision.clock.decision_ms = _LEFT_MS
        begun = time.monotonic()
        stream.say(*asked)
        choose = stream.choose(match.decision_id)
        longest = max(longest, time.monotonic() - begun)
        if longest > _LEFT_MS / 1000 + _TOLERANCE_SECONDS:
            raise Failed(f"it answered after {1000 * longest:.0f} ms: its clock had {_LEFT_MS} ms left")
        carry_out(match, choose)
    return f"{1000 * longest:.0f} ms"


@step(
    54,
    "silence",
    Part.HOSTILE,
    "bear 2 s in which the arena says nothing, without a word and without another stream",
    "time",
)
def silence(stage: Stage) -> None:
    """Another seat thinks."""
    match = ScriptedMatch(stage.any_game, seed="silence")
    stage.start()
    stream = stage.meet()
    stage.begin(stream, match)
    answered = match.decision_id
    carry_out(match, stream.choose(answered))
    if said := words(stream, _SILENCE_SECONDS, but=answered):
        raise Failed(f"it said {said}, and was not asked")
    if stage.arena.opened > 1:
        raise Failed("it opened another stream")
    stream.say(*match.news())
    play_on(stream, match, most=2)
