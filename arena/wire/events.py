"""Events on the wire: what happened at the table, one message for each kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from arena.v1 import event_pb2, play_pb2
from arena.wire.actions import call_from_proto, call_to_proto
from arena.wire.cards import CARDS, STRAINS, card_to_proto, cards_to_proto, strain_to_proto
from engine.card import Card
from engine.event import (
    CallMade,
    CardDrawn,
    CardPlayed,
    ContractSet,
    DealScored,
    DealStarted,
    Discarded,
    Event,
    HandDealt,
    KittyTaken,
    ScoreLine,
    TopCardShown,
    TrickTaken,
    TrumpNamed,
)


def event_to_proto(event: Event, seq: int = 0) -> play_pb2.Event:  # noqa: C901 - one case for each kind of event
    """The message of an event, which must be redacted for its reader already (`engine.event.redact`).

    `seq` is the event's number in the match. `CardDrawn.shown` is not told: it only says whom redaction spares.
    """
    told = play_pb2.Event(seq=seq)
    match event:
        case CardPlayed(seat, card):
            told.card_played.CopyFrom(event_pb2.CardPlayed(seat=seat, card=card_to_proto(card)))
        case CardDrawn():
            told.card_drawn.CopyFrom(draw_to_proto(event))
        case TrickTaken(seat):
            told.trick_taken.CopyFrom(event_pb2.TrickTaken(seat=seat))
        case CallMade():
            told.call_made.CopyFrom(call_made_to_proto(event))
        case TopCardShown(card):
            told.top_card_shown.CopyFrom(event_pb2.TopCardShown(card=card_to_proto(card)))
        case DealStarted(deal_no, dealer):
            told.deal_started.CopyFrom(event_pb2.DealStarted(deal_no=deal_no, dealer=dealer))
        case HandDealt(seat, cards):
            told.hand_dealt.CopyFrom(event_pb2.HandDealt(seat=seat, cards=cards_to_proto(cards)))
        case ContractSet():
            told.contract_set.CopyFrom(contract_to_proto(event))
        case TrumpNamed(strain):
            told.trump_named.CopyFrom(event_pb2.TrumpNamed(strain=strain_to_proto(strain)))
        case KittyTaken(seat, cards):
            told.kitty_taken.CopyFrom(event_pb2.KittyTaken(seat=seat, cards=cards_to_proto(cards)))
        case Discarded():
            told.discarded.CopyFrom(_discarded_to_proto(event))
        case DealScored():
            told.deal_scored.CopyFrom(_scored_to_proto(event))
    return told


def event_from_proto(msg: play_pb2.Event) -> Event | None:
    """The event that a message tells of.

    None when it is of another kind (a question, the end of the match), of a kind that this version does not know, or
    names a card, a call or a strain that it does not know.
    """
    read = _READERS.get(msg.WhichOneof("kind") or "")
    try:
        return read(msg) if read else None
    except KeyError:  # readers look every number up in a table of those that there are
        return None


def draw_to_proto(draw: CardDrawn) -> event_pb2.CardDrawn:
    """The message of a draw."""
    return event_pb2.CardDrawn(seat=draw.seat, card=card_to_proto(draw.card))


def call_made_to_proto(made: CallMade) -> event_pb2.CallMade:
    """The message of a call and who made it."""
    return event_pb2.CallMade(seat=made.seat, call=call_to_proto(made.call))


def contract_to_proto(contract: ContractSet) -> event_pb2.ContractSet:
    """The message of a contract."""
    return event_pb2.ContractSet(
        declarer=contract.declarer,
        level=contract.level,
        strain=strain_to_proto(contract.strain),
        multiplier=contract.multiplier,
    )


def contract_from_proto(msg: event_pb2.ContractSet) -> ContractSet:
    """The contract of a message; KeyError when its strain or multiplier is none that there is."""
    multiplier = {1: 1, 2: 2, 4: 4}[msg.multiplier]
    return ContractSet(msg.declarer, msg.level, STRAINS[msg.strain], multiplier)


def call_made_from_proto(msg: event_pb2.CallMade) -> CallMade:
    """The call of a message and who made it; KeyError when it is no call."""
    call = call_from_proto(msg.call)
    if call is None:
        raise KeyError(msg.call.kind)
    return CallMade(msg.seat, call)


def _discarded_to_proto(event: Discarded) -> event_pb2.Discarded:
    return event_pb2.Discarded(seat=event.seat, cards=cards_to_proto(event.cards))


def _scored_to_proto(event: DealScored) -> event_pb2.DealScored:
    return event_pb2.DealScored(
        deal_no=event.deal_no,
        points=event.points,
        totals=event.totals,
        lines=[event_pb2.ScoreLine(name=line.name, side=line.side, points=line.points) for line in event.lines],
        shown=map(_discarded_to_proto, event.shown),
    )


def _cards(numbers: Iterable[int]) -> tuple[Card, ...]:
    return tuple(CARDS[number] for number in numbers)


def _scored(msg: event_pb2.DealScored) -> DealScored:
    lines = tuple(ScoreLine(line.name, line.side, line.points) for line in msg.lines)
    shown = tuple(Discarded(put.seat, _cards(put.cards)) for put in msg.shown)
    return DealScored(msg.deal_no, tuple(msg.points), tuple(msg.totals), lines, shown)


_READERS: Final[dict[str, Callable[[play_pb2.Event], Event]]] = {
    "deal_started": lambda msg: DealStarted(msg.deal_started.deal_no, msg.deal_started.dealer),
    "hand_dealt": lambda msg: HandDealt(msg.hand_dealt.seat, _cards(msg.hand_dealt.cards)),
    "card_drawn": lambda msg: CardDrawn(msg.card_drawn.seat, CARDS[msg.card_drawn.card]),
    "top_card_shown": lambda msg: TopCardShown(CARDS[msg.top_card_shown.card]),
    "call_made": lambda msg: call_made_from_proto(msg.call_made),
    "contract_set": lambda msg: contract_from_proto(msg.contract_set),
    "trump_named": lambda msg: TrumpNamed(STRAINS[msg.trump_named.strain]),
    "kitty_taken": lambda msg: KittyTaken(msg.kitty_taken.seat, _cards(msg.kitty_taken.cards)),
    "discarded": lambda msg: Discarded(msg.discarded.seat, _cards(msg.discarded.cards)),
    "card_played": lambda msg: CardPlayed(msg.card_played.seat, CARDS[msg.card_played.card]),
    "trick_taken": lambda msg: TrickTaken(msg.trick_taken.seat),
    "deal_scored": lambda msg: _scored(msg.deal_scored),
}
