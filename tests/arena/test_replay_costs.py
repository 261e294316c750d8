"""`replay show --times`: the bill of every decision, so that every loss on time can be argued."""

from __future__ import annotations

from pathlib import Path

from arena.replay import read_replay, story
from engine.clock import SECOND, TimeControl
from recording import Tape


def rows(lines: list[str]) -> list[list[str]]:
    """The words of the rows of bills."""
    words = [line.split() for line in lines]
    return [row for row in words if len(row) == 8 and row[0].isdigit() and "." in row[2]]


def test_every_decision_has_its_bill(whole: bytes) -> None:
    """Decision, seat, question, answer, what elapsed, the arena's part, the charge: as logged; the bank as follows."""
    replay = read_replay(whole)
    frames = replay.frames
    asked = {frame.asked.decision_id: frame.at_us for frame in frames if frame.HasField("asked")}
    banks = [60 * SECOND] * 2
    expected = []
    for frame in frames:
        action, bill = frame.action, frame.action.bill
        if action.HasField("bill"):
            banks[action.seat] += SECOND // 2 - bill.charged_us
            times = (asked[action.decision_id], frame.at_us, bill.elapsed_us, bill.lag_us, bill.charged_us)
            words = [f"{time / SECOND:.6f}" for time in (*times, banks[action.seat])]
            expected.append([str(action.decision_id), str(action.seat), *words])
    found = rows(list(story(replay, times=True)))
    assert found == expected
    assert len(found) > 100
    assert rows(list(story(replay))) == []


def test_a_loss_on_time_shows_what_was_allowed(tmp_path: Path) -> None:
    """The question that ran out has a row without an answer, and a line with the time that it might have taken."""
    tape = Tape(tmp_path, control=TimeControl(30 * SECOND, 0, 8 * SECOND)).ready().play(actions=4)
    asked_at = tape.now / SECOND
    tape.wait(8.000001)
    lines = list(story(tape.replay(), times=True))
    decision, turn = str(tape.table.decision_id), str(tape.replay().frames[-1].ended.at_fault)
    assert rows(lines)[-1] == [decision, turn, f"{asked_at:.6f}", "-", "8.000001", "-", "-", "29.976000"]
    assert f"  decision {decision} might take 8.000000 s" in lines


def test_a_question_asked_again_after_a_restart_is_billed_from_then(tmp_path: Path) -> None:
    """The outage is on no bill: the row begins with the second question."""
    tape = Tape(tmp_path).ready().play(actions=3)
    tape.restart()
    tape.back()
    again = [frame.at_us for frame in tape.replay().frames if frame.HasField("asked")][-1]
    tape.play(actions=1)
    assert rows(list(story(tape.replay(), times=True)))[-1][2] == f"{again / SECOND:.6f}"
