"""How a match goes on: the bot's answers are taken and carried out, and what comes of them is told."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final

from arena.bot.testing import ScriptedMatch, Stream
from arena.conformance.failed import Failed
from arena.conformance.openings import free
from arena.v1 import play_pb2
from arena.wire import action_from_proto

ANSWER_SECONDS: Final = 10.0
"""How long a bot may think, where the step is not about that."""

Say = Callable[[Sequence[play_pb2.Event]], None]
"""Says events to the bot, in a way of its own."""


def play_on(
    stream: Stream,
    match: ScriptedMatch,
    say: Say | None = None,
    *,
    most: int | None = None,
    deals: int | None = None,
    freely: bool = False,
    judged: bool = False,
    within: float = ANSWER_SECONDS,
) -> int:
    """Take the answer to the open question, `say` what comes of it, and so on; the number of answers.

    It ends with the match, after so many deals or so many answers, and, `freely`, at the first question that leaves no
    choice; after the last answer nothing is said. Answers are `judged` as by `carry_out`.

    Raises Failed for an answer that the rules forbid.
    """
    given = 0
    while match.asked and (deals is None or match.view.deal_no < deals) and given != most:
        if freely and not free(match):
            break
        if given:
            (say or (lambda events: stream.say(*events)))(match.news())
        carry_out(match, stream.choose(match.decision_id, within), judged=judged)
        given += 1
    return given


def carry_out(match: ScriptedMatch, choose: play_pb2.Choose, *, judged: bool = False) -> None:
    """Take an answer to the open question.

    Unless it is `judged` where there is only one thing to do, that is done whatever the bot says: choosing it is
    another step. Raises Failed if the rules forbid the answer.
    """
    if len(match.legal) == 1 and not judged:
        choose = first(match)
    if refusal := match.answer(choose):
        raise Failed(f"{answered(choose)}: {refusal}")


def answered(choose: play_pb2.Choose) -> str:
    """An answer in words."""
    match choose.WhichOneof("choice"):
        case "index":
            what = f"index {choose.index}"
        case "action":
            action = action_from_proto(choose.action)
            what = f"'{action}'" if action is not None else "an action that is none"
        case _:
            what = "nothing at all"
    return f"it answered decision {choose.decision_id} with {what}"


def words(stream: Stream, seconds: float, *, but: int = -1) -> str:
    """What kind of message the bot says within so many seconds; empty if none. Raises Left if it leaves.

    Answers to the decision `but`, which it has answered already, are passed over: they are for another step.
    """
    deadline = time.monotonic() + seconds
    while (said := stream.quiet(deadline - time.monotonic())) is not None:
        kind = said.WhichOneof("message") or "an empty message"
        if kind != "choose" or said.choose.decision_id != but:
            return kind
    return ""


def first(match: ScriptedMatch) -> play_pb2.Choose:
    """The first action that is legal at the open question, as an answer."""
    return play_pb2.Choose(decision_id=match.decision_id, index=0)


def later(event: play_pb2.Event, events: int, deals: int = 0) -> play_pb2.Event:
    """The event as it is when so many events of so many deals have been before."""
    told = play_pb2.Event()
    told.CopyFrom(event)
    if told.seq:
        told.seq += events
    match told.WhichOneof("kind"):
        case "deal_started":
            told.deal_started.deal_no += deals
        case "deal_scored":
            told.deal_scored.deal_no += deals
        case "decision":
            told.decision.view.deal_no += deals
    return told
