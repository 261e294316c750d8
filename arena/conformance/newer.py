"""What a newer arena may say: messages with fields, kinds and numbers that today's protocol does not have.

Fields that no class of today has are added as bytes; protobuf keeps them in the message, and sends them on.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from google.protobuf.message import Message

from arena.conformance.course import answered
from arena.conformance.failed import Failed
from arena.v1 import action_pb2, card_pb2, event_pb2, match_pb2, play_pb2

FAR: Final = 250
"""A number that no enum has. As a card it would be of a suit 15, and of a rank 10."""
CARD: Final = card_pb2.Card.ValueType(FAR)
STRAIN: Final = card_pb2.Strain.ValueType(FAR)
CALL: Final = action_pb2.CallKind.ValueType(FAR)
_KIND: Final = 90
"""A field of Event, or of Action, that is none of today's kinds."""
_VARINT: Final = 0
_FIXED64: Final = 1
_BYTES: Final = 2
_FIXED32: Final = 5


def _varint(number: int) -> bytes:
    data = bytearray()
    while number > 127:
        data.append(number & 127 | 128)
        number >>= 7
    data.append(number)
    return bytes(data)


def _field(number: int, wire_type: int, value: bytes) -> bytes:
    length = _varint(len(value)) if wire_type == _BYTES else b""
    return _varint(number << 3 | wire_type) + length + value


_NEW_FIELDS: Final = b"".join(
    (
        _field(101, _VARINT, _varint(2**63)),
        _field(102, _FIXED64, bytes(8)),
        _field(103, _BYTES, b"a word of tomorrow"),
        _field(104, _FIXED32, bytes(4)),
        _field(2**29 - 1, _BYTES, b""),
    )
)
"""One of each type, and the highest number that a field can have."""


def with_new_fields(event: play_pb2.Event) -> play_pb2.Event:
    """The event, with new fields in it and in every message within it."""
    told = play_pb2.Event()
    told.CopyFrom(event)
    _add(told)
    return told


def _add(message: Message) -> None:
    for _, value in message.ListFields():
        for part in (value,) if isinstance(value, Message) or not isinstance(value, Iterable) else value:
            if isinstance(part, Message):
                _add(part)
    message.MergeFromString(_NEW_FIELDS)


def new_event(seq: int = 0) -> play_pb2.Event:
    """Something of a kind that is not known today."""
    return play_pb2.Event.FromString(play_pb2.Event(seq=seq).SerializeToString() + _new_kind(seq))


def new_action(number: int) -> action_pb2.Action:
    """An action of a kind that is not known today; each `number` is another one."""
    return action_pb2.Action.FromString(_new_kind(number))


def _new_kind(number: int) -> bytes:
    return _field(_KIND, _BYTES, _field(1, _VARINT, _varint(number)))


# -- numbers and words


def in_another_phase(question: play_pb2.Decision) -> None:
    """Ask it in a phase of the deal that nobody has heard of."""
    question.view.phase = "interlude"


def with_new_cards(question: play_pb2.Decision) -> None:
    """Ask it with a card in hand, and in every place where one can lie, that is in no pack of today."""
    view = question.view
    view.hand.append(CARD)
    view.hand_counts[view.seat] += 1
    view.shown = CARD
    view.tricks.add(leader=view.seat, cards=[CARD] * len(view.hand_counts), winner=view.seat)
    view.draws.add(seat=view.seat, card=CARD)
    question.legal.add(play=action_pb2.Play(card=CARD))
    question.legal.add(discard=action_pb2.Discard(cards=[CARD]))


def with_new_calls(question: play_pb2.Decision) -> None:
    """Ask it when things have been called, and can be called, that mean nothing today."""
    view = question.view
    call = action_pb2.Call(kind=CALL, level=FAR, strain=STRAIN)
    view.calls.add(seat=view.seat, call=call)
    view.contract.CopyFrom(event_pb2.ContractSet(declarer=view.seat, level=1, strain=STRAIN, multiplier=1))
    view.trump = STRAIN
    question.legal.add(call=call)
    question.legal.add(call=action_pb2.Call(kind=action_pb2.CALL_KIND_BID, level=1, strain=STRAIN))


def events_with_new_numbers(seq: int) -> list[play_pb2.Event]:
    """Events of kinds that are known, about cards, calls and strains that are not; `seq` is that of the first."""
    call = action_pb2.Call(kind=CALL, level=FAR, strain=STRAIN)
    told = [
        play_pb2.Event(hand_dealt=event_pb2.HandDealt(cards=[CARD, CARD])),
        play_pb2.Event(card_drawn=event_pb2.CardDrawn(card=CARD)),
        play_pb2.Event(top_card_shown=event_pb2.TopCardShown(card=CARD)),
        play_pb2.Event(call_made=event_pb2.CallMade(call=call)),
        play_pb2.Event(contract_set=event_pb2.ContractSet(level=1, strain=STRAIN, multiplier=3)),
        play_pb2.Event(trump_named=event_pb2.TrumpNamed(strain=STRAIN)),
        play_pb2.Event(kitty_taken=event_pb2.KittyTaken(cards=[CARD])),
        play_pb2.Event(discarded=event_pb2.Discarded(cards=[CARD])),
        play_pb2.Event(card_played=event_pb2.CardPlayed(card=CARD)),
    ]
    for number, event in enumerate(told, start=seq):
        event.seq = number
    return told


def ended_in_a_new_way(end: play_pb2.MatchEnded) -> None:
    """Let the match have ended for a reason of tomorrow, neither won nor lost."""
    end.termination = match_pb2.Termination.ValueType(FAR)
    end.outcomes[:] = [match_pb2.Outcome.ValueType(FAR)] * len(end.outcomes)


# -- answers


def place(choose: play_pb2.Choose, question: play_pb2.Decision) -> int:
    """Which of the legal actions of a question, that may be of kinds unknown today, was chosen.

    Raises Failed if it was none.
    """
    if choose.WhichOneof("choice") == "index":
        if choose.index < len(question.legal):
            return choose.index
    else:
        for index, action in enumerate(question.legal):
            if _plain(action) == _plain(choose.action):
                return index
    raise Failed(f"{answered(choose)}, which is none of {len(question.legal)} legal actions")


def _plain(action: action_pb2.Action) -> bytes:
    """An action as bytes; a discard's cards may come in any order."""
    told = action_pb2.Action()
    told.CopyFrom(action)
    if told.HasField("discard"):
        told.discard.cards.sort()
    return told.SerializeToString(deterministic=True)
