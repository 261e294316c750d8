"""What a match is played by and how it ends, on the wire. Bots are told milliseconds, rounded down, never negative."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from arena.v1 import match_pb2, replay_pb2
from engine.clock import Bill, TimeControl, TimeLeft
from engine.errors import BadRules
from engine.game import Game, Rules
from engine.states import Termination

_MILLISECOND: Final = 1000
_NUMBERS: Final = {ending: match_pb2.Termination.Value(f"TERMINATION_{ending.name}") for ending in Termination}
_TERMINATIONS: Final[dict[int, Termination]] = {number: ending for ending, number in _NUMBERS.items()}


def to_ms(us: int) -> int:
    """Milliseconds as bots are told them: rounded down, never negative."""
    return us // _MILLISECOND if us > 0 else 0


def time_control_to_proto(control: TimeControl) -> match_pb2.TimeControl:
    """The message of a time control."""
    return match_pb2.TimeControl(
        bank_ms=to_ms(control.bank_us), increment_ms=to_ms(control.increment_us), cap_ms=to_ms(control.cap_us)
    )


def time_control_from_proto(msg: match_pb2.TimeControl) -> TimeControl:
    """The time control of a message."""
    return TimeControl(msg.bank_ms * _MILLISECOND, msg.increment_ms * _MILLISECOND, msg.cap_ms * _MILLISECOND)


def time_left_to_proto(left: TimeLeft) -> match_pb2.Clock:
    """The message of the time that a seat has left."""
    return match_pb2.Clock(bank_ms=to_ms(left.bank_us), decision_ms=to_ms(left.decision_us))


def time_left_from_proto(msg: match_pb2.Clock) -> TimeLeft:
    """The time left of a message."""
    return TimeLeft(msg.bank_ms * _MILLISECOND, msg.decision_ms * _MILLISECOND)


def bill_to_proto(bill: Bill) -> replay_pb2.Bill:
    """The message of a bill, in microseconds; the charge is written out for readers of the log."""
    return replay_pb2.Bill(elapsed_us=bill.elapsed_us, lag_us=bill.lag_us, charged_us=bill.charged_us)


def bill_from_proto(msg: replay_pb2.Bill) -> Bill:
    """The bill of a message; its charge is computed again, whatever the message says."""
    return Bill(msg.elapsed_us, msg.lag_us)


def termination_to_proto(ending: Termination) -> match_pb2.Termination.ValueType:
    """The number of a termination."""
    return _NUMBERS[ending]


def termination_from_proto(number: int) -> Termination | None:
    """The termination with that number, None when there is none (0: the match goes on)."""
    return _TERMINATIONS.get(number)


def rules_to_text(rules: Rules) -> dict[str, str]:
    """Every option with its value as text: integers in decimal, all else the words of the rules."""
    return {name: str(value) for name, value in rules.items()}


def rules_from_text(game: Game, texts: Mapping[str, str]) -> Rules:
    """The rules of `game` that the texts stand for; BadRules when an option is missing, unknown or of no such value."""
    names = [option.name for option in game.options]
    for name in texts:
        if name not in names:
            raise BadRules(f"{game.name} has no option {name}: it has {', '.join(names)}")
    for name in names:
        if name not in texts:
            raise BadRules(f"the rules of {game.name} lack the option {name}")
    return {option.name: option.parse(texts[option.name]) for option in game.options}
