"""Who sits at a match, and who looks on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from arena.replay import Journal
from arena.session import Lane
from arena.v1 import play_pb2, replay_pb2
from engine.event import Event
from engine.terms import TableTerms


class Watcher(Protocol):
    """Somebody who looks on, told what is public at the table."""

    def told(self, match_id: str, seq: int, event: Event, /) -> None:
        """Something happened; hidden cards are HIDDEN."""

    def over(self, match_id: str, ended: play_pb2.MatchEnded | None, /) -> None:
        """The match has ended; None if its result could not be stored."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """What a director is given: the terms of the match, its header as logged, the lanes by seat, the log."""

    terms: TableTerms
    header: replay_pb2.ReplayHeader
    lanes: tuple[Lane, ...]
    journal: Journal
