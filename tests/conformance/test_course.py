"""How the kit carries out what a bot answers, and what it says of an answer that is none."""

from __future__ import annotations

import pytest

from arena.bot.testing import ScriptedMatch
from arena.conformance.course import carry_out, first
from arena.conformance.failed import Failed
from arena.conformance.openings import free
from arena.v1 import play_pb2


def test_what_is_wrong_with_an_answer_is_said_once() -> None:
    """Which answer it was, and why it was refused, in the words of the arena."""
    match = ScriptedMatch("german-whist", seed="course")
    match.start()
    assert free(match)
    many = len(match.legal)
    with pytest.raises(Failed) as failure:
        carry_out(match, play_pb2.Choose(decision_id=match.decision_id, index=99))
    assert str(failure.value) == (
        f"it answered decision {match.decision_id} with index 99: "
        f"index 99 is none of the {many} legal actions, which are 0 to {many - 1}"
    )


def test_the_only_action_is_judged_where_a_step_wants_it() -> None:
    """Elsewhere it is done, whatever the answer was."""
    match = ScriptedMatch("german-whist", seed="course")
    match.start()
    while len(match.legal) != 1:
        match.answer(first(match))
    asked = match.decision_id
    wrong = play_pb2.Choose(decision_id=asked, index=1)
    with pytest.raises(Failed, match=f"it answered decision {asked} with index 1: "):
        carry_out(match, wrong, judged=True)
    assert match.decision_id == asked
    carry_out(match, wrong)
    assert match.decision_id > asked
