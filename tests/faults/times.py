"""The clocks and absences of a simulated match, added up again from its log alone."""

from __future__ import annotations

from typing import Final

from arena.replay import Replay
from arena.v1 import replay_pb2
from arena.wire import time_control_from_proto
from engine.clock import SECOND
from faults.player import Player
from faults.world import Outcome

AWAY_US: Final = 60 * SECOND
SHORTEST_US: Final = 50_000


class Times:
    """Adds up absences and thoughts again. What the arena was late for in this world is the margin."""

    def __init__(self, outcome: Outcome, replay: Replay, seats: list[Player]) -> None:
        self.complaints: list[str] = []
        self._control = time_control_from_proto(replay.header.time_control)
        self._margin = round(sum(outcome.weather.stalls) * SECOND) + 2
        count = len(replay.header.seats)
        self._spent, self._since = [0] * count, [None] * count
        self._excused: set[int] = set()
        self._begun = False
        self._asked: replay_pb2.Frame | None = None
        self._banks = [self._control.bank_us] * count
        last = 0
        for frame in replay.frames:
            if frame.at_us < last:
                self.complaints.append(f"time runs backwards at {frame.at_us} us")
            last = frame.at_us
            if not frame.HasField("ended"):
                self._look_for_overdue(frame)
            self._take(frame)
        if not outcome.weather.has_power_cuts:  # else a decision can come again, with less time
            self._compare_clocks(replay, seats)

    def _allowed(self, seat: int) -> int:
        cap, bank = self._control.cap_us, self._banks[seat]
        return min(bank, cap) if cap else bank

    def _away(self, seat: int, now: int) -> int:
        since = self._since[seat]
        return self._spent[seat] + (now - since if since is not None else 0)

    def _look_for_overdue(self, frame: replay_pb2.Frame) -> None:
        if frame.HasField("restarted"):
            return
        for seat, since in enumerate(self._since):
            if since is not None and self._away(seat, frame.at_us) > AWAY_US + self._margin:
                self.complaints.append(f"seat {seat} has been away too long at {frame.at_us} us, and it goes on")
        asked = self._asked
        if asked is not None and frame.at_us - asked.at_us > self._allowed(asked.asked.seat) + self._margin:
            self.complaints.append(f"seat {asked.asked.seat} is out of time at {frame.at_us} us, and it goes on")

    def _take(self, frame: replay_pb2.Frame) -> None:
        match frame.WhichOneof("entry"):
            case "asked":
                self._asked = frame
                if frame.asked.bank_us != self._banks[frame.asked.seat]:
                    self.complaints.append(f"a bank of {frame.asked.bank_us} us, it is {self._banks}")
            case "action" if not frame.action.auto:
                self._charge(frame.action)
            case "lost":
                self._since[frame.lost.seat] = frame.at_us
            case "back":
                self._come_back(frame.back.seat, frame.at_us)
            case "started":
                self._begun = True
            case "restarted" if self._begun:  # before the start nobody's absence counts
                count = len(self._spent)
                self._asked = None
                self._spent, self._since = [0] * count, [frame.at_us] * count
                self._excused = set(range(count))
            case "ended":
                self._end(frame)

    def _come_back(self, seat: int, now: int) -> None:
        since = self._since[seat]
        if since is None:
            self.complaints.append(f"seat {seat} is back and was there")
            return
        self._spent[seat] += max(SHORTEST_US, now - since)
        self._since[seat] = None
        self._excused.discard(seat)

    def _charge(self, act: replay_pb2.LoggedAction) -> None:
        asked, self._asked = self._asked, None
        charged = act.bill.charged_us
        if asked is None or asked.asked.decision_id != act.decision_id:
            self.complaints.append(f"decision {act.decision_id} was not asked for")
        if charged > self._allowed(act.seat):
            self.complaints.append(f"decision {act.decision_id} took {charged} us and was not too late")
        if act.bill.lag_us > self._margin:
            self.complaints.append(f"decision {act.decision_id}: the arena was late for {act.bill.lag_us} us")
        self._banks[act.seat] += self._control.increment_us - charged

    def _end(self, frame: replay_pb2.Frame) -> None:
        ended, now = frame.ended, frame.at_us
        name = (
            replay_pb2.LoggedEnd.DESCRIPTOR.fields_by_name["termination"]
            .enum_type.values_by_number[ended.termination]
            .name
        )
        if name.endswith("_TIMEOUT"):
            asked = self._asked
            if asked is None or asked.asked.seat != ended.at_fault:
                self.complaints.append("lost on time by a seat that was not asked")
                return
            over = now - asked.at_us - self._allowed(ended.at_fault)
            if not 0 < over <= self._margin:
                self.complaints.append(f"lost on time {over} us after it was up")
        elif name.endswith("_DISCONNECT"):
            over = self._away(ended.at_fault, now) - AWAY_US
            if not 0 <= over <= self._margin or ended.at_fault in self._excused or self._since[ended.at_fault] is None:
                self.complaints.append(f"lost by absence {over} us after that was up, {self._excused} are excused")

    def _compare_clocks(self, replay: Replay, seats: list[Player]) -> None:
        """No bot was told of more time than it had."""
        banks = {frame.asked.decision_id: frame.asked.bank_us for frame in replay.frames if frame.HasField("asked")}
        for player in seats:
            for question in player.diary.questions[replay.header.match_id]:
                number, clock = question.decision_id, question.clock
                if number not in banks or clock.bank_ms > banks[number] // 1000 or clock.decision_ms > clock.bank_ms:
                    self.complaints.append(f"decision {number} was asked with the clock {clock}")
