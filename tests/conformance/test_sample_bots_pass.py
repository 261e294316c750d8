"""Every sample bot passes every step of the conformance kit."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final

import pytest

from checking import ROOT, Report, check, told
from other_languages import LANGUAGES, built

SIDE_BY_SIDE: Final = 2
"""So many bots are checked at the same time: a check mostly waits."""
BRIDGE: Final = [sys.executable, "-m", "arena.bot.bridge"]
AWK_BOT: Final = str(ROOT / "sample_bots" / "awk" / "awk_bot.awk")
PERL_BOT: Final = str(ROOT / "sample_bots" / "perl" / "perl_bot.pl")


PLAIN: Final = {
    "perl": [*BRIDGE, "--", "perl", PERL_BOT],
    "awk": [*BRIDGE, "--text", "--", "awk", "-W", "interactive", "-f", AWK_BOT],
    "random_bot": [sys.executable, "-m", "sample_bots.python.random_bot"],
    "steady_bot": [sys.executable, "-m", "sample_bots.python.steady_bot"],
    "first_bot": [sys.executable, "-m", "sample_bots.first.first_bot"],
}
"""Bots that need no building, by name: the words that start them."""
BUILT: Final = {language.name: language for language in LANGUAGES}


def words(name: str) -> Sequence[str] | BaseException:
    """What starts a bot, built if need be; why it is not there where its language is not installed."""
    if name in PLAIN:
        return PLAIN[name]
    try:
        return built(BUILT[name]).command
    except (pytest.skip.Exception, pytest.fail.Exception) as missing:
        return missing


def checked(command: Sequence[str] | BaseException) -> Report:
    """The report on a bot. Where its language is not installed the test is skipped, and fails under CI."""
    if isinstance(command, BaseException):
        raise command
    return check(shlex.join(command))


@pytest.fixture(scope="module")
def checks(request: pytest.FixtureRequest) -> Iterator[Mapping[str, Future[Report]]]:
    """The checks of the bots that are asked for, some side by side; what has to be built is built before, in peace."""
    tests = (item for item in request.session.items if isinstance(item, pytest.Function))
    names = [test.callspec.params["name"] for test in tests if test.path == request.path]
    commands = {name: words(name) for name in names}
    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        yield {name: pool.submit(checked, command) for name, command in commands.items()}
        pool.shutdown(cancel_futures=True)


@pytest.mark.parametrize("name", [*PLAIN, *BUILT])
def test_a_sample_bot_passes_every_step(name: str, checks: Mapping[str, Future[Report]]) -> None:
    """With the SDK, with lines in JSON and in plain words, and with nothing but gRPC and the protocol's page."""
    assert told(checks[name].result()) == []
