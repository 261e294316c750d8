"""The engine's vocabulary as protobuf messages, and back: the only place that knows both.

`*_to_proto` takes what the engine made. `*_from_proto` takes what a stranger may send and never raises: what is not
there, or has a number that this version does not know, comes back as None or as the rule of the function says.
`*_chunk` makes bytes for a bot's stream; chunks joined end to end are one PlayResponse.
"""

from arena.wire.actions import action_from_proto, action_to_proto
from arena.wire.chunks import chunk, decision_chunk, event_chunk
from arena.wire.effects import match_ended_to_proto, outcome_to_proto, rejected_to_proto
from arena.wire.events import event_from_proto, event_to_proto
from arena.wire.match import (
    bill_from_proto,
    bill_to_proto,
    rules_from_text,
    rules_to_text,
    termination_from_proto,
    termination_to_proto,
    time_control_from_proto,
    time_control_to_proto,
    time_left_from_proto,
    time_left_to_proto,
)
from arena.wire.views import decision_from_proto, view_from_proto, view_to_proto

__all__ = [
    "action_from_proto",
    "action_to_proto",
    "bill_from_proto",
    "bill_to_proto",
    "chunk",
    "decision_chunk",
    "decision_from_proto",
    "event_chunk",
    "event_from_proto",
    "event_to_proto",
    "match_ended_to_proto",
    "outcome_to_proto",
    "rejected_to_proto",
    "rules_from_text",
    "rules_to_text",
    "termination_from_proto",
    "termination_to_proto",
    "time_control_from_proto",
    "time_control_to_proto",
    "time_left_from_proto",
    "time_left_to_proto",
    "view_from_proto",
    "view_to_proto",
]
