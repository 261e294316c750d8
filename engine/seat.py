"""What the table keeps of a seat: its clock, its faults, and when it must be there.

Times are those of the table less its lag at that moment, so that the lag of the arena counts in no absence.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.clock import Clock
from engine.terms import OFFER_GRACE_US, TableTerms


@dataclass(slots=True)
class Seat:
    """A seat at the table. `nonce` is what it said with Ready, None before."""

    clock: Clock
    nonce: bytes | None = None
    strikes: int = 0
    strays: int = 0
    away_since: int | None = None
    away_spent: int = 0
    excused: bool = False
    """Away because the arena was restarted: staying away voids the match instead of losing it."""
    offered: int = 0
    """When the offer reached it."""

    def away_until(self, terms: TableTerms) -> int | None:
        """When it has been away for too long; None while it is there."""
        return None if self.away_since is None else self.away_since + terms.away_us - self.away_spent

    def start_by(self, terms: TableTerms) -> int:
        """When it must be ready: soon if it has no stream, for then there is nobody to wait for."""
        within = self.offered + terms.ready_within_us
        if self.away_since is None:
            return within
        if self.excused:
            return self.away_since + terms.away_us
        return min(within, self.away_since + OFFER_GRACE_US)
