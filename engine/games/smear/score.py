"""The points of a hand (SM-6). What they do to the totals (SM-7) says `engine.games.smear.game`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, TypeAlias

from engine.card import PACK_32, SUITS, Card, parse_card
from engine.event import ContractSet, Discarded, ScoreLine
from engine.game import DealResult
from engine.trick import PLACES

_BY_RANK: Final = {"A": 4, "K": 3, "Q": 2, "J": 1, "T": 10}
COUNTS: Final[dict[Card, int]] = {card: _BY_RANK.get(str(card)[0], 0) for card in PACK_32}
"""What each card counts towards the game point (SM-6.4)."""

_ACE: Final = PLACES[parse_card("AC")][1]
_SEVEN: Final = PLACES[parse_card("7C")][1]
_JACKS: Final = tuple(parse_card(f"J{suit}") for suit in SUITS)

Taken: TypeAlias = tuple[int, tuple[Card, ...], int]
"""A complete trick: who led it, the cards in the order of play, who won it."""

THROWN_IN: Final = DealResult(points=(0, 0), declarer=None, level=0, made=False)
"""All four passed (SM-3.5)."""


def score(
    contract: ContractSet,
    trumps: tuple[int, int, int],
    tricks: Sequence[Taken],
    discards: tuple[Card, ...],
    *,
    in_play: bool,
) -> DealResult:
    """The points that both sides won in a hand.

    `trumps` are the trump suit from 0 and the masks of those that each side played. `in_play`: high and low are the
    highest and the lowest of them, not ace and 7 (SM-6.5).
    """
    suit, ours, theirs = trumps
    played = ours | theirs
    highest, lowest = (1 << played.bit_length() - 1, played & -played) if in_play else (_ACE, _SEVEN)
    high = 0 if ours & highest else 1 if theirs & highest else None  # SM-6.1
    low = 0 if ours & lowest else 1 if theirs & lowest else None  # SM-6.2
    jack, jack_of_trumps = None, _JACKS[suit]
    counts = [0, 0]
    for _, cards, winner in tricks:
        first, second, third, fourth = cards
        counts[winner & 1] += COUNTS[first] + COUNTS[second] + COUNTS[third] + COUNTS[fourth]
        if jack_of_trumps in cards:
            jack = winner & 1  # SM-6.3
    declarer, level = contract.declarer, contract.level
    shown: tuple[Discarded, ...] = ()
    if discards:
        counts[declarer & 1] += sum([COUNTS[card] for card in discards])  # SM-4.5
        shown = (Discarded(declarer, discards),)  # SM-4.7
    game, line = _game(counts[0], counts[1])
    points, lines = _points(high, low, jack, game)
    made = points[declarer & 1] >= level  # SM-7.1
    return DealResult(points, declarer, level, made, (*lines, line, _bid(declarer & 1, level, made)), shown)


@cache
def _points(
    high: int | None, low: int | None, jack: int | None, game: int | None
) -> tuple[tuple[int, int], tuple[ScoreLine, ...]]:
    """The points by side and the lines of all but the game point, given the sides that have them; None has nobody."""
    winners = (high, low, jack, game)
    named = zip(("high", "low", "jack"), winners, strict=False)
    lines = tuple([ScoreLine(name, side, 1) for name, side in named if side is not None])
    return (winners.count(0), winners.count(1)), lines


@cache
def _game(ours: int, theirs: int) -> tuple[int | None, ScoreLine]:
    """Who has the game point, given the counts, and its line; a tie scores nothing (SM-6.6)."""
    if ours == theirs:
        return None, ScoreLine(f"game {ours}-{theirs}", 0, 0)
    side = int(theirs > ours)
    return side, ScoreLine(f"game {max(ours, theirs)}-{min(ours, theirs)}", side, 1)


@cache
def _bid(side: int, level: int, made: bool) -> ScoreLine:  # noqa: FBT001 - a key
    """What became of the bid. It scores nothing by itself: the settlement takes it off when it is not made (SM-7.3)."""
    return ScoreLine(f"bid {level} {'made' if made else 'not made'}", side, 0)
