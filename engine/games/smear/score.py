"""The points of a hand (SM-6). What they do to the totals (SM-7) says `engine.games.smear.game`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from engine.card import PACK_32, Card, Strain
from engine.event import ContractSet, Discarded, ScoreLine
from engine.game import DealResult

ACE: Final = 14
JACK: Final = 11
SEVEN: Final = 7

_BY_RANK: Final = {ACE: 4, 13: 3, 12: 2, JACK: 1, 10: 10}
COUNTS: Final[dict[Card, int]] = {card: _BY_RANK.get(card.rank, 0) for card in PACK_32}
"""What each card counts towards the game point (SM-6.4)."""

THROWN_IN: Final = DealResult(points=(0, 0), declarer=None, level=0, made=False)
"""All four passed (SM-3.5)."""


Taken: TypeAlias = tuple[int, tuple[Card, ...], int]
"""A complete trick: who led it, the cards in the order of play, who won it."""


def score(
    contract: ContractSet, trump: Strain, tricks: Sequence[Taken], discards: tuple[Card, ...], *, in_play: bool
) -> DealResult:
    """The points that both sides won in a hand.

    `in_play`: high and low are the highest and the lowest trump that was played, not ace and 7 (SM-6.5).
    """
    counts = [0, 0]
    trumps: dict[Card, int] = {}  # those that were played, with the side that played them
    jack = None
    for leader, cards, winner in tricks:
        counts[winner % 2] += sum([COUNTS[card] for card in cards])
        for seat, card in enumerate(cards, leader):
            if card >> 4 == trump:
                trumps[card] = seat % 2
                if card & 15 == JACK:
                    jack = winner % 2  # SM-6.3
    counts[contract.declarer % 2] += sum([COUNTS[card] for card in discards])  # SM-4.5
    high = trumps.get(max(trumps) if in_play else Card(16 * trump + ACE))  # SM-6.1
    low = trumps.get(min(trumps) if in_play else Card(16 * trump + SEVEN))  # SM-6.2
    points, made, lines = _points(contract, high, low, jack, (counts[0], counts[1]))
    shown = (Discarded(contract.declarer, discards),) if discards else ()  # SM-4.7
    return DealResult(points, contract.declarer, contract.level, made, lines, shown)


@lru_cache(maxsize=1 << 13)
def _points(
    contract: ContractSet, high: int | None, low: int | None, jack: int | None, counts: tuple[int, int]
) -> tuple[tuple[int, int], bool, tuple[ScoreLine, ...]]:
    """Points by side, whether the bid was made (SM-7.1), and the lines; None is a point that nobody scores."""
    won = (("high", high), ("low", low), ("jack", jack))
    lines = [ScoreLine(name, side, 1) for name, side in won if side is not None]
    ours, theirs = counts
    game = f"game {max(ours, theirs)}-{min(ours, theirs)}"
    lines.append(ScoreLine(game, int(theirs > ours), int(ours != theirs)))  # a tie scores nothing (SM-6.6)
    points = (
        sum([line.points for line in lines if line.side == 0]),
        sum([line.points for line in lines if line.side == 1]),
    )
    side = contract.declarer % 2
    made = points[side] >= contract.level
    lines.append(ScoreLine(f"bid {contract} {'made' if made else 'not made'}", side, 0))
    return points, made, tuple(lines)
