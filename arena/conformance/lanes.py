"""Steps 24 and 25: several matches at the same time."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

import grpc

from arena.bot.testing import ScriptedMatch, Silence, Stream, goodbye
from arena.conformance.failed import Failed
from arena.conformance.openings import Opening, free
from arena.conformance.stage import Stage, seen
from arena.conformance.step import Part, step
from arena.process import NotAsExpected

_LANES: Final = 4
_APART: Final = 3
_ANSWERS: Final = 3
"""On each lane."""
_SETTLE_SECONDS: Final = 0.5
"""So long after one lane has been sent away a bot that ends for that has ended."""
_LEAVE_SECONDS: Final = 5.0


@step(
    24,
    "lanes",
    Part.MANNERS,
    "open four streams when ARENA_LANES is 4, numbered 0 to 3, and answer each question where it was asked",
    "getting-in",
)
def lanes(stage: Stage) -> None:
    """A match on each lane: the first questions one after the other, the next ones at the same time."""
    stage.start(lanes=_LANES)
    streams = stage.meet_lanes(_LANES)
    matches = _begin(stage, streams)
    for _ in range(_ANSWERS - 1):
        for stream, match in zip(streams, matches, strict=True):
            stream.say(*match.news())
        for lane in range(_LANES):
            _answer(stage, streams, matches, lane)
    if stage.arena.opened > _LANES:
        raise Failed(f"it opened {stage.arena.opened} streams, and ARENA_LANES is {_LANES}")


@step(
    25,
    "lanes-apart",
    Part.MANNERS,
    "answer on a lane while another waits; when one lane's stream breaks, bring back that one and no other; when one "
    "lane is dismissed or refused, finish the matches of the others",
    "when-the-stream-breaks",
)
def lanes_apart(stage: Stage) -> None:
    """Lane 0 waits for its next question while lane 1 plays, breaks and comes back. Lane 3 has no match."""
    stage.start(lanes=_LANES)
    streams = stage.meet_lanes(_LANES)
    matches = _begin(stage, streams, _APART)
    for _ in range(_ANSWERS - 1):
        streams[1].say(*matches[1].news())
        _answer(stage, streams, matches, 1)
    streams[1].break_off()
    streams[1] = stage.meet()
    if streams[1].hello.lane != 1:
        raise Failed(f"it came back on lane {streams[1].hello.lane}: the stream of lane 1 had broken")
    match = matches[1]
    streams[1].say(match.resumed(), match.started, *match.since(seen(streams[1], match)), *stage.question(match))
    _answer(stage, streams, matches, 1)
    for lane in (0, 2):
        for _ in range(_ANSWERS - 1):
            streams[lane].say(*matches[lane].news())
            _answer(stage, streams, matches, lane)
    if stage.arena.opened > _LANES + 1:
        raise Failed(f"it opened {stage.arena.opened - _LANES} streams more: only that of lane 1 had broken")
    _dismissed(stage, streams, matches)


def _dismissed(stage: Stage, streams: list[Stream], matches: list[ScriptedMatch]) -> None:
    """All is played on lane 3, lane 2 is taken over, and lane 1 is not let in again. Then lane 0 ends its match."""
    for lane, reason in ((3, "FINISHED"), (2, "REPLACED")):
        streams[lane].say(goodbye(reason))
        streams[lane].end()
        _plays_on(stage, streams, matches, f"lane {lane} was told GOODBYE_REASON_{reason}")
    streams[1].break_off()
    refused = stage.stream()
    if refused.hello.lane != 1:
        raise Failed(f"it came back on lane {refused.hello.lane}: the stream of lane 1 had broken")
    refused.end(grpc.StatusCode.INVALID_ARGUMENT, "lane 1: this arena lets in one lane")
    _plays_on(stage, streams, matches, "lane 1 was refused")
    matches[0].resign(1)
    streams[0].say(*matches[0].news())
    if stage.bot().end(_LEAVE_SECONDS) == 0:
        raise Failed("it ended with exit code 0, and lane 1 had been refused")


def _plays_on(stage: Stage, streams: list[Stream], matches: list[ScriptedMatch], why: str) -> None:
    """Lane 0 goes on when another lane has been sent away."""
    with suppress(NotAsExpected):
        code = stage.bot().end(_SETTLE_SECONDS)
        raise Failed(f"{why}, and all of it ended, with exit code {code}: lane 0 had a match in hand")
    if streams[0].left:
        raise Failed(f"{why}, and it left lane 0 too, which had a match in hand")
    streams[0].say(*matches[0].news())
    _answer(stage, streams, matches, 0)


def _begin(stage: Stage, streams: list[Stream], most: int = _LANES) -> list[ScriptedMatch]:
    """Begin a match on each lane, on so many at most, no two of the first ones with a card in common, and take its
    first answer.
    """
    matches: list[ScriptedMatch] = []
    opening = None
    for lane, stream in enumerate(streams[:most]):
        match = stage.match(stream, seed=f"lane-{lane}", fits=opening.unlike if opening and lane == 1 else free)
        matches.append(match)
        stage.begin(stream, match)
        opening = opening or Opening.of(match)
        _answer(stage, streams, matches, lane)
    return matches


def _answer(stage: Stage, streams: list[Stream], matches: list[ScriptedMatch], lane: int) -> None:
    """The lane's answer to its open question."""
    try:
        stage.take(streams[lane], matches[lane])
    except Silence as silence:
        for other, stream in enumerate(streams):
            if other != lane and stream.quiet(0.0) is not None:
                raise Failed(f"it was asked on lane {lane} and answered on lane {other}") from None
        raise Silence(f"{silence}, on lane {lane}") from None
