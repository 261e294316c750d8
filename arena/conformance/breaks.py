"""Steps 31 to 39: streams that break in a match and between matches, and bots that come back."""

from __future__ import annotations

from typing import Final

from arena.bot.testing import ScriptedMatch, Stream
from arena.conformance.course import ANSWER_SECONDS, play_on
from arena.conformance.failed import Failed
from arena.conformance.stage import Stage, seen
from arena.conformance.step import Part, step

_SECTION: Final = "when-the-stream-breaks"
_ABSENCE_SECONDS: Final = 1.0
"""How long an arena that was killed is away."""
_READ_SECONDS: Final = (0.5, 3.0)
"""How long a bot may take to read one message; tried once more with the second if it seems to have taken longer."""


@step(
    31,
    "dropped-asked",
    Part.HOSTILE,
    "when the stream breaks before it has answered: come back, say in resume how far it got, and answer that question",
    _SECTION,
)
def dropped_asked(stage: Stage) -> None:
    """Broken off together with the third question: the bot may have seen it, or only what came with the second."""
    match = ScriptedMatch(stage.any_game, seat=1, seed="dropped-asked")
    stream = _begun(stage, match)
    play_on(stream, match, most=1)
    stream.say(*match.news())
    least = match.last_seq
    play_on(stream, match, most=1)
    stream.say(*match.news())
    stream.break_off()
    again = stage.resume(match)
    resume = again.hello.resume
    if not again.hello.HasField("resume"):
        raise Failed("it came back, and its Hello says nothing of the match: there is no resume")
    _resumes(again, match)
    if not least <= resume.last_seq <= match.last_seq:
        raise Failed(
            f"its Hello says last_seq {resume.last_seq}: it had answered after {least}, and was told up to "
            f"{match.last_seq}"
        )
    play_on(again, match, most=2)


@step(
    32,
    "answer-lost",
    Part.HOSTILE,
    "when its answer got lost with the stream: answer the same question again",
    _SECTION,
)
def answer_lost(stage: Stage) -> None:
    """The answer is heard, and forgotten."""
    match = ScriptedMatch(stage.any_game, seed="answer-lost")
    stream = _begun(stage, match)
    _move_on(stage, stream, match)
    stream.choose(match.decision_id, ANSWER_SECONDS)
    stream.break_off()
    play_on(stage.resume(match), match, most=2)


@step(
    33,
    "answer-counted",
    Part.HOSTILE,
    "when its answer had arrived: take what happened meanwhile, and answer the next question",
    _SECTION,
)
def answer_counted(stage: Stage) -> None:
    """The answer is carried out before the stream breaks."""
    match = ScriptedMatch(stage.any_game, seed="answer-counted")
    stream = _begun(stage, match)
    _move_on(stage, stream, match)
    stage.take(stream, match)
    stream.break_off()
    play_on(stage.resume(match), match, most=2)


@step(
    34,
    "dropped-idle",
    Part.HOSTILE,
    "when the stream breaks between matches: come back without resume, and take the next offer; when it breaks again: "
    "resume that match, from where it got in that",
    _SECTION,
)
def dropped_idle(stage: Stage) -> None:
    """A match ends; a moment later the stream breaks."""
    match = ScriptedMatch(stage.any_game, seed="dropped-idle")
    stream = _begun(stage, match)
    stage.take(stream, match)
    match.break_off()
    end = match.news()
    for seconds in _READ_SECONDS:
        stream.say(*end)
        stage.pause(seconds)
        stream.break_off()
        stream = stage.meet()
        if not stream.hello.HasField("resume"):
            break
        end = end[-1:]
    else:
        raise Failed(f"its Hello resumes match {stream.hello.resume.match_id!r}: it was told that its match has ended")
    following = ScriptedMatch(stage.any_game, seed="dropped-idle-2")
    stage.begin(stream, following)
    stream.break_off()
    again = stage.meet()
    if again.hello.HasField("resume"):
        _resumes(again, following)
        if again.hello.resume.last_seq > following.last_seq:
            raise Failed(
                f"its Hello says last_seq {again.hello.resume.last_seq} of its second match: it was told up to "
                f"{following.last_seq} of that, and up to {match.last_seq} of the first"
            )


@step(
    35,
    "awaits-ready",
    Part.HOSTILE,
    "say Ready again when it comes back to a match that has not begun",
    _SECTION,
    needs="ready",
)
def awaits_ready(stage: Stage) -> None:
    """Broken off after Ready, before the match starts."""
    match = ScriptedMatch(stage.any_game, seed="awaits-ready")
    stage.start()
    stream = stage.meet()
    stream.say(match.offer)
    stage.ready(stream, match)
    stream.break_off()
    again = stage.meet()
    again.say(match.resumed(awaits_ready=True))
    again.say(*match.start(stage.ready(again, match)))
    stage.take(again, match)


@step(
    36,
    "restarted",
    Part.HOSTILE,
    "find the arena again that was killed and is back a second later, and go on with its match",
    _SECTION,
)
def restarted(stage: Stage) -> None:
    """Nobody listens for a second."""
    match = ScriptedMatch(stage.any_game, seed="restarted")
    stream = _begun(stage, match)
    _move_on(stage, stream, match)
    stage.arena.stop()
    stage.pause(_ABSENCE_SECONDS)
    stage.arena.start()
    play_on(stage.resume(match), match, most=2)


@step(
    37,
    "started-anew",
    Part.HOSTILE,
    "after kill -9 and a fresh start: go on with the match that it knows nothing of",
    _SECTION,
)
def started_anew(stage: Stage) -> None:
    """Killed while it is asked."""
    match = ScriptedMatch(stage.any_game, seed="started-anew")
    stream = _begun(stage, match)
    _move_on(stage, stream, match)
    stage.bot().kill()
    stage.start()
    play_on(stage.resume(match), match, most=2)


@step(38, "chunks", Part.HOSTILE, "read what it missed in any number of messages", _SECTION)
def chunks(stage: Stage) -> None:
    """Each event in a message of its own, and between them messages without any."""
    match = ScriptedMatch(stage.any_game, seed="chunks")
    stream = _begun(stage, match)
    _move_on(stage, stream, match)
    stage.take(stream, match)
    stream.break_off()
    again = stage.meet()
    for event in (match.resumed(), match.started, *match.since(seen(again, match)), *stage.question(match)):
        again.say()
        again.say(event)
    play_on(again, match, most=2)


@step(
    39,
    "ended-away",
    Part.HOSTILE,
    "hear of the end of a match that ended while it was away, and take the next offer",
    _SECTION,
)
def ended_away(stage: Stage) -> None:
    """The end comes after Welcome, and the next offer after it."""
    match = ScriptedMatch(stage.any_game, seed="ended-away")
    stream = _begun(stage, match)
    _move_on(stage, stream, match)
    stream.break_off()
    again = stage.meet()
    match.break_off()
    following = ScriptedMatch(stage.any_game, seed="ended-away-2")
    again.say(match.news()[-1])
    again.say(following.offer)
    stage.ready(again, following)


def _resumes(stream: Stream, match: ScriptedMatch) -> None:
    """Its Hello names this match and this seat."""
    resume = stream.hello.resume
    if (resume.match_id, resume.seat) != (match.match_id, match.seat):
        raise Failed(
            f"its Hello resumes match {resume.match_id!r} in seat {resume.seat}: "
            f"it was in {match.match_id!r}, in seat {match.seat}"
        )


def _begun(stage: Stage, match: ScriptedMatch) -> Stream:
    """A stream on which the match has begun and the bot is asked."""
    stage.start()
    stream = stage.meet()
    stage.begin(stream, match)
    return stream


def _move_on(stage: Stage, stream: Stream, match: ScriptedMatch) -> None:
    """Take an answer, and ask again."""
    stage.take(stream, match)
    stream.say(*match.news())
