"""The messages about a match as a whole: its offer and its end, as a seat is told them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from arena.lines import Field
from arena.v1 import match_pb2, play_pb2, replay_pb2
from arena.wire import termination_to_proto
from engine.effect import Finish, Reject, Rejection

REASONS = {
    Rejection.NOT_LEGAL: play_pb2.REJECTION_REASON_NOT_LEGAL,
    Rejection.MALFORMED: play_pb2.REJECTION_REASON_MALFORMED,
    Rejection.STALE_DECISION: play_pb2.REJECTION_REASON_STALE_DECISION,
    Rejection.ALREADY_DECIDED: play_pb2.REJECTION_REASON_ALREADY_DECIDED,
    Rejection.NOT_YOUR_TURN: play_pb2.REJECTION_REASON_NOT_YOUR_TURN,
}


def offer(
    header: replay_pb2.ReplayHeader, sides: Sequence[int], seat: int, ready_within_us: int
) -> play_pb2.MatchOffered:
    """The offer of a match to a seat; `seat` 0 for a spectator, who has none."""
    return play_pb2.MatchOffered(
        match_id=header.match_id,
        game=header.game,
        rules_version=header.rules_version,
        rules=header.rules,
        time_control=header.time_control,
        seat=seat,
        names=[place.bot for place in header.seats],
        sides=sides,
        commitment=header.commitment,
        ready_within_ms=ready_within_us // 1000,
    )


def rejection_line(header: replay_pb2.ReplayHeader, reject: Reject) -> dict[str, Field]:
    """What a line of the log on an answer that was not accepted is about."""
    bot, reason = header.seats[reject.seat].bot, reject.reason.value
    return {"match": header.match_id, "bot": bot, "seat": reject.seat, "reason": reason}


def outcome(finish: Finish, side: int) -> match_pb2.Outcome.ValueType:
    """How a match ended for a side."""
    if finish.termination.void:
        return match_pb2.OUTCOME_VOID
    if finish.winner is None:
        return match_pb2.OUTCOME_DRAWN
    return match_pb2.OUTCOME_WON if finish.winner == side else match_pb2.OUTCOME_LOST


def match_ended(match_id: str, finish: Finish, sides: Sequence[int], text: str, log_hash: bytes) -> play_pb2.MatchEnded:
    """The end of a match; what it reveals is added by whoever closes the set."""
    return play_pb2.MatchEnded(
        match_id=match_id,
        outcomes=[outcome(finish, side) for side in sides],
        totals=finish.totals,
        termination=termination_to_proto(finish.termination),
        at_fault=finish.at_fault,
        text=text,
        log_hash=log_hash,
    )


def joined(chunks: Iterable[bytes], limit: int) -> Iterator[bytes]:
    """The chunks in order, as messages of at most `limit` bytes; a longer chunk is a message of its own."""
    message: list[bytes] = []
    size = 0
    for chunk in chunks:
        if message and size + len(chunk) > limit:
            yield b"".join(message)
            message, size = [], 0
        message.append(chunk)
        size += len(chunk)
    yield b"".join(message)
