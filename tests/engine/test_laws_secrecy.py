"""The law that carries the arena, over every game, and the proof that it can fail."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.wire import decision_chunk, event_chunk
from engine.event import CardDrawn, Discarded, KittyTaken, redact
from engine.game import Game
from engine.games import find
from playing import Mood, Plan, Record, every_game, plans, play
from secrecy import TIME_LEFT, Tell, leak, refusals, side_by_side, told


@every_game
def test_hidden_cards_change_no_byte_of_what_a_seat_is_told(game: Game) -> None:
    """Cards that a seat has not seen can be anywhere: its events, view, question and refusals are the same bytes.

    Most matches must reach their end with the cards elsewhere, and in most of these other hands must have changed.
    """
    tally: Counter[str] = Counter()
    listeners = (*range(len(game.sides)), None)

    @settings(max_examples=60)
    @given(plans(game, most=300), st.integers(0, 2**32))
    def law(plan: Plan, seed: int) -> None:
        record, dice = play(game, plan), Random(seed)
        for seat in listeners:
            tally["samples"] += 1
            for again, twin in side_by_side(record, seat, Random(seed)):
                last = len(again.acts) == len(record.acts)
                if last or dice.random() < 0.2:
                    assert leak(again, twin, seat) is None
                    tally["asked"] += seat == again.match.turn is not None
                if last:
                    tally["whole"] += 1
                    tally["other hands"] += again.match.deal.hands() != twin.match.deal.hands()

    law()
    assert tally["whole"] >= tally["samples"] / 2, tally
    assert tally["other hands"] >= tally["samples"] / 3, tally
    assert tally["asked"] >= tally["samples"] / 2, tally


def with_opponents_hand(record: Record, seat: int | None) -> list[bytes]:
    """A planted leak: the view has the next seat's hand among the undealt cards that this seat took."""
    if seat is None or record.match.turn is None:
        return []
    view = record.match.view(seat)
    hands = record.match.deal.hands()
    leaky = replace(view, kitty=hands[(seat + 1) % len(hands)])
    return [decision_chunk(record.match.actions, leaky, (), TIME_LEFT)]


def with_open_draws(record: Record, seat: int | None) -> list[bytes]:
    """A planted leak: cards that others draw, take or put away are told unredacted."""
    secret = CardDrawn | KittyTaken | Discarded
    return [
        event_chunk(event if isinstance(event, secret) else redact(event, seat), seq)
        for seq, event in enumerate(record.events, 1)
    ]


def with_telling_ids(record: Record, seat: int | None) -> list[bytes]:
    """A planted leak: an id that was made from the deck."""
    return [*told(record, seat), hash(record.decks[-1]).to_bytes(8, "big", signed=True)]


def with_sizes(record: Record, seat: int | None) -> list[bytes]:
    """A planted leak: a message is one byte longer when another seat holds the highest card."""
    hands = record.match.deal.hands()
    high = record.match.game.pack[-1]
    held = any(high in hand for other, hand in enumerate(hands) if other != seat)
    return [b"x" * held, *told(record, seat)]


@cache
def samples(name: str) -> list[tuple[Record, Record]]:
    """Matches of a game by its preset, each with a twin that seat 0 cannot tell from it."""
    game, found = find(name), []
    for seed in range(60):
        record = play(game, Plan(dict(game.presets["match"]), 0, Mood.ORDINARY, seed, seed))
        *_, (again, twin) = side_by_side(record, 0, Random(seed))
        if len(twin.acts) == len(record.acts):
            found.append((again, twin))
    return found


@every_game
@pytest.mark.parametrize("tell", [with_opponents_hand, with_open_draws, with_telling_ids, with_sizes])
def test_the_law_catches_a_planted_leak(game: Game, tell: Tell) -> None:
    """Each of four leaks is found among samples in which the honest arena has none."""
    assert all(told(record, 0) == told(twin, 0) for record, twin in samples(game.name))
    assert any(leak(record, twin, 0, tell) for record, twin in samples(game.name))


def with_another_hand(record: Record, dice: Random) -> list[str]:
    """A planted leak: a refusal says what the last seat holds."""
    return [f"{text}; seat 1 holds {record.match.deal.hands()[-1]}" for text in refusals(record, dice)]


@every_game
def test_the_law_catches_a_telling_refusal(game: Game) -> None:
    """A refusal in words that depend on another hand is found."""
    to_act = [(record, twin) for record, twin in samples(game.name) if record.match.turn == 0]
    found = next(filter(None, (leak(record, twin, 0, answer=with_another_hand) for record, twin in to_act)))
    assert "refusal to 0" in found
