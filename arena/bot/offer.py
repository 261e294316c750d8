"""A match as a bot is told of it: how it is offered, how it ends, what was refused in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from arena.v1 import match_pb2, play_pb2
from arena.wire import termination_from_proto, time_control_from_proto, time_left_from_proto
from engine.clock import TimeControl, TimeLeft
from engine.effect import Rejection as Reason
from engine.game import Rules, RuleValue
from engine.states import Termination


@dataclass(frozen=True, slots=True)
class MatchOffer:
    """What a match is played by. `names` are the bots' by seat, `sides` the side of each seat."""

    match_id: str
    game: str
    rules: Rules = field(default_factory=lambda: MappingProxyType({}))
    seat: int = 0
    names: tuple[str, ...] = ()
    sides: tuple[int, ...] = (0, 1)
    time_control: TimeControl = field(default_factory=TimeControl)
    rules_version: int = 1
    commitment: bytes = b""
    """Fixes the decks before anybody says a nonce (arena-deck-1): 32 bytes, empty in local play."""


class Outcome(StrEnum):
    """How a match ended for a seat."""

    WON = "won"
    LOST = "lost"
    DRAWN = "drawn"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How a match ended. `outcome` is this seat's, `outcomes` everybody's; `totals` are by side; `text` is for people.

    `outcome` or `termination` is None when it is of a kind that this version does not know. `log_hash` proves later
    that the arena's log was not edited; `server_seed`, which proves the decks, is there if the match closes its set.
    """

    match_id: str
    seat: int
    outcome: Outcome | None
    outcomes: tuple[Outcome | None, ...]
    totals: tuple[int, ...]
    termination: Termination | None
    at_fault: int | None = None
    text: str = ""
    log_hash: bytes = b""
    set_id: str = ""
    server_seed: bytes = b""


@dataclass(frozen=True, slots=True)
class Rejection:
    """An answer was not accepted. After a strike (`reason.strike`) the bot is asked again; its clock runs on.

    `reason` is None when it is of a kind that this version does not know; `time_left` is None out of turn.
    """

    decision_id: int
    reason: Reason | None
    text: str
    strikes_left: int
    time_left: TimeLeft | None = None


_OUTCOMES: Final[dict[int, Outcome]] = {
    match_pb2.Outcome.Value(f"OUTCOME_{outcome.name}"): outcome for outcome in Outcome
}
_REASONS: Final[dict[int, Reason]] = {
    play_pb2.RejectionReason.Value(f"REJECTION_REASON_{reason.name}"): reason for reason in Reason
}


def _rules(texts: Mapping[str, str]) -> Rules:
    # Not by the game's own options: the arena may play a game that this installation does not have.
    values: dict[str, RuleValue] = {}
    for name, text in texts.items():
        values[name] = int(text) if text.removeprefix("-").isdecimal() else text
    return MappingProxyType(values)


def offer_from_proto(msg: play_pb2.MatchOffered) -> MatchOffer:
    """The offer of a message."""
    return MatchOffer(
        match_id=msg.match_id,
        game=msg.game,
        rules=_rules(msg.rules),
        seat=msg.seat,
        names=tuple(msg.names),
        sides=tuple(msg.sides),
        time_control=time_control_from_proto(msg.time_control),
        rules_version=msg.rules_version,
        commitment=msg.commitment,
    )


def result_from_proto(msg: play_pb2.MatchEnded, seat: int) -> MatchResult:
    """The result of a message, as `seat` sees it."""
    outcomes = tuple(_OUTCOMES.get(number) for number in msg.outcomes)
    return MatchResult(
        match_id=msg.match_id,
        seat=seat,
        outcome=outcomes[seat] if seat < len(outcomes) else None,
        outcomes=outcomes,
        totals=tuple(msg.totals),
        termination=termination_from_proto(msg.termination),
        at_fault=msg.at_fault if msg.HasField("at_fault") else None,
        text=msg.text,
        log_hash=msg.log_hash,
        set_id=msg.reveal.set_id,
        server_seed=msg.reveal.server_seed,
    )


def rejection_from_proto(msg: play_pb2.Rejected) -> Rejection:
    """The rejection of a message."""
    return Rejection(
        decision_id=msg.decision_id,
        reason=_REASONS.get(msg.reason),
        text=msg.text,
        strikes_left=msg.strikes_left,
        time_left=time_left_from_proto(msg.clock) if msg.HasField("clock") else None,
    )
