"""Who sits at a match, and who looks on."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from arena.replay import Journal
from arena.session import Lane
from arena.v1 import play_pb2, replay_pb2
from engine.event import Event
from engine.terms import TableTerms

log = logging.getLogger("arena.sitting")


class Watcher(Protocol):
    """Somebody who looks on, told what is public at the table."""

    def told(self, match_id: str, seq: int, event: Event, /) -> None:
        """Something happened; hidden cards are HIDDEN."""

    def over(self, match_id: str, ended: play_pb2.MatchEnded | None, /) -> None:
        """The match has ended; None if its result could not be stored."""


def show_all(watchers: list[Watcher], match_id: str, show: Callable[[Watcher, str], None]) -> None:
    """Show something to all who look on. They cannot do the match any harm: one that fails is told no more."""
    for watcher in list(watchers):
        try:
            show(watcher, match_id)
        except Exception:
            log.exception("match %s: somebody who looked on failed", match_id, extra={"match": match_id})
            watchers.remove(watcher)


@dataclass(frozen=True, slots=True)
class Sitting:
    """What a director is given: the terms of the match, its header as logged, the lanes by seat, the log."""

    terms: TableTerms
    header: replay_pb2.ReplayHeader
    lanes: tuple[Lane, ...]
    journal: Journal
