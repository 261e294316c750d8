"""What a run with a fixed seed derives from its plan, so that anybody can compute it again."""

from __future__ import annotations

import hmac
from hashlib import sha256

from arena.schedule.pairing import Pairing


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
