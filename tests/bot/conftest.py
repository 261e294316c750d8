"""An arena that says what the test tells it to, stopped when the test is over."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import pytest

from scripted_arena import Noting, Script, ScriptedArena

Serve: TypeAlias = Callable[..., ScriptedArena]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Starts arenas from scripts."""
    arenas: list[ScriptedArena] = []

    def start(script: Script, **options: Any) -> ScriptedArena:
        arenas.append(ScriptedArena(script, **options))
        return arenas[-1]

    yield start
    for arena in arenas:
        arena.stop()


@pytest.fixture
def noting() -> type[Noting]:
    """The class, with an empty list of notes."""
    Noting.notes.clear()
    return Noting
