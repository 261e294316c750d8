"""What a match is played by, and what it bears."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from engine.clock import SECOND, TimeControl
from engine.deck import DeckSource
from engine.game import Game, Rules

STRIKES: Final = 3
"""Refused answers that a match bears from a seat; the next one forfeits it."""
OFFER_GRACE_US: Final = 2 * SECOND
"""How long an offer waits for a seat that has not taken it and has lost its stream."""
SHORTEST_ABSENCE_US: Final = 50_000
"""What the shortest absence counts as, so that a seat that flaps loses the match before its log overflows."""
STRAYS: Final = 8
"""Answers to questions that are not open which a seat may send for one decision; one more ends its stream."""


@dataclass(frozen=True, slots=True)
class TableTerms:
    """What a match is played by."""

    game: Game
    rules: Rules
    source: DeckSource
    control: TimeControl = field(default_factory=TimeControl)
    auto_draw: tuple[bool, ...] = ()
    """By seat: the arena makes this seat's draws (DB-4.13)."""
    ready_within_us: int = 20 * SECOND
    away_us: int = 60 * SECOND
    """How long a seat may be away in a match, all absences together."""
