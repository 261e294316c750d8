"""One running arena: its data, its run, its games and its limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from arena.config.limits import HttpLimits, Limits
from engine.clock import TimeControl
from engine.game import Rules


@cache
def arena_version() -> str:
    """The version of the installed software; `0` from a bare source tree."""
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 (80 ms that most commands do without)

    try:
        return version("drawbridge-arena")
    except PackageNotFoundError:
        return "0"


@dataclass(frozen=True, slots=True)
class ArenaConfig:
    """One running arena.

    `rules` holds the rules of each game that is played here, by the game's name. `open` lets any bot in under the name
    that it gives, which is for loopback only. `seed` makes decks reproducible, for tests and benchmarks, never for a
    ladder. With `one_match` a program leaves after a match, and whoever runs it starts another. `rated` matches count
    for ratings. `http` is the address for health and metrics, None for none.
    """

    data: Path
    run: str
    rules: Mapping[str, Rules]
    kind: str = "ladder"
    listen: str = "127.0.0.1:0"
    open: bool = False
    seed: int | None = None
    one_match: bool = False
    rated: bool = True
    control: TimeControl = field(default_factory=TimeControl)
    limits: Limits = field(default_factory=Limits)
    http: str | None = None
    http_limits: HttpLimits = field(default_factory=HttpLimits)
