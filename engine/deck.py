"""Decks that a stranger can deal again: `arena-deck-1`.

Everything here is SHA-256 and HMAC from the standard library, so that any language can do it. proto/README.md has the
derivation in words, with vectors.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from engine.card import Card


def _lp(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def commitment(match_id: str, server_seed: bytes) -> bytes:
    """What is published with the offer of a match: 32 bytes that fix `server_seed` without telling it."""
    return hashlib.sha256(b"arena-commit-1" + _lp(match_id.encode()) + _lp(server_seed)).digest()


def derive_seed(server_seed: bytes, set_id: str, nonces: Sequence[bytes]) -> bytes:
    """The seed of all decks of a set: 32 bytes from the arena's secret and every seat's nonce, in seat order."""
    message = b"arena-seed-1" + _lp(set_id.encode()) + b"".join(map(_lp, nonces))
    return hmac.new(server_seed, message, hashlib.sha256).digest()


def _bytes(seed: bytes, game: str, deal_no: int) -> Iterator[int]:
    prefix = b"arena-deck-1" + _lp(seed) + _lp(game.encode()) + deal_no.to_bytes(8, "big")
    block = 0
    while True:
        yield from hashlib.sha256(prefix + block.to_bytes(4, "big")).digest()
        block += 1


def deal_deck(seed: bytes, game: str, deal_no: int, pack: Sequence[Card]) -> tuple[Card, ...]:
    """The shuffled deck of deal `deal_no` (from 0), top card first.

    A Fisher-Yates shuffle of `pack` whose bytes come from SHA-256 in counter mode; a byte that would favour some cards
    is thrown away.
    """
    deck = list(pack)
    stream = _bytes(seed, game, deal_no)
    for i in range(len(deck) - 1, 0, -1):
        limit = 256 - 256 % (i + 1)
        byte = next(stream)
        while byte >= limit:
            byte = next(stream)
        j = byte % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return tuple(deck)


def first_dealer(seed: bytes, seats: int) -> int:
    """The seat that deals first (DB-3.1, SM-2.1)."""
    return hashlib.sha256(b"arena-dealer-1" + _lp(seed)).digest()[0] % seats


@dataclass(frozen=True, slots=True)
class DeckSource:
    """Where the decks of a match come from, and the one place at which a test can put its own.

    `fixed_nonces` is None when the seats' own nonces count; empty in a run with a fixed seed; those of the first leg in
    a later leg of a set.
    """

    server_seed: bytes
    set_id: str
    game: str
    pack: tuple[Card, ...]
    seats: int
    fixed_nonces: tuple[bytes, ...] | None = None

    def seed(self, nonces: Sequence[bytes]) -> bytes:
        """The seed of all decks, given what the seats said with Ready."""
        return derive_seed(self.server_seed, self.set_id, nonces if self.fixed_nonces is None else self.fixed_nonces)

    def dealer(self, nonces: Sequence[bytes]) -> int:
        """The first dealer."""
        return first_dealer(self.seed(nonces), self.seats)

    def decks(self, nonces: Sequence[bytes]) -> Callable[[int], tuple[Card, ...]]:
        """The deck of each deal by its number."""
        seed = self.seed(nonces)
        return lambda deal_no: deal_deck(seed, self.game, deal_no, self.pack)
