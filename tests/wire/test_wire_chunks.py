"""Bytes for a bot's stream: joined from remembered pieces, equal to what protobuf makes of the whole message."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from arena.v1 import play_pb2, view_pb2
from arena.wire import (
    action_to_proto,
    chunk,
    decision_chunk,
    event_chunk,
    event_from_proto,
    event_to_proto,
    time_left_to_proto,
    view_to_proto,
)
from arena.wire.pieces import Growing
from engine.action import PLAYS, Action, Play
from engine.clock import TimeLeft
from engine.event import CardDrawn, Event
from engine.view import Trick, View
from strategies import actions, events, times_left, tricks, views


def whole(event: play_pb2.Event) -> bytes:
    """The response with just this event, from protobuf alone."""
    return play_pb2.PlayResponse(events=[event]).SerializeToString(deterministic=True)


def question(decision_id: int, view: View, legal: list[Action], left: TimeLeft) -> play_pb2.Event:
    """The question as one message."""
    decision = play_pb2.Decision(
        decision_id=decision_id,
        view=view_to_proto(view),
        legal=map(action_to_proto, legal),
        clock=time_left_to_proto(left),
    )
    return play_pb2.Event(decision=decision)


@given(events, st.integers(0, 2**64 - 1))
def test_event_chunks_are_what_protobuf_makes(event: Event, seq: int) -> None:
    """Byte for byte."""
    assert event_chunk(event, seq) == whole(event_to_proto(event, seq))


@given(st.integers(0, 2**40), views, st.lists(actions, max_size=40), times_left)
def test_decision_chunks_are_what_protobuf_makes(
    decision_id: int, view: View, legal: list[Action], left: TimeLeft
) -> None:
    """Byte for byte, whatever stands in the view."""
    assert decision_chunk(decision_id, view, legal, left) == whole(question(decision_id, view, legal, left))


@given(views, st.lists(tricks, min_size=1, max_size=4), st.lists(tricks, min_size=1, max_size=4))
def test_views_that_grow_apart_are_told_apart(view: View, one: list[Trick], other: list[Trick]) -> None:
    """Tricks that begin with the same objects and go on differently, or end earlier, are not confused."""
    left = TimeLeft(0, 0)
    for more in (one, other, [], one + other, one):
        grown = replace(view, tricks=(*view.tricks, *more))
        assert decision_chunk(1, grown, [], left) == whole(question(1, grown, [], left))


def test_an_equal_action_that_is_another_object_is_offered_just_so() -> None:
    """Identity only makes it faster."""
    view = View(0, 0, 0, "play", (), (), (), ())
    for play in PLAYS.values():
        assert decision_chunk(0, view, [Play(play.card)], TimeLeft(0, 0)) == decision_chunk(
            0, view, [play], TimeLeft(0, 0)
        )


def test_whether_a_drawn_card_lay_open_makes_no_byte() -> None:
    """Two draws that differ in `shown` alone are remembered apart and told alike."""
    card = next(iter(PLAYS))
    assert event_chunk(CardDrawn(0, card, shown=True), 1) == event_chunk(CardDrawn(0, card), 1)


@given(st.lists(events, max_size=8))
def test_joined_chunks_are_one_response(told: list[Event]) -> None:
    """Chunks end to end parse as one response with all events in order."""
    response = play_pb2.PlayResponse.FromString(b"".join(event_chunk(event, seq) for seq, event in enumerate(told, 1)))
    assert [msg.seq for msg in response.events] == list(range(1, len(told) + 1))
    assert [event_from_proto(msg) for msg in response.events] == told


def test_maps_are_written_in_one_order() -> None:
    """Rules that were put together in another order give the same bytes."""
    rules = {f"option-{number}": str(number) for number in range(20)}
    backwards = dict(reversed(rules.items()))
    offers = [play_pb2.Event(match_offered=play_pb2.MatchOffered(rules=texts)) for texts in (rules, backwards)]
    assert chunk(offers[0]) == chunk(offers[1])


def test_a_memory_of_tuples_is_bounded() -> None:
    """After `most` different beginnings it starts afresh, and goes on to give the right bytes."""
    remembered = Growing[bytes](lambda item: item, most=3)
    for number in range(10):
        item = b"item %d" % number
        assert remembered((item,)) == item
        assert remembered((item, b"!")) == item + b"!"
        assert len(remembered._seen) <= 3


def test_only_what_is_new_is_serialised() -> None:
    """A tuple that has grown costs its new items alone."""
    asked: list[bytes] = []

    def piece(item: bytes) -> bytes:
        asked.append(item)
        return item

    remembered = Growing[bytes](piece)
    remembered((b"a", b"b"))
    assert remembered((b"a", b"b", b"c")) == b"abc"
    assert asked == [b"a", b"b", b"c"]


def test_an_empty_view_is_no_bytes_of_fields() -> None:
    """Fields that are zero, empty or unset are left out, as protobuf leaves them out."""
    nothing = View(0, 0, 0, "", (), (), (), ())
    response = play_pb2.PlayResponse.FromString(decision_chunk(0, nothing, [], TimeLeft(0, 0)))
    assert response.events[0].decision.view == view_pb2.View()
