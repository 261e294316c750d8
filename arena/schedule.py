"""Which matches a run plays: pure, so that a schedule can be computed again."""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import islice
from typing import Final, Protocol

from engine.seating import seating

BLOCK: Final = 8
"""So many sets are shuffled together."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """One planned match: its number in the run, from 1, its game, the bots by seat, and which attempt this is.

    The legs of a set have numbers in a row and are played on the same decks. A match that ended void is planned again
    under the same number, and its whole set with it, as the next attempt, with other decks.
    """

    number: int
    game: str
    bots: tuple[str, ...]
    attempt: int = 0
    leg: int = 1
    legs: int = 1

    @property
    def first(self) -> int:
        """The number of the first match of its set."""
        return self.number - self.leg + 1

    def again(self) -> Pairing:
        """The next attempt."""
        return replace(self, attempt=self.attempt + 1)


class Plan(Protocol):
    """The matches of a run. Any one can be computed from its number, so that a plan of any size takes no memory."""

    @property
    def matches(self) -> int:
        """How many there are; their numbers are 1 to this."""

    @property
    def legs(self) -> int:
        """How many matches make a set."""

    def pairing(self, number: int) -> Pairing:
        """The match of that number."""

    def order(self) -> Iterator[int]:
        """All numbers in the order in which they should be begun."""


@dataclass(frozen=True, slots=True)
class Series:
    """`sets` sets of `legs` matches between the same bots, one for each side or one for each seat.

    In the first match everybody sits as given, and they change sides from match to match, and with each set (see
    `engine.seating`), so that nobody can tell from his seat which leg he plays. `key` settles the order of play.
    """

    game: str
    sides: tuple[int, ...]
    bots: tuple[str, ...]
    sets: int
    legs: int = 1
    key: str = ""

    @property
    def matches(self) -> int:
        """All legs of all sets."""
        return self.sets * self.legs

    def pairing(self, number: int) -> Pairing:
        """The match of that number. Raises ValueError when so many bots make no table."""
        played, leg = divmod(number - 1, self.legs)
        turn = played if self.legs == 1 else played + leg
        bots = tuple(self.bots[place] for place in seating(self.sides, len(self.bots), turn))
        return Pairing(number, self.game, bots, leg=leg + 1, legs=self.legs)

    def order(self) -> Iterator[int]:
        """Single matches by number, the legs of sets apart."""
        return iter(range(1, self.matches + 1)) if self.legs == 1 else apart(range(self.sets), self.legs, self.key)


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


def series(game: str, sides: Sequence[int], bots: Sequence[str], matches: int) -> Iterator[Pairing]:
    """`matches` single matches between `bots`, in order; see `Series`."""
    plan = Series(game, tuple(sides), tuple(bots), matches)
    return map(plan.pairing, plan.order())


def seeded_server_seed(seed: int, pairing: Pairing) -> bytes:
    """The server seed of a set in a run with a fixed seed: 32 bytes that anybody can compute again.

    HMAC-SHA-256 with the run's seed (u64be) as key over the number of the set's first match (u64be) and, from the
    second on, its attempt (u32be).
    """
    message = pairing.first.to_bytes(8, "big") + (pairing.attempt.to_bytes(4, "big") if pairing.attempt else b"")
    return hmac.new(seed.to_bytes(8, "big"), message, sha256).digest()


def seeded_match_id(seed: int, pairing: Pairing) -> str:
    """The id of a match in a run with a fixed seed; unique in the run, the same whenever the plan is."""
    return _seeded_id(seed, pairing, pairing.number)


def seeded_set_id(seed: int, pairing: Pairing) -> str:
    """The id of its set: that of the set's first match."""
    return _seeded_id(seed, pairing, pairing.first)


def _seeded_id(seed: int, pairing: Pairing, number: int) -> str:
    again = f".{pairing.attempt}" if pairing.attempt else ""
    return f"s{seed}-{pairing.game}-{number:06d}{again}"
