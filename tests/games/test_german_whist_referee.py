"""German Whist against a second referee and a naive count, and rule bugs that these two must catch."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest
from hypothesis import given, settings

from engine.game import Game
from engine.games import find
from engine.games.german_whist import deal, game, score
from playing import Mood, Plan, plans
from whist_deals import stacked
from whist_referee import check, perft, sequences

GAME: Final = find("german-whist")

COUNTED: Final = {
    "W1": (("AS 5H 9D", "KS 2D 9H"), "7H 3S KC 4C QH 8C", {0: 175, 1: 231, 2: 374, 3: 94}),
    "nobody follows at first": (("2C 3D", "KH AS"), "4C 5D 6H 7S", {0: 3, 1: 12, 2: 35}),
    "one suit": (("2C 3C", "4C 5C"), "6C 7C 8C 9C", {0: 16, 1: 32, 2: 16}),
    "mixed": (("AS 7H 4D", "KS QH 9H"), "5S JD TH 8C 6D AH", {0: 1111, 1: 971, 2: 846, 3: 516}),
}
"""Hands, stock, and in how many ways seat 0, who leads, can come to so many tricks of the second half."""


@settings(max_examples=100)
@given(plans(GAME, most=600))
def test_a_second_referee_agrees(plan: Plan) -> None:
    """Deals, tricks, draws, scores, totals and the end are as the clauses say, under every option."""
    check(GAME, plan)


def short_deal(played: Game, hands: tuple[str, str], stock: str) -> Any:
    """A deal of these cards, seat 0 to lead."""
    rules = {**GAME.presets["seed"], "hand_cards": len(hands[0].split())}
    return played.deal(rules, stacked(hands, stock), deal_no=0, dealer=1, totals=(0, 0))


@pytest.mark.parametrize("name", COUNTED)
def test_whole_deals_are_counted_alike(name: str) -> None:
    """All ways to play a short deal, by the tricks of seat 0: as written down, by the engine and by a naive count."""
    hands, stock, counted = COUNTED[name]
    naive = sequences((hands[0].split(), hands[1].split()), stock.split(), 0, stock[1])
    assert dict(naive) == counted
    assert dict(perft(short_deal(GAME, hands, stock))) == counted


PLANTS: Final[dict[str, tuple[ModuleType, dict[str, str]]]] = {
    "the dealer gets the first card": (deal, {"hands[seat == dealer]": "hands[seat != dealer]"}),
    "the dealer leads first": (deal, {"= 1 - dealer  # GW-4.1": "= dealer"}),
    "trump is the suit of the second card": (deal, {"self.stock[0].suit": "self.stock[1].suit"}),
    "the card that makes trump is not told": (deal, {"TopCardShown(self.stock[0]), ": ""}),
    "the stock is the whole rest": (deal, {"deck[dealt : 2 * dealt]": "deck[dealt:]"}),
    "the top card is never shown again": (deal, {"if top else": "if False else"}),
    "suit need not be followed": (
        deal,
        {"and hand[led[0]]": "and False", "plays_following(hand, self.led[0])": "plays(hand)"},
    ),
    "who cannot follow must trump": (
        deal,
        {"self.led[0])\n": "self.led[0] if hand[self.led[0]] else self.trump - 1)\n"},
    ),
    "there is no trump": (deal, {"self.trump - 1)": "-1)"}),
    "trump is there in the second half alone": (
        deal,
        {"self.trump - 1)": "-1 if self.phase == 'draw' else self.trump - 1)"},
    ),
    "trump is there in the first half alone": (
        deal,
        {"self.trump - 1)": "-1 if self.phase == 'play' else self.trump - 1)"},
    ),
    "the leader takes every trick": (deal, {"winner = seat if beats": "winner = 1 - seat if beats"}),
    "the loser draws first": (
        deal,
        {"self.led, self.turn = None, winner": "self.led, self.turn = None, winner ^ (self.phase == 'draw')"},
    ),
    "the loser draws face up": (deal, {"shown=number % 2 == 0": "shown=True"}),
    "the loser leads the second half": (
        deal,
        {"= 1 - seat  # the loser": "= seat ^ (number + 1 < len(self.stock))  # the loser"},
    ),
    "tricks of the first half count": (
        deal,
        {"            self.due = Draw\n": "            self.due = Draw\n            self.taken[winner] += 1\n"},
    ),
    "the last trick is not played": (deal, {"len(self.tricks) + 1 ==": "len(self.tricks) + 2 =="}),
    "the last trick does not count": (
        deal,
        {"self.taken[winner] += 1": "self.taken[winner] += len(self.tricks) + 1 < len(self.stock)"},
    ),
    "the tricks of a deal score under deals": (score, {'== "tricks":': '!= "none":'}),
    "the deal scores under tricks": (score, {'== "tricks":': '== "none":'}),
    "the minority wins the deal": (score, {"if mine > theirs else": "if mine < theirs else"}),
    "a drawn deal scores for both": (score, {"_result((0, 0), ScoreLine": "_result((1, 1), ScoreLine"}),
    "totals are those of the last deal": (game, {"total + points for": "points for"}),
    "the winner of a match deals on": (game, {"return 1 - dealer": "return dealer"}),
    "the target must be exceeded": (game, {"max(totals) < int": "max(totals) <= int"}),
    "equal totals at the target win": (game, {"mine == theirs or": ""}),
    "the lower total wins": (game, {"0 if mine > theirs": "1 if mine > theirs"}),
}
"""Mistakes in the sources of the game: a module, and what is changed there into what."""


def with_plant(module: ModuleType, mistakes: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Game:
    """The game with a mistake in one of its modules."""
    assert module.__file__ is not None
    source = Path(module.__file__).read_text(encoding="utf-8")
    for right, wrong in mistakes.items():
        assert source.count(right) == 1
        source = source.replace(right, wrong)
    planted = ModuleType(module.__name__)
    exec(compile(source, module.__file__, "exec"), planted.__dict__)
    if module is score:
        monkeypatch.setattr(deal, "score", planted.score)
    if module is deal:
        monkeypatch.setattr(game, "GermanWhistDeal", planted.GermanWhistDeal)
    found: Game = planted.GAME if module is game else GAME
    return found


@pytest.mark.parametrize("plant", PLANTS)
def test_a_planted_bug_is_caught(plant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is found within some matches, or by the count of a short deal."""
    wrong = with_plant(*PLANTS[plant], monkeypatch)
    with pytest.raises((AssertionError, LookupError, ValueError)):
        examine(wrong)


def test_nothing_is_caught_where_no_bug_is() -> None:
    """The same examination passes the game as it is."""
    examine(GAME)


def examine(played: Game) -> None:
    """Some matches of several kinds under the referee's eyes, and the short deals."""
    for seed in range(12):
        scoring, size = ("deals", "tricks")[seed % 2], (2, 13, 3)[seed % 3]
        rules = {"target": (2, 9)[seed % 2], "scoring": scoring, "hand_cards": size, "max_deals": 5}
        check(played, Plan(dict(rules), seed % 2, Mood.RANDOM, seed, 10**6))
    for hands, stock, counted in COUNTED.values():
        assert dict(perft(short_deal(played, hands, stock))) == counted
