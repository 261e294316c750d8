"""The table's effects as entries of the log, and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from arena.v1 import action_pb2, replay_pb2
from arena.wire import (
    action_from_proto,
    action_to_proto,
    bill_from_proto,
    bill_to_proto,
    termination_from_proto,
    termination_to_proto,
)
from engine.action import Action
from engine.clock import TimeLeft
from engine.effect import Ask, Begin, Effect, Finish, MarkBack, MarkLost, Record, Reject, Rejection, Tell
from engine.event import DealScored
from engine.states import Termination


def frame_of(effect: Effect, at_us: int) -> replay_pb2.Frame | None:
    """The log entry of an effect; None if it leaves none. The journal fills in the log hash where an entry holds it.

    The first three cases stand in the way of every decision, so they come first and fill the entry in place.
    """
    match effect:
        case Tell():
            return _scored(effect.event, at_us) if isinstance(effect.event, DealScored) else None
        case Record():
            frame = replay_pb2.Frame(at_us=at_us)
            _fill_action(frame.action, effect)
            return frame
        case Ask():
            frame = replay_pb2.Frame(at_us=at_us)
            asked = frame.asked
            asked.seat, asked.decision_id, asked.bank_us = effect.seat, effect.decision_id, effect.left.bank_us
            return frame
        case Begin():
            return replay_pb2.Frame(at_us=at_us, started=replay_pb2.LoggedStart(first_dealer=effect.first_dealer))
        case Reject() if effect.reason.strike:
            rejected = replay_pb2.LoggedRejection(
                seat=effect.seat,
                decision_id=effect.decision_id,
                malformed=effect.reason is Rejection.MALFORMED,
                text=effect.text,
            )
            return replay_pb2.Frame(at_us=at_us, rejected=rejected)
        case MarkLost():
            return replay_pb2.Frame(at_us=at_us, lost=replay_pb2.LoggedLoss(seat=effect.seat))
        case MarkBack():
            return replay_pb2.Frame(at_us=at_us, back=replay_pb2.LoggedReturn(seat=effect.seat))
        case Finish():
            return replay_pb2.Frame(at_us=at_us, ended=_end(effect))
    return None


def ready_frame(seat: int, nonce: bytes, at_us: int) -> replay_pb2.Frame:
    """The log entry of a Ready."""
    return replay_pb2.Frame(at_us=at_us, ready=replay_pb2.LoggedReady(seat=seat, nonce=nonce))


def restart_frame(at_us: int, unix_ms: int, outage_ms: int) -> replay_pb2.Frame:
    """The log entry of a restart of the arena."""
    return replay_pb2.Frame(at_us=at_us, restarted=replay_pb2.LoggedRestart(unix_ms=unix_ms, outage_ms=outage_ms))


def nonces_of(frames: Iterable[replay_pb2.Frame], seats: int) -> tuple[bytes, ...]:
    """What each seat said with Ready; empty for one that has not."""
    said = {frame.ready.seat: frame.ready.nonce for frame in frames if frame.HasField("ready")}
    return tuple(said.get(seat, b"") for seat in range(seats))


def records_of(frames: Iterable[replay_pb2.Frame]) -> Iterator[Begin | Record | Reject]:
    """What a table must be told again to stand where the log ends. Skips an action that is none."""
    for frame in frames:
        match frame.WhichOneof("entry"):
            case "started":
                yield Begin(frame.started.first_dealer, ())
            case "action":
                entry = frame.action
                action = action_from_proto(entry.action)
                if action is not None:
                    bill = None if entry.auto else bill_from_proto(entry.bill)
                    yield Record(entry.seat, entry.decision_id, action, bill, entry.note)
            case "rejected":
                reason = Rejection.MALFORMED if frame.rejected.malformed else Rejection.NOT_LEGAL
                yield Reject(frame.rejected.seat, frame.rejected.decision_id, reason, "", TimeLeft(0, 0), 0)


def finish_of(ended: replay_pb2.LoggedEnd) -> Finish:
    """The end of a match as it was logged."""
    return Finish(
        termination_from_proto(ended.termination) or Termination.VOID_ARENA,
        ended.winner if ended.HasField("winner") else None,
        ended.at_fault if ended.HasField("at_fault") else None,
        tuple(ended.totals),
        ended.deals_complete,
    )


def _scored(scored: DealScored, at_us: int) -> replay_pb2.Frame:
    deal = replay_pb2.LoggedDeal(deal_no=scored.deal_no, points=scored.points, totals=scored.totals)
    return replay_pb2.Frame(at_us=at_us, deal=deal)


@lru_cache(maxsize=1024)
def _known(action: Action) -> action_pb2.Action:
    """The message of an action, to be copied and never changed."""
    return action_to_proto(action)


def _fill_action(logged: replay_pb2.LoggedAction, record: Record) -> None:
    logged.seat, logged.decision_id = record.seat, record.decision_id
    logged.action.CopyFrom(_known(record.action))
    if record.note:
        logged.note = record.note
    if record.bill is None:
        logged.auto = True
    else:
        logged.bill.CopyFrom(bill_to_proto(record.bill))


def _end(finish: Finish) -> replay_pb2.LoggedEnd:
    return replay_pb2.LoggedEnd(
        termination=termination_to_proto(finish.termination),
        winner=finish.winner,
        at_fault=finish.at_fault,
        totals=finish.totals,
        deals_complete=finish.deals_complete,
    )
