"""How long files and functions are, against what a reader can hold: `python tests/budgets.py` reports and judges.

A file is a room: about 150 lines in the median, 400 at most. A function fits on a screen, its docstring counted.
Generated stubs are not written for people and do not count.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[1]
PARTS: Final = ("engine", "arena", "sample_bots", "proto", "tests")
FILE: Final = 400
MEDIAN: Final = 150
FUNCTION: Final = 60
SHOWN: Final = 3
"""So many of the longest are named."""


class Length(NamedTuple):
    """So many lines of a file or, with its line number, a function."""

    lines: int
    place: str


def sources(root: Path) -> Iterator[Path]:
    """The Python files that people write."""
    for part in PARTS:
        yield from (path for path in sorted((root / part).rglob("*.py")) if "_pb2" not in path.name)


def lengths(root: Path) -> tuple[list[Length], list[Length]]:
    """All files and all functions below `root`, the longest first."""
    files: list[Length] = []
    functions: list[Length] = []
    for path in sources(root):
        text = path.read_text(encoding="utf-8")
        name = path.relative_to(root).as_posix()
        files.append(Length(len(text.splitlines()), name))
        functions += [
            Length((node.end_lineno or node.lineno) - node.lineno + 1, f"{name}:{node.lineno} {node.name}")
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        ]
    return sorted(files, reverse=True), sorted(functions, reverse=True)


def exceeded(files: list[Length], functions: list[Length]) -> list[str]:
    """What is over budget, a line each."""
    over = [f"{place} has {lines} lines: {FILE} at most" for lines, place in files if lines > FILE]
    over += [f"{place} has {lines} lines: {FUNCTION} at most" for lines, place in functions if lines > FUNCTION]
    middle = median(lines for lines, _ in files)
    return over + ([f"files have {middle:g} lines in the median: {MEDIAN} at most"] if middle > MEDIAN else [])


def report(files: list[Length], functions: list[Length]) -> Iterator[str]:
    """The median and the longest, a line each."""
    for what, all_of_them, most in (("files", files, FILE), ("functions", functions, FUNCTION)):
        middle = median(lines for lines, _ in all_of_them)
        longest = ", ".join(f"{place} {lines}" for lines, place in all_of_them[:SHOWN])
        yield f"{len(all_of_them)} {what}, {middle:g} lines in the median, {most} at most; the longest: {longest}"


def main() -> int:
    """Report; 1 if anything is over budget."""
    files, functions = lengths(ROOT)
    over = exceeded(files, functions)
    sys.stdout.writelines(f"{line}\n" for line in (*report(files, functions), *over))
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
