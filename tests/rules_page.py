"""The page of rules that every game has in its package, as tests read it."""

from __future__ import annotations

import re
from importlib.resources import files

from engine.game import Game


def rules_page(game: Game) -> str:
    """Its RULES.md."""
    package = type(game).__module__.rpartition(".")[0]
    return files(package).joinpath("RULES.md").read_text(encoding="utf-8")


def clauses(page: str) -> set[str]:
    """The clauses of a page, such as `DB-4.4`."""
    found = set()
    for section in re.split(r"^## ", page, flags=re.MULTILINE)[1:]:
        title = section.split()[0]
        found |= {f"{title}.{number}" for number in re.findall(r"^(\d+)\. ", section, re.MULTILINE)}
    return found
