"""Views and decisions on the wire."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from arena.v1 import event_pb2, play_pb2, view_pb2
from arena.wire.actions import action_from_proto
from arena.wire.cards import CARDS, STRAINS, card_to_proto, cards_to_proto, strain_to_proto
from arena.wire.events import (
    call_made_from_proto,
    call_made_to_proto,
    contract_from_proto,
    contract_to_proto,
    draw_to_proto,
)
from arena.wire.match import time_left_from_proto
from engine.action import Action
from engine.card import HIDDEN, Card, Strain
from engine.clock import TimeLeft
from engine.event import CallMade, CardDrawn, ContractSet
from engine.view import Trick, View


def view_to_proto(view: View) -> view_pb2.View:
    """The message of a view."""
    return view_pb2.View(
        seat=view.seat,
        deal_no=view.deal_no,
        dealer=view.dealer,
        phase=view.phase,
        hand=cards_to_proto(view.hand),
        table=None if view.table is None else trick_to_proto(view.table),
        tricks=map(trick_to_proto, view.tricks),
        calls=map(call_made_to_proto, view.calls),
        draws=map(draw_to_proto, view.draws),
        stock_count=view.stock_count,
        shown=card_to_proto(view.shown),
        hand_counts=view.hand_counts,
        contract=None if view.contract is None else contract_to_proto(view.contract),
        trump=strain_to_proto(view.trump),
        taken=view.taken,
        kitty=cards_to_proto(view.kitty),
        discards=cards_to_proto(view.discards),
        totals=view.totals,
    )


def view_from_proto(msg: view_pb2.View) -> View:
    """The view of a message, and always one, so that a bot can act on it: a card that this version does not know
    reads as HIDDEN, a strain as NONE, an unknown contract as None; an unknown call is left out.
    """
    return View(
        seat=msg.seat,
        deal_no=msg.deal_no,
        dealer=msg.dealer,
        phase=msg.phase,
        hand=_cards(msg.hand),
        hand_counts=tuple(msg.hand_counts),
        totals=tuple(msg.totals),
        taken=tuple(msg.taken),
        table=_trick(msg.table) if msg.HasField("table") else None,
        tricks=tuple(map(_trick, msg.tricks)),
        calls=_calls(msg.calls),
        draws=tuple(CardDrawn(draw.seat, CARDS.get(draw.card, HIDDEN)) for draw in msg.draws),
        stock_count=msg.stock_count,
        shown=CARDS.get(msg.shown, HIDDEN),
        contract=_contract(msg),
        trump=STRAINS.get(msg.trump, Strain.NONE),
        kitty=_cards(msg.kitty),
        discards=_cards(msg.discards),
    )


def decision_from_proto(msg: play_pb2.Decision) -> tuple[int, View, tuple[Action | None, ...], TimeLeft]:
    """A question as a bot reads it: its id, the view, the legal actions by index, the time left.

    An action that this version does not know is None; it can still be chosen by its index.
    """
    legal = tuple(map(action_from_proto, msg.legal))
    return msg.decision_id, view_from_proto(msg.view), legal, time_left_from_proto(msg.clock)


def trick_to_proto(trick: Trick) -> view_pb2.Trick:
    """The message of a trick."""
    return view_pb2.Trick(leader=trick.leader, cards=cards_to_proto(trick.cards), winner=trick.winner)


def _trick(msg: view_pb2.Trick) -> Trick:
    return Trick(msg.leader, _cards(msg.cards), msg.winner if msg.HasField("winner") else None)


def _cards(numbers: Iterable[int]) -> tuple[Card, ...]:
    return tuple(CARDS.get(number, HIDDEN) for number in numbers)


def _calls(messages: Iterable[event_pb2.CallMade]) -> tuple[CallMade, ...]:
    calls = []
    for msg in messages:
        with suppress(KeyError):
            calls.append(call_made_from_proto(msg))
    return tuple(calls)


def _contract(msg: view_pb2.View) -> ContractSet | None:
    with suppress(KeyError):
        return contract_from_proto(msg.contract) if msg.HasField("contract") else None
    return None
