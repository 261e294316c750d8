"""Every game against its naive twin in `tests/naive`: no difference, and every planted rule bug makes one."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest

from engine.game import Game
from engine.match import Match
from engine.states import Termination
from plants import planted
from playing import every_game
from second_opinion import NAIVE, Comparison, Difference

MATCHES: Final = 200
FULL: Final = 20_000
PATIENCE: Final = 1_000
"""The matches in which a planted bug has to be seen; most are within the first five."""

GAMES: Final = {name: import_module(f"plants.{name.replace('-', '_')}") for name in NAIVE}
BUGS: Final = [(name, bug) for name, plants in GAMES.items() for bug in plants.PLANTS]

ENDS: Final = {
    "the target is just reached": r"^totals (?:(\d+) \S+\nend score 0 \1|\S+ (\d+)\nend score 1 \2)$",
    "a limit with a winner": r"^end deal_limit [01]",
    "a draw at the limit": r"^end deal_limit None",
}
"""Ends that some match of every game must have come to, told as in `Comparison.summary`."""


@every_game
def test_engine_and_naive_game_agree(game: Game, *, soak: bool) -> None:
    """P49: in every match, whatever its rules and players, to its end: what is legal, known, told, refused and scored.

    The matches are of all kinds: every word of every option and all that is rare was among them.
    """
    awaited = {
        f"{option.name} {word}": rf"^rule {option.name} {word}$" for option in game.options for word in option.words
    }
    awaited |= ENDS | GAMES[game.name].RARE
    for number in range(FULL if soak else MATCHES):
        comparison = Comparison(game, number)
        comparison.play()
        summary = comparison.summary()
        awaited = {kind: sign for kind, sign in awaited.items() if not re.search(sign, summary, re.MULTILINE)}
    assert awaited == {}


@pytest.mark.parametrize(("name", "bug"), BUGS)
def test_a_planted_bug_is_caught(name: str, bug: str, tmp_path: Path) -> None:
    """The same matches show every one of these mistakes as a difference."""
    with planted(name.replace("-", "_"), GAMES[name].PLANTS[bug], tmp_path) as (game, match_type):
        matches = (Comparison(game, number, match_type) for number in range(PATIENCE))
        assert any(parts(match) for match in matches)


@every_game
def test_no_match_goes_beyond_a_thousand_deals(game: Game) -> None:
    """DB-8.3, GW-7.4, SM-8.6: without a limit and out of reach of the target both end after 1,000 deals."""
    rules = dict(game.presets["seed"]) | {"target": 10**6}
    rules |= {"hand_cards": 1} if "hand_cards" in rules else {}
    match = Match(game, rules, 0, lambda _: game.pack)
    naive = NAIVE[game.name](dict(rules), 0, lambda _: list(map(str, game.pack)))
    match.start()
    while match.turn is not None:
        action = match.legal()[0]
        match.apply(action)
        naive.apply(str(action))
    assert (match.ending, match.deals_complete) == (Termination.DEAL_LIMIT, 1_000)
    assert (naive.turn, naive.ending, naive.deal_no) == (None, "deal_limit", 999)
    assert (match.winner, list(match.totals)) == (naive.winner, naive.totals)


def parts(comparison: Comparison) -> bool:
    """Whether the engine and the naive game part in this match."""
    try:
        comparison.play()
    except Difference:
        return True
    return False
