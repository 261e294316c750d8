"""Perft: how many sequences of actions there are from fixed endings, counted by the engine and by a naive second hand.

The numbers are kept here. The naive count knows nothing of the engine: its cards are strings, its hands lists, and it
was written from the clauses.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

import pytest

from bridge_deals import draw_phase_of, play_of

RANKS: Final = "23456789TJQKA"


@dataclass(frozen=True)
class Ending:
    """Cards by seat; `calls` (dealer seat 0) make the contract of a play, a stock stands for the draw phase."""

    name: str
    hands: tuple[str, str]
    calls: str = ""
    stock: str = ""
    leader: int = 1
    options: dict[str, str] = field(default_factory=dict)
    sequences: int = 0
    taken: dict[int, int] = field(default_factory=dict)
    """How many sequences give seat 0 so many of the tricks."""


DRAW_HANDS: Final = ("AS 7H 4D 2C", "KS QH 9H 3C")
DRAW_STOCK: Final = "5S JD TH 8C 6D AH"

ENDINGS: Final = [
    Ending("no trump, one suit", ("AS QS 2S", "KS JS 3S"), "1NT P", sequences=36, taken={1: 12, 2: 24}),
    Ending("no trump, mixed", ("AS QH 4D", "KS JH 3H"), "1NT P", sequences=10, taken={3: 10}),
    Ending("trump, both hold it", ("AS QH 4D", "KS JH 3H"), "1H P", sequences=10, taken={2: 10}),
    Ending("trump, ruffs", ("2C 3C AD", "KD QD AH"), "1C P", sequences=20, taken={2: 4, 3: 16}),
    Ending(
        "no trump, four cards",
        ("AS QS 7H 2C", "KS JH 4H 3C"),
        "1NT P",
        sequences=64,
        taken={0: 16, 1: 18, 2: 14, 3: 12, 4: 4},
    ),
    Ending(
        "trump, four cards", ("AS QS 7H 2C", "KS JH 4H 3C"), "1S P", sequences=64, taken={1: 16, 2: 29, 3: 15, 4: 4}
    ),
    Ending("trump, voids", ("AC KC QC JC", "AD KD 2H 3H"), "1D P", sequences=576, taken={0: 576}),
    Ending("no trump, seat 1 leads", ("AC KC QC JC", "AD KD 2H 3H"), "1NT P", sequences=576, taken={0: 576}),
    Ending(
        "no trump, seat 0 leads", ("AC KC QC JC", "AD KD 2H 3H"), "P 1NT P", leader=0, sequences=576, taken={4: 576}
    ),
    Ending("draws", DRAW_HANDS, stock=DRAW_STOCK, leader=0, sequences=4096, taken={0: 598, 1: 710, 2: 593, 3: 2195}),
    Ending(
        "draws, any suit wins",
        DRAW_HANDS,
        stock=DRAW_STOCK,
        leader=0,
        options={"draw_winner": "any"},
        sequences=4096,
        taken={0: 515, 1: 2416, 2: 1136, 3: 29},
    ),
    Ending(
        "draws, suit is followed",
        DRAW_HANDS,
        stock=DRAW_STOCK,
        leader=0,
        options={"draw_follow": "must"},
        sequences=486,
        taken={0: 86, 1: 186, 2: 141, 3: 73},
    ),
    Ending(
        "draws, suit is followed, any suit wins",
        DRAW_HANDS,
        stock=DRAW_STOCK,
        leader=1,
        options={"draw_follow": "must", "draw_winner": "any"},
        sequences=238,
        taken={0: 32, 1: 149, 2: 56, 3: 1},
    ),
]


def deal_of(ending: Ending) -> Any:
    """The ending as the engine holds it."""
    if ending.stock:
        return draw_phase_of(ending.hands, ending.stock, leader=ending.leader, **ending.options)
    return play_of(ending.calls, ending.hands, **ending.options)


def perft(deal: Any) -> Counter[int]:
    """All sequences to the end of the phase, by the tricks that seat 0 takes in them; each legal action is applied."""
    start = len(deal.tricks)

    def walk(deal: Any) -> Counter[int]:
        if deal.turn is None or deal.phase == "auction":
            return Counter([sum(winner == 0 for _, _, winner in deal.tricks[start:])])
        found: Counter[int] = Counter()
        for action in deal.legal():
            twin = deal.copy()
            twin.apply(action)
            found += walk(twin)
        return found

    return walk(deal)


def naive(
    hands: tuple[list[str], list[str]], leader: int, trump: str, stock: list[str], *, must: bool, any_suit: bool
) -> Counter[int]:
    """The same from the clauses: a trick is played, its winner draws and the loser after him if there is a stock."""
    if not hands[leader] or (len(stock) == 0 and trump == "draw phase"):
        return Counter([0])
    found: Counter[int] = Counter()
    for lead in hands[leader]:
        follower = 1 - leader
        same = [card for card in hands[follower] if card[1] == lead[1]]
        for follow in same if must and same else hands[follower]:
            higher = RANKS.index(follow[0]) > RANKS.index(lead[0])
            follower_wins = higher if follow[1] == lead[1] or any_suit else follow[1] == trump
            winner = follower if follower_wins else leader
            left = tuple([card for card in hand if card not in (lead, follow)] for hand in hands)
            if stock:
                left[winner].append(stock[0])
                left[1 - winner].append(stock[1])
            rest = naive((left[0], left[1]), winner, trump, stock[2:], must=must, any_suit=any_suit)
            for taken, sequences in rest.items():
                found[taken + (winner == 0)] += sequences
    return found


def naive_of(ending: Ending) -> Counter[int]:
    """The ending by the naive count."""
    hands = (ending.hands[0].split(), ending.hands[1].split())
    if ending.stock:
        must, any_suit = ending.options.get("draw_follow") == "must", ending.options.get("draw_winner") == "any"
        return naive(hands, ending.leader, "draw phase", ending.stock.split(), must=must, any_suit=any_suit)
    bid = next(call for call in reversed(ending.calls.split()) if call != "P")
    return naive(hands, ending.leader, bid[1:], [], must=True, any_suit=False)


by_name = pytest.mark.parametrize("ending", ENDINGS, ids=lambda ending: ending.name)


@by_name
def test_the_engine_counts_what_is_written_down(ending: Ending) -> None:
    """Sequences in all, and by the tricks of seat 0."""
    found = perft(deal_of(ending))
    assert (found.total(), dict(found)) == (ending.sequences, ending.taken)


@by_name
def test_the_naive_count_is_the_same(ending: Ending) -> None:
    """The numbers that are written down are not the engine's word alone."""
    found = naive_of(ending)
    assert (found.total(), dict(found)) == (ending.sequences, ending.taken)
