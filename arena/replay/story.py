"""A match for a person to read: hands, tricks, auction, score, deal by deal, in plain lines.

A trick reads `3 0 4H 5S -> 0 (6S QS)`: its number, the leader, the cards in order of play, the winner, and, where cards
are drawn, the winner's and the loser's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Final

from arena.plain import phrase, word
from arena.replay.costs import Costs
from arena.replay.read import Entry, Replay
from arena.replay.rerun import Setting, setting_of, steps
from arena.replay.words import disagreement, sentence
from arena.v1 import replay_pb2
from arena.wire import action_from_proto, termination_from_proto
from engine.card import SUITS, Card
from engine.clock import SECOND
from engine.event import (
    CallMade,
    CardDrawn,
    CardPlayed,
    ContractSet,
    DealScored,
    DealStarted,
    Discarded,
    Event,
    HandDealt,
    KittyTaken,
    TopCardShown,
    TrickTaken,
    TrumpNamed,
)
from engine.seating import teams

_ROW: Final = 3
"""Tricks on a line."""


def story(
    replay: Replay, *, times: bool = False, notes: bool = False, first_leg: Replay | None = None
) -> Iterator[str]:
    """The lines of a match's story. `times` adds what decisions cost, `notes` what the bots remarked.

    Raises BadReplay where the match cannot be played again; see `setting_of` for `first_leg`.
    """
    setting = setting_of(replay, first_leg)
    yield from _heading(replay, setting)
    scribe = _Scribe([seat.bot for seat in replay.header.seats], setting.game.sides)
    costs = Costs(scribe.names, setting.control, shown=times)
    for step in steps(replay, setting):
        costs.take(step.entry)
        if step.entry.kind == "action" and notes and step.entry.frame.action.note:
            scribe.remark(_note(step.entry.frame.action))
        for event in step.events:
            if isinstance(event, DealStarted):
                yield from costs.lines()
            yield from scribe.tell(event)
        scribe.remark(_incident(step.entry))
    yield from scribe.rest()
    yield from costs.lines()
    yield from _ending(replay, setting)


def _note(logged: replay_pb2.LoggedAction) -> str:
    action = action_from_proto(logged.action)
    return f"action {logged.decision_id}, seat {logged.seat}, {action}: {phrase(logged.note)}"


def _heading(replay: Replay, setting: Setting) -> Iterator[str]:
    header = replay.header
    offered = datetime.fromtimestamp(min(max(header.offered_unix_ms, 0), 10**14) / 1000, UTC)
    leg = f", leg {header.leg} of {header.legs} of set {word(header.set_id)}" if header.legs > 1 else ""
    yield f"match {word(replay.name)}: {setting.game.title}{leg}"
    yield f"  offered {offered:%Y-%m-%d %H:%M:%S} UTC, time {setting.control}" + (
        ", fixed seed" if header.seeded else ""
    )
    for seat, place in enumerate(header.seats):
        software = f" ({phrase(place.software)})" if place.software else ""
        yield f"  seat {seat}  {word(place.bot)}{software}"
    sides = setting.game.sides
    if len(set(sides)) < len(sides):
        for side, team in enumerate(teams([word(place.bot) for place in header.seats], sides)):
            yield f"  side {side}  {team}"
    yield "  rules   " + ", ".join(f"{name} {value}" for name, value in setting.rules.items())


class _Scribe:
    """Writes down what happens at the table."""

    def __init__(self, names: Sequence[str], sides: Sequence[int]) -> None:
        self.names = [word(name) for name in names]
        self._teams = teams(self.names, sides)
        self._hands: list[set[Card]] = [set() for _ in names]
        self._calls: list[str] = []
        self._tricks: list[str] = []
        self._number = 0
        self._trick: list[str] = []
        self._drawn: list[str] = []
        self._dealt = True  # the hands are still those that were dealt, and shown
        self._before: list[set[Card]] = []  # the hands when the trick began
        self._drew = False  # after the tricks so far cards were drawn
        self._remarks: list[str] = []

    def remark(self, text: str) -> None:
        """Add what is no part of the play behind the line that is being written; an empty text adds nothing."""
        if text:
            self._remarks.append(f"    {text}")

    def tell(self, event: Event) -> Iterator[str]:
        """The lines that are complete with this event."""
        match event:
            case DealStarted():
                self._hands = [set() for _ in self.names]
                self._number, self._dealt, self._drew = 0, True, False
                yield from ("", f"deal {event.deal_no}, dealer {event.dealer} {self.names[event.dealer]}")
            case HandDealt():
                self._hands[event.seat] |= set(event.cards)
                yield self._hand(event.seat, self._hands[event.seat])
            case CardPlayed() | CardDrawn() | TrickTaken() | TopCardShown():
                yield from self._card(event)
            case CallMade():
                yield from self._call(event)
            case ContractSet() | TrumpNamed():
                yield from self._flush_calls()
                yield self._settled(event)
            case KittyTaken() | Discarded():
                yield from self._exchange(event)
            case DealScored():
                yield from self._flush_calls()
                yield from self._flush_tricks(complete=True)
                for line in event.lines:
                    yield f"  {line.name}: {line.points} to side {line.side}, {self._teams[line.side]}"
                yield f"  points {_pair(event.points)}, totals {_pair(event.totals)}"

    def rest(self) -> Iterator[str]:
        """What has been begun and not yet been written."""
        yield from self._flush_calls()
        yield from self._flush_tricks()

    def _call(self, event: CallMade) -> Iterator[str]:
        if not self._calls:
            yield from self._flush_tricks()
            if not self._dealt:
                yield from self._show("hands at the auction", self._hands)
        self._calls.append(f"{event.seat} {event.call.token}")
        self._number, self._drew = 0, False

    def _settled(self, event: ContractSet | TrumpNamed) -> str:
        if isinstance(event, TrumpNamed):
            return f"  trump {event.strain}"
        return f"  contract {event} by {event.declarer} {self.names[event.declarer]}"

    def _exchange(self, event: KittyTaken | Discarded) -> Iterator[str]:
        yield from self._flush_calls()
        hand, cards = self._hands[event.seat], set(event.cards)
        self._hands[event.seat] = hand | cards if isinstance(event, KittyTaken) else hand - cards
        verb = "takes" if isinstance(event, KittyTaken) else "discards"
        yield f"  {event.seat} {self.names[event.seat]} {verb} {' '.join(map(str, event.cards))}"

    def _card(self, event: CardPlayed | CardDrawn | TrickTaken | TopCardShown) -> Iterator[str]:
        match event:
            case TopCardShown():
                yield from self._close_trick()
                self._trick.append(f"[{event.card}]")
            case CardPlayed():
                yield from self._flush_calls()
                if self._drawn or any("->" in word for word in self._trick):
                    yield from self._close_trick(complete=True)
                if not any(word.isdigit() for word in self._trick):
                    self._number += 1
                    self._before = [set(hand) for hand in self._hands]
                    self._trick += [str(self._number), str(event.seat)]
                self._trick.append(str(event.card))
                self._hands[event.seat].discard(event.card)
            case TrickTaken():
                self._trick.append(f"-> {event.seat}")
            case CardDrawn():
                self._drawn.append(str(event.card))
                self._hands[event.seat].add(event.card)
                self._dealt = False

    def _close_trick(self, *, complete: bool = False) -> Iterator[str]:
        """Be done with a trick; a `complete` one is known to be followed by no more draws than there were."""
        if complete and self._drew and self._trick and not self._drawn:
            yield from self._begin_again()
        if self._trick:
            self._drew = bool(self._drawn)
            drawn = f" ({' '.join(self._drawn)})" if self._drawn else ""
            self._tricks.append(" ".join(self._trick) + drawn)
            self._trick, self._drawn = [], []
        if len(self._tricks) >= _ROW:
            yield from self._write_tricks()

    def _write_tricks(self) -> Iterator[str]:
        width = max([26, *map(len, self._tricks)])
        if self._tricks:
            yield "  " + "   ".join(trick.ljust(width) for trick in self._tricks).rstrip()
        self._tricks = []
        yield from self._remarks
        self._remarks = []

    def _begin_again(self) -> Iterator[str]:
        """The trick is the first of the half in which nothing is drawn any more: it begins a line of its own."""
        yield from self._write_tricks()
        yield from self._show("hands at the play", self._before)
        self._trick[self._trick.index(str(self._number))] = "1"
        self._number = 1

    def _flush_tricks(self, *, complete: bool = False) -> Iterator[str]:
        yield from self._close_trick(complete=complete)
        yield from self._write_tricks()

    def _flush_calls(self) -> Iterator[str]:
        if self._calls:
            yield "  auction " + ", ".join(self._calls)
            yield from self._remarks
            self._calls, self._remarks = [], []

    def _show(self, what: str, hands: Sequence[set[Card]]) -> Iterator[str]:
        yield f"  {what}"
        yield from (self._hand(seat, hand) for seat, hand in enumerate(hands))

    def _hand(self, seat: int, hand: set[Card]) -> str:
        suits = []
        for suit in reversed(SUITS):
            cards = sorted((card for card in hand if card.suit is suit), reverse=True)
            suits.append(f"{suit} {''.join(str(card)[0] for card in cards) or '-'}")
        return f"  {seat} {self.names[seat]:<12} " + "  ".join(suits)


def _incident(entry: Entry) -> str:
    """What befell a seat or the arena; empty if nothing did."""
    frame = entry.frame
    match entry.kind:
        case "rejected":
            told = f"an answer of seat {frame.rejected.seat} is refused: {phrase(frame.rejected.text)}"
        case "lost":
            told = f"seat {frame.lost.seat} has lost its stream"
        case "back":
            told = f"seat {frame.back.seat} is back"
        case "restarted":
            told = f"the arena is restarted after an outage of {frame.restarted.outage_ms / 1000:.1f} s"
        case _:
            return ""
    return f"at {_seconds(frame.at_us)}: {told}"


def _ending(replay: Replay, setting: Setting) -> Iterator[str]:
    yield ""
    ended = replay.ended
    if ended is None:
        yield "The log has no end: the match is still running, or the end was cut off."
        return
    yield _end_sentence(ended, setting, [word(seat.bot) for seat in replay.header.seats])
    yield f"log hash {replay.head.hex()}"


def _end_sentence(ended: replay_pb2.LoggedEnd, setting: Setting, names: Sequence[str]) -> str:
    termination = termination_from_proto(ended.termination)
    if termination is None:
        return "The log does not say how the match ended."
    winner = ended.winner if ended.HasField("winner") else None
    at_fault = ended.at_fault if ended.HasField("at_fault") else None
    sides, totals = setting.game.sides, tuple(ended.totals)
    wrong = disagreement(termination, sides, at_fault, winner, totals)
    if wrong is not None:
        return f"The log contradicts itself on how the match ended ({termination.value}): {wrong}."
    return sentence(termination, names, at_fault, winner, totals, sides=sides)


def _pair(numbers: Sequence[int]) -> str:
    return " : ".join(map(str, numbers))


def _seconds(us: int) -> str:
    return f"{us / SECOND:.3f} s"
