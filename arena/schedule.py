"""Which matches a run plays: pure, so that a schedule can be computed again."""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from engine.seating import seating


@dataclass(frozen=True, slots=True)
class Pairing:
    """One planned match: its number in the run, from 1, its game, the bots by seat, and which attempt this is.

    A match that ended void is planned again under the same number, as the next attempt, with another deck.
    """

    number: int
    game: str
    bots: tuple[str, ...]
    attempt: int = 0

    def again(self) -> Pairing:
        """The next attempt."""
        return Pairing(self.number, self.game, self.bots, self.attempt + 1)


def series(game: str, sides: Sequence[int], bots: Sequence[str], matches: int) -> Iterator[Pairing]:
    """`matches` matches between `bots`, one for each side or one for each seat, who change sides from match to match.

    `sides` is the side of each seat; in the first match everybody sits as given, see `engine.seating`. Raises
    ValueError when so many bots make no table.
    """
    for number in range(1, matches + 1):
        yield Pairing(number, game, tuple(bots[place] for place in seating(sides, len(bots), number - 1)))


def seeded_server_seed(seed: int, pairing: Pairing) -> bytes:
    """The server seed of a match in a run with a fixed seed: 32 bytes that anybody can compute again.

    HMAC-SHA-256 with the run's seed (u64be) as key over the match's number (u64be) and, from the second on, its attempt
    (u32be).
    """
    message = pairing.number.to_bytes(8, "big") + (pairing.attempt.to_bytes(4, "big") if pairing.attempt else b"")
    return hmac.new(seed.to_bytes(8, "big"), message, sha256).digest()


def seeded_match_id(seed: int, pairing: Pairing) -> str:
    """The id of a match in a run with a fixed seed; unique in the run, the same whenever the plan is."""
    again = f".{pairing.attempt}" if pairing.attempt else ""
    return f"s{seed}-{pairing.game}-{pairing.number:06d}{again}"
