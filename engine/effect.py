"""What the table wants done. Its owner carries effects out in order: first into the log, then to the seats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from engine.action import Action
from engine.clock import Bill, TimeLeft
from engine.event import Event
from engine.states import Termination


class Rejection(Enum):
    """Why an answer is not accepted. The first two are strikes."""

    NOT_LEGAL = "not_legal"
    MALFORMED = "malformed"
    STALE_DECISION = "stale_decision"
    ALREADY_DECIDED = "already_decided"
    NOT_YOUR_TURN = "not_your_turn"

    @property
    def strike(self) -> bool:
        """It counts towards the forfeit of the match."""
        return self in (Rejection.NOT_LEGAL, Rejection.MALFORMED)


@dataclass(frozen=True, slots=True)
class Begin:
    """All seats are ready: log it, and tell them."""

    first_dealer: int
    nonces: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """Log an accepted action. `bill` is None for a draw that the arena makes for the seat (`auto`)."""

    seat: int
    decision_id: int
    action: Action
    bill: Bill | None = None
    note: str = ""

    @property
    def auto(self) -> bool:
        """The arena made it."""
        return self.bill is None


@dataclass(frozen=True, slots=True)
class Tell:
    """Tell every seat, each as it may know it, that something happened. `seq` counts from 1 in the match."""

    seq: int
    event: Event


@dataclass(frozen=True, slots=True)
class Ask:
    """Log the question and put it to the seat. `legal` are the actions that the rules allow."""

    seat: int
    decision_id: int
    legal: Sequence[Action]
    left: TimeLeft


@dataclass(frozen=True, slots=True)
class Reject:
    """Tell the seat that its answer was not accepted; log it if it is a strike. `left` is None out of turn."""

    seat: int
    decision_id: int
    reason: Rejection
    text: str
    left: TimeLeft | None
    strikes_left: int


@dataclass(frozen=True, slots=True)
class MarkLost:
    """Log that a seat's stream was lost."""

    seat: int


@dataclass(frozen=True, slots=True)
class MarkBack:
    """Log that a seat is back."""

    seat: int


@dataclass(frozen=True, slots=True)
class EndStream:
    """End a seat's stream: it goes on answering what nobody asks. It may come back."""

    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class Finish:
    """The match is over. `winner` is a side or None, `at_fault` a seat or None, `totals` are by side."""

    termination: Termination
    winner: int | None
    at_fault: int | None
    totals: tuple[int, ...]
    deals_complete: int


Effect: TypeAlias = Begin | Record | Tell | Ask | Reject | MarkLost | MarkBack | EndStream | Finish
