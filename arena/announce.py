"""What is said of a match: its offer to a seat, lines of the log, and how chunks are joined into messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from arena.lines import Field
from arena.v1 import play_pb2, replay_pb2
from engine.effect import Reject


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
