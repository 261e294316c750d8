"""Live Elo: a pure function of the results, in the order of the log, in whole thousandths of a point.

    E = 1 / (1 + 10 ^ ((R_other - R_own) / 400))        R_own += K * weight * (S - E)

The rated unit is a set: S is the mean over its legs of 1 for a win, 1/2 for a draw, 0 for a loss; its weight is half of
its legs, so that a single match is a set of one leg with half the weight. K is 40 below 30 sets (`provisional`), 20
below 100, then 10. A side of several seats has the mean of its members, and each member gets the whole change of its
side with its own K. A set with a void leg is not rated.

A rating is rounded, half to even, after each set. E is computed in decimal arithmetic, whose exponential is correctly
rounded, so that every machine gets the same thousandths.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import Final

START_MILLI: Final = 1_500_000
"""The rating of a bot without results."""
PROVISIONAL_SETS: Final = 30
"""Below so many sets a rating says little."""

_EXACT: Final = Context(prec=34, rounding=ROUND_HALF_EVEN)
_PER_MILLI: Final = _EXACT.divide(_EXACT.ln(Decimal(10)), Decimal(-400_000))


@dataclass(frozen=True, slots=True)
class Rating:
    """A bot's live Elo in thousandths of a point, and how many matches it comes from."""

    milli: int = START_MILLI
    matches: int = 0

    @property
    def sets(self) -> float:
        """The rated sets: two matches are one."""
        return self.matches / 2

    @property
    def provisional(self) -> bool:
        """Too few sets to say much."""
        return self.sets < PROVISIONAL_SETS

    @property
    def k(self) -> int:
        """How far one set can move it, in points."""
        if self.provisional:
            return 40
        return 20 if self.sets < 100 else 10


@dataclass(frozen=True, slots=True)
class Leg:
    """A match as ratings see it: its bots and their sides by seat, and the side that won (None: drawn)."""

    bots: tuple[str, ...]
    sides: tuple[int, ...]
    winner: int | None
    void: bool = False


def kind_of(bots: Sequence[str], sides: Sequence[int]) -> str | None:
    """The ladder that a match counts for: `individual`, `pair` where one bot has all seats of a side, None for none.

    Not rated are matches without exactly two sides, of a bot against itself, and of a pair against single bots.
    """
    both = teams(bots, sides)
    if len(both) != 2 or set(both[0]) & set(both[1]):
        return None
    if all(len(set(team)) == len(team) for team in both):
        return "individual"
    return "pair" if all(len(set(team)) == 1 for team in both) else None


def rate_set(ratings: Mapping[str, Rating], legs: Sequence[Leg]) -> dict[str, Rating]:
    """The ratings after a set of everybody who played in it; empty if the set is not rated.

    Bots that `ratings` does not know start afresh. All legs are between the same two teams, in any seats; legs of
    other teams make no set, and nothing is rated.
    """
    halves = half_points(legs)
    if halves is None:
        return {}
    own, other = teams(legs[0].bots, legs[0].sides)
    gain = _EXACT.subtract(
        Decimal(250 * halves),
        _EXACT.multiply(
            Decimal(500 * len(legs)), expectation(_EXACT.subtract(_mean(ratings, own), _mean(ratings, other)))
        ),
    )
    after: dict[str, Rating] = {}
    for team, sign in ((own, 1), (other, -1)):
        for bot in dict.fromkeys(team):
            old = _of(ratings, bot)
            moved = _EXACT.add(Decimal(old.milli), _EXACT.multiply(Decimal(sign * old.k), gain))
            after[bot] = Rating(int(moved.to_integral_value(ROUND_HALF_EVEN)), old.matches + len(legs))
    return after


def expectation(ahead_milli: Decimal) -> Decimal:
    """The score, 0 to 1, that a side expects which is `ahead_milli` thousandths of a point ahead of the other."""
    odds = _EXACT.exp(_EXACT.multiply(_PER_MILLI, ahead_milli))
    return _EXACT.divide(Decimal(1), _EXACT.add(Decimal(1), odds))


def half_points(legs: Sequence[Leg]) -> int | None:
    """What the first side of the first leg won in all legs, a win being 2; None if the legs make no rated set."""
    total = 0
    for leg in legs:
        if leg.void or kind_of(leg.bots, leg.sides) is None:
            return None
        both = [sorted(team) for team in teams(leg.bots, leg.sides)]
        first = [sorted(team) for team in teams(legs[0].bots, legs[0].sides)]
        if both == first:
            own = min(leg.sides)
        elif both == first[::-1]:
            own = max(leg.sides)
        else:
            return None
        total += 1 if leg.winner is None else 2 * (leg.winner == own)
    return total if legs else None


def teams(bots: Sequence[str], sides: Sequence[int]) -> list[list[str]]:
    """The bots of each side, sides in ascending order."""
    return [[bot for bot, own in zip(bots, sides, strict=True) if own == side] for side in sorted(set(sides))]


def _mean(ratings: Mapping[str, Rating], team: Sequence[str]) -> Decimal:
    return _EXACT.divide(Decimal(sum(_of(ratings, bot).milli for bot in team)), Decimal(len(team)))


def _of(ratings: Mapping[str, Rating], bot: str) -> Rating:
    return ratings.get(bot, Rating())
