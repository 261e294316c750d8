"""A further game is one new folder: in a copy of the tree with one, and nothing else, all that the arena does works."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

import pytest

from engine.games import registered

ROOT: Final = Path(__file__).resolve().parents[2]
FOLDER: Final = Path("engine", "games", "high_card")
GAME: Final = "high-card"
BOT: Final = "python -m sample_bots.python.random_bot"

COMMANDS: Final = """
import json, sys
from click.testing import CliRunner
from arena.cli.app import arena
said = []
for words in json.loads(sys.argv[1]):
    done = CliRunner().invoke(arena, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    said.append(done.stdout)
print(json.dumps(said))
"""
"""Carries out `arena` commands in one process, because it takes a while to load."""

Run: TypeAlias = Callable[..., str]


def contents(tree: Path) -> dict[Path, str]:
    """The files of a tree, each with a hash of what is in it; what Python remembers of sources is none."""
    return {
        path.relative_to(tree): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in tree.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def trees(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[Path, str]]:
    """A copy of the sources with one folder more, and the copy's contents without it."""
    tree = tmp_path_factory.mktemp("copy")
    for name in ("engine", "arena", "sample_bots", "tests"):
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("cpp", "go", "java", "node"))
    shutil.copy(ROOT / "pyproject.toml", tree)
    before = contents(tree)
    (tree / FOLDER).mkdir()
    shutil.copy(ROOT / "tests" / "high_card.py", tree / FOLDER / "__init__.py")
    (tree / FOLDER / "RULES.md").write_text("# High Card\n\n## HC-1\n1. One card each.\n2. Option `deals`.\n")
    return tree, before


@pytest.fixture(scope="module")
def run(trees: tuple[Path, dict[Path, str]], tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs Python in the copy; gives what it prints, and fails when it fails."""
    tree, _ = trees
    notes = tmp_path_factory.mktemp("notes")  # where Hypothesis keeps some, so not in the copy
    tools = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    foreign = ("CI", "ARENA_SOAK", "ARENA_DATA", "PYTHONDONTWRITEBYTECODE")
    inherited = {name: value for name, value in os.environ.items() if name not in foreign}

    def python(*arguments: str | Path) -> str:
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=tree,
            env={**inherited, "PATH": tools, "PYTHONPATH": str(tree), "HYPOTHESIS_STORAGE_DIRECTORY": str(notes)},
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return python


def arena(run: Run, *commands: str) -> list[str]:
    """What the commands print."""
    said: list[str] = json.loads(run("-c", COMMANDS, json.dumps([command.split() for command in commands])))
    return said


@pytest.fixture(scope="module")
def data(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a served match of two bot processes."""
    folder = tmp_path_factory.mktemp("data")
    run("-m", "arena.cli", "match", BOT, BOT, "--game", GAME, "--seed", "1", "--data", folder)
    return folder


def test_the_game_is_listed(run: Run) -> None:
    """`arena games` has it with its option, beside those that were there."""
    table, document = arena(run, "games", "games --json")
    assert "High Card (high-card): 2 seats" in table
    games = {game["game"]: game for game in json.loads(document)}
    assert set(games) == {GAME, *registered()}
    assert games[GAME]["presets"] == {"match": {"deals": 5}}


def test_the_game_is_played_without_an_arena(run: Run) -> None:
    """Two bots in one process; the house bots play it too, as they choose among what is offered."""
    program = f"""
from arena.bot.local import play_match
from sample_bots.python import cautious_bot, forgetful_bot, greedy_bot, overbidder_bot
for bot in (cautious_bot.choose, forgetful_bot.choose, greedy_bot.choose, overbidder_bot.OverbidderBot):
    assert play_match([bot, lambda d: 0], game={GAME!r}, seed=1).deals == 5
match = play_match([lambda d: d.dice.choice(d.legal), lambda d: 0], game={GAME!r}, rules={{"deals": 3}}, seed=1)
print(match.deals, sum(match.totals), match.termination)
"""
    assert run("-c", program) == "3 3 deal_limit\n"


def test_a_served_match_is_recorded_and_proved(run: Run, data: Path) -> None:
    """Its replay is listed, proved, read and exported; both bots are rated."""
    match = f"match-1/s1-{GAME}-000001 --data {data}"
    listed, verified, shown, exported, rated = arena(
        run,
        f"replay list --json --data {data}",
        f"replay verify {match}",
        f"replay show {match}",
        f"replay export {match}",
        f"ratings --json --data {data}",
    )
    assert [(replay["game"], replay["deals"]) for replay in json.loads(listed)] == [(GAME, 5)]
    assert f"match match-1/s1-{GAME}-000001: proved" in verified
    assert "10 actions, each allowed by the rules" in verified
    assert "high card: 1 to side" in shown
    lines = [json.loads(line) for line in exported.splitlines()]
    assert (lines[0]["game"], lines[-1]["deals_complete"]) == (GAME, 5)
    assert {(rating["game"], rating["matches"]) for rating in json.loads(rated)} == {(GAME, 1)}


def test_the_laws_of_every_game_hold_for_it(run: Run, soak: bool) -> None:  # noqa: FBT001 - a fixture
    """They find it as everything else does: all laws under `make soak`, else those of cards and of a match's course.

    Left out is what shows that the law of secrecy can fail: for that a game must have more to hide than one card.
    """
    kinds = ("*",) if soak else ("cards", "course")
    laws = [path for kind in kinds for path in (ROOT / "tests" / "engine").glob(f"test_laws_{kind}.py")]
    said = run(
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-k",
        f"{GAME} and not planted",
        *(law.relative_to(ROOT) for law in laws),
    )
    assert int(said.split(" passed")[0].split()[-1]) >= (20 if soak else 8)


def test_nothing_else_was_touched(trees: tuple[Path, dict[Path, str]], data: Path) -> None:
    """After all of this the copy is what it was, with the folder."""
    assert data.exists()
    tree, before = trees
    assert {path: text for path, text in contents(tree).items() if not path.is_relative_to(FOLDER)} == before
