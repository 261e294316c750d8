"""What an arena is told before it starts: where it listens, what is played there, and what it allows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from engine.clock import SECOND, TimeControl
from engine.game import Rules


def arena_version() -> str:
    """The version of the installed software; `0` from a bare source tree."""
    try:
        return version("drawbridge-arena")
    except PackageNotFoundError:
        return "0"


@dataclass(frozen=True, slots=True)
class Limits:
    """What the arena allows a bot. Sizes are in bytes, times in microseconds or, where trio wants them, in seconds."""

    message_bytes: int = 64 * 1024
    note_bytes: int = 512
    outbox_bytes: int = 256 * 1024
    resume_chunk_bytes: int = 32 * 1024
    lanes: int = 64
    hello_seconds: float = 5.0
    missing_seconds: float = 60.0
    """How long a bot that the arena itself started may be without any stream."""
    ready_within_us: int = 20 * SECOND
    away_us: int = 60 * SECOND


@dataclass(frozen=True, slots=True)
class ArenaConfig:
    """One running arena.

    `rules` holds the rules of each game that is played here, by the game's name. `open` lets any bot in under the name
    that it gives, which is for loopback only. `seed` makes decks reproducible, for tests and benchmarks, never for a
    ladder. `rated` matches count for ratings.
    """

    data: Path
    run: str
    rules: Mapping[str, Rules]
    kind: str = "ladder"
    listen: str = "127.0.0.1:0"
    open: bool = False
    seed: int | None = None
    rated: bool = True
    control: TimeControl = field(default_factory=TimeControl)
    limits: Limits = field(default_factory=Limits)
