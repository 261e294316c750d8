"""What a newer arena says, made at the level of bytes."""

from __future__ import annotations

import pytest

from arena.bot.testing import ScriptedMatch
from arena.conformance.failed import Failed
from arena.conformance.newer import new_action, new_event, place, with_new_cards, with_new_fields
from arena.v1 import action_pb2, card_pb2, play_pb2
from engine.game import Game
from playing import every_game


@every_game
def test_new_fields_are_in_every_message_and_change_nothing_else(game: Game) -> None:
    """A reader that skips them has the event as it was; in view, actions and tricks there are some."""
    match = ScriptedMatch(game.name, seed="new fields")
    for event in (match.offer, *match.start()):
        newer = with_new_fields(event)
        told = play_pb2.Event.FromString(newer.SerializeToString())
        assert len(told.SerializeToString()) > event.ByteSize()
        if event.HasField("decision"):
            for old, new in (
                (event.decision.view, told.decision.view),
                (event.decision.legal[0], told.decision.legal[0]),
            ):
                assert new.ByteSize() > old.ByteSize()
        told.DiscardUnknownFields()
        assert told == event


def test_a_new_event_has_its_seq_and_no_kind() -> None:
    """After the bytes were sent and read."""
    told = play_pb2.Event.FromString(new_event(seq=12).SerializeToString())
    assert told.seq == 12
    assert told.WhichOneof("kind") is None
    assert told.ByteSize() > play_pb2.Event(seq=12).ByteSize()


def test_new_actions_are_told_apart_and_may_be_sent_back() -> None:
    """By their index, or as they were offered."""
    question = play_pb2.Decision(legal=map(new_action, range(3)))
    sent = play_pb2.Decision.FromString(question.SerializeToString())
    assert place(play_pb2.Choose(index=2), sent) == 2
    assert place(play_pb2.Choose(action=sent.legal[1]), question) == 1


@pytest.mark.parametrize(
    "choose",
    [
        play_pb2.Choose(),
        play_pb2.Choose(index=3),
        play_pb2.Choose(action=action_pb2.Action()),
        play_pb2.Choose(action=action_pb2.Action(draw=action_pb2.Draw())),
    ],
)
def test_what_was_not_offered_fails(choose: play_pb2.Choose) -> None:
    """No choice, an index out of range, an empty action, another action."""
    with pytest.raises(Failed, match="none of 3 legal actions"):
        place(choose, play_pb2.Decision(legal=map(new_action, range(3))))


def test_a_discard_is_the_same_in_any_order() -> None:
    """As it is for an arena."""
    cards = [card_pb2.CARD_C7, card_pb2.CARD_HA]
    question = play_pb2.Decision(legal=[action_pb2.Action(discard=action_pb2.Discard(cards=cards))])
    other_way = action_pb2.Action(discard=action_pb2.Discard(cards=cards[::-1]))
    assert place(play_pb2.Choose(action=other_way), question) == 0


@every_game
def test_a_question_with_new_cards_still_offers_the_old_ones(game: Game) -> None:
    """In the same places, with new ones behind them."""
    match = ScriptedMatch(game.name, seed="new cards")
    match.start()
    asked = match.question.decision
    with_new_cards(asked)
    offered = list(match.question.decision.legal)
    assert list(asked.legal)[: len(offered)] == offered
    assert len(asked.legal) == len(offered) + 2
