"""What a seat was told and asked in a logged match, in order, with what it answered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from arena.errors import BadReplay
from arena.replay.read import Entry, Replay
from arena.replay.rerun import Setting, act
from arena.wire import action_from_proto
from engine.action import Action
from engine.clock import Clock, TimeLeft
from engine.event import Event, redact
from engine.match import Match
from engine.view import View


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of a logged match as the seat was asked it, and its answer.

    `told` are the events since the question before, as the seat may know them, each with its seq.
    """

    told: tuple[tuple[int, Event], ...]
    decision_id: int
    deal_no: int
    view: View
    legal: tuple[Action, ...]
    left: TimeLeft
    answer: Action
    note: str


@dataclass(frozen=True, slots=True)
class Rest:
    """The events after a seat's last answer. `last_seq` is that of the last one, 0 if nothing was ever dealt."""

    told: tuple[tuple[int, Event], ...]
    last_seq: int


def conversation(replay: Replay, setting: Setting, seat: int) -> Iterator[Asked | Rest]:
    """All questions that `seat` answered, then the rest. Draws that were made for it are told, not asked.

    Raises BadReplay where the log does not fit the rules.
    """
    match: Match | None = None
    told: list[tuple[int, Event]] = []
    seq = 0
    bank_us = setting.control.bank_us
    for entry in replay.entries:
        events: list[Event] = []
        match entry.kind:
            case "started":
                match = _begin(setting, entry)
                events = match.start()
            case "asked" if entry.frame.asked.seat == seat:
                bank_us = entry.frame.asked.bank_us
            case "action":
                if match is None:
                    raise BadReplay(entry.where, "an action before the match has started")
                logged = entry.frame.action
                if logged.seat == seat and not logged.auto:
                    view, legal, deal_no = match.view(seat), tuple(match.legal()), match.deal_no
                    events = act(match, entry)
                    answer = action_from_proto(logged.action)
                    if answer is not None:  # `act` has refused all else
                        left = Clock(setting.control, bank_us).left(0)
                        yield Asked(tuple(told), logged.decision_id, deal_no, view, legal, left, answer, logged.note)
                    told = []
                else:
                    events = act(match, entry)
        for event in events:
            seq += 1
            told.append((seq, redact(event, seat)))
    yield Rest(tuple(told), seq)


def _begin(setting: Setting, entry: Entry) -> Match:
    match = setting.begin()
    if match is None:
        raise BadReplay(entry.where, "the match starts before every seat is ready")
    return match
