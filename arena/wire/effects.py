"""What the table has decided, as the messages that tell a seat of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from arena.v1 import match_pb2, play_pb2
from arena.wire.match import termination_to_proto, time_left_to_proto
from engine.effect import Finish, Reject, Rejection

_REASONS: Final = {reason: play_pb2.RejectionReason.Value(f"REJECTION_REASON_{reason.name}") for reason in Rejection}


def rejected_to_proto(reject: Reject) -> play_pb2.Rejected:
    """An answer was not accepted."""
    return play_pb2.Rejected(
        decision_id=reject.decision_id,
        reason=_REASONS[reject.reason],
        text=reject.text,
        clock=None if reject.left is None else time_left_to_proto(reject.left),
        strikes_left=reject.strikes_left,
    )


def outcome_to_proto(finish: Finish, side: int) -> match_pb2.Outcome.ValueType:
    """How a match ended for a side."""
    if finish.termination.void:
        return match_pb2.OUTCOME_VOID
    if finish.winner is None:
        return match_pb2.OUTCOME_DRAWN
    return match_pb2.OUTCOME_WON if finish.winner == side else match_pb2.OUTCOME_LOST


def match_ended_to_proto(
    match_id: str, finish: Finish, sides: Sequence[int], text: str, log_hash: bytes
) -> play_pb2.MatchEnded:
    """The end of a match; what it reveals is added by whoever closes the set."""
    return play_pb2.MatchEnded(
        match_id=match_id,
        outcomes=[outcome_to_proto(finish, side) for side in sides],
        totals=finish.totals,
        termination=termination_to_proto(finish.termination),
        at_fault=finish.at_fault,
        text=text,
        log_hash=log_hash,
    )
