"""Every sample bot passes every step of the conformance kit."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Final

import pytest

from checking import ROOT, Report, check, told
from other_languages import LANGUAGES, Language, built

SIDE_BY_SIDE: Final = 3
"""So many bots are checked at the same time: a check mostly waits."""
BRIDGE: Final = [sys.executable, "-m", "arena.bot.bridge"]
AWK_BOT: Final = str(ROOT / "sample_bots" / "awk" / "awk_bot.awk")
PERL_BOT: Final = str(ROOT / "sample_bots" / "perl" / "perl_bot.pl")


def checked(words: list[str]) -> Report:
    """The report on a bot that needs no building."""
    return check(shlex.join(words))


def built_and_checked(language: Language) -> Report:
    """The report on a bot in another language. Where that is not installed the test is skipped, and fails under CI."""
    return check(shlex.join(built(language).command))


BOTS: Final[Mapping[str, Callable[[], Report]]] = {
    "perl": partial(checked, [*BRIDGE, "--", "perl", PERL_BOT]),
    "awk": partial(checked, [*BRIDGE, "--text", "--", "awk", "-W", "interactive", "-f", AWK_BOT]),
    "random_bot": partial(checked, [sys.executable, "-m", "sample_bots.python.random_bot"]),
    "steady_bot": partial(checked, [sys.executable, "-m", "sample_bots.python.steady_bot"]),
    "first_bot": partial(checked, [sys.executable, "-m", "sample_bots.first.first_bot"]),
    **{language.name: partial(built_and_checked, language) for language in LANGUAGES},
}


@pytest.fixture(scope="module")
def checks(request: pytest.FixtureRequest) -> Iterator[Mapping[str, Future[Report]]]:
    """The checks of the bots that are asked for, some side by side."""
    tests = (item for item in request.session.items if isinstance(item, pytest.Function))
    names = [test.callspec.params["name"] for test in tests if test.path == request.path]
    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        yield {name: pool.submit(BOTS[name]) for name in names}
        pool.shutdown(cancel_futures=True)


@pytest.mark.parametrize("name", BOTS)
def test_a_sample_bot_passes_every_step(name: str, checks: Mapping[str, Future[Report]]) -> None:
    """With the SDK, with lines in JSON and in plain words, and with nothing but gRPC and the protocol's page."""
    assert told(checks[name].result()) == []
