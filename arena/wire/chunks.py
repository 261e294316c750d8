"""Bytes for a bot's stream. A chunk is a serialised PlayResponse, and joined chunks are one PlayResponse.

A question goes out thousands of times a second, so its bytes are joined from remembered pieces (`arena.wire.pieces`);
what is never twice the same, numbers and lengths, is written here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from arena.v1 import match_pb2, play_pb2, view_pb2
from arena.wire import pieces
from arena.wire.match import to_ms
from engine.action import Action
from engine.clock import TimeLeft
from engine.event import Event
from engine.view import View


@lru_cache(maxsize=0x4000)
def _short(number: int) -> bytes:
    return bytes((number & 0x7F | 0x80, number >> 7)) if number >= 0x80 else bytes((number,))


def _varint(number: int) -> bytes:
    """A number as protobuf writes it: seven bits a byte, lowest first, the high bit set on all but the last."""
    if number < 0x4000:
        return _short(number)
    return bytes((number & 0x7F | 0x80, number >> 7 & 0x7F | 0x80)) + _varint(number >> 14)


def _number_tag(field: int) -> bytes:
    return _varint(field << 3)


def _frame_tag(field: int) -> bytes:
    return _varint(field << 3 | 2)


_EVENTS: Final = _frame_tag(play_pb2.PlayResponse.EVENTS_FIELD_NUMBER)
_SEQ: Final = _number_tag(play_pb2.Event.SEQ_FIELD_NUMBER)
_DECISION: Final = _frame_tag(play_pb2.Event.DECISION_FIELD_NUMBER)
_DECISION_ID: Final = _number_tag(play_pb2.Decision.DECISION_ID_FIELD_NUMBER)
_VIEW: Final = _frame_tag(play_pb2.Decision.VIEW_FIELD_NUMBER)
_CLOCK: Final = _frame_tag(play_pb2.Decision.CLOCK_FIELD_NUMBER)
_HAND: Final = _frame_tag(view_pb2.View.HAND_FIELD_NUMBER)
_BANK_MS: Final = _number_tag(match_pb2.Clock.BANK_MS_FIELD_NUMBER)
_DECISION_MS: Final = _number_tag(match_pb2.Clock.DECISION_MS_FIELD_NUMBER)


def _number(tag: bytes, number: int) -> bytes:
    """A field that holds a number; like protobuf, nothing for 0."""
    return tag + _varint(number) if number else b""


def _framed(tag: bytes, body: bytes) -> bytes:
    """A field that holds a message or packed numbers."""
    return tag + _varint(len(body)) + body


def chunk(event: play_pb2.Event) -> bytes:
    """The bytes of any event."""
    return play_pb2.PlayResponse(events=[event]).SerializeToString(deterministic=True)


def event_chunk(event: Event, seq: int) -> bytes:
    """The bytes of what happened at the table, redacted for the reader already, with its number in the match."""
    return _framed(_EVENTS, _number(_SEQ, seq) + pieces.happening(event))


def decision_chunk(decision_id: int, view: View, legal: Sequence[Action], left: TimeLeft) -> bytes:
    """The bytes of a question."""
    clock = _number(_BANK_MS, to_ms(left.bank_us)) + _number(_DECISION_MS, to_ms(left.decision_us))
    decision = (
        _number(_DECISION_ID, decision_id) + _framed(_VIEW, _view(view)) + pieces.offers(legal) + _framed(_CLOCK, clock)
    )
    return _framed(_EVENTS, _framed(_DECISION, decision))


def _view(view: View) -> bytes:
    table = view.table
    return b"".join(
        (
            pieces.deal(view.seat, view.deal_no, view.dealer, view.phase),
            # A card's number is below 128, so packed numbers are the bytes themselves.
            _framed(_HAND, bytes(view.hand)) if view.hand else b"",
            b"" if table is None else pieces.table(table.leader, table.cards),
            pieces.tricks(view.tricks),
            pieces.calls(view.calls),
            pieces.draws(view.draws, view.seat),
            pieces.counts(view.stock_count, view.shown, view.hand_counts),
            pieces.course(view.contract, view.trump, view.taken),
            pieces.put_away(view.kitty, view.discards),
            pieces.totals(view.totals),
        )
    )
