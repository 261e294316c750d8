"""All ways to play a short deal of German Whist, counted by the engine and by a naive count of its own."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

import pytest

from engine.games import find
from naive.course import best
from whist_deals import stacked

GAME: Final = find("german-whist")

COUNTED: Final = {
    "W1": (("AS 5H 9D", "KS 2D 9H"), "7H 3S KC 4C QH 8C", {0: 175, 1: 231, 2: 374, 3: 94}),
    "nobody follows at first": (("2C 3D", "KH AS"), "4C 5D 6H 7S", {0: 3, 1: 12, 2: 35}),
    "one suit": (("2C 3C", "4C 5C"), "6C 7C 8C 9C", {0: 16, 1: 32, 2: 16}),
    "mixed": (("AS 7H 4D", "KS QH 9H"), "5S JD TH 8C 6D AH", {0: 1111, 1: 971, 2: 846, 3: 516}),
}
"""Hands, stock, and in how many ways seat 0, who leads, can come to so many tricks of the second half."""


def sequences(hands: tuple[list[str], list[str]], stock: list[str], leader: int, trump: str) -> Counter[int]:
    """All ways to play on, by the tricks that seat 0 takes in the second half."""
    if not hands[leader]:
        return Counter([0])
    found: Counter[int] = Counter()
    for lead in hands[leader]:
        other = hands[1 - leader]
        for follow in [card for card in other if card[1] == lead[1]] or other:  # GW-4.2
            winner = 1 - leader if best([lead, follow], trump) == 1 else leader
            left = [[card for card in hand if card not in (lead, follow)] for hand in hands]
            if stock:
                left[winner].append(stock[0])
                left[1 - winner].append(stock[1])
            rest = sequences((left[0], left[1]), stock[2:], winner, trump)
            for taken, ways in rest.items():
                found[taken + (not stock and winner == 0)] += ways
    return found


def perft(deal: Any) -> Counter[int]:
    """The same by the engine; each legal action is applied."""
    if deal.turn is None:
        return Counter([deal.taken[0]])
    found: Counter[int] = Counter()
    for action in deal.legal():
        twin = deal.copy()
        twin.apply(action)
        found += perft(twin)
    return found


@pytest.mark.parametrize("name", COUNTED)
def test_whole_deals_are_counted_alike(name: str) -> None:
    """By the tricks of seat 0: as written down, by the engine and by the naive count."""
    hands, stock, counted = COUNTED[name]
    rules = {**GAME.presets["seed"], "hand_cards": len(hands[0].split())}
    deal = GAME.deal(rules, stacked(hands, stock), deal_no=0, dealer=1, totals=(0, 0))
    assert dict(perft(deal)) == counted
    assert dict(sequences((hands[0].split(), hands[1].split()), stock.split(), 0, stock[1])) == counted
