"""Hypothesis strategies for the engine's vocabulary, possible or not in any game; what makes sense is in `playing`."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

from engine.action import DOUBLE, DRAW, LEVEL_BIDS, PASS, PLAYS, REDOUBLE, STRAIN_BIDS, Action, Call, Discard
from engine.card import HIDDEN, PACK_52, Card, Strain
from engine.clock import TimeLeft
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
    ScoreLine,
    TopCardShown,
    TrickTaken,
    TrumpNamed,
)
from engine.view import Trick, View

UINT32: Final = 2**32 - 1

seats: Final = st.integers(0, 3)
small: Final = st.integers(0, 200)
points: Final = st.lists(st.integers(-(2**31), 2**31 - 1), min_size=1, max_size=4).map(tuple)
counts: Final = st.lists(st.integers(0, 300), max_size=4).map(tuple)

cards: Final[st.SearchStrategy[Card]] = st.sampled_from(PACK_52)
seen_cards: Final[st.SearchStrategy[Card]] = st.one_of(cards, st.just(HIDDEN))
strains: Final = st.sampled_from(Strain)


def tuples_of(elements: st.SearchStrategy[Card], most: int = 13) -> st.SearchStrategy[tuple[Card, ...]]:
    """Tuples of cards, in any order, with repetitions."""
    return st.lists(elements, max_size=most).map(tuple)


hands: Final = st.lists(cards, max_size=26, unique=True).map(lambda chosen: tuple(sorted(chosen)))
discards: Final = st.lists(cards, min_size=1, max_size=13, unique=True).map(
    lambda chosen: Discard(tuple(sorted(chosen)))
)
calls: Final[st.SearchStrategy[Call]] = st.sampled_from((PASS, DOUBLE, REDOUBLE, *STRAIN_BIDS, *LEVEL_BIDS.values()))
actions: Final[st.SearchStrategy[Action]] = st.one_of(
    st.just(DRAW), calls, st.sampled_from(sorted(PLAYS.values(), key=lambda play: play.card)), discards
)

calls_made: Final = st.builds(CallMade, seats, calls)
draws: Final = st.builds(CardDrawn, seats, seen_cards)
contracts: Final = st.builds(ContractSet, seats, st.integers(0, 7), strains, st.sampled_from((1, 2, 4)))
discarded: Final = st.builds(Discarded, seats, tuples_of(seen_cards))
score_lines: Final = st.builds(
    ScoreLine, st.text(st.characters(codec="utf-8"), max_size=20), seats, st.integers(-999, 999)
)
events: Final[st.SearchStrategy[Event]] = st.one_of(
    st.builds(DealStarted, small, seats),
    st.builds(HandDealt, seats, tuples_of(seen_cards)),
    draws,
    st.builds(TopCardShown, seen_cards),
    calls_made,
    contracts,
    st.builds(TrumpNamed, strains),
    st.builds(KittyTaken, seats, tuples_of(seen_cards)),
    discarded,
    st.builds(CardPlayed, seats, cards),
    st.builds(TrickTaken, seats),
    st.builds(
        DealScored,
        small,
        points,
        points,
        st.lists(score_lines, max_size=4).map(tuple),
        st.lists(discarded, max_size=2).map(tuple),
    ),
)

tricks: Final = st.builds(Trick, seats, tuples_of(cards, 4), seats)
views: Final = st.builds(
    View,
    seat=seats,
    deal_no=small,
    dealer=seats,
    phase=st.sampled_from(("draw", "auction", "discard", "play", "something new")),
    hand=hands,
    hand_counts=counts,
    totals=points,
    taken=counts,
    table=st.none() | st.builds(Trick, seats, tuples_of(cards, 4)),
    tricks=st.lists(tricks, max_size=26).map(tuple),
    calls=st.lists(calls_made, max_size=10).map(tuple),
    draws=st.lists(draws, max_size=26).map(tuple),
    stock_count=small,
    shown=seen_cards,
    contract=st.none() | contracts,
    trump=strains,
    kitty=tuples_of(cards, 3),
    discards=tuples_of(cards, 3),
)
times_left: Final = st.builds(TimeLeft, st.integers(-5_000, 10**12), st.integers(-5_000, 10**9))
