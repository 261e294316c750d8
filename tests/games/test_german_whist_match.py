"""How deals of German Whist score and make a match (GW-2, GW-6, GW-7), and what the game says of itself."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from any_deal import do
from engine.card import PACK_52
from engine.errors import BadRules
from engine.event import ScoreLine
from engine.game import DealResult, complete_rules
from engine.games.german_whist.score import score
from engine.match import Match
from engine.states import Termination
from playing import Mood, Plan, play
from rules_page import clauses
from whist_deals import GAME, RULES, examples, new_deal, second_half


def two(cell: str) -> tuple[int, int]:
    """Two numbers of a worked example."""
    first, second = map(int, cell.split())
    return first, second


@pytest.mark.parametrize("row", examples("Scores"), ids=lambda row: row[0])
def test_a_deal_scores_as_the_worked_example_says(row: list[str]) -> None:
    """S1 to S6, and with the seats the other way round; nobody is declarer, and the lines add up to the points."""
    scoring, taken, expected = row[1], two(f"{row[2]} {row[3]}"), two(f"{row[4]} {row[5]}")
    for way in (1, -1):
        result = score((taken[::way][0], taken[::way][1]), complete_rules(GAME, "seed", {"scoring": scoring}))
        assert result.points == expected[::way]
        assert (result.declarer, result.level, result.made) == (None, 0, False)
        sums = [sum(line.points for line in result.lines if line.side == side) for side in (0, 1)]
        assert sums == list(result.points)


@pytest.mark.parametrize(
    ("scoring", "taken", "lines"),
    [
        ("deals", (4, 9), (ScoreLine("most tricks, 9 to 4", 1, 1),)),
        ("deals", (7, 6), (ScoreLine("most tricks, 7 to 6", 0, 1),)),
        ("deals", (1, 1), (ScoreLine("1 tricks each", 0, 0),)),
        ("tricks", (4, 9), (ScoreLine("tricks", 0, 4), ScoreLine("tricks", 1, 9))),
    ],
)
def test_a_line_says_what_the_points_are_for(
    scoring: str, taken: tuple[int, int], lines: tuple[ScoreLine, ...]
) -> None:
    """GW-6.2 to GW-6.4, in words; a deal that nobody won says so."""
    assert score(taken, complete_rules(GAME, "seed", {"scoring": scoring})).lines == lines


def test_a_deal_is_scored_when_it_is_over() -> None:
    """GW-7.1: before that there is no result."""
    deal = second_half(("9S", "TS"), "D")
    with pytest.raises(ValueError, match="when it is over"):
        deal.result()
    do(deal, "play 9S", "play TS")
    assert deal.result().points == (0, 1)


@pytest.mark.parametrize("row", examples("End of match"), ids=lambda row: row[0])
def test_a_match_ends_as_the_worked_example_says(row: list[str]) -> None:
    """E1 to E8, and with the sides the other way round; the other seat deals next (GW-3.2)."""
    _, target, before, points, after, state = row
    rules = complete_rules(GAME, "seed", {"target": target})
    for way in (1, -1):
        result = DealResult(two(points)[::way], None, 0, made=False)
        totals = GAME.settle(rules, two(before)[::way], result)
        assert totals == two(after)[::way]
        won = None if state == "go on" else int(state[0])
        assert GAME.winner(rules, totals, result) == (won if won is None or way == 1 else 1 - won)
        assert [GAME.next_dealer(rules, dealer, result) for dealer in (0, 1)] == [1, 0]


def finished(preset: str, seed: int = 1, **changes: Any) -> Match:
    """A match between players who throw dice, over."""
    plan = Plan(dict(complete_rules(GAME, preset, changes)), 0, Mood.RANDOM, seed, 10**6)
    return play(GAME, plan).match


def test_gw_2_2_target() -> None:
    """The same decks and dice end sooner at a lower target; 1 is the least possible."""
    short, long = finished("match", target=10), finished("match", target=60)
    assert (short.ending, long.ending) == (Termination.SCORE, Termination.SCORE)
    assert 1 <= short.deals_complete < long.deals_complete
    assert min(max(short.totals) - 10, max(long.totals) - 60) >= 0
    with pytest.raises(BadRules, match=r"target = 0 is not possible: it is 1 or more \(GW-2\.2\)"):
        complete_rules(GAME, "seed", {"target": 0})


def test_gw_3_3_hand_cards() -> None:
    """As many cards in each hand, twice as many in the stock, as many tricks in each half; 1 to 13."""
    for size in (1, 3, 13):
        deal = new_deal(hand_cards=size)
        assert (list(map(len, deal.hands())), deal.view(0).stock_count) == ([size, size], 2 * size)
        actions = 0
        while deal.turn is not None:
            do(deal, str(deal.legal()[0]))
            actions += 1
        assert (actions, len(deal.tricks), sum(deal.taken)) == (6 * size, 2 * size, size)
    for wrong in (0, 14):
        with pytest.raises(BadRules, match=rf"hand_cards = {wrong} is not possible: it is 1 to 13 \(GW-3\.3\)"):
            complete_rules(GAME, "match", {"hand_cards": wrong})


def test_gw_6_2_scoring() -> None:
    """One deal, one point, or 13 points between both, from the same decks and dice."""
    deals, tricks = (finished("seed", scoring=word, max_deals=1) for word in ("deals", "tricks"))
    assert sorted(deals.totals) == [0, 1]
    assert sum(tricks.totals) == 13
    assert deals.winner == tricks.winner


def test_gw_7_3_equal_totals_go_on() -> None:
    """Deals of two cards can be drawn: at target 1 the match is over with the first that is not."""
    matches = [finished("match", seed, target=1, hand_cards=2) for seed in range(20)]
    assert {match.deals_complete for match in matches} >= {1, 2}
    for match in matches:
        assert abs(match.totals[0] - match.totals[1]) == 2
        assert max(match.totals) == match.deals_complete + 1


def test_gw_7_4_max_deals() -> None:
    """At the limit the higher total wins, equal totals draw; `seed` has none, `match` 100."""
    ends = [finished("match", seed, hand_cards=2, max_deals=1) for seed in range(20)]
    assert {match.ending for match in ends} == {Termination.DEAL_LIMIT}
    assert {(match.totals, match.winner) for match in ends} == {((2, 0), 0), ((1, 1), None), ((0, 2), 1)}
    assert GAME.deal_limit(complete_rules(GAME, "seed")) == 0
    assert GAME.deal_limit(complete_rules(GAME, "match")) == 100


def test_seed_is_one_deal_that_the_majority_wins() -> None:
    """GW-6.2: 13 tricks cannot be shared, so the plain game ends with its first deal."""
    for seed in range(10):
        match = finished("seed", seed)
        assert (match.ending, match.deals_complete) == (Termination.SCORE, 1)
        taken = match.view(0).taken
        assert match.winner == (0 if taken[0] > taken[1] else 1)


def test_presets_are_complete_and_possible() -> None:
    """Each names every option with a value that the option allows; `seed` has the defaults of the rules."""
    for rules in GAME.presets.values():
        assert list(rules) == [option.name for option in GAME.options]
        assert all(option.parse(rules[option.name]) == rules[option.name] for option in GAME.options)
    assert dict(GAME.presets["seed"]) == {"target": 1, "scoring": "deals", "hand_cards": 13, "max_deals": 0}
    assert dict(GAME.presets["match"]) == {"target": 50, "scoring": "tricks", "hand_cards": 13, "max_deals": 100}


def test_every_clause_that_is_cited_exists() -> None:
    """In the rules themselves, in the game's sources and in its tests."""
    root = Path(__file__).parents[2]
    sources = [*(root / "engine" / "games" / "german_whist").iterdir(), *Path(__file__).parent.glob("*german_whist*")]
    texts = {path.name: path.read_text(encoding="utf-8") for path in sources if path.is_file()}
    assert {"RULES.md", "deal.py", "refusal.py"} <= set(texts)
    cited = {(name, clause) for name, text in texts.items() for clause in re.findall(r"GW-\d+\.\d+", text)}
    assert {(name, clause) for name, clause in cited if clause not in clauses(RULES)} == set()


def test_two_seats_play_with_a_whole_pack() -> None:
    """GW-1.1, GW-1.2."""
    assert (GAME.name, GAME.title, GAME.sides, GAME.pack) == ("german-whist", "German Whist", (0, 1), PACK_52)
