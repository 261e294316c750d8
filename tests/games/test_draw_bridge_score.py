"""What a deal of Draw Bridge scores (DB-7)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from any_deal import do
from bridge_deals import GAME, after_calls
from engine.action import parse_call
from engine.card import Strain
from engine.event import ContractSet, ScoreLine
from engine.game import DealResult, complete_rules
from engine.games.draw_bridge.score import score

VECTORS: Final = json.loads((Path(__file__).parents[1] / "vectors" / "rules.json").read_text())["draw_bridge"]
SEED: Final = complete_rules(GAME, "seed")


def scored(contract: str, multiplier: int, tricks: int, declarer: int = 0, **changes: int | str) -> DealResult:
    """The score of a contract under `seed` with options changed."""
    bid = parse_call(contract)
    return score(ContractSet(declarer, bid.level, bid.strain, multiplier), tricks, {**SEED, **changes})


@pytest.mark.parametrize("declarer", [0, 1])
@pytest.mark.parametrize("v", VECTORS["scores"], ids=lambda v: f"{v['contract']}-x{v['multiplier']}-{v['tricks']}")
def test_a_contract_scores_as_the_worked_example_says(v: dict[str, Any], declarer: int) -> None:
    """S1 to S20, with either seat as declarer, under `seed` and with 50 for an undertrick."""
    contract = (v["contract"], v["multiplier"], v["tricks"], declarer)
    for result, opponent in (
        (scored(*contract), v["opponent_seed"]),
        (scored(*contract, undertrick_points=50), v["opponent_if_undertrick_50"]),
    ):
        assert (result.points[declarer], result.points[1 - declarer]) == (v["declarer_seed"], opponent)
        assert result.declarer == declarer
        assert result.made == (v["declarer_seed"] > 0)
        assert result.level == int(v["contract"][0])


def test_the_level_does_not_change_the_amount() -> None:
    """DB-7.3: with 13 tricks in no trump, 1NT and 7NT are both worth 220."""
    assert [scored(f"{level}NT", 1, 13).points[0] for level in range(1, 8)] == [220] * 7


@pytest.mark.parametrize(
    ("contract", "multiplier", "tricks", "counted", "capped"),
    [("2H", 1, 10, 120, 60), ("3D", 2, 13, 280, 120), ("1NT", 4, 9, 400, 160), ("4S", 1, 10, 120, 120)],
)
def test_overtricks_none_scores_the_bid_alone(
    contract: str, multiplier: int, tricks: int, counted: int, capped: int
) -> None:
    """DB-7.9: under `overtricks: none` tricks beyond the bid are worth nothing."""
    assert scored(contract, multiplier, tricks).points[0] == counted
    assert scored(contract, multiplier, tricks, overtricks="none").points[0] == capped


def test_undertrick_points_go_to_the_opponent() -> None:
    """DB-7.6: so many for each trick short, doubled and redoubled; nothing to him when the contract is made."""
    assert scored("4S", 4, 7, undertrick_points=30).points == (0, 3 * 30 * 4)
    assert scored("4S", 4, 7).points == (0, 0)
    assert scored("4S", 4, 10, undertrick_points=30).points == (480, 0)


@pytest.mark.parametrize(
    ("contract", "multiplier", "tricks", "line"),
    [
        ("2H", 2, 9, ScoreLine("2H X made +1", 0, 180)),
        ("1C", 1, 7, ScoreLine("1C made", 0, 20)),
        ("7NT", 4, 13, ScoreLine("7NT XX made", 0, 880)),
        ("4S", 1, 9, ScoreLine("4S down 1", 1, 50)),
        ("7NT", 2, 0, ScoreLine("7NT X down 13", 1, 1300)),
    ],
)
def test_a_line_says_what_the_points_are_for(contract: str, multiplier: int, tricks: int, line: ScoreLine) -> None:
    """Contract, made or down and by how much, who gets it."""
    assert scored(contract, multiplier, tricks, undertrick_points=50).lines == (line,)


def test_lines_add_up_to_the_points() -> None:
    """Over all contracts and tricks: each side's lines are its points."""
    for strain in (Strain.CLUBS, Strain.DIAMONDS, Strain.HEARTS, Strain.SPADES, Strain.NOTRUMP):
        for level in range(1, 8):
            for tricks in range(14):
                result = score(ContractSet(1, level, strain, 2), tricks, {**SEED, "undertrick_points": 50})
                for side in (0, 1):
                    assert result.points[side] == sum(line.points for line in result.lines if line.side == side)


def test_a_passed_out_deal_scores_nothing() -> None:
    """DB-5.12: nobody is declarer, no points, no lines."""
    assert after_calls("P P").result() == DealResult((0, 0), None, 0, made=False)


def test_a_deal_is_scored_when_it_is_over() -> None:
    """Before that there is no result."""
    deal = after_calls("1C P")
    with pytest.raises(ValueError, match="when it is over"):
        deal.result()
    while deal.turn is not None:
        do(deal, str(deal.legal()[0]))
    assert deal.result().declarer == 0
