"""Events on the wire."""

from __future__ import annotations

from dataclasses import replace

import pytest
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st

from arena.v1 import action_pb2, event_pb2, play_pb2
from arena.wire import event_from_proto, event_to_proto
from engine.card import PACK_52
from engine.event import CardDrawn, Event
from strategies import events, seats


@given(events, st.integers(0, 2**64 - 1))
def test_every_event_survives_the_wire(event: Event, seq: int) -> None:
    """What is written is read again as the same event, and keeps its number."""
    msg = play_pb2.Event.FromString(event_to_proto(event, seq).SerializeToString())
    assert event_from_proto(msg) == event
    assert msg.seq == seq


@given(st.builds(CardDrawn, seats, st.sampled_from(PACK_52), st.just(True)))
def test_whether_a_drawn_card_lay_open_is_not_told(event: CardDrawn) -> None:
    """A draw of a face-up card is told like any draw whose card the reader may see."""
    assert event_to_proto(event) == event_to_proto(replace(event, shown=False))
    assert event_from_proto(event_to_proto(event)) == replace(event, shown=False)


def _event(**kind: object) -> play_pb2.Event:
    return play_pb2.Event(**kind)


@pytest.mark.parametrize(
    "msg",
    [
        _event(),
        _event(decision=play_pb2.Decision()),
        _event(welcome=play_pb2.Welcome()),
        _event(match_ended=play_pb2.MatchEnded()),
        _event(card_played=event_pb2.CardPlayed(card=15)),
        _event(card_drawn=event_pb2.CardDrawn(card=-7)),
        _event(top_card_shown=event_pb2.TopCardShown(card=99)),
        _event(hand_dealt=event_pb2.HandDealt(cards=[18, 17])),
        _event(kitty_taken=event_pb2.KittyTaken(cards=[2**31 - 1])),
        _event(discarded=event_pb2.Discarded(cards=[31])),
        _event(call_made=event_pb2.CallMade()),
        _event(call_made=event_pb2.CallMade(call=action_pb2.Call(kind=2, level=9))),
        _event(contract_set=event_pb2.ContractSet(level=1, strain=9, multiplier=1)),
        _event(contract_set=event_pb2.ContractSet(level=1, strain=1, multiplier=3)),
        _event(trump_named=event_pb2.TrumpNamed(strain=6)),
        _event(deal_scored=event_pb2.DealScored(shown=[event_pb2.Discarded(cards=[1])])),
    ],
    ids=lambda msg: str(msg).replace("\n", " ") or "nothing",
)
def test_what_is_no_event_of_the_table_is_none(msg: play_pb2.Event) -> None:
    """Another kind, or a number that stands for nothing, reads as None."""
    assert event_from_proto(msg) is None


def test_an_event_of_a_later_version_is_none() -> None:
    """A kind that this version does not know is skipped."""
    unknown_field_99 = bytes([99 << 3 & 0x7F | 2 | 0x80, 99 >> 4, 2, 8, 1])
    msg = play_pb2.Event.FromString(unknown_field_99)
    assert msg.WhichOneof("kind") is None
    assert event_from_proto(msg) is None


@given(st.binary(max_size=60))
def test_any_event_bytes_are_an_event_or_none(noise: bytes) -> None:
    """Whatever stands inside a kind of event, reading gives None or an event."""
    for number in range(20, 33):
        head = bytes([number << 3 & 0x7F | 2 | 0x80, number >> 4, len(noise)])
        try:
            msg = play_pb2.Event.FromString(head + noise)
        except DecodeError:  # no message at all, so it never gets here
            continue
        event = event_from_proto(msg)
        assert event is None or event_from_proto(event_to_proto(event)) == event
