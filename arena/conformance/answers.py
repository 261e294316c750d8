"""Steps 9 to 12 and 19: how a bot answers."""

from __future__ import annotations

import time
from typing import Final

from arena.bot.testing import ScriptedMatch, Stream
from arena.conformance.course import ANSWER_SECONDS, answered
from arena.conformance.failed import Failed
from arena.conformance.games import DRAWING
from arena.conformance.openings import free
from arena.conformance.stage import Stage
from arena.conformance.step import Part, step
from engine.action import DRAW

_QUIET_SECONDS: Final = 0.3
_IN_TIME_SECONDS: Final = 2.0
_QUESTIONS: Final = 8
_NOTE_BYTES: Final = 512
_MESSAGE_BYTES: Final = 64 * 1024


@step(
    9,
    "one-answer",
    Part.MANNERS,
    "answer each question once, and say nothing that it was not asked",
    "what-a-bot-may-do",
    needs="ready",
)
def one_answer(stage: Stage) -> None:
    """Eight questions, with silences between what is told."""
    stage.start()
    stream = stage.meet()
    _says_nothing(stream, "after Welcome")
    match = stage.match(stream, seed="one-answer", fits=free)
    stream.say(match.offer)
    nonce = stage.ready(stream, match)
    _says_nothing(stream, "after its Ready")
    stream.say(*match.start(nonce))
    answers: list[int] = []
    while match.asked and len(answers) < _QUESTIONS:
        request = stream.hear(ANSWER_SECONDS)
        if not request.HasField("choose"):
            raise Failed(f"it said {request.WhichOneof('message')} to decision {match.decision_id}")
        if request.choose.decision_id in answers:
            raise Failed(f"{answered(request.choose)} a second time")
        answers.append(request.choose.decision_id)
        if refusal := match.answer(request.choose):
            raise Failed(f"{answered(request.choose)}: {refusal}")
        news = match.news()
        question = news[-1:] if match.asked else []
        if len(answers) % 4 == 0:  # now it is told what happened, and asked later
            stream.say(*news[: len(news) - len(question)])
            _says_nothing(stream, "when it was not asked")
            stream.say(*question)
        else:
            stream.say(*news)


def _says_nothing(stream: Stream, when: str) -> None:
    said = stream.quiet(_QUIET_SECONDS)
    if said is None:
        return
    what = answered(said.choose) if said.HasField("choose") else f"it said {said.WhichOneof('message')}"
    raise Failed(f"{what} {when}")


@step(
    10,
    "index",
    Part.MANNERS,
    "choose the only action that there is: its index is 0",
    "what-a-bot-may-do",
    needs="ready",
    answer_will_do=True,
)
def index(stage: Stage) -> None:
    """A deal, up to the first question with one action: the last card at the latest."""
    stage.start()
    stream = stage.meet()
    match = stage.match(stream, stage.short_game, seed="index")
    stage.begin(stream, match)
    while len(match.legal) != 1:
        stage.take(stream, match)
        stream.say(*match.news())
        if not match.asked:
            raise RuntimeError("a match ended without a question with one action")
    stage.take(stream, match)


@step(11, "in-time", Part.MANNERS, "give ten answers, each within 2 s", "time", alone=True)
def in_time(stage: Stage) -> str:
    """The slowest of ten."""
    stage.start()
    stream = stage.meet()
    match = stage.match(stream, seed="in-time")
    slowest = 0.0
    stage.begin(stream, match)
    for number in range(10):
        if number:
            stream.say(*match.news())
        asked = time.monotonic()
        stage.take(stream, match, _IN_TIME_SECONDS)
        slowest = max(slowest, time.monotonic() - asked)
    return f"{1000 * slowest:.0f} ms at most"


@step(12, "note", Part.MANNERS, "keep notes under 512 bytes and messages under 64 KiB", "limits")
def note(stage: Stage) -> str:
    """Hello, Ready and ten answers."""
    stage.start()
    stream = stage.meet()
    match = stage.match(stream, seed="note")
    stream.say(match.offer)
    nonce = stage.ready(stream, match)
    sizes = [stream.hello.ByteSize(), len(nonce) + len(match.match_id)]
    notes = [0]
    stream.say(*match.start(nonce))
    for number in range(10):
        if number:
            stream.say(*match.news())
        choose = stage.take(stream, match)
        sizes.append(choose.ByteSize())
        notes.append(len(choose.note.encode()))
    if max(notes) > _NOTE_BYTES:
        raise Failed(f"it sent a note of {max(notes)} bytes")
    if max(sizes) > _MESSAGE_BYTES:
        raise Failed(f"it sent a message of {max(sizes)} bytes")
    return f"notes of {max(notes)} bytes at most"


@step(
    19,
    "draws-asked",
    Part.MANNERS,
    "draw when it is asked to, whatever its Hello said of auto_draw",
    "what-a-bot-may-do",
    games=DRAWING,
)
def draws_asked(stage: Stage) -> None:
    """Until it has drawn three times."""
    stage.start()
    stream = stage.meet()
    game = next(name for name in stage.plays if name in DRAWING)
    match = ScriptedMatch(game, seed="draws-asked", auto_draw=False)
    stage.begin(stream, match)
    drawn = 0
    while drawn < 3:
        drawn += DRAW in match.legal
        stage.take(stream, match)
        stream.say(*match.news())
