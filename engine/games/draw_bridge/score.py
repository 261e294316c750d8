"""What a deal scores (DB-7)."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from engine.card import Strain
from engine.event import ContractSet, ScoreLine
from engine.game import DealResult, Rules

_PER_TRICK: Final = {Strain.CLUBS: 20, Strain.DIAMONDS: 20, Strain.HEARTS: 30, Strain.SPADES: 30, Strain.NOTRUMP: 30}
_NOTRUMP_EXTRA: Final = 10
"""The first trick in no trump is worth 40, the later ones 30 (DB-7.2)."""

PASSED_OUT: Final = DealResult(points=(0, 0), declarer=None, level=0, made=False)


def trick_points(strain: Strain, tricks: int) -> int:
    """What `tricks` (at least one) beyond six are worth undoubled (DB-7.2)."""
    return _PER_TRICK[strain] * tricks + (_NOTRUMP_EXTRA if strain is Strain.NOTRUMP else 0)


def score(contract: ContractSet, tricks: int, rules: Rules) -> DealResult:
    """The score of a contract in which declarer took `tricks`."""
    return _score(contract, tricks, rules["overtricks"] == "count", int(rules["undertrick_points"]))


@lru_cache(maxsize=1 << 13)
def _score(contract: ContractSet, tricks: int, all_count: bool, undertrick_points: int) -> DealResult:  # noqa: FBT001 - a key
    over = tricks - 6 - contract.level
    made = over >= 0
    if made:
        counted = tricks - 6 if all_count else contract.level
        side, value = contract.declarer, trick_points(contract.strain, counted)
        name = f"{contract} made +{over}" if over else f"{contract} made"
    else:
        side, value = 1 - contract.declarer, undertrick_points * -over
        name = f"{contract} down {-over}"
    value *= contract.multiplier  # everything, overtricks and the extra ten too (DB-7.4)
    points = (value, 0) if side == 0 else (0, value)
    return DealResult(points, contract.declarer, contract.level, made, (ScoreLine(name, side, value),))
