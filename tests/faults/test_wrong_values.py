"""A column of the database that holds what it was not made for: a command does without it, or complains in one line."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path
from typing import Final

import pytest
import trio.testing
from click.testing import CliRunner

from arena.cli.app import arena as group
from arena.store import Registry, Store, schema
from broken_folders import loosened, whole_folder

COLUMNS: Final = [f"{table.name}.{column.name}" for table in schema.metadata.sorted_tables for column in table.columns]
WRONG: Final = (
    "'many'",
    "NULL",
    "x'fffe00'",
    "CAST(x'fffe00' AS TEXT)",
    "1.5",
    "7",
    "-1",
    "4611686018427387904",
    "'[\"x\"]'",
    "''",
)
READING: Final = (
    *("replay list --json", "replay list", "replay show MATCH", "replay verify MATCH", "results show"),
    *("results export --format jsonl", "ratings --all --json", "swings match-1", "bot list", "resume match-1"),
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole folder with a registered bot, to be copied."""
    folder = tmp_path_factory.mktemp("whole") / "data"
    trio.run(whole_folder, folder, clock=trio.testing.MockClock(autojump_threshold=0))
    with Registry.open(folder) as registry:
        registry.add("x", "1", owner="", digest=bytes(32), now_ms=1)
    return folder


@pytest.mark.parametrize("place", range(len(COLUMNS)), ids=COLUMNS)
def test_wrong_value_in_a_column(whole: Path, tmp_path: Path, place: int, *, soak: bool) -> None:
    """Whatever a column holds, each command works or leaves with exit code 2 and one line. Full size: every value."""
    with Store.open(whole, hold=False) as store:
        (match,) = store.matches()
    table, _, column = COLUMNS[place].partition(".")
    for value in WRONG if soak else (WRONG[place % len(WRONG)],):
        data = tmp_path / "data"
        shutil.rmtree(data, ignore_errors=True)
        shutil.copytree(whole, data)
        try:
            loosened(f"UPDATE {table} SET {column} = {value}")(data)
        except sqlite3.IntegrityError:
            continue  # a key cannot be that
        for words in (*READING, "ratings --rebuild"):
            line = [match.match_id if word == "MATCH" else word for word in words.split()]
            done = CliRunner().invoke(group, [*line, "--data", str(data)], prog_name="arena")
            assert isinstance(done.exception, SystemExit | None), (value, words, done.exception)
            assert done.exit_code in (0, 1, 2), (value, words)
            told = [text for text in done.stderr.splitlines() if not text.startswith("arena: ratings computed again")]
            assert done.exit_code != 2 or len(told) == 1, (value, words, told)
