"""What proto/conformance.md says: the steps of the kit, and the steps that each broken bot fails."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[1]
BOTS: Final = ROOT / "tests" / "broken_bots"
_PAGE: Final = (ROOT / "proto" / "conformance.md").read_text(encoding="utf-8")
_CELL: Final = r"([^|\n]+?)"


class Line(NamedTuple):
    """A step as the page has it: `part` is its heading, `expects` what is expected of it, without marks of code."""

    number: int
    name: str
    part: str
    expects: str
    section: str


class Row(NamedTuple):
    """A broken bot: its name, what is wrong with it, and the numbers of the steps that it fails."""

    bot: str
    fault: str
    fails: tuple[int, ...]


LINES: Final = [
    Line(int(number), name, part.lower(), expects.replace("`", ""), section)
    for part, body in re.findall(r"^### (.+)\n((?:(?!#).*\n)+)", _PAGE, re.MULTILINE)
    for number, name, expects, section in re.findall(
        rf"^\| (\d+) \| `([a-z-]+)` \| {_CELL} \| {_CELL} \|$", body, re.MULTILINE
    )
]
"""The steps, as they stand there."""
STEPS: Final = {line.number: line.name for line in LINES}
"""The names of the steps, by number."""
ROWS: Final = [
    Row(bot, fault, tuple(map(int, fails.split())))
    for bot, fault, fails in re.findall(rf"^\| `([a-z_]+)` \| {_CELL} \| ([\d ]+) \|$", _PAGE, re.MULTILINE)
]
"""The table of broken bots."""
