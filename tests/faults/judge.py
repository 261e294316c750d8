"""Holds the logs and the record of a world against what its bots remember. It knows nothing of how the arena works."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import zip_longest
from typing import Final

from arena.replay import Replay, verify
from arena.store import Result
from arena.v1 import play_pb2
from arena.wire import (
    action_from_proto,
    action_to_proto,
    event_to_proto,
    rules_from_text,
    view_to_proto,
)
from engine.deck import DeckSource
from engine.event import Event, redact
from engine.games import find
from engine.match import Match
from engine.states import Termination
from faults.diary import Deed
from faults.player import Player
from faults.sdk_player import SdkPlayer
from faults.times import Times
from faults.world import Outcome

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
            *(() if outcome.weather.has_power_cuts else _asked(replay, first, seats)),
            *_blame(result, replay, seats),
            *Times(outcome, replay, seats).complaints,
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
        if isinstance(player, SdkPlayer) and not forgets:
            yield from _hooks(player, match_id, [redact(event, seat) for event in happened])
        if diary.seats.get(match_id, seat) != seat:
            yield f"seat {seat} was told that it is seat {diary.seats[match_id]}"
        ends = diary.ends[match_id]
        if any((end.log_hash, tuple(end.totals)) != (result.log_hash, result.totals) for end in ends):
            yield f"seat {seat} was told of another end"
        if match_id in diary.seats and not ends and not diary.forgot:
            yield f"seat {seat} was never told of the end"


def _hooks(player: SdkPlayer, match_id: str, happened: list[Event]) -> Iterator[str]:
    """The hooks of a bot of the SDK are called once for each thing, in order, with nothing left out."""
    bot, name = player.bot, f"{player.name} {player.lane}"
    heard = bot.happened[match_id]
    for number, (event, expected) in enumerate(zip_longest(heard, happened[: len(heard)]), 1):
        if event is None or expected is None or event_to_proto(event) != event_to_proto(expected):
            yield f"event {number} in the hook of {name} was {event}, by the log {expected}"
            break
    if (bot.started[match_id], bot.ended[match_id]) not in {(1, 1), (0, 1), (0, 0)}:
        yield f"{name} was told of {bot.started[match_id]} starts and {bot.ended[match_id]} ends"
    if bot.ended[match_id] != bool(player.diary.ends[match_id] and match_id in player.diary.seats):
        yield f"{name} was told of an end, and its hook {bot.ended[match_id]} times"


def _asked(replay: Replay, first: Replay, seats: list[Player]) -> Iterator[str]:
    """Whenever a question was put, the view was all that the seat might know then, and the actions those allowed."""
    match_id = replay.header.match_id
    put = [(question, seat) for seat, player in enumerate(seats) for question in player.diary.questions[match_id]]
    by_number: dict[int, list[tuple[play_pb2.Decision, int]]] = defaultdict(list)
    for question, seat in put:
        by_number[question.decision_id].append((question, seat))
    for match in _course(replay, first):
        for question, seat in by_number.pop(match.actions, ()):
            legal = [action_to_proto(action) for action in match.legal()]
            if seat != match.turn or question.view != view_to_proto(match.view(seat)) or list(question.legal) != legal:
                yield f"seat {seat} was asked {question}, and by the log it was seat {match.turn}'s turn"
    if by_number:
        yield f"decisions {sorted(by_number)} were asked for, and the log does not get so far"


def events_of_log(replay: Replay, first: Replay) -> Iterator[Event]:
    """The events of a match, by the rules alone; `first` is the first leg of its set."""
    told: list[Event] = []
    for _ in _course(replay, first, told):
        yield from told
        told.clear()


def _course(replay: Replay, first: Replay, told: list[Event] | None = None) -> Iterator[Match]:
    """The match after its start and after every action; what happens is added to `told`.

    The decks of a set come from what was said in its first leg.
    """
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
    happened = [] if told is None else told
    happened += match.start()
    yield match
    for frame in frames:
        if frame.HasField("action"):
            action = action_from_proto(frame.action.action)
            assert action is not None
            happened += match.apply(action)
            yield match


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
