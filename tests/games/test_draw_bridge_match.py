"""How deals of Draw Bridge make a match (DB-2, DB-3, DB-8), and what the game says of itself."""

from __future__ import annotations

import pytest

from bridge_deals import GAME
from engine.card import PACK_52, Strain
from engine.errors import BadRules
from engine.event import ContractSet
from engine.game import DealResult, complete_rules
from engine.games.draw_bridge.score import PASSED_OUT, score


def made(declarer: int, strain: Strain, level: int, tricks: int, undertrick_points: int = 0) -> DealResult:
    """A deal's result under `seed`."""
    rules = complete_rules(GAME, "seed", {"undertrick_points": undertrick_points})
    return score(ContractSet(declarer, level, strain, 1), tricks, rules)


@pytest.mark.parametrize(
    ("result", "after", "winner"),
    [
        pytest.param(made(0, Strain.CLUBS, 1, 7), (100, 60), 0, id="G1 reaching is enough"),
        pytest.param(made(1, Strain.NOTRUMP, 1, 8), (80, 130), 1, id="G2"),
        pytest.param(made(0, Strain.HEARTS, 2, 7), (80, 60), None, id="G3 down, go on"),
        pytest.param(PASSED_OUT, (80, 60), None, id="G4 passed out, go on"),
        pytest.param(made(0, Strain.HEARTS, 2, 7, undertrick_points=50), (80, 110), 1, id="G5"),
    ],
)
def test_a_match_ends_as_the_worked_example_says(
    result: DealResult, after: tuple[int, int], winner: int | None
) -> None:
    """G1 to G5: target 100, 80 and 60 before the deal; the other seat deals next (DB-3.2, DB-3.3)."""
    rules = complete_rules(GAME, "seed")
    totals = GAME.settle(rules, (80, 60), result)
    assert totals == after
    assert GAME.winner(rules, totals, result) == winner
    assert [GAME.next_dealer(rules, dealer, result) for dealer in (0, 1)] == [1, 0]


def test_target_is_what_wins() -> None:
    """DB-2.2: the same total wins at target 100 and not at 300; 1 is the least possible."""
    result = made(0, Strain.SPADES, 4, 10)
    assert GAME.winner(complete_rules(GAME, "seed"), (120, 0), result) == 0
    assert GAME.winner(complete_rules(GAME, "match"), (120, 0), result) is None
    assert GAME.winner(complete_rules(GAME, "seed", {"target": 1}), (0, 20), result) == 1
    with pytest.raises(BadRules, match=r"target = 0 is not possible: it is 1 or more \(DB-2\.2\)"):
        complete_rules(GAME, "seed", {"target": 0})


def test_passout_dealer_same_keeps_the_dealer_of_a_passed_out_deal() -> None:
    """DB-3.3: only then; after any other deal it alternates."""
    rules = complete_rules(GAME, "seed", {"passout_dealer": "same"})
    assert [GAME.next_dealer(rules, dealer, PASSED_OUT) for dealer in (0, 1)] == [0, 1]
    down = made(0, Strain.HEARTS, 7, 0)
    assert [GAME.next_dealer(rules, dealer, down) for dealer in (0, 1)] == [1, 0]


def test_max_deals_is_the_limit() -> None:
    """DB-8.3: none under `seed`, 100 under `match`."""
    assert GAME.deal_limit(complete_rules(GAME, "seed")) == 0
    assert GAME.deal_limit(complete_rules(GAME, "match")) == 100
    assert GAME.deal_limit(complete_rules(GAME, "match", {"max_deals": 7})) == 7


def test_presets_are_complete_and_possible() -> None:
    """Each names every option with a value that the option allows; `seed` has the defaults of the rules."""
    for rules in GAME.presets.values():
        assert list(rules) == [option.name for option in GAME.options]
        assert all(option.parse(rules[option.name]) == rules[option.name] for option in GAME.options)
    seed, match = GAME.presets["seed"], GAME.presets["match"]
    for option in GAME.options:
        if option.words:
            assert seed[option.name] == option.words[0]
    assert (seed["target"], seed["undertrick_points"], seed["max_deals"]) == (100, 0, 0)
    assert {name for name in seed if seed[name] != match[name]} == {"target", "undertrick_points", "max_deals"}
    assert (match["target"], match["undertrick_points"], match["max_deals"]) == (300, 50, 100)


def test_two_seats_play_with_a_whole_pack() -> None:
    """DB-1.1, DB-1.2."""
    assert (GAME.name, GAME.title, GAME.sides, GAME.pack) == ("draw-bridge", "Draw Bridge", (0, 1), PACK_52)
