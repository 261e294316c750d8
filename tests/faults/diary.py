"""What a simulated bot remembers: all that it was told, and what it did. The judge holds it against the log."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from enum import Enum

from arena.v1 import play_pb2
from faults.network import Link


class Deed(Enum):
    """What a bot does that costs it the match, or voids it. Whoever does none of these must not lose by a fault."""

    SILENT = "answers no question any more"
    ILLEGAL = "answers against the rules, again and again"
    MALFORMED = "answers with nothing that is an action, again and again"
    RESIGNS = "resigns"
    AWAY = "stays away for more than a minute"
    UNREADY = "does not say Ready in time, or declines"


@dataclass
class Diary:
    """The memory of one bot on one lane, by match id."""

    told: dict[str, dict[int, play_pb2.Event]] = field(default_factory=lambda: defaultdict(dict))
    ends: dict[str, list[play_pb2.MatchEnded]] = field(default_factory=lambda: defaultdict(list))
    chosen: dict[str, dict[int, bytes]] = field(default_factory=lambda: defaultdict(dict))
    deeds: dict[str, set[Deed]] = field(default_factory=lambda: defaultdict(set))
    questions: dict[str, list[play_pb2.Decision]] = field(default_factory=lambda: defaultdict(list))
    seats: dict[str, int] = field(default_factory=dict)
    ready_on: dict[str, Link] = field(default_factory=dict)
    """The stream on which it said Ready last."""
    complaints: list[str] = field(default_factory=list)
    contradictions: list[str] = field(default_factory=list)
    forgot: bool = False
    """It came back from nothing at least once."""

    def was_unready(self, match_id: str) -> bool:
        """It did not say Ready, or on a stream that broke: nobody has to wait for it."""
        link = self.ready_on.get(match_id)
        return Deed.UNREADY in self.deeds[match_id] or link is None or link.is_broken

    def hear(self, match_id: str, event: play_pb2.Event) -> None:
        """Remember an event of a match; one that is told again must be the same, unless the log has forgotten."""
        before = self.told[match_id].setdefault(event.seq, event)
        if before != event:
            self.contradictions.append(f"match {match_id}: event {event.seq} was {before}, and later {event}")
