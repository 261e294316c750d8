"""Bytes for a bot's stream. A chunk is a serialised PlayResponse, and joined chunks are one PlayResponse.

A question goes out thousands of times a second, and most of what it says has been said before: the finished tricks,
the calls, the draws, the actions on offer. So its bytes are joined from pieces. A piece is a serialised message in
which only some fields are set, made by protobuf once and then remembered; joining pieces in the order of their field
numbers gives byte for byte what serialising the whole message would give.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from arena.v1 import match_pb2, play_pb2, view_pb2
from arena.wire.actions import CALLS, action_to_proto
from arena.wire.cards import card_to_proto, cards_to_proto, strain_to_proto
from arena.wire.events import call_made_to_proto, contract_to_proto, draw_to_proto, event_to_proto
from arena.wire.match import to_ms
from arena.wire.views import trick_to_proto
from engine.action import DRAW, PLAYS, Action
from engine.card import Card, Strain
from engine.clock import TimeLeft
from engine.event import CallMade, CardDrawn, ContractSet, Event
from engine.view import Trick, View


def _varint(number: int) -> bytes:
    if number < 0x80:
        return bytes((number,))
    if number < 0x4000:
        return bytes((number & 0x7F | 0x80, number >> 7))
    return bytes((number & 0x7F | 0x80,)) + _varint(number >> 7)


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
    return _framed(_EVENTS, _number(_SEQ, seq) + _happening(event))


def decision_chunk(decision_id: int, view: View, legal: Iterable[Action], left: TimeLeft) -> bytes:
    """The bytes of a question."""
    decision = b"".join(
        [
            _number(_DECISION_ID, decision_id),
            _framed(_VIEW, _view(view)),
            *[_OFFERS.get(id(action)) or _offer(action) for action in legal],
            _framed(_CLOCK, _number(_BANK_MS, to_ms(left.bank_us)) + _number(_DECISION_MS, to_ms(left.decision_us))),
        ]
    )
    return _framed(_EVENTS, _framed(_DECISION, decision))


def _view(view: View) -> bytes:
    table = view.table
    return b"".join(
        [
            _deal(view.seat, view.deal_no, view.dealer, view.phase),
            # A card's number is below 128, so packed numbers are the bytes themselves.
            _framed(_HAND, bytes(view.hand)) if view.hand else b"",
            b"" if table is None else _table(table.leader, table.cards),
            *[_trick(trick.leader, trick.cards, trick.winner) for trick in view.tricks],
            *[_CALLS_MADE.get((made.seat, id(made.call))) or _call(made) for made in view.calls],
            *[_draw(draw.seat, draw.card) for draw in view.draws],
            _counts(view.stock_count, view.shown, view.hand_counts),
            _course(view.contract, view.trump, view.taken),
            _put_away(view.kitty, view.discards) if view.kitty or view.discards else b"",
            _totals(view.totals),
        ]
    )


# The pieces. Each cache holds what some hundred running matches repeat; an entry is some hundred bytes.


@lru_cache(maxsize=4096)
def _happening(event: Event) -> bytes:
    return event_to_proto(event).SerializeToString()


@lru_cache(maxsize=4096)
def _deal(seat: int, deal_no: int, dealer: int, phase: str) -> bytes:
    return view_pb2.View(seat=seat, deal_no=deal_no, dealer=dealer, phase=phase).SerializeToString()


@lru_cache(maxsize=4096)
def _table(leader: int, cards: tuple[Card, ...]) -> bytes:
    return view_pb2.View(table=trick_to_proto(Trick(leader, cards))).SerializeToString()


@lru_cache(maxsize=16384)
def _trick(leader: int, cards: tuple[Card, ...], winner: int | None) -> bytes:
    return view_pb2.View(tricks=[trick_to_proto(Trick(leader, cards, winner))]).SerializeToString()


def _call(made: CallMade) -> bytes:
    return view_pb2.View(calls=[call_made_to_proto(made)]).SerializeToString()


@lru_cache(maxsize=1024)
def _draw(seat: int, card: Card) -> bytes:
    return view_pb2.View(draws=[draw_to_proto(CardDrawn(seat, card))]).SerializeToString()


@lru_cache(maxsize=4096)
def _counts(stock_count: int, shown: Card, hand_counts: tuple[int, ...]) -> bytes:
    counts = view_pb2.View(stock_count=stock_count, shown=card_to_proto(shown), hand_counts=hand_counts)
    return counts.SerializeToString()


@lru_cache(maxsize=4096)
def _course(contract: ContractSet | None, trump: Strain, taken: tuple[int, ...]) -> bytes:
    settled = None if contract is None else contract_to_proto(contract)
    return view_pb2.View(contract=settled, trump=strain_to_proto(trump), taken=taken).SerializeToString()


def _put_away(kitty: tuple[Card, ...], discards: tuple[Card, ...]) -> bytes:
    return view_pb2.View(kitty=cards_to_proto(kitty), discards=cards_to_proto(discards)).SerializeToString()


@lru_cache(maxsize=4096)
def _totals(totals: tuple[int, ...]) -> bytes:
    return view_pb2.View(totals=totals).SerializeToString()


def _offer(action: Action) -> bytes:
    return play_pb2.Decision(legal=[action_to_proto(action)]).SerializeToString()


# Actions of which there is one object each, for as long as the program lives. So the id of one of them is no other
# object's, and looking it up is many times faster than hashing its value; an equal action that is another object is
# serialised anew.
_SINGLE: Final[tuple[Action, ...]] = (DRAW, *CALLS, *PLAYS.values())
_OFFERS: Final = {id(action): _offer(action) for action in _SINGLE}
_CALLS_MADE: Final = {(seat, id(call)): _call(CallMade(seat, call)) for seat in range(4) for call in CALLS}
