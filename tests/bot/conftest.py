"""An arena that says what the test tells it to, closed when the test is over."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any, TypeAlias

import pytest

from stream_scripts import Noting, OneScriptArena, Script

Serve: TypeAlias = Callable[..., OneScriptArena]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Starts arenas from scripts."""
    with ExitStack() as arenas:

        def start(script: Script, **options: Any) -> OneScriptArena:
            arena = OneScriptArena(script, **options)
            arenas.callback(arena.close)
            return arena

        yield start


@pytest.fixture
def noting() -> type[Noting]:
    """The class, with an empty list of notes."""
    Noting.notes.clear()
    return Noting
