"""What all tests share: Hypothesis without dice or deadlines, the worked examples of the rules, goldens."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "arena", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("arena")

# A shell that runs the tests in the background ignores Ctrl-C for all that it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)

SOAK = os.environ.get("ARENA_SOAK") == "1"
CI = os.environ.get("CI") == "true"


LONGEST = ("test_sample_bots_in_other_languages.py", "test_broken_bots.py", "test_sample_bots_pass.py")
"""Files that take minutes. Where files are shared among processes they come first, so that none waits for another."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Under `make soak` run only the tests that have a full size: those that use the fixture `soak`."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        items.sort(key=lambda item: LONGEST.index(item.path.name) if item.path.name in LONGEST else len(LONGEST))
    if SOAK:
        chosen = {item for item in items if "soak" in getattr(item, "fixturenames", ())}
        config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
        items[:] = [item for item in items if item in chosen]


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Let a skipped test fail the run in continuous integration, where nothing that a test needs may be missing."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if CI and reporter is not None and "skipped" in reporter.stats and exitstatus == pytest.ExitCode.OK:
        reporter.write_line("\nTests were skipped, and under CI=true that is a failure.", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(autouse=True)
def _no_bot_is_left() -> Iterator[None]:
    """A bot that a test starts in a thread of this process has ended with the test."""
    before = _bots()
    yield
    deadline = time.monotonic() + 10
    while _bots() - before and time.monotonic() < deadline:
        threading.Event().wait(0.01)
    assert not _bots() - before, "a bot is still running in a thread"


def _bots() -> set[int]:
    """The threads in which a bot is running."""
    found = set()
    for ident, top in sys._current_frames().items():
        frame: FrameType | None = top
        while frame is not None:
            if f"{os.sep}arena{os.sep}bot{os.sep}" in frame.f_code.co_filename and ident != threading.get_ident():
                found.add(ident)
            frame = frame.f_back
    return found


@pytest.fixture(scope="session")
def rules_vectors() -> dict[str, Any]:
    """The worked examples of the rules, machine-readable."""
    vectors: dict[str, Any] = json.loads((Path(__file__).parent / "vectors" / "rules.json").read_text())
    return vectors


@pytest.fixture(scope="session")
def deck_vectors() -> dict[str, Any]:
    """The worked example of the deck derivation."""
    vectors: dict[str, Any] = json.loads((Path(__file__).parent / "vectors" / "deck.json").read_text())
    return vectors


@pytest.fixture(scope="session")
def soak() -> bool:
    """True under `make soak`: large counts at their full size."""
    return SOAK


@pytest.fixture(scope="session")
def golden() -> Callable[[str, Iterable[str]], None]:
    """Compares lines with `tests/goldens/NAME`; ARENA_UPDATE_GOLDENS=1 writes them anew instead."""

    def compare(name: str, lines: Iterable[str]) -> None:
        path, found = Path(__file__).parent / "goldens" / name, list(lines)
        if os.environ.get("ARENA_UPDATE_GOLDENS") == "1":
            path.write_text("".join(f"{line}\n" for line in found), encoding="utf-8")
        assert path.exists(), f"ARENA_UPDATE_GOLDENS=1 writes {name}"
        assert found == path.read_text(encoding="utf-8").splitlines()

    return compare
