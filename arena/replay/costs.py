"""What the decisions of a match cost: the bill of each, and sums by seat, as lines for a person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from arena.replay.read import Entry
from arena.v1 import replay_pb2
from arena.wire import bill_from_proto, termination_from_proto
from engine.clock import SECOND, Clock, TimeControl
from engine.states import Termination

_HEADING: Final = "  decision  seat        asked     answered     elapsed         lag     charged         bank"
_SKIPPED: Final = "-"


class Costs:
    """Keeps the bills since the last lines, and every seat's clock. Nothing is said unless `shown`."""

    def __init__(self, names: Sequence[str], control: TimeControl, *, shown: bool) -> None:
        self._names = names
        self._shown = shown
        self._clocks = [Clock.full(control) for _ in names]
        self._asked: replay_pb2.Frame | None = None
        self._rows: list[str] = []
        self._charged: dict[int, list[tuple[int, int]]] = {}

    def take(self, entry: Entry) -> None:
        """Look at the next entry."""
        frame = entry.frame
        match entry.kind:
            case "asked":
                self._asked = frame
            case "action" if frame.action.HasField("bill") and frame.action.seat < len(self._clocks):
                self._charge(frame)
            case "ended" if self._asked is not None:
                self._leave_open(self._asked, frame)

    def lines(self) -> Iterator[str]:
        """What the decisions since the last time cost: sums, then every bill, in seconds."""
        if self._shown:
            for seat, charged in sorted(self._charged.items()):
                longest, decision = max(charged)
                yield (
                    f"  time {seat} {self._names[seat]}: {len(charged)} decisions in "
                    f"{sum(us for us, _ in charged) / SECOND:.3f} s, the longest {longest / SECOND:.3f} s "
                    f"(action {decision})"
                )
            if self._rows:
                yield _HEADING
                yield from self._rows
        self._rows, self._charged = [], {}

    def _charge(self, frame: replay_pb2.Frame) -> None:
        action, asked, self._asked = frame.action, self._asked, None
        bill, seat = bill_from_proto(action.bill), action.seat
        self._clocks[seat] = self._clocks[seat].charge(bill)
        self._charged.setdefault(seat, []).append((bill.charged_us, action.decision_id))
        self._row(
            action.decision_id,
            seat,
            None if asked is None else asked.at_us,
            frame.at_us,
            bill.elapsed_us,
            bill.lag_us,
            bill.charged_us,
            self._clocks[seat].bank_us,
        )

    def _leave_open(self, asked: replay_pb2.Frame, end: replay_pb2.Frame) -> None:
        """A question that the end of the match left open: how long it had been, and how long it might have been."""
        question = asked.asked
        passed = end.at_us - asked.at_us
        self._row(question.decision_id, question.seat, asked.at_us, None, passed, None, None, question.bank_us)
        if termination_from_proto(end.ended.termination) is Termination.TIMEOUT and question.seat < len(self._clocks):
            allowed = self._clocks[question.seat].allowance_us
            self._rows.append(f"  decision {question.decision_id} might take {allowed / SECOND:.6f} s")

    def _row(self, decision: int, seat: int, *times: int | None) -> None:
        asked, answered, elapsed, lag, charged, bank = (
            _SKIPPED if time is None else f"{time / SECOND:.6f}" for time in times
        )
        row = f"  {decision:8}  {seat:4} {asked:>12} {answered:>12} {elapsed:>11} {lag:>11} {charged:>11} {bank:>12}"
        self._rows.append(row)
