"""Time, rules, terminations and bills on the wire."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.v1 import match_pb2, replay_pb2
from arena.wire import (
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
from engine.clock import Bill, TimeControl, TimeLeft
from engine.errors import BadRules
from engine.game import Game
from engine.games import registered
from engine.states import Termination

GAMES = list(registered().values())
milliseconds = st.integers(0, 10**9).map(lambda ms: ms * 1000)
uint64 = st.integers(0, 2**64 - 1)


@given(st.builds(TimeControl, milliseconds, milliseconds, milliseconds))
def test_a_time_control_survives_the_wire(control: TimeControl) -> None:
    """In whole milliseconds nothing is lost."""
    assert time_control_from_proto(time_control_to_proto(control)) == control


def test_time_left_is_rounded_down_and_never_negative() -> None:
    """A bot is never told that it has more time than it has, nor less than none."""
    assert time_left_to_proto(TimeLeft(1_999, -1)) == match_pb2.Clock(bank_ms=1, decision_ms=0)
    assert time_left_from_proto(match_pb2.Clock(bank_ms=1)) == TimeLeft(1_000, 0)


@given(uint64, uint64)
def test_a_bill_survives_the_wire(elapsed: int, lag: int) -> None:
    """Elapsed time and lag come back to the microsecond; the charge is written beside them."""
    bill = Bill(elapsed, lag)
    msg = bill_to_proto(bill)
    assert msg.charged_us == max(0, elapsed - lag)
    assert bill_from_proto(msg) == bill


def test_a_bill_of_another_charge_is_not_believed() -> None:
    """The charge follows from the other two numbers, whatever a log says."""
    assert bill_from_proto(replay_pb2.Bill(elapsed_us=10, lag_us=4, charged_us=9)).charged_us == 6


def test_every_termination_has_its_number() -> None:
    """Terminations of the engine and of the protocol are the same, one for one."""
    numbers = {termination_to_proto(ending): ending for ending in Termination}
    assert sorted(numbers) == [number for _, number in match_pb2.Termination.items() if number]
    assert all(termination_from_proto(number) is ending for number, ending in numbers.items())
    assert match_pb2.Termination.Name(termination_to_proto(Termination.VOID_ARENA)) == "TERMINATION_VOID_ARENA"


@given(st.integers(-(2**31), 2**31 - 1).filter(lambda number: not 1 <= number <= 10))
def test_other_numbers_are_no_termination(number: int) -> None:
    """A number that stands for nothing reads as None."""
    assert termination_from_proto(number) is None


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_presets_survive_as_text(game: Game) -> None:
    """Integers come back as integers and words as words, in every preset."""
    for rules in game.presets.values():
        texts = rules_to_text(rules)
        assert all(isinstance(text, str) for text in texts.values())
        assert rules_from_text(game, texts) == rules


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_rules_as_text_have_every_option_and_no_other(game: Game) -> None:
    """A missing option, one too many, and a value that there is not are each named."""
    whole = rules_to_text(game.presets["match"])
    first = game.options[0].name
    with pytest.raises(BadRules, match=f"lack the option {first}"):
        rules_from_text(game, {name: text for name, text in whole.items() if name != first})
    with pytest.raises(BadRules, match="no option colour"):
        rules_from_text(game, {**whole, "colour": "red"})
    with pytest.raises(BadRules, match=f"{first} = maybe is not possible"):
        rules_from_text(game, {**whole, first: "maybe"})
