"""Time as a value."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.clock import SECOND, Bill, Clock, TimeControl, TimeLeft

microseconds = st.integers(0, 10**12)
controls = st.builds(TimeControl, st.integers(1, 10**12), microseconds, microseconds)
bills = st.builds(Bill, microseconds, microseconds)


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("60+0.5/10", TimeControl()),
        ("60", TimeControl(60 * SECOND, 0, 0)),
        ("60+1", TimeControl(60 * SECOND, SECOND, 0)),
        ("5/2", TimeControl(5 * SECOND, 0, 2 * SECOND)),
        (" 0.25+0/0.125 ", TimeControl(SECOND // 4, 0, SECOND // 8)),
    ],
)
def test_a_time_control_is_bank_increment_and_cap(text: str, control: TimeControl) -> None:
    """The last two may be left out; all are seconds, to the millisecond as on the wire."""
    assert TimeControl.parse(text) == control


@pytest.mark.parametrize(
    "text", ["", "0", "0+1", "-5", "60+", "60/", "+1", "60+1/2/3", "1e3", "inf", "nan", "60 s", "1234567", "60.1234"]
)
def test_what_is_no_time_control_is_named(text: str) -> None:
    """The error repeats the text and shows the form; an empty bank is none."""
    with pytest.raises(ValueError, match="is no time control: write BANK") as error:
        TimeControl.parse(text)
    assert repr(text) in str(error.value)


@given(
    st.builds(
        TimeControl,
        st.integers(1, 9_999).map(lambda ms: ms * 1_000),
        st.integers(0, 9_999).map(lambda ms: ms * 1_000),
        st.integers(0, 9_999).map(lambda ms: ms * 1_000),
    )
)
def test_a_time_control_is_read_as_it_is_written(control: TimeControl) -> None:
    """Milliseconds survive the text form."""
    assert TimeControl.parse(str(control)) == control


def test_a_decision_may_use_the_bank_up_to_the_cap() -> None:
    """The allowance is the smaller of the two; without a cap it is the bank."""
    capped = TimeControl(60 * SECOND, 0, 10 * SECOND)
    assert Clock.full(capped).allowance_us == 10 * SECOND
    assert Clock(capped, 3 * SECOND).allowance_us == 3 * SECOND
    assert Clock.full(TimeControl(60 * SECOND, 0, 0)).allowance_us == 60 * SECOND


def test_an_answer_costs_its_charge_and_earns_the_increment() -> None:
    """60 s + 0.5 s: after a decision of 2 s, of which the arena was late 0.5 s, 59 s are left."""
    clock = Clock.full(TimeControl()).charge(Bill(2 * SECOND, SECOND // 2))
    assert clock.bank_us == 59 * SECOND


def test_time_left_is_that_of_the_moment() -> None:
    """Bank and decision run down together; the decision ends at the cap, the bank goes on."""
    clock = Clock.full(TimeControl())
    assert clock.left(0) == TimeLeft(60 * SECOND, 10 * SECOND)
    assert clock.left(4 * SECOND) == TimeLeft(56 * SECOND, 6 * SECOND)
    assert clock.left(11 * SECOND) == TimeLeft(49 * SECOND, 0)


@given(bills)
def test_the_arenas_own_lag_is_not_charged(bill: Bill) -> None:
    """Elapsed less lag, never less than nothing."""
    assert bill.charged_us == max(0, bill.elapsed_us - bill.lag_us)


@given(controls, st.lists(bills, max_size=20), microseconds)
def test_no_time_is_ever_negative(control: TimeControl, history: list[Bill], spent: int) -> None:
    """Whatever was charged, bank, allowance and time left are at least 0, and the allowance never exceeds the bank."""
    clock = Clock.full(control)
    for bill in history:
        clock = clock.charge(bill)
        assert clock.bank_us >= control.increment_us
        assert 0 <= clock.allowance_us <= clock.bank_us
    left = clock.left(spent)
    assert 0 <= left.decision_us <= left.bank_us <= clock.bank_us


@given(controls, st.lists(bills, max_size=20))
def test_a_bank_is_the_sum_of_its_bills(control: TimeControl, history: list[Bill]) -> None:
    """As long as every charge was within the bank, the bank is what it was, less the charges, plus the increments."""
    clock = Clock.full(control)
    paid = []
    for bill in history:
        if bill.charged_us <= clock.bank_us:
            paid.append(bill.charged_us)
            clock = clock.charge(bill)
    assert clock.bank_us == control.bank_us - sum(paid) + len(paid) * control.increment_us
