"""Who meets whom: series, round-robin and gauntlet, as plans of sets that are computed by number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from typing import Final

from arena.schedule.pairing import Pairing
from engine.seating import seating

BLOCK: Final = 8
"""So many sets are shuffled together."""


@dataclass(frozen=True, slots=True)
class Meetings:
    """At each of the `tables` the same bots meet for `sets` sets of `legs` matches.

    A table is the bots as they sit in its first match: one for each side or one for each seat. They change sides from
    match to match, and in sets with each set too (see `engine.seating`), so that nobody can tell from his seat which
    leg he plays. The sets go around: one at each table, then the next at each. `key` settles the order of play.
    """

    game: str
    sides: tuple[int, ...]
    tables: tuple[tuple[str, ...], ...]
    sets: int
    legs: int = 1
    key: str = ""

    @property
    def matches(self) -> int:
        """All legs of all sets."""
        return len(self.tables) * self.sets * self.legs

    def pairing(self, number: int) -> Pairing:
        """The match of that number. Raises ValueError when the bots of its table make none."""
        played, leg = divmod(number - 1, self.legs)
        turn, which = divmod(played, len(self.tables))
        table = self.tables[which]
        bots = tuple(table[place] for place in seating(self.sides, len(table), turn + leg))
        return Pairing(number, self.game, bots, leg=leg + 1, legs=self.legs)

    def order(self) -> Iterator[int]:
        """Single matches by number, the legs of sets apart."""
        if self.legs == 1:
            return iter(range(1, self.matches + 1))
        return apart(range(len(self.tables) * self.sets), self.legs, self.key)

    def more(self) -> None:
        """All is known from the beginning."""


def series(game: str, sides: Sequence[int], bots: Sequence[str], matches: int) -> Iterator[Pairing]:
    """`matches` single matches between `bots`, in order; see `Meetings`."""
    plan = Meetings(game, tuple(sides), (tuple(bots),), matches)
    return map(plan.pairing, plan.order())


def round_robin(bots: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Everybody meets everybody: the tables, in rounds in which nobody sits twice.

    The circle method: the first bot stays, all others move on by one place each round, and an odd one out rests. Who
    sits first at a table changes with its place, so that each bot sits first as often as second, give or take one.
    """
    circle: list[str | None] = [*bots, *([None] if len(bots) % 2 else [])]
    places = {bot: place for place, bot in enumerate(bots)}
    tables: list[tuple[str, str]] = []
    for _ in range(len(circle) - 1):
        for one, other in zip(circle[: len(circle) // 2], reversed(circle[len(circle) // 2 :]), strict=True):
            if one is not None and other is not None:
                tables.append(_turned(one, other, places))
        circle.insert(1, circle.pop())
    return tuple(tables)


def _turned(one: str, other: str, places: dict[str, int]) -> tuple[str, str]:
    first, second = sorted((one, other), key=places.__getitem__)
    return (first, second) if (places[first] + places[second]) % 2 else (second, first)


def gauntlet(challengers: Sequence[str], field: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Each challenger meets each bot of the field, sitting first every other time."""
    return tuple(
        (challenger, bot) if (row + column) % 2 == 0 else (bot, challenger)
        for column, bot in enumerate(field)
        for row, challenger in enumerate(challengers)
    )


def apart(sets: Iterable[int], legs: int, key: str) -> Iterator[int]:
    """The numbers of all matches of these sets (from 0), shuffled, and the legs of each set away from each other.

    `BLOCK` sets at a time: their next legs are shuffled together with the following legs of the blocks before, so that
    the place in the order does not tell the leg, and only the blocks in hand are held.
    """
    waiting = iter(sets)
    followers: list[list[int]] = [[] for _ in range(legs)]
    while True:
        followers[0] = [played * legs + 1 for played in islice(waiting, BLOCK)]
        if not any(followers):
            return
        now = [number for block in followers for number in block]
        yield from sorted(now, key=lambda number: sha256(f"{key}/{number}".encode()).digest())
        followers = [[], *([number + 1 for number in block] for block in followers[:-1])]
