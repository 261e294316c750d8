"""Steps 49 and 50: answers that are refused, and refusals of what is past."""

from __future__ import annotations

from typing import Final

from arena.bot.testing import ScriptedMatch, Stream, rejected
from arena.conformance.course import ANSWER_SECONDS, carry_out, play_on, words
from arena.conformance.failed import Failed
from arena.conformance.stage import Stage
from arena.conformance.step import Part, step
from arena.v1 import play_pb2
from engine.effect import Rejection

_SECTION: Final = "refusals-strikes-and-faults"
_ECHO_SECONDS: Final = 0.3
"""In which a bot that says everything twice says it again; that is for another step."""
_QUIET_SECONDS: Final = 1.0


@step(
    49,
    "rejected",
    Part.HOSTILE,
    "answer again, with an action from the list, after a refusal that was a strike",
    _SECTION,
)
def refused(stage: Stage) -> None:
    """Both kinds of strikes, in two questions; whatever it answers is refused."""
    match = ScriptedMatch(stage.any_game, seed="rejected")
    stage.start()
    stream = stage.meet()
    stage.begin(stream, match)
    for strikes, reason in enumerate((Rejection.NOT_LEGAL, Rejection.MALFORMED), start=1):
        _answer(stream, match)
        text = f"this answer is refused by the script, as {reason.name}"
        stream.say(rejected(match.decision_id, reason, text, strikes_left=3 - strikes))
        carry_out(match, _answer(stream, match))
        stream.say(*match.news())
    play_on(stream, match, most=1)


@step(
    50,
    "rejected-stray",
    Part.HOSTILE,
    "say nothing to a refusal that was none, and play on",
    _SECTION,
)
def refused_stray(stage: Stage) -> None:
    """One of each kind, while another seat is asked; none of them is about a question that is still open."""
    match = ScriptedMatch(stage.any_game, seed="rejected-stray")
    stage.start()
    stream = stage.meet()
    stage.begin(stream, match)
    play_on(stream, match, most=1)
    stream.say(*match.news())
    answered = match.decision_id
    carry_out(match, _answer(stream, match))
    stream.say(
        rejected(
            answered, Rejection.ALREADY_DECIDED, "it has been answered: the first answer counts", decision_ms=None
        ),
        rejected(answered + 1, Rejection.NOT_YOUR_TURN, "another seat is asked", decision_ms=None),
        rejected(answered + 999, Rejection.STALE_DECISION, "another decision is open", decision_ms=None),
    )
    if said := words(stream, _QUIET_SECONDS):
        raise Failed(f"it said {said} to refusals that were no strikes")
    stream.say(*match.news())
    play_on(stream, match, most=1)


def _answer(stream: Stream, match: ScriptedMatch) -> play_pb2.Choose:
    """The answer to the open question, and not its echo."""
    choose = stream.choose(match.decision_id, ANSWER_SECONDS)
    words(stream, _ECHO_SECONDS, but=match.decision_id)
    return choose
