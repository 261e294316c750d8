"""The bots that are broken, each in one way, and the table that says which steps of the conformance kit they fail."""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Final

import pytest

from checking import Report, check, steps, told
from conformance_page import BOTS, ROWS, STEPS, Row
from engine.game import Game
from playing import every_game
from real_arena import run_arena

HONEST: Final = Row("honest", "", ())
RANDOM: Final = f"{sys.executable} -m sample_bots.python.random_bot"
SIDE_BY_SIDE: Final = 2
"""So many bots are checked at the same time: a check mostly waits."""


def command(bot: str) -> str:
    """What starts a bot."""
    return f"{sys.executable} {BOTS / bot}.py"


@pytest.fixture(scope="module")
def checks(request: pytest.FixtureRequest) -> Iterator[Mapping[str, Future[Report]]]:
    """The checks of the bots that are asked for, some side by side."""
    tests = (item for item in request.session.items if isinstance(item, pytest.Function))
    bots = [
        test.callspec.params["row"].bot for test in tests if test.path == request.path and "checks" in test.fixturenames
    ]
    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        yield {bot: pool.submit(check, command(bot)) for bot in bots}
        pool.shutdown(cancel_futures=True)


def test_every_row_has_its_bot_and_every_bot_its_row() -> None:
    """Twelve bots stand in the table, and beside them there are only the honest one and what all of them start with."""
    assert len(ROWS) == 12
    assert sorted(row.bot for row in ROWS) == sorted({path.stem for path in BOTS.glob("*.py")} - {"honest", "launch"})


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.bot)
def test_a_row_says_what_its_bot_says_of_itself(row: Row) -> None:
    """A bot's first line is its fault in the words of the table."""
    says = ast.get_docstring(ast.parse((BOTS / f"{row.bot}.py").read_text(encoding="utf-8")))
    assert says is not None
    assert says.splitlines()[0] == f"Fault: {row.fault}."


def test_every_step_that_is_named_exists() -> None:
    """Steps are numbered without a gap, no two have a name, and no row names another or one twice."""
    assert list(STEPS) == list(range(1, len(STEPS) + 1))
    assert len(set(STEPS.values())) == len(STEPS)
    for row in ROWS:
        assert row.fails, f"{row.bot} fails nothing"
        assert list(row.fails) == sorted(set(row.fails) & set(STEPS))


@every_game
def test_the_honest_bot_plays_every_game(game: Game, tmp_path: Path) -> None:
    """In a real arena, against the random bot, its match is played out without a fault, and it says nothing."""
    played = json.loads(
        run_arena("match", command("honest"), RANDOM, "--game", game.name, "--json", "--data", str(tmp_path))
    )
    assert set(played["terminations"]) <= {"score", "deal_limit"}
    assert (tmp_path / "logs" / "match-1" / "honest.stderr").read_text() == ""


@pytest.mark.parametrize("row", [HONEST, *ROWS], ids=lambda row: row.bot)
def test_a_bot_fails_exactly_the_steps_of_its_row(row: Row, checks: Mapping[str, Future[Report]]) -> None:
    """The kit finds each fault, and blames a bot for nothing else; the honest one passes every step."""
    report = checks[row.bot].result()
    known = {step["step"] for step in report["steps"]}
    assert steps(report, "failed") == [step for step in row.fails if step in known], told(report)
    assert not steps(report, "left out")
    assert bool(steps(report, "not reached")) == (7 in row.fails)  # without Ready there is no match
