"""The states of a match as data: what may follow what, and in which words a match ends (DESIGN of the arena, faults).

Everything that decides whether a match is offered, played or over stands here; `engine.table` looks it up.
"""

from __future__ import annotations

from enum import Enum, StrEnum
from types import MappingProxyType
from typing import Final


class Termination(StrEnum):
    """Why a match ended. Every match ends in exactly one of these, so their counts add up to the matches."""

    SCORE = "score"
    DEAL_LIMIT = "deal_limit"
    TIMEOUT = "timeout"
    ILLEGAL = "illegal"
    MALFORMED = "malformed"
    DISCONNECT = "disconnect"
    RESIGN = "resign"
    VOID_NOT_READY = "void_not_ready"
    VOID_ARENA = "void_arena"
    VOID_OPERATOR = "void_operator"

    @property
    def void(self) -> bool:
        """The match counts for nothing."""
        return self.value.startswith("void_")

    @property
    def forfeit(self) -> bool:
        """The match was lost by a fault of a seat."""
        return not self.void and self not in (Termination.SCORE, Termination.DEAL_LIMIT)


class MatchState(Enum):
    """Where a match stands."""

    OFFERED = "offered"
    PLAYING = "playing"
    ENDED = "ended"


class Step(Enum):
    """What moves a match from one state to the next."""

    ALL_READY = "all_ready"
    DECIDED = "decided"
    FORFEITED = "forfeited"
    VOIDED = "voided"


TRANSITIONS: Final = MappingProxyType(
    {
        (MatchState.OFFERED, Step.ALL_READY): MatchState.PLAYING,
        (MatchState.OFFERED, Step.VOIDED): MatchState.ENDED,
        (MatchState.PLAYING, Step.DECIDED): MatchState.ENDED,
        (MatchState.PLAYING, Step.FORFEITED): MatchState.ENDED,
        (MatchState.PLAYING, Step.VOIDED): MatchState.ENDED,
    }
)
"""A missing key is a step that cannot happen there; `follow` raises on it."""


def follow(state: MatchState, step: Step) -> MatchState:
    """The state after `step`; KeyError when it cannot happen in `state`, which is a fault of the arena's own code."""
    return TRANSITIONS[state, step]
