"""Sets, the rated unit: what the legs of a match played twice on the same decks say together.

    score  = the mean over the legs of 1 for a win, 1/2 for a draw, 0 for a loss: quarters in a set of two legs
    weight = legs / 2: a single match is a set of one leg with half the weight
    margin = points scored more than the other side in all legs, over the deals of all legs

The cards favour one seating, and the second leg gives it to the other side: the legs of a set are not independent, and
their sum is what varies least (ACPC and contract bridge, "duplicate"). So a leg counts with its set or not at all: a
void leg voids its set, which is then played again as another one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from arena.ratings import Leg, half_points, kind_of, teams


@dataclass(frozen=True, slots=True)
class Played:
    """An ended match as statistics see it.

    `set_id` is unique over all that is counted together, `legs` how many the set has; `totals` are the points by side,
    `deals` the deals completed.
    """

    set_id: str
    leg: Leg
    totals: tuple[int, ...] = (0, 0)
    deals: int = 0
    legs: int = 1


@dataclass(frozen=True, slots=True)
class Set:
    """A complete set of `own` against `other`: the bots of either side, in alphabetical order.

    `halves` counts what `own` won in half points, 0 to 2 * legs; `points` what it scored more than `other`, over
    `deals` deals.
    """

    own: tuple[str, ...]
    other: tuple[str, ...]
    halves: int
    legs: int = 1
    points: int = 0
    deals: int = 0

    @property
    def score(self) -> float:
        """What `own` won of what there was to win, 0 to 1."""
        return self.halves / (2 * self.legs)

    @property
    def weight(self) -> float:
        """Two legs are a whole set."""
        return self.legs / 2

    @property
    def margin(self) -> float | None:
        """Points a deal by which `own` was ahead; None if no deal was completed."""
        return self.points / self.deals if self.deals else None

    @property
    def kind(self) -> str | None:
        """The ladder that it counts for: `individual` or `pair`."""
        return kind_of(self.own + self.other, (0,) * len(self.own) + (1,) * len(self.other))

    def turned(self) -> Set:
        """The same set as the other side sees it."""
        return Set(self.other, self.own, 2 * self.legs - self.halves, self.legs, -self.points, self.deals)

    def seen_by(self, *own: str) -> Set | None:
        """The set with these bots as `own`; None if they are no side of it."""
        if self.own == tuple(sorted(own)):
            return self
        return self.turned() if self.other == tuple(sorted(own)) else None


def sets_of(log: Iterable[Played]) -> Iterator[Set]:
    """The complete sets of the log, each where its last leg stands.

    Left out are sets with a void leg, sets that lack a leg, matches without exactly two sides, of a bot against itself
    and of a pair against single bots. `own` is the side that the set's first leg numbers first.
    """
    open_sets: dict[str, list[Played]] = {}
    for played in log:
        legs = open_sets.setdefault(played.set_id, [])
        legs.append(played)
        if len(legs) >= played.legs:
            closed = one_set(open_sets.pop(played.set_id))
            if closed is not None:
                yield closed


def one_set(legs: Sequence[Played]) -> Set | None:
    """The set that these matches are, all its legs; None if they make no rated set."""
    halves = half_points([played.leg for played in legs])
    if halves is None:
        return None
    own, other = (tuple(sorted(team)) for team in teams(legs[0].leg.bots, legs[0].leg.sides))
    points = 0
    for played in legs:
        low, high = sorted(set(played.leg.sides))
        ahead = played.totals[low] - played.totals[high]
        points += ahead if tuple(sorted(teams(played.leg.bots, played.leg.sides)[0])) == own else -ahead
    return Set(own, other, halves, len(legs), points, sum(played.deals for played in legs))
