"""Holds the logs and the record of a world against what its bots remember. It knows nothing of how the arena works."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from arena.replay import Replay, verify
from arena.store import Result
from arena.v1 import replay_pb2
from arena.wire import action_from_proto, event_to_proto, rules_from_text, time_control_from_proto
from engine.clock import SECOND
from engine.deck import DeckSource
from engine.event import Event, redact
from engine.games import find
from engine.match import Match
from engine.states import Termination
from faults.diary import Deed
from faults.player import Player
from faults.world import Outcome

AWAY_US: Final = 60 * SECOND
SHORTEST_US: Final = 50_000
ATTEMPTS: Final = 5
BLAME: Final = {
    Termination.TIMEOUT: {Deed.SILENT, Deed.AWAY},
    Termination.DISCONNECT: {Deed.AWAY},
    Termination.ILLEGAL: {Deed.ILLEGAL},
    Termination.MALFORMED: {Deed.MALFORMED},
    Termination.RESIGN: {Deed.RESIGNS},
}
"""What a bot must have done to be blamed in that word."""


def judge(outcome: Outcome) -> list[str]:
    """All that is wrong; nothing if all is well."""
    found = [*outcome.complaints, *_numbers(outcome)]
    by_id = {replay.header.match_id: replay for replay in outcome.replays}
    for result, replay in zip(outcome.results, outcome.replays, strict=True):
        seats = _seats(outcome, replay)
        first = by_id[result.set_id]
        report = verify(replay, known_hash=result.log_hash, first_leg=None if first is replay else first)
        complaints = [
            *(f"{failure.check}: {failure.text}" for failure in report.failures),
            *_record(result, replay),
            *_acts(replay, seats),
            *_told(result, list(events_of_log(replay, first)), seats, forgets=outcome.weather.has_power_cuts),
            *_blame(result, replay, seats),
            *Times(outcome, replay).complaints,
        ]
        found += [f"match {result.match_id} ({result.termination}): {complaint}" for complaint in complaints]
    return found


def _seats(outcome: Outcome, replay: Replay) -> list[Player]:
    players = {(player.name, player.lane): player for player in outcome.players}
    return [players[seat.bot, seat.lane] for seat in replay.header.seats]


def _numbers(outcome: Outcome) -> Iterator[str]:
    """Matches are numbered without gaps, and each set was tried until it counted, or often enough."""
    weather, results = outcome.weather, outcome.results
    if len({result.match_id for result in results}) != len(results):
        yield "two matches have the same id"
    if not weather.is_planned:
        numbers = sorted(result.number for result in results)
        if numbers != list(range(1, len(numbers) + 1)) and not weather.has_power_cuts:
            yield f"matches are numbered {numbers}"
        return
    sets: dict[int, dict[int, list[Result]]] = defaultdict(lambda: defaultdict(list))
    for result in results:
        sets[(result.number - 1) // weather.legs][result.attempt].append(result)
    if sorted(sets) != list(range(weather.matches // weather.legs)):
        yield f"of {weather.matches // weather.legs} sets {sorted(sets)} were played"
    for number, attempts in sets.items():
        if sorted(attempts) != list(range(len(attempts))):
            yield f"the attempts at set {number} are {sorted(attempts)}"
        for attempt, tries in attempts.items():
            yield from _legs(tries, weather.legs, is_last=attempt == len(attempts) - 1)


def _legs(tries: list[Result], legs: int, *, is_last: bool) -> Iterator[str]:
    """An attempt at a set is played leg by leg until one is void; only the last attempt is not void."""
    played = [result.leg for result in tries]
    void = [result.leg for result in tries if result.termination.void]
    if len({result.set_id for result in tries}) > 1:
        yield f"one attempt and two sets: {tries}"
    if played != list(range(1, (void[0] if void else legs) + 1)):
        yield f"legs {played} were played, {void} were void"
    if bool(void) is is_last and (not is_last or tries[0].attempt < ATTEMPTS - 1):
        yield f"attempt {tries[0].attempt}, {'the last' if is_last else 'with one after it'}: {void} were void"


def _record(result: Result, replay: Replay) -> Iterator[str]:
    """The record says what the log says."""
    ended = replay.ended
    if ended is None:
        yield "its log has no end"
    elif replay.head != result.log_hash or tuple(ended.totals) != result.totals:
        yield "its record is not that of its log"


def _acts(replay: Replay, seats: list[Player]) -> Iterator[str]:
    """Every decision was taken once, in order, and as its bot chose."""
    acts = [frame.action for frame in replay.frames if frame.HasField("action")]
    if [act.decision_id for act in acts] != list(range(len(acts))):
        yield f"its decisions are {[act.decision_id for act in acts]}"
    for act in acts:
        chosen = seats[act.seat].diary.chosen[replay.header.match_id].get(act.decision_id)
        if not act.auto and chosen != act.action.SerializeToString():
            yield f"decision {act.decision_id} is {act.action}, seat {act.seat} chose {chosen!r}"


def _told(result: Result, happened: list[Event], seats: list[Player], *, forgets: bool) -> Iterator[str]:
    """What a seat was told is what happened by the log: nothing else, and with an end that is in the record.

    A log that `forgets` may have lost what was told of the running deal, which then goes otherwise.
    """
    for seat, player in enumerate(seats):
        diary, match_id = player.diary, result.match_id
        for seq, event in () if forgets else diary.told[match_id].items():
            if seq > len(happened):
                yield f"seat {seat} was told of {event}, which is not in the log"
                continue
            expected = event_to_proto(redact(happened[seq - 1], seat))
            expected.seq = seq
            if event != expected:
                yield f"seat {seat} was told {event}, the log has {expected}"
        if diary.seats.get(match_id, seat) != seat:
            yield f"seat {seat} was told that it is seat {diary.seats[match_id]}"
        ends = diary.ends[match_id]
        if any((end.log_hash, tuple(end.totals)) != (result.log_hash, result.totals) for end in ends):
            yield f"seat {seat} was told of another end"
        if match_id in diary.seats and not ends and not diary.forgot:
            yield f"seat {seat} was never told of the end"


def events_of_log(replay: Replay, first: Replay) -> Iterator[Event]:
    """The events of a match, by the rules alone; the decks of its set come from what was said in the first leg."""
    header, frames = replay.header, replay.frames
    started = [frame.started for frame in frames if frame.HasField("started")]
    if not started:
        return
    game = find(header.game)
    nonces = {frame.ready.seat: frame.ready.nonce for frame in first.frames if frame.HasField("ready")}
    source = DeckSource(
        header.server_seed, header.set_id, game.name, game.pack, len(game.sides), () if header.seeded else None
    )
    said = [nonces.get(seat, b"") for seat in range(len(game.sides))]
    match = Match(game, rules_from_text(game, header.rules), started[0].first_dealer, source.decks(said))
    yield from match.start()
    for frame in frames:
        if frame.HasField("action"):
            action = action_from_proto(frame.action.action)
            assert action is not None
            yield from match.apply(action)


def _blame(result: Result, replay: Replay, seats: list[Player]) -> Iterator[str]:
    """Nobody loses by a fault that it has not committed, and nothing is void without a reason."""
    match_id, why = result.match_id, result.termination
    if why in BLAME:
        guilty = {seat for seat, player in enumerate(seats) if player.diary.deeds[match_id] & BLAME[why]}
        if result.at_fault not in guilty:
            yield f"seat {result.at_fault} has lost it and did nothing: {guilty} did"
    elif why is Termination.VOID_NOT_READY:
        unready = {seat for seat, player in enumerate(seats) if player.diary.was_unready(match_id)}
        if result.at_fault not in unready and (result.at_fault is not None or len(unready) < 2):
            yield f"seat {result.at_fault} was not ready, by the bots it was {unready}"
    elif why is Termination.VOID_ARENA:
        guilty = {seat for seat, player in enumerate(seats) if player.diary.deeds[match_id]}
        began = any(frame.HasField("started") for frame in replay.frames)
        restarted = any(frame.HasField("restarted") for frame in replay.frames)
        if (began or not restarted) and len(guilty) < 1 + (not restarted):
            yield "it is void, and nobody stayed away"
    elif why not in (Termination.SCORE, Termination.DEAL_LIMIT):
        yield "nobody could end it like that"


class Times:
    """Adds up absences and thoughts again. What the arena was late for in this world is the margin."""

    def __init__(self, outcome: Outcome, replay: Replay) -> None:
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
            self._compare_clocks(outcome, replay)

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

    def _compare_clocks(self, outcome: Outcome, replay: Replay) -> None:
        """No bot was told of more time than it had."""
        banks = {frame.asked.decision_id: frame.asked.bank_us for frame in replay.frames if frame.HasField("asked")}
        for player in _seats(outcome, replay):
            for number, clock in player.diary.clocks[replay.header.match_id]:
                if number not in banks or clock.bank_ms > banks[number] // 1000 or clock.decision_ms > clock.bank_ms:
                    self.complaints.append(f"decision {number} was asked with the clock {clock}")
