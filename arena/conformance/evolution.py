"""Steps 44 to 48: an arena that is newer than the bot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from arena.bot.testing import ScriptedMatch, Silence, Stream, goodbye, rejected, welcome
from arena.conformance.course import ANSWER_SECONDS, carry_out, first, later, play_on, words
from arena.conformance.failed import Failed
from arena.conformance.new_game import NewGame
from arena.conformance.newer import (
    FAR,
    ended_in_a_new_way,
    events_with_new_numbers,
    in_another_phase,
    new_action,
    new_event,
    place,
    with_new_calls,
    with_new_cards,
    with_new_fields,
)
from arena.conformance.stage import Stage
from arena.conformance.step import Part, step
from arena.v1 import play_pb2
from engine.effect import Rejection

_SECTION: Final = "what-will-not-change"
_CHANGES: Final[Sequence[Callable[[play_pb2.Decision], None]]] = (in_another_phase, with_new_cards, with_new_calls)
_PAUSE_SECONDS: Final = 0.3
"""How long a bot may take to say something that it need not say."""


@step(44, "unknown-fields", Part.HOSTILE, "skip fields that it does not know", _SECTION)
def unknown_fields(stage: Stage) -> None:
    """In every message and every message within it, for a deal."""
    match = ScriptedMatch(stage.any_game, seed="unknown-fields")

    def say(events: Sequence[play_pb2.Event]) -> None:
        stream.say(*map(with_new_fields, events))

    stage.start()
    stream = stage.stream()
    say([welcome()])
    say([match.offer])
    say(match.start(stage.ready(stream, match)))
    play_on(stream, match, say, deals=1)


@step(
    45,
    "unknown-events",
    Part.HOSTILE,
    "skip kinds of events that it does not know, and remember their seq",
    _SECTION,
)
def unknown_events(stage: Stage) -> None:
    """Two before every question, one of them with a seq; then the stream breaks."""
    match = ScriptedMatch(stage.any_game, seed="unknown-events")
    strangers = told = 0

    def say(events: Sequence[play_pb2.Event]) -> None:
        nonlocal strangers, told
        *happened, question = (later(event, strangers) for event in events)
        strangers += 1
        told = match.last_seq + strangers
        stream.say(*happened, new_event(told), new_event(), question)

    stage.start()
    stream = stage.meet()
    stream.say(new_event(), match.offer)
    say(match.start(stage.ready(stream, match)))
    play_on(stream, match, say, most=4)
    stream.break_off()
    resume = stage.meet().hello.resume
    if resume.match_id == match.match_id and resume.last_seq != told:
        raise Failed(
            f"its Hello says last_seq {resume.last_seq}: it was told of {told}, of a kind that it does not know"
        )


@step(
    46,
    "unknown-words",
    Part.HOSTILE,
    "play on when enums have values, and views words, that it does not know; say nothing to a refusal, and come back "
    "after a goodbye, for such a reason",
    _SECTION,
)
def unknown_words(stage: Stage) -> None:
    """In events, in questions, in actions, in a refusal, in the end of the match, and in the goodbye after it."""
    match = ScriptedMatch(stage.any_game, seed="unknown-words")
    stage.start()
    stream = stage.meet()
    stream.say(match.offer)
    asked = match.start(stage.ready(stream, match))
    for change in _CHANGES:
        change(asked[-1].decision)
        stream.say(*asked)
        place(stream.choose(match.decision_id), asked[-1].decision)
        match.answer(first(match))
        asked = match.news()
    *happened, question = asked
    strangers = events_with_new_numbers(match.last_seq + 1)
    stream.say(*happened, *strangers, question)
    answered = match.decision_id
    carry_out(match, stream.choose(answered))
    words(stream, _PAUSE_SECONDS, but=answered)
    refusal = rejected(answered, Rejection.ALREADY_DECIDED, "refused for a reason of tomorrow", decision_ms=None)
    refusal.rejected.reason = play_pb2.RejectionReason.ValueType(FAR)
    stream.say(refusal)
    if said := words(stream, _PAUSE_SECONDS):
        raise Failed(f"it said {said} to a refusal for a reason that it does not know, which is none with a strike")
    stream.say(*(later(event, len(strangers)) for event in match.news()))
    play_on(stream, match, most=1)
    match.break_off()
    *happened, end = (later(event, len(strangers)) for event in match.news())
    ended_in_a_new_way(end.match_ended)
    farewell = goodbye("SHUTDOWN", "for a reason of tomorrow")
    farewell.goodbye.reason = play_pb2.GoodbyeReason.ValueType(FAR)
    stream.say(*happened, end, farewell)
    stream.end()
    try:
        stage.meet()
    except Silence as silence:
        raise Silence(f"{silence}; a goodbye for a reason that it does not know is one as for SHUTDOWN") from None


@step(
    47,
    "unknown-actions",
    Part.HOSTILE,
    "choose among actions of which it knows none",
    _SECTION,
)
def unknown_actions(stage: Stage) -> str:
    """Twice, then it is asked as usual. It may also resign, and is then offered another match."""
    match = ScriptedMatch(stage.any_game, seed="unknown-actions")
    stage.start()
    stream = stage.meet()
    stream.say(match.offer)
    asked = match.start(stage.ready(stream, match))
    for _ in range(2):
        question = asked[-1].decision
        del question.legal[:]
        question.legal.extend(map(new_action, range(5)))
        stream.say(*asked)
        choose = _chosen(stream, question, match.match_id)
        if choose is None:
            match.resign()
            stream.say(*match.news())
            match = ScriptedMatch(stage.any_game, seed="unknown-actions-2")
            stage.begin(stream, match)
            play_on(stream, match, most=1)
            return "it resigned"
        place(choose, question)
        match.answer(first(match))
        asked = match.news()
    stream.say(*asked)
    play_on(stream, match, most=1)
    return ""


@step(
    48,
    "unknown-game",
    Part.HOSTILE,
    "play or decline a game that it has never heard of, and go on with the next",
    _SECTION,
)
def unknown_game(stage: Stage) -> str:
    """Three seats, a trade of cards, actions that are new; then a match of a game that it plays."""
    stage.start(game="")
    stream = stage.meet()
    if stream.hello.games:
        return "not offered: its Hello names the games that it plays"
    game = NewGame()
    stream.say(game.offer)
    told = "it declined the match"
    if _accepted(stream, game.match_id):
        told = "it played"
        stream.say(*game.started)
        for question in game.questions:
            stream.say(question)
            choose = _chosen(stream, question.decision, game.match_id)
            if choose is None:
                told = "it resigned"
                break
            place(choose, question.decision)
    stream.say(game.end)
    match = ScriptedMatch(stage.any_game, seed="unknown-game")
    stage.begin(stream, match)
    play_on(stream, match, most=3)
    return told


def _accepted(stream: Stream, match_id: str) -> bool:
    """Whether the bot says Ready to the match, and not that it resigns."""
    said = stream.hear(ANSWER_SECONDS)
    if match_id not in (said.ready.match_id, said.resign.match_id):
        raise Failed(f"it said {said.WhichOneof('message')} to the offer of match {match_id!r}")
    return said.HasField("ready")


def _chosen(stream: Stream, question: play_pb2.Decision, match_id: str) -> play_pb2.Choose | None:
    """The answer to a question; None if the bot resigns."""
    while True:
        said = stream.hear(ANSWER_SECONDS)
        if said.resign.match_id == match_id:
            return None
        if said.choose.decision_id == question.decision_id and said.HasField("choose"):
            return said.choose
        if not said.HasField("choose"):
            raise Failed(f"it said {said.WhichOneof('message')}, and was asked decision {question.decision_id}")
