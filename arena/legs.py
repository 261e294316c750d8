"""What the later legs of a set take over from the first: its id, its seed and its nonces, and so its decks."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from arena.director import Director
from arena.entries import nonces_of
from arena.replay import read_replay
from arena.schedule import Pairing
from arena.store import Result, Store


class FirstLeg(NamedTuple):
    """The first match of a set: `nonces` are what its seats said with Ready, by seat."""

    match_id: str
    server_seed: bytes
    nonces: tuple[bytes, ...]


Recall: TypeAlias = Callable[[Pairing], FirstLeg | None]
"""The first leg of a match's set, from the record."""


def nothing(_pairing: Pairing) -> None:
    """The record of an arena that plays no sets."""


class FirstLegs:
    """The first legs whose sets are not closed; those that ended before this start of the arena are recalled."""

    def __init__(self, recall: Recall = nothing) -> None:
        self._recall = recall
        self._kept: dict[tuple[int, int], FirstLeg] = {}

    def keep(self, pairing: Pairing, director: Director) -> None:
        """A match has ended and counts: keep what its set goes on with."""
        if pairing.leg == 1 < pairing.legs:
            header = director.header
            leg = FirstLeg(header.match_id, header.server_seed, director.nonces)
            self._kept[pairing.first, pairing.attempt] = leg

    def of(self, pairing: Pairing) -> FirstLeg | None:
        """The first leg of a match's set; None for the first itself. LookupError when there is no trace of it."""
        if pairing.leg == 1:
            return None
        key = pairing.first, pairing.attempt
        leg = self._kept.pop(key, None) if pairing.leg == pairing.legs else self._kept.get(key)
        leg = leg or self._recall(pairing)
        if leg is None:
            raise LookupError(f"leg {pairing.leg} of match {pairing.number} has no first leg in the record")
        return leg


def recorded_first_leg(store: Store, run: str, pairing: Pairing) -> FirstLeg | None:
    """The first leg of a match's set as the record has it; None when it is not there."""
    result = store.numbered(run, pairing.first, pairing.attempt)
    return None if result is None else first_leg_of(store, result)


def first_leg_of(store: Store, result: Result) -> FirstLeg:
    """What the replay of a first leg says."""
    replay = read_replay(store.replay(result))
    return FirstLeg(result.match_id, replay.header.server_seed, nonces_of(replay.frames, len(result.players)))
