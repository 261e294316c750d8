"""What a scripted arena says beside the events of a match."""

from __future__ import annotations

from arena.v1 import play_pb2
from arena.wire import rejected_to_proto
from engine.clock import TimeLeft
from engine.effect import Reject, Rejection
from engine.terms import STRIKES


def welcome(bot: str = "tested") -> play_pb2.Event:
    """The answer to Hello."""
    limits = play_pb2.Limits(message_bytes=65536, note_bytes=512, away_ms=60_000, strikes=STRIKES, lanes=64)
    return play_pb2.Event(welcome=play_pb2.Welcome(session="scripted", arena_version="1", bot=bot, limits=limits))


def goodbye(reason: str, text: str = "") -> play_pb2.Event:
    """The arena is about to end the stream. `reason` is a word such as `FINISHED`; ValueError if there is none such."""
    number = play_pb2.GoodbyeReason.Value(f"GOODBYE_REASON_{reason}")
    return play_pb2.Event(goodbye=play_pb2.Goodbye(reason=number, text=text or reason.lower()))


def rejected(
    decision_id: int, reason: Rejection, text: str, *, decision_ms: int | None = 10_000, strikes_left: int = STRIKES - 1
) -> play_pb2.Event:
    """An answer was not accepted. `decision_ms` is what the seat has left for it; None if it is not its turn."""
    left = None if decision_ms is None else TimeLeft(decision_ms * 1000, decision_ms * 1000)
    return play_pb2.Event(rejected=rejected_to_proto(Reject(0, decision_id, reason, text, left, strikes_left)))
