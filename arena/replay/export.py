"""The stable text form of a replay: JSON Lines, schema 1, which an independent checker can read.

It tells what the log says: scores and result as they were logged, decks dealt again from the seed. It changes only with
its schema number. Its lines are of these types, keys in this order:

    match      schema match_id set_id leg game rules_version rules seats
               first_dealer commitment server_seed nonces seeded
    deal       n dealer deck
    draw       seat                 [ms] [note] [auto]
    call       seat call            [ms] [note]
    discard    seat cards           [ms] [note]
    play       seat card            [ms] [note]
    deal_end   n points totals
    match_end  termination winner at_fault deals_complete totals

`first_dealer` is null in a match that never started, and a nonce is null there for a seat that was not ready. A log
without an end has no match_end.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from arena.replay.read import Replay
from arena.replay.rerun import Setting, Step, setting_of, steps
from arena.v1 import replay_pb2
from arena.wire import action_from_proto, termination_from_proto
from engine.action import Action, Call, Discard, Draw, Play
from engine.event import DealScored, DealStarted

EXPORT_SCHEMA: Final = 1


def export_jsonl(replay: Replay, *, first_leg: Replay | None = None) -> Iterator[str]:
    """The lines of the text form, without line ends; ASCII only.

    Raises BadReplay before the first line when the match cannot be played again; see `setting_of` for `first_leg`.
    """
    setting = setting_of(replay, first_leg)
    course = tuple(steps(replay, setting))
    for line in _lines(replay, setting, course):
        yield json.dumps(line, separators=(",", ":"))


def _lines(replay: Replay, setting: Setting, course: tuple[Step, ...]) -> Iterator[dict[str, Any]]:
    yield _match(replay, setting, first_leg_nonces(setting, replay))
    later: list[dict[str, Any]] = []  # what an action made happen, until the log has told of it
    for step in course:
        frame = step.entry.frame
        match step.entry.kind:
            case "started":
                yield from _happened(step, setting)
            case "action":
                yield from later
                yield _action(frame.action)
                later = list(_happened(step, setting))
            case "deal":
                yield _deal_end(frame.deal.deal_no, frame.deal.points, frame.deal.totals)
                yield from (line for line in later if line["type"] != "deal_end")
                later = []
            case "ended":
                yield from later
                later = []
                yield _match_end(frame.ended)
    yield from later


def first_leg_nonces(setting: Setting, replay: Replay) -> list[str | None]:
    """The nonces that made the decks, as hex by seat; None for a seat that was not ready. Empty if none did."""
    if setting.nonces is not None:
        return [nonce.hex() for nonce in setting.nonces]
    said = {entry.frame.ready.seat: entry.frame.ready.nonce for entry in replay.entries if entry.kind == "ready"}
    return [said[seat].hex() if seat in said else None for seat in range(len(setting.game.sides))]


def _match(replay: Replay, setting: Setting, nonces: list[str | None]) -> dict[str, Any]:
    header = replay.header
    dealers = [entry.frame.started.first_dealer for entry in replay.entries if entry.kind == "started"]
    return {
        "type": "match",
        "schema": EXPORT_SCHEMA,
        "match_id": header.match_id,
        "set_id": header.set_id,
        "leg": header.leg,
        "game": header.game,
        "rules_version": header.rules_version,
        "rules": dict(setting.rules),
        "seats": [seat.bot for seat in header.seats],
        "first_dealer": dealers[0] if dealers else None,
        "commitment": header.commitment.hex(),
        "server_seed": header.server_seed.hex(),
        "nonces": nonces,
        "seeded": header.seeded,
    }


def _happened(step: Step, setting: Setting) -> Iterator[dict[str, Any]]:
    for event in step.events:
        match event:
            case DealStarted():
                deck = () if setting.decks is None else setting.decks(event.deal_no)
                yield {"type": "deal", "n": event.deal_no, "dealer": event.dealer, "deck": [str(card) for card in deck]}
            case DealScored():
                yield _deal_end(event.deal_no, event.points, event.totals)


def _deal_end(deal_no: int, points: Any, totals: Any) -> dict[str, Any]:
    return {"type": "deal_end", "n": deal_no, "points": list(points), "totals": list(totals)}


def _action(logged: replay_pb2.LoggedAction) -> dict[str, Any]:
    line: dict[str, Any] = {"type": "", "seat": logged.seat}
    action: Action | None = action_from_proto(logged.action)
    match action:
        case Draw():
            line["type"] = "draw"
        case Call():
            line |= {"type": "call", "call": action.token}
        case Discard():
            line |= {"type": "discard", "cards": [str(card) for card in action.cards]}
        case Play():
            line |= {"type": "play", "card": str(action.card)}
    if logged.HasField("bill"):
        line["ms"] = logged.bill.charged_us // 1000
    if logged.note:
        line["note"] = logged.note
    if logged.auto:
        line["auto"] = True
    return line


def _match_end(ended: replay_pb2.LoggedEnd) -> dict[str, Any]:
    termination = termination_from_proto(ended.termination)
    return {
        "type": "match_end",
        "termination": None if termination is None else termination.value,
        "winner": ended.winner if ended.HasField("winner") else None,
        "at_fault": ended.at_fault if ended.HasField("at_fault") else None,
        "deals_complete": ended.deals_complete,
        "totals": list(ended.totals),
    }
