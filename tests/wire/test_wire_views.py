"""Views and decisions on the wire."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.v1 import action_pb2, event_pb2, play_pb2, view_pb2
from arena.wire import (
    action_to_proto,
    decision_from_proto,
    time_left_to_proto,
    view_from_proto,
    view_to_proto,
)
from engine.action import PASS, Action
from engine.card import HIDDEN, Strain
from engine.clock import TimeLeft
from engine.event import CallMade
from engine.view import Trick, View
from strategies import actions, views

numbers = st.integers(-(2**31), 2**31 - 1)


@given(views)
def test_every_view_survives_the_wire(view: View) -> None:
    """What is written is read again as the same view."""
    assert view_from_proto(view_pb2.View.FromString(view_to_proto(view).SerializeToString())) == view


@given(views, st.lists(actions, min_size=1, max_size=20), st.integers(0, 10**6), st.integers(0, 10**6))
def test_a_decision_is_read_as_it_was_asked(view: View, legal: list[Action], decision_id: int, ms: int) -> None:
    """Id, view, actions in their order and time come back."""
    left = TimeLeft(ms * 1000, ms * 500 // 1000 * 1000)
    msg = play_pb2.Decision(
        decision_id=decision_id,
        view=view_to_proto(view),
        legal=map(action_to_proto, legal),
        clock=time_left_to_proto(left),
    )
    assert decision_from_proto(msg) == (decision_id, view, tuple(legal), left)


def test_an_action_of_a_later_version_keeps_its_place() -> None:
    """A bot can still choose by index among actions some of which it does not know."""
    msg = play_pb2.Decision(legal=[action_pb2.Action(), action_to_proto(PASS)])
    assert decision_from_proto(msg)[2] == (None, PASS)


def test_an_empty_table_is_not_no_table() -> None:
    """A seat that leads sees a trick without cards; between tricks there is none."""
    assert view_from_proto(view_pb2.View(table=view_pb2.Trick(leader=1))).table == Trick(1, ())
    assert view_from_proto(view_pb2.View()).table is None


def test_unknown_numbers_leave_a_view_that_can_be_used() -> None:
    """Unknown cards read as hidden, an unknown strain as none, or contract as none; unknown calls are left out."""
    passed = event_pb2.CallMade(seat=1, call=action_pb2.Call(kind=1))
    view = view_from_proto(
        view_pb2.View(
            hand=[18, 200],
            shown=500,
            trump=17,
            calls=[event_pb2.CallMade(call=action_pb2.Call(kind=77)), passed],
            contract=event_pb2.ContractSet(level=1, strain=1, multiplier=5),
            draws=[event_pb2.CardDrawn(seat=1, card=3)],
        )
    )
    assert view.hand == (18, HIDDEN)
    assert (view.shown, view.trump, view.contract) == (HIDDEN, Strain.NONE, None)
    assert view.calls == (CallMade(1, PASS),)
    assert [draw.card for draw in view.draws] == [HIDDEN]


@given(
    st.lists(numbers, max_size=5),
    numbers,
    st.lists(st.builds(lambda cards: view_pb2.Trick(cards=cards), st.lists(numbers, max_size=4)), max_size=3),
    st.builds(
        lambda level, strain, times: event_pb2.ContractSet(level=level, strain=strain, multiplier=times),
        st.integers(0, 2**32 - 1),
        numbers,
        st.integers(0, 8),
    ),
)
def test_any_view_message_is_a_view(
    cards: list[int], number: int, tricks: list[view_pb2.Trick], contract: event_pb2.ContractSet
) -> None:
    """Whatever numbers stand in it, a view is read, and what was read can be written and printed."""
    msg = view_pb2.View(hand=cards, shown=number, trump=number, tricks=tricks, contract=contract, kitty=cards)
    view = view_from_proto(msg)
    assert view_from_proto(view_to_proto(view)) == view
    assert str(view)
