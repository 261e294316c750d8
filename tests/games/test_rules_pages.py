"""RULES.md of every game is in its package, and knows the game's options."""

from __future__ import annotations

import re

from engine.game import Game
from playing import every_game
from rules_page import clauses, rules_page


@every_game
def test_the_rules_know_every_option(game: Game) -> None:
    """Each stands in the table with its default and all its words, and its clause is one of the page's clauses."""
    page = rules_page(game)
    for option in game.options:
        row = page.split(f"| `{option.name}` | ")[1].split("\n")[0]
        assert re.match(rf"`?{game.presets['seed'][option.name]}\b", row)
        assert all(f"`{word}`" in row for word in option.words)
        assert option.clause in clauses(page)
