"""Actions on the wire."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.v1 import action_pb2, card_pb2
from arena.wire import action_from_proto, action_to_proto
from engine.action import DRAW, PASS, PLAYS, STRAIN_BIDS, Action, Discard, parse_action
from engine.card import PACK_52, SUITS, Card, Strain, parse_card
from strategies import actions

numbers = st.integers(-(2**31), 2**31 - 1)
near_cards = st.integers(-2, 90)


@given(actions)
def test_every_action_survives_the_wire(action: Action) -> None:
    """What is written is read again as the same action, also through bytes."""
    data = action_to_proto(action).SerializeToString()
    assert action_from_proto(action_pb2.Action.FromString(data)) == action


def test_read_actions_are_the_one_object_that_there_is() -> None:
    """Plays, calls and draws come back as the engine's own objects, which caches know by identity."""
    for action in (DRAW, PASS, *PLAYS.values(), *STRAIN_BIDS):
        assert action_from_proto(action_to_proto(action)) is action


def test_cards_and_strains_are_named_in_the_protocol_as_in_the_engine() -> None:
    """The enum of the protocol has exactly the engine's cards, `CARD_DT` for TD, and exactly its strains."""
    named = {name: number for name, number in card_pb2.Card.items() if number}
    assert named == {f"CARD_{str(card)[1]}{str(card)[0]}": int(card) for card in PACK_52}
    assert {number for _, number in card_pb2.Strain.items()} == {int(strain) for strain in Strain}
    assert [card_pb2.Strain.Name(suit) for suit in SUITS] == [f"STRAIN_{suit.name}" for suit in SUITS]


def test_a_discard_may_come_in_any_order() -> None:
    """The cards of a discard are put in ascending order."""
    cards = [parse_card(text) for text in ("TS", "8S", "TC")]
    msg = action_pb2.Action(discard=action_pb2.Discard(cards=map(int, cards)))
    assert action_from_proto(msg) == Discard(tuple(sorted(cards)))


@pytest.mark.parametrize(
    "msg",
    [
        action_pb2.Action(),
        action_pb2.Action(play=action_pb2.Play()),
        action_pb2.Action(play=action_pb2.Play(card=17)),
        action_pb2.Action(play=action_pb2.Play(card=-1)),
        action_pb2.Action(call=action_pb2.Call()),
        action_pb2.Action(call=action_pb2.Call(kind=5)),
        action_pb2.Action(call=action_pb2.Call(kind=1, level=1)),
        action_pb2.Action(call=action_pb2.Call(kind=1, strain=1)),
        action_pb2.Action(call=action_pb2.Call(kind=2)),
        action_pb2.Action(call=action_pb2.Call(kind=2, level=8, strain=1)),
        action_pb2.Action(call=action_pb2.Call(kind=2, level=2**32 - 1)),
        action_pb2.Action(call=action_pb2.Call(kind=2, level=1, strain=6)),
        action_pb2.Action(call=action_pb2.Call(kind=3, level=2, strain=2)),
        action_pb2.Action(discard=action_pb2.Discard()),
        action_pb2.Action(discard=action_pb2.Discard(cards=[18, 18])),
        action_pb2.Action(discard=action_pb2.Discard(cards=[18, 0])),
        action_pb2.Action(discard=action_pb2.Discard(cards=[18, 1000])),
    ],
    ids=lambda msg: str(msg).replace("\n", " ") or "nothing",
)
def test_what_is_no_action_is_none(msg: action_pb2.Action) -> None:
    """A message that stands for no action reads as None (P40, P42)."""
    assert action_from_proto(msg) is None


@given(
    st.one_of(
        st.builds(lambda card: action_pb2.Action(play=action_pb2.Play(card=card)), near_cards | numbers),
        st.builds(
            lambda kind, level, strain: action_pb2.Action(
                call=action_pb2.Call(kind=kind, level=level, strain=strain),
            ),
            st.integers(0, 5) | numbers,
            st.integers(0, 8) | st.integers(0, 2**32 - 1),
            st.integers(0, 6) | numbers,
        ),
        st.builds(
            lambda cards: action_pb2.Action(discard=action_pb2.Discard(cards=cards)),
            st.lists(near_cards | numbers, max_size=60),
        ),
    )
)
def test_any_action_message_is_an_action_or_none(msg: action_pb2.Action) -> None:
    """Whatever numbers a stranger sends, reading gives None or an action that has a text form and is in the pack."""
    action = action_from_proto(msg)
    if action is not None:
        assert parse_action(str(action)) == action
        assert action_from_proto(action_to_proto(action)) == action


def test_hidden_is_no_card_to_play() -> None:
    """The number of a hidden card stands for no action, though it is a Card."""
    assert action_from_proto(action_pb2.Action(play=action_pb2.Play(card=int(Card(0))))) is None
