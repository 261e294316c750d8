"""The budgets of length hold, and what is over them is named."""

from __future__ import annotations

from pathlib import Path

import pytest

import budgets


def test_sources_keep_the_budgets() -> None:
    """No file and no function of the tree is too long to be read."""
    assert budgets.exceeded(*budgets.lengths(budgets.ROOT)) == []


@pytest.mark.parametrize(
    ("text", "complaints"),
    [
        ("\n" * 400, []),
        ("\n" * 401, ["arena/planted.py has 401 lines: 400 at most"]),
        ("class Plant:\n    async def grow(self):\n" + "        x = 1\n" * 59, []),
        ("def plant():\n" + "    x = 1\n" * 60, ["arena/planted.py:1 plant has 61 lines: 60 at most"]),
    ],
)
def test_what_is_too_long_is_named(tmp_path: Path, text: str, complaints: list[str]) -> None:
    """A file or a function over its budget is a complaint with its place; one just within is none, nor is a stub."""
    (tmp_path / "arena").mkdir()
    (tmp_path / "arena" / "planted.py").write_text(text)
    (tmp_path / "arena" / "planted_pb2.py").write_text("\n" * 5000)
    for number in range(2):
        (tmp_path / "arena" / f"short_{number}.py").touch()
    assert budgets.exceeded(*budgets.lengths(tmp_path)) == complaints


def test_a_tree_of_long_files_is_too_long(tmp_path: Path) -> None:
    """Files within their budget are still too many lines when most of them are long."""
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "long.py").write_text("\n" * 151)
    assert budgets.exceeded(*budgets.lengths(tmp_path)) == ["files have 151 lines in the median: 150 at most"]
