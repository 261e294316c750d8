"""The checker of the law that carries the arena: a seat is told the same bytes whatever it must not know.

A match so far is dealt and played a second time with the cards that a seat has never been shown in other places:
other hands, the stock, the discards of others. All that the seat is told must be the same to the byte. `leak` finds a
difference; what exactly is told is a parameter, so that tests can show that the checker catches one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import TypeAlias

from arena.wire import decision_chunk, event_chunk
from engine.action import DRAW, Action, Discard
from engine.card import Card
from engine.clock import TimeLeft
from engine.errors import Refused
from engine.event import (
    CardDrawn,
    CardPlayed,
    DealScored,
    DealStarted,
    Discarded,
    Event,
    HandDealt,
    KittyTaken,
    TopCardShown,
    redact,
)
from playing import NONSENSE, Record, begin, random_discards

Tell: TypeAlias = Callable[[Record, int | None], Sequence[bytes]]
"""All that a seat (None: a spectator) has been told of a match so far, in bytes."""
Answer: TypeAlias = Callable[[Record, Random], Sequence[str]]
"""What the seat to act is told of wrong answers, which come from the dice."""

TIME_LEFT = TimeLeft(58_765_432, 9_876_543)


def told(record: Record, seat: int | None) -> list[bytes]:
    """What the arena sends: every event as the seat may see it, its view, the question if it is to act."""
    chunks = [event_chunk(redact(event, seat), seq) for seq, event in enumerate(record.events, 1)]
    match = record.match
    if seat is not None:
        # A view goes out with a question alone, but when this seat comes to act the same cards are hidden from it.
        legal = match.legal() if match.turn == seat else ()
        chunks.append(decision_chunk(match.actions, match.view(seat), legal, TIME_LEFT))
    return chunks


def refusals(record: Record, dice: Random) -> list[str]:
    """What the seat to act is told of each wrong answer, `accepted` for a right one."""
    texts = []
    for action in (DRAW, *NONSENSE, *random_discards(record, dice, 30)):
        try:
            record.match.deal.copy().apply(action)
        except Refused as refused:
            texts.append(str(refused))
        else:
            texts.append("accepted")
    return texts


def cards_seen(event: Event, seat: int | None) -> tuple[Card, ...]:
    """The cards that `seat` may see in an event by the rules (DB-9, SM-9): its own, those played, those turned up.

    This is written anew here, so that a game that shows too much, or a redaction that hides too little, is found.
    """
    match event:
        case HandDealt() | KittyTaken() | Discarded():
            return event.cards if event.seat == seat else ()
        case CardDrawn():
            return (event.card,) if event.seat == seat else ()
        case TopCardShown() | CardPlayed():
            return (event.card,)
        case DealScored():
            return tuple(card for put in event.shown for card in put.cards)
    return ()


def seen_by(record: Record, seat: int | None) -> list[set[Card]]:
    """The cards that the seat has seen, by deal."""
    seen: list[set[Card]] = []
    for event in record.events:
        if isinstance(event, DealStarted):
            seen.append(set())
        seen[-1] |= set(cards_seen(event, seat))
    return seen


def side_by_side(record: Record, seat: int | None, dice: Random) -> Iterator[tuple[Record, Record]]:
    """The match anew, and its twin in which the cards that the seat has not seen lie elsewhere, after each action.

    Nothing at all when there is nothing to put elsewhere; it ends early when others, with those cards, could not have
    played as they did.
    """
    moves: list[dict[Card, Card]] = []
    for deck, seen in zip(record.decks, seen_by(record, seat), strict=True):
        hidden = [card for card in deck if card not in seen]
        moves.append(dict(zip(hidden, dice.sample(hidden, len(hidden)), strict=True)))
    if all(card == other for move in moves for card, other in move.items()):
        return
    moved = [tuple(move.get(card, card) for card in deck) for deck, move in zip(record.decks, moves, strict=True)]
    match, first = record.match, record.events[0]
    assert isinstance(first, DealStarted)
    again = begin(match.game, match.rules, first.dealer, lambda number: record.decks[number])
    twin = begin(match.game, match.rules, first.dealer, lambda number: moved[number])
    yield again, twin
    for deal_no, actor, action in record.acts:
        again.apply(action)
        try:
            twin.apply(_moved(action, moves[deal_no]))
        except Refused:
            assert actor != seat, f"whether {action} is legal for seat {seat} depends on what it cannot see"
            return
        yield again, twin


def _moved(action: Action, move: dict[Card, Card]) -> Action:
    if isinstance(action, Discard):
        return Discard(tuple(sorted(move.get(card, card) for card in action.cards)))
    return action


def leak(record: Record, twin: Record, seat: int | None, tell: Tell = told, answer: Answer = refusals) -> str | None:
    """What tells the seat one match from the other, None if nothing does."""
    mine, other = tell(record, seat), tell(twin, seat)
    for number, (chunk, twins) in enumerate(zip(mine, other, strict=False)):
        if chunk != twins:
            return f"chunk {number} of {len(mine)} to {seat}: {chunk.hex()} or {twins.hex()}"
    if len(mine) != len(other):
        return f"{len(mine)} or {len(other)} chunks to {seat}"
    if seat is not None and record.match.turn == seat:
        dice = record.match.actions
        pairs = zip(answer(record, Random(dice)), answer(twin, Random(dice)), strict=True)
        return next((f"refusal to {seat}: {text} or {twins}" for text, twins in pairs if text != twins), None)
    return None
