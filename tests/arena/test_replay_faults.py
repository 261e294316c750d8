"""Forged faults, and garbage: forfeits that the log itself contradicts, and entries that make no sense at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.replay import read_replay, verify
from arena.v1 import action_pb2, match_pb2, replay_pb2
from engine.clock import SECOND, TimeControl
from recording import Tape, failures, first, forge

FAULT_EDITS: list[tuple[str, str, Callable[[list[replay_pb2.Frame]], object], str]] = [
    (
        "timeout",
        "bills",
        lambda fs: setattr(fs[-1], "at_us", fs[-2].at_us + SECOND),
        "ran out of time after 1000000 us",
    ),
    ("timeout", "bills", lambda fs: fs.pop(first(fs, "asked", 25)), "ran out of time, and had not been asked"),
    ("timeout", "result", lambda fs: setattr(fs[-1].ended, "at_fault", 1 - fs[-1].ended.at_fault), "won by a fault of"),
    (
        "timeout",
        "result",
        lambda fs: fs[-1].ended.ClearField("at_fault"),
        "nobody is at fault in a match that ended by",
    ),
    ("illegal", "faults", lambda fs: fs.pop(first(fs, "rejected")), "is out by 3 refused answers: it takes 4"),
    ("illegal", "faults", lambda fs: setattr(fs[-2].rejected, "malformed", True), "was of the other kind"),
    (
        "malformed",
        "faults",
        lambda fs: setattr(fs[-1].ended, "termination", match_pb2.TERMINATION_ILLEGAL),
        "was of the other kind",
    ),
    (
        "malformed",
        "faults",
        lambda fs: setattr(fs[-1].ended, "termination", match_pb2.TERMINATION_RESIGN),
        "had 4 refused answers and is not out by them",
    ),
    ("resign", "result", lambda fs: fs[-1].ended.ClearField("winner"), "nobody won by a fault of seat"),
    ("void_arena", "result", lambda fs: setattr(fs[-1].ended, "winner", 0), "side 0 won a match that is void"),
    (
        "void_not_ready",
        "result",
        lambda fs: setattr(fs[-1].ended, "termination", match_pb2.TERMINATION_SCORE),
        "it ended by score, played again it goes on",
    ),
]


@pytest.mark.parametrize(("how", "check", "edit", "says"), FAULT_EDITS)
def test_edited_fault_is_found(  # noqa: PLR0917 - two fixtures and the columns of the table above
    tmp_path: Path,
    ends: Callable[[Path, str], Tape],
    how: str,
    check: str,
    edit: Callable[[list[replay_pb2.Frame]], object],
    says: str,
) -> None:
    """P48: a forfeit that the log's clocks, strikes or seats contradict is found."""
    forged = forge(ends(tmp_path, how).data(), lambda _, frames: edit(frames))
    assert says in failures(verify(forged, known_hash=None))[check]


def test_charge_beyond_the_allowance_is_found(tmp_path: Path) -> None:
    """An answer that took longer than allowed should have lost the match, however well all times are made to fit."""
    tape = Tape(tmp_path, control=TimeControl(60 * SECOND, 0, SECOND)).ready().play(actions=3)

    def late(_: Any, frames: list[replay_pb2.Frame]) -> None:
        place = first(frames, "action")
        for frame in frames[place:]:
            frame.at_us += 2 * SECOND
        frames[place].action.bill.elapsed_us += 2 * SECOND
        frames[place].action.bill.charged_us += 2 * SECOND

    told = failures(verify(forge(tape.data(), late), known_hash=None))["bills"]
    assert "2012000 us were charged and 1000000 allowed: it was lost" in told


ENTRIES = st.one_of(
    st.builds(
        lambda s, n: {"ready": replay_pb2.LoggedReady(seat=s, nonce=n)}, st.integers(0, 9), st.binary(max_size=40)
    ),
    st.builds(lambda d: {"started": replay_pb2.LoggedStart(first_dealer=d)}, st.integers(0, 9)),
    st.builds(
        lambda s, d, b: {"asked": replay_pb2.LoggedAsk(seat=s, decision_id=d, bank_us=b)},
        st.integers(0, 9),
        st.integers(0, 90),
        st.integers(0, 2**64 - 1),
    ),
    st.builds(
        lambda s, d, c, e, lag: {
            "action": replay_pb2.LoggedAction(
                seat=s,
                decision_id=d,
                action=action_pb2.Action(play=action_pb2.Play(card=c)),
                bill=replay_pb2.Bill(elapsed_us=e, lag_us=lag),
            )
        },
        st.integers(0, 9),
        st.integers(0, 90),
        st.integers(0, 90),
        st.integers(0, 2**64 - 1),
        st.integers(0, 2**64 - 1),
    ),
    st.builds(lambda s: {"rejected": replay_pb2.LoggedRejection(seat=s)}, st.integers(0, 9)),
    st.builds(lambda s: {"lost": replay_pb2.LoggedLoss(seat=s)}, st.integers(0, 9)),
    st.builds(lambda s: {"back": replay_pb2.LoggedReturn(seat=s)}, st.integers(0, 9)),
    st.just({"restarted": replay_pb2.LoggedRestart()}),
    st.builds(
        lambda n, p: {"deal": replay_pb2.LoggedDeal(deal_no=n, points=p)},
        st.integers(0, 9),
        st.lists(st.integers(0, 9)),
    ),
    st.builds(
        lambda t, w, f: {"ended": replay_pb2.LoggedEnd(termination=t, winner=w, at_fault=f)},
        st.integers(0, 12),
        st.integers(0, 9),
        st.integers(0, 9),
    ),
)


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.integers(0, 160), ENTRIES, st.booleans()), min_size=1, max_size=6), st.integers(0, 2**64 - 1)
)
def test_no_log_breaks_the_verifier(whole: bytes, edits: list[tuple[int, dict[str, Any], bool]], at_us: int) -> None:
    """Whatever entries stand in a log, it is judged without an exception, and it is not proved."""

    def edit(_: Any, frames: list[replay_pb2.Frame]) -> None:
        for place, entry, instead in edits:
            frame = replay_pb2.Frame(at_us=at_us, **entry)
            if instead:
                frames[place % len(frames)] = frame
            else:
                frames.insert(place % len(frames), frame)

    kept = read_replay(whole).head
    report = verify(forge(whole, edit), known_hash=kept)
    assert "known hash" in failures(report)
