"""The states of a match and the words in which it ends."""

from __future__ import annotations

from itertools import product

import pytest

from engine.states import TRANSITIONS, MatchState, Step, Termination, follow


def test_every_state_and_step_has_been_thought_of() -> None:
    """The table is complete: what is not in it is exactly this, and raises."""
    impossible = {(MatchState.ENDED, step) for step in Step} | {
        (MatchState.OFFERED, Step.DECIDED),
        (MatchState.OFFERED, Step.FORFEITED),
        (MatchState.PLAYING, Step.ALL_READY),
    }
    assert set(product(MatchState, Step)) - set(TRANSITIONS) == impossible
    for state, step in impossible:
        with pytest.raises(KeyError):
            follow(state, step)


def test_a_match_starts_only_when_all_are_ready() -> None:
    """Nothing else leads to PLAYING."""
    assert [key for key, after in TRANSITIONS.items() if after is MatchState.PLAYING] == [
        (MatchState.OFFERED, Step.ALL_READY)
    ]


def test_from_every_state_the_end_is_one_step_away_and_final() -> None:
    """A match can always be stopped (VOIDED), can be lost once it is played, and never comes back."""
    for state in (MatchState.OFFERED, MatchState.PLAYING):
        assert follow(state, Step.VOIDED) is MatchState.ENDED
    assert follow(MatchState.PLAYING, Step.FORFEITED) is MatchState.ENDED
    assert (MatchState.OFFERED, Step.FORFEITED) not in TRANSITIONS
    assert MatchState.ENDED not in {state for state, _ in TRANSITIONS}


def test_the_table_cannot_be_changed() -> None:
    """It is read only."""
    with pytest.raises(TypeError):
        TRANSITIONS[MatchState.ENDED, Step.DECIDED] = MatchState.PLAYING  # type: ignore[index]


def test_terminations_fall_into_three_kinds() -> None:
    """Played to the end, forfeited by a seat, or void: each termination is exactly one of these."""
    kinds = {ending: (ending.void, ending.forfeit) for ending in Termination}
    assert [ending for ending, kind in kinds.items() if kind == (False, False)] == [
        Termination.SCORE,
        Termination.DEAL_LIMIT,
    ]
    assert [str(ending) for ending, kind in kinds.items() if kind == (True, False)] == [
        "void_not_ready",
        "void_arena",
        "void_operator",
    ]
    assert (True, True) not in kinds.values()


def test_terminations_are_the_words_of_the_log() -> None:
    """They are written in replays and counted in reports by these words."""
    words = "score deal_limit timeout illegal malformed disconnect resign void_not_ready void_arena void_operator"
    assert " ".join(Termination) == words
