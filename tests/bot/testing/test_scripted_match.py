"""Scripted matches: every message is one that an arena could say, and dice play what the script leaves open."""

from __future__ import annotations

import pytest

from arena.bot.testing import ScriptedMatch, position, questions
from arena.v1 import match_pb2, play_pb2
from engine.deck import commitment
from engine.game import Game
from engine.games import find
from playing import every_game


def first(match: ScriptedMatch) -> play_pb2.Choose:
    """The first legal action."""
    return play_pb2.Choose(decision_id=match.decision_id, index=0)


@every_game
def test_a_match_is_told_without_a_gap_to_its_end(game: Game) -> None:
    """In each seat: events numbered from 1, every question answered, an end whose secret fits the commitment."""
    for seat in range(len(game.sides)):
        match = ScriptedMatch(game.name, seat=seat, seed=7, fair=True)
        told = match.start(b"n" * 16)
        while not match.over:
            assert told[-1].HasField("decision")
            assert told[-1].decision == match.question.decision
            match.answer(first(match))
            told += match.news()
        numbers = [event.seq for event in told if event.seq]
        assert numbers == list(range(1, len(numbers) + 1))
        end = told[-1].match_ended
        assert end.termination in (match_pb2.TERMINATION_SCORE, match_pb2.TERMINATION_DEAL_LIMIT)
        assert match.offer.match_offered.commitment == commitment(match.match_id, end.reveal.server_seed)
        assert end.reveal.nonces[seat] == b"n" * 16


def test_another_seat_can_give_up() -> None:
    """The match ends as an arena ends it, and the bot has won."""
    match = ScriptedMatch("draw-bridge", seed=1)
    match.start()
    match.resign(1)
    end = match.news()[-1].match_ended
    assert end.termination == match_pb2.TERMINATION_RESIGN
    assert list(end.outcomes) == [match_pb2.OUTCOME_WON, match_pb2.OUTCOME_LOST]


@every_game
def test_what_is_resumed_is_what_was_told(game: Game) -> None:
    """After any event of the deal, the rest of it is the same as it was when it happened."""
    match = ScriptedMatch(game.name, seat=1, seed="s")
    told = match.start()
    for _ in range(4):
        match.answer(first(match))
        told += match.news()
    happened = [event for event in told if event.seq]
    for seen in range(match.last_seq + 1):
        assert match.since(seen) == [event for event in happened if event.seq > seen]
    assert match.resumed().resumed.last_seq == happened[-1].seq


@every_game
def test_what_a_new_stream_was_told_is_no_news(game: Game) -> None:
    """A bot that answered, and lost its stream before it heard of that, is told each event once."""
    match = ScriptedMatch(game.name, seed="s")
    told = match.start()
    for _ in range(4):
        match.answer(first(match))
        told += match.since(max(event.seq for event in told))
    assert [event.seq for event in told if event.seq] == [*range(1, match.last_seq + 1)]
    assert [event for event in match.news() if event.seq] == []


def test_a_refusal_is_told_alone_and_the_question_stays_open() -> None:
    """An index out of range is malformed, a strike; as in an arena the same question does not come again."""
    match = ScriptedMatch("draw-bridge", seed=1)
    match.start()
    match.play_until()
    asked = match.question
    for _ in range(2):
        match.answer(play_pb2.Choose(decision_id=match.decision_id, index=99))
        (refusal,) = match.news()
        assert refusal.rejected.reason == play_pb2.REJECTION_REASON_MALFORMED
        assert match.question == asked
    match.answer(first(match))
    assert match.news()[-1].decision.decision_id > asked.decision.decision_id
    match.answer(play_pb2.Choose(decision_id=asked.decision.decision_id, index=0))
    (refusal,) = match.news()
    assert refusal.rejected.reason == play_pb2.REJECTION_REASON_ALREADY_DECIDED


def test_a_question_is_told_that_came_up_while_a_stray_answer_was_refused() -> None:
    """Only what the bot was told is not told again."""
    match = ScriptedMatch("draw-bridge", seed=1)
    match.start()
    asked = match.decision_id
    match.answer(first(match))
    match.answer(play_pb2.Choose(decision_id=asked, index=0))
    *_, refusal, question = match.news()
    assert refusal.rejected.reason == play_pb2.REJECTION_REASON_ALREADY_DECIDED
    assert question == match.question


@every_game
def test_the_same_seed_is_the_same_match(game: Game) -> None:
    """Cards and dice repeat; another seed has other cards."""

    def told(seed: int) -> list[play_pb2.Event]:
        match = ScriptedMatch(game.name, seed=seed, match_id="m")
        said = match.start()
        match.answer(first(match))
        return said + match.news()

    assert told(1) == told(1)
    assert told(1) != told(2)


@every_game
def test_only_a_fair_match_has_decks_of_the_nonces(game: Game) -> None:
    """Another nonce is another deck in a fair match, and none in one that is to be played again."""
    for fair in (True, False):
        first, second = (ScriptedMatch(game.name, seed=1, fair=fair) for _ in range(2))
        told = first.start(b"a" * 16), second.start(b"b" * 16)
        assert (told[0] == told[1]) is not fair
        assert len(told[0][0].match_started.nonces) == (len(game.sides) if fair else 0)


@every_game
def test_questions_come_from_every_phase_and_seat(game: Game) -> None:
    """Three hundred questions of a game show each of its phases, and each seat; all have something legal."""
    seen = list(questions(game.name, 300))
    assert len(seen) == 300
    assert {decision.seat for decision in seen} == set(range(len(game.sides)))
    for phase in {decision.phase for decision in seen}:
        assert position(game.name, phase, seed=4).phase == phase
    assert all(decision.legal for decision in seen)


def test_a_phase_that_a_game_does_not_have_is_named() -> None:
    """There is no discard in Draw Bridge, however long one plays."""
    assert find("draw-bridge")
    with pytest.raises(ValueError, match="never asked in a phase 'discard'"):
        position("draw-bridge", "discard")
