"""Do the clocks, the strikes and the absences of the log add up to how it says that the match ended?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from arena.replay.read import Entry
from arena.replay.report import Check, Finding
from arena.replay.rerun import Setting, place_of_action
from arena.wire import bill_from_proto, termination_from_proto
from engine.clock import SECOND, Clock
from engine.states import Termination
from engine.terms import STRIKES

STEP_US: Final = SECOND
"""Between the moment at which the table reads the clock and that of the log lies at most one step of the arena's loop.

A longer one on a clock that decides is a fault of the arena, which voids the match.
"""


class Bills:
    """Keeps every seat's clock as the table did."""

    def __init__(self, setting: Setting) -> None:
        self._clocks = [Clock.full(setting.control) for _ in setting.game.sides]
        self._asked: Entry | None = None
        self._check = Check("bills")
        self._count = 0

    def take(self, entry: Entry) -> None:
        """Look at the next entry."""
        match entry.kind:
            case "asked":
                self._ask(entry)
            case "action":
                self._charge(entry)
            case "restarted":
                self._asked = None  # whoever was asked is asked again, with the bank as it was
            case "ended":
                self._end(entry)

    def findings(self) -> Iterator[Finding]:
        """What has been found."""
        yield self._check.finding(
            f"{self._count} bills: each charge is elapsed less lag and was within the time allowed, the banks follow"
        )

    def _ask(self, entry: Entry) -> None:
        asked = entry.frame.asked
        if self._asked is not None:
            self._check.fail(entry.where, f"a question while decision {self._asked.frame.asked.decision_id} is open")
        self._asked = entry
        if asked.seat >= len(self._clocks):
            self._check.fail(entry.where, f"there is no seat {asked.seat}")
        elif asked.bank_us != self._clocks[asked.seat].bank_us:
            self._check.fail(
                entry.where,
                f"seat {asked.seat} has {asked.bank_us} us in its bank, its bills leave "
                f"{self._clocks[asked.seat].bank_us}",
            )

    def _charge(self, entry: Entry) -> None:
        logged = entry.frame.action
        if logged.auto:
            if logged.HasField("bill"):
                self._fail(entry, "the arena made this draw, and it has a bill")
            return
        asked, self._asked = self._asked, None
        if not logged.HasField("bill"):
            self._fail(entry, "it has no bill")
            return
        if asked is None or asked.frame.asked.seat != logged.seat or logged.seat >= len(self._clocks):
            self._fail(entry, "nobody had asked that seat")
            return
        bill, clock = bill_from_proto(logged.bill), self._clocks[logged.seat]
        passed = entry.frame.at_us - asked.frame.at_us
        self._count += 1
        if logged.bill.charged_us != bill.charged_us:
            self._fail(entry, f"{logged.bill.charged_us} us were charged, elapsed less lag is {bill.charged_us}")
        if bill.lag_us > bill.elapsed_us:
            self._fail(entry, f"of {bill.elapsed_us} us the arena was late for {bill.lag_us}")
        if abs(bill.elapsed_us - passed) > STEP_US:
            self._fail(entry, f"{bill.elapsed_us} us elapsed, and {passed} lie between question and answer")
        if bill.charged_us > clock.allowance_us:
            self._fail(entry, f"{bill.charged_us} us were charged and {clock.allowance_us} allowed: it was lost")
        self._clocks[logged.seat] = clock.charge(bill)

    def _fail(self, entry: Entry, what: str) -> None:
        self._check.fail(place_of_action(entry), what)

    def _end(self, entry: Entry) -> None:
        ended, asked = entry.frame.ended, self._asked
        if termination_from_proto(ended.termination) is not Termination.TIMEOUT:
            return
        if asked is None or asked.frame.asked.seat != ended.at_fault or ended.at_fault >= len(self._clocks):
            self._check.fail(entry.where, f"seat {ended.at_fault} ran out of time, and had not been asked")
            return
        passed = entry.frame.at_us - asked.frame.at_us
        allowed = self._clocks[ended.at_fault].allowance_us
        if passed + STEP_US <= allowed:
            self._check.fail(
                entry.where, f"seat {ended.at_fault} ran out of time after {passed} us, and {allowed} were allowed"
            )


class Conduct:
    """Counts strikes and absences."""

    def __init__(self, setting: Setting) -> None:
        self._seats = len(setting.game.sides)
        self._strikes: list[list[bool]] = [[] for _ in setting.game.sides]
        self._away: dict[int, bool] = {}
        self._open: tuple[int, int] | None = None
        self._check = Check("faults")

    @property
    def rejections(self) -> int:
        """How many answers were refused."""
        return sum(map(len, self._strikes))

    def take(self, entry: Entry) -> None:
        """Look at the next entry."""
        frame = entry.frame
        match entry.kind:
            case "asked":
                self._open = (frame.asked.seat, frame.asked.decision_id)
            case "action" if not frame.action.auto:
                self._open = None
            case "rejected":
                self._reject(entry)
            case "started":
                self._away = dict.fromkeys(range(self._seats), False)  # who is not there is marked next
            case "lost":
                self._mark(entry, frame.lost.seat, away=True)
            case "back":
                self._mark(entry, frame.back.seat, away=False)
            case "restarted":
                self._away = dict.fromkeys(range(self._seats), True)
                self._open = None
            case "ended":
                self._end(entry)
        if entry.kind not in {"rejected", "ended"} and any(len(strikes) > STRIKES for strikes in self._strikes):
            self._check.fail(entry.where, f"the match goes on after {STRIKES + 1} refused answers of one seat")

    def findings(self) -> Iterator[Finding]:
        """What has been found."""
        yield self._check.finding(f"{self.rejections} refused answers and all absences go with how the match ended")

    def _reject(self, entry: Entry) -> None:
        rejected = entry.frame.rejected
        if self._open != (rejected.seat, rejected.decision_id):
            self._check.fail(
                entry.where, f"an answer of seat {rejected.seat} to decision {rejected.decision_id}, which was not open"
            )
        if rejected.seat < self._seats:
            self._strikes[rejected.seat].append(rejected.malformed)

    def _mark(self, entry: Entry, seat: int, *, away: bool) -> None:
        if seat >= self._seats:
            self._check.fail(entry.where, f"there is no seat {seat}")
        elif self._away.get(seat) is away:
            self._check.fail(entry.where, f"seat {seat} was {'away' if away else 'there'} already")
        else:
            self._away[seat] = away

    def _end(self, entry: Entry) -> None:
        ended = entry.frame.ended
        termination = termination_from_proto(ended.termination)
        struck = termination in (Termination.ILLEGAL, Termination.MALFORMED)
        for seat, strikes in enumerate(self._strikes):
            forfeits = struck and ended.HasField("at_fault") and seat == ended.at_fault
            if forfeits and len(strikes) != STRIKES + 1:
                self._check.fail(
                    entry.where, f"seat {seat} is out by {len(strikes)} refused answers: it takes {STRIKES + 1}"
                )
            elif forfeits and strikes[-1] is not (termination is Termination.MALFORMED):
                self._check.fail(entry.where, f"the last refused answer of seat {seat} was of the other kind")
            elif not forfeits and len(strikes) > STRIKES:
                self._check.fail(entry.where, f"seat {seat} had {len(strikes)} refused answers and is not out by them")
        if termination is Termination.DISCONNECT and self._away.get(ended.at_fault) is False:
            self._check.fail(entry.where, f"seat {ended.at_fault} was away for too long, and was there")
