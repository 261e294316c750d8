"""Actions on the wire. Strict: one action has one form, but for the order of a discard's cards."""

from __future__ import annotations

from typing import Final

from arena.v1 import action_pb2
from arena.wire.cards import CARDS, card_to_proto, cards_to_proto, strain_to_proto
from engine.action import (
    DOUBLE,
    DRAW,
    LEVEL_BIDS,
    PASS,
    PLAYS,
    REDOUBLE,
    STRAIN_BIDS,
    Action,
    Call,
    Discard,
    Draw,
    Play,
)
from engine.card import HIDDEN

CALLS: Final = (PASS, DOUBLE, REDOUBLE, *STRAIN_BIDS, *LEVEL_BIDS.values())
"""Every call that exists in some game."""

_CALL_BY_NUMBERS: Final = {(int(call.kind), call.level, int(call.strain)): call for call in CALLS}
_PLAY_BY_NUMBER: Final = {int(card): play for card, play in PLAYS.items()}


def action_to_proto(action: Action) -> action_pb2.Action:
    """The message of an action."""
    match action:
        case Play():
            return action_pb2.Action(play=action_pb2.Play(card=card_to_proto(action.card)))
        case Call():
            return action_pb2.Action(call=call_to_proto(action))
        case Draw():
            return action_pb2.Action(draw=action_pb2.Draw())
        case Discard():
            return action_pb2.Action(discard=action_pb2.Discard(cards=cards_to_proto(action.cards)))


def action_from_proto(msg: action_pb2.Action) -> Action | None:
    """The action that a message stands for, None when it stands for none.

    No action: no kind set, a number that is no card, a call with a level or a strain that such a call does not have
    (0 is the level of all calls but bids), a discard of no card or of one card twice. A discard's cards may come in
    any order.
    """
    match msg.WhichOneof("kind"):
        case "play":
            return _PLAY_BY_NUMBER.get(msg.play.card)
        case "call":
            return call_from_proto(msg.call)
        case "draw":
            return DRAW
        case "discard":
            return _discard(msg.discard)
    return None


def call_to_proto(call: Call) -> action_pb2.Call:
    """The message of a call."""
    kind = action_pb2.CallKind.ValueType(call.kind)
    return action_pb2.Call(kind=kind, level=call.level, strain=strain_to_proto(call.strain))


def call_from_proto(msg: action_pb2.Call) -> Call | None:
    """The call that a message stands for, None when it stands for none."""
    return _CALL_BY_NUMBERS.get((msg.kind, msg.level, msg.strain))


def _discard(msg: action_pb2.Discard) -> Discard | None:
    cards = [CARDS.get(number, HIDDEN) for number in msg.cards]
    distinct = sorted(set(cards))
    # One pack has each card once (DB-1.2, SM-1.2), so that twice the same card is no set of cards to put away.
    if not distinct or distinct[0] is HIDDEN or len(distinct) < len(cards):
        return None
    return Discard(tuple(distinct))
