"""Laws of every game: whatever happens in it survives as text and on the wire."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.v1 import play_pb2
from arena.wire import (
    action_from_proto,
    action_to_proto,
    decision_chunk,
    decision_from_proto,
    event_chunk,
    event_from_proto,
    event_to_proto,
    time_left_to_proto,
    view_from_proto,
    view_to_proto,
)
from engine.action import parse_action
from engine.clock import TimeLeft
from engine.event import CardDrawn, Event, redact
from engine.game import Game
from engine.view import View
from playing import every_game, plans, steps


def without_shown(event: Event) -> Event:
    """The event as the wire tells it, which does not say whether a drawn card lay face up."""
    return replace(event, shown=False) if isinstance(event, CardDrawn) else event


def as_told(view: View) -> View:
    """The view as the wire tells it."""
    return replace(view, draws=tuple(replace(draw, shown=False) for draw in view.draws))


@every_game
@settings(max_examples=20)
@given(data=st.data())
def test_offered_actions_survive(game: Game, data: st.DataObject) -> None:
    """As text, and as a message with exactly the meaning that it was offered with."""
    for record in steps(game, data.draw(plans(game, most=120))):
        for action in record.match.legal():
            assert parse_action(str(action)) == action
            assert action_from_proto(action_to_proto(action)) == action


@every_game
@settings(max_examples=20)
@given(data=st.data())
def test_events_survive(game: Game, data: st.DataObject) -> None:
    """Every event of a match, with all cards and as each seat and a spectator are told it; in bytes too."""
    (*_, record) = steps(game, data.draw(plans(game, most=300)))
    for seq, event in enumerate(record.events, 1):
        for told in (event, *(redact(event, seat) for seat in (*range(len(game.sides)), None))):
            msg = event_to_proto(told, seq)
            assert event_from_proto(msg) == without_shown(told)
            assert event_chunk(told, seq) == play_pb2.PlayResponse(events=[msg]).SerializeToString()


@every_game
@settings(max_examples=8)
@given(data=st.data())
def test_views_and_decisions_survive(game: Game, data: st.DataObject) -> None:
    """Every view of every seat, and every question, whose bytes are those that protobuf makes of the whole message."""
    for record in steps(game, data.draw(plans(game))):
        match = record.match
        views = [match.view(seat) for seat in range(len(game.sides))]
        assert [view_from_proto(view_to_proto(view)) for view in views] == [as_told(view) for view in views]
        if match.turn is None:
            continue
        view, legal, left = views[match.turn], match.legal(), TimeLeft(59_000_000, 10_000_000 - match.actions * 1000)
        msg = play_pb2.Decision(
            decision_id=match.actions,
            view=view_to_proto(view),
            legal=map(action_to_proto, legal),
            clock=time_left_to_proto(left),
        )
        assert decision_from_proto(msg) == (match.actions, as_told(view), tuple(legal), left)
        whole = play_pb2.PlayResponse(events=[play_pb2.Event(decision=msg)]).SerializeToString()
        assert decision_chunk(match.actions, view, legal, left) == whole
