"""The log counted: how often which pairing of teams ended with which score.

Sets are counted in whole numbers and everything is sorted, so what follows from the counts cannot know in which order
the sets came.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from arena.stats.sets import Set


@dataclass(frozen=True, slots=True)
class Pairing:
    """All sets between the same two teams.

    `row` says for each bot, by its index, what share of the difference in strength it is: + 1/n for each of the n bots
    of the own side, - 1/n for the other's. A cell is (half points won by the own side, legs, how many sets).
    """

    row: tuple[tuple[int, float], ...]
    cells: tuple[tuple[int, int, int], ...]

    @property
    def sets(self) -> int:
        """How many sets."""
        return sum(count for _, _, count in self.cells)

    @property
    def won(self) -> float:
        """The weighted score of the own side."""
        return sum(halves * count for halves, _, count in self.cells) / 4

    @property
    def lost(self) -> float:
        """The weighted score of the other side."""
        return sum((2 * legs - halves) * count for halves, legs, count in self.cells) / 4

    def ahead(self, strengths: Sequence[float]) -> float:
        """By how much the own side is the stronger."""
        return sum(share * strengths[bot] for bot, share in self.row)


@dataclass(frozen=True, slots=True)
class Evidence:
    """The bots in alphabetical order, and their pairings."""

    bots: tuple[str, ...]
    pairings: tuple[Pairing, ...]

    def groups(self) -> tuple[int, ...]:
        """The group of each bot, named by the index of its first bot: between groups there is no chain of sets."""
        first = list(range(len(self.bots)))

        def root(bot: int) -> int:
            while first[bot] != bot:
                first[bot] = first[first[bot]]
                bot = first[bot]
            return bot

        for pairing in self.pairings:
            roots = {root(bot) for bot, _ in pairing.row}
            for other in roots:
                first[other] = min(roots)
        return tuple(root(bot) for bot in range(len(first)))

    def weights(self) -> list[float]:
        """For each bot the weight of its sets."""
        weights = [0.0] * len(self.bots)
        for pairing in self.pairings:
            for bot, _ in pairing.row:
                weights[bot] += pairing.won + pairing.lost
        return weights


def gather(sets: Iterable[Set] | Mapping[Set, int], bots: Iterable[str] = ()) -> Evidence:
    """Count the sets, or take how often each was played, by pairing and score; `bots` are there even without a set."""
    counts: dict[tuple[tuple[str, ...], tuple[str, ...]], Counter[tuple[int, int]]] = defaultdict(Counter)
    for each, times in sets.items() if isinstance(sets, Mapping) else ((each, 1) for each in sets):
        if each.own <= each.other:
            counts[each.own, each.other][each.halves, each.legs] += times
        else:
            counts[each.other, each.own][2 * each.legs - each.halves, each.legs] += times
    names = sorted({*bots, *(bot for pairing in counts for team in pairing for bot in team)})
    index = {bot: number for number, bot in enumerate(names)}
    pairings = []
    for own, other in sorted(counts):
        shares: dict[int, float] = defaultdict(float)
        for team, sign in ((own, 1), (other, -1)):
            for bot in team:
                shares[index[bot]] += sign / len(team)
        cells = sorted((halves, legs, count) for (halves, legs), count in counts[own, other].items())
        pairings.append(Pairing(tuple(sorted(shares.items())), tuple(cells)))
    return Evidence(tuple(names), tuple(pairings))
