"""Every sample bot passes every step of the conformance kit."""

from __future__ import annotations

import shlex
import sys

import pytest

from checking import ROOT, check, told
from other_languages import LANGUAGES, Language, built

BRIDGE = [sys.executable, "-m", "arena.bot.bridge"]
AWK = [*BRIDGE, "--text", "--", "awk", "-W", "interactive", "-f", str(ROOT / "sample_bots" / "awk" / "awk_bot.awk")]
PERL = [*BRIDGE, "--", "perl", str(ROOT / "sample_bots" / "perl" / "perl_bot.pl")]
BOTS = {
    "first_bot": [sys.executable, "-m", "sample_bots.first.first_bot"],
    "random_bot": [sys.executable, "-m", "sample_bots.python.random_bot"],
    "steady_bot": [sys.executable, "-m", "sample_bots.python.steady_bot"],
    "awk": AWK,
    "perl": PERL,
}


@pytest.mark.parametrize("words", BOTS.values(), ids=BOTS)
def test_bots_in_python_and_behind_the_bridge_pass(words: list[str]) -> None:
    """With the SDK, and with lines in JSON and in plain words."""
    assert told(check(shlex.join(words))) == []


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_bots_in_other_languages_pass(language: Language) -> None:
    """With nothing but gRPC and the protocol's page."""
    assert told(check(shlex.join(built(language).command))) == []
