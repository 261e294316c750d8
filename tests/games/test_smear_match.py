"""How hands of Smear make a match (SM-1, SM-2, SM-7, SM-8), and what the game says of itself."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from engine.action import PASS
from engine.card import PACK_32
from engine.errors import BadRules
from engine.event import DealScored, DealStarted
from engine.game import DealResult, complete_rules
from engine.games.smear.score import THROWN_IN
from engine.match import Match
from engine.states import Termination
from smear_deals import GAME, VECTORS

VARIANTS = [
    dict(zip(("must_bid_to_win", "cap_non_bidder", "both_out"), values, strict=True))
    for values in product(("off", "on"), ("off", "on"), ("bidder", "higher"))
]


def hand(bidder: int, bid: int, *points: int) -> DealResult:
    """A hand that the bidder's side made if it has as many points as were bid."""
    return DealResult(points, bidder, bid, points[bidder % 2] >= bid)


def settled(before: tuple[int, int], result: DealResult, **changes: str) -> tuple[tuple[int, ...], int | None]:
    """The totals after a hand under `seed` with options changed, and who has won."""
    rules = complete_rules(GAME, "seed", changes)
    totals = GAME.settle(rules, before, result)
    return totals, GAME.winner(rules, totals, result)


@pytest.mark.parametrize(
    ("before", "bidder", "bid", "points", "after", "winner"),
    [
        pytest.param((12, 9), 0, 3, (3, 1), (15, 10), 0, id="E1"),
        pytest.param((0, 0), 0, 4, (3, 1), (-4, 1), None, id="E2 nothing kept"),
        pytest.param((0, 0), 2, 2, (4, 0), (4, 0), None, id="E3 overscore counts"),
        pytest.param((1, 0), 0, 2, (1, 1), (-1, 1), None, id="E4 set"),
        pytest.param((-2, 0), 0, 2, (1, 2), (-4, 2), None, id="E5 negative stays"),
        pytest.param((-3, 5), 1, 3, (1, 3), (-2, 8), None, id="E6 defenders score"),
        pytest.param((13, 14), 0, 2, (2, 2), (15, 16), 0, id="E7 bidders"),
        pytest.param((14, 14), 2, 3, (2, 2), (11, 16), 1, id="E8"),
        pytest.param((10, 14), 0, 2, (3, 1), (13, 15), 1, id="E9"),
        pytest.param((14, 13), 1, 4, (0, 4), (14, 17), 1, id="E12"),
        pytest.param((13, 3), 0, 2, (2, 1), (15, 4), 0, id="E14"),
    ],
)
def test_a_hand_ends_the_match_as_the_worked_example_says(  # noqa: PLR0917 - a row of the table
    before: tuple[int, int], bidder: int, bid: int, points: tuple[int, int], after: tuple[int, int], winner: int | None
) -> None:
    """E1 to E14 under the rules' defaults: totals and outcome."""
    assert settled(before, hand(bidder, bid, *points)) == (after, winner)


@pytest.mark.parametrize("v", VECTORS["settlements"], ids=lambda v: f"{v['before']}-{v['bidder']}-{v['bid']}")
def test_a_hand_is_settled_as_the_worked_example_says(v: dict[str, list[int]]) -> None:
    """SM-7: from the points to the totals."""
    result = hand(v["bidder"], v["bid"], *v["points"])  # type: ignore[arg-type]
    assert result.made == v["made"]
    assert settled(tuple(v["before"]), result)[0] == tuple(v["after"])  # type: ignore[arg-type]


def test_sm_8_2_both_out() -> None:
    """E7: `bidder`: the bidding side wins although it has less; `higher`: the other does; equal: the bidding side."""
    assert settled((13, 14), hand(0, 2, 2, 2)) == ((15, 16), 0)
    assert settled((13, 14), hand(0, 2, 2, 2), both_out="higher") == ((15, 16), 1)
    assert settled((14, 13), hand(0, 2, 2, 2), both_out="higher") == ((16, 15), 0)
    for bidder in range(4):
        assert settled((14, 14), hand(bidder, 2, 2, 2), both_out="higher") == ((16, 16), bidder % 2)
    assert settled((14, 13), hand(1, 2, 1, 2), both_out="higher") == ((15, 15), 1)


def test_sm_8_3_must_bid_to_win() -> None:
    """E9: whoever gets there without a bid plays on; a bid that is made wins, a bid that is not does not."""
    on = {"must_bid_to_win": "on"}
    assert settled((10, 14), hand(0, 2, 3, 1), **on) == ((13, 15), None)
    assert settled((10, 14), hand(3, 2, 1, 3), **on) == ((11, 17), 1)
    assert settled((10, 22), hand(1, 2, 3, 1), **on) == ((13, 20), None)
    assert settled((13, 20), hand(2, 2, 2, 1), **on) == ((15, 21), 0)
    assert settled((13, 20), hand(2, 2, 2, 1), must_bid_to_win="off") == ((15, 21), 0)
    assert settled((14, 13), hand(2, 4, 3, 1), **on) == ((10, 14), None)


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda v: "-".join(v.values()))
@pytest.mark.parametrize(
    ("before", "result", "winner"),
    [((14, 13), hand(1, 4, 0, 4), 1), ((13, 3), hand(0, 2, 2, 1), 0)],
    ids=["E12", "E14"],
)
def test_some_hands_win_under_every_option(
    before: tuple[int, int], result: DealResult, winner: int, variant: dict[str, str]
) -> None:
    """E12, E14."""
    assert settled(before, result, **variant)[1] == winner


def test_sm_8_4_cap_non_bidder() -> None:
    """A side that did not bid stops at the target; the bidding side does not, nor does anybody below it."""
    on = {"cap_non_bidder": "on"}
    assert settled((10, 14), hand(0, 2, 2, 2)) == ((12, 16), 1)
    assert settled((10, 14), hand(0, 2, 2, 2), **on) == ((12, 15), 1)
    assert settled((10, 14), hand(1, 2, 2, 2), **on) == ((12, 16), 1)
    assert settled((10, 11), hand(0, 2, 2, 2), **on) == ((12, 13), None)
    assert settled((10, 14), hand(0, 4, 2, 2), **on) == ((6, 15), 1)
    assert settled((10, 99), hand(0, 2, 2, 2), target="100", **on) == ((12, 100), 1)


def test_sm_8_4_cap_non_bidder_decides_who_has_more() -> None:
    """With `both_out: higher` the cap makes the totals equal, and then the bidding side wins."""
    assert settled((13, 14), hand(0, 2, 2, 2), both_out="higher", cap_non_bidder="on") == ((15, 15), 0)


def test_sm_8_4_cap_non_bidder_with_must_bid_to_win_stops_a_side_from_stocking_up() -> None:
    """It stays at the target for as long as others bid, so that one set brings it below."""
    rules = {"must_bid_to_win": "on", "cap_non_bidder": "on"}
    totals: tuple[int, ...] = (0, 14)
    for _ in range(3):
        totals, winner = settled((totals[0], totals[1]), hand(0, 2, 2, 2), **rules)
        assert (totals[1], winner) == (15, None)
    assert settled((totals[0], totals[1]), hand(1, 2, 2, 1), **rules) == ((8, 13), None)


def test_sm_8_1_target() -> None:
    """Reaching is enough; a higher target is not reached by the same total; 1 is the least possible."""
    result = hand(0, 2, 2, 1)
    assert GAME.winner(complete_rules(GAME, "seed"), (15, 14), result) == 0
    assert GAME.winner(complete_rules(GAME, "seed"), (14, 14), result) is None
    assert GAME.winner(complete_rules(GAME, "seed", {"target": 16}), (15, 14), result) is None
    assert GAME.winner(complete_rules(GAME, "seed", {"target": 1}), (0, 1), result) == 1
    with pytest.raises(BadRules, match=r"target = 0 is not possible: it is 1 or more \(SM-8\.1\)"):
        complete_rules(GAME, "seed", {"target": 0})


def test_sm_1_4_kitty_cards_goes_from_0_to_3() -> None:
    """Four is one too many."""
    for number in range(4):
        assert complete_rules(GAME, "seed", {"kitty_cards": str(number)})["kitty_cards"] == number
    for number in (4, -1):
        with pytest.raises(BadRules, match=rf"kitty_cards = {number} is not possible: it is 0 to 3 \(SM-1\.4\)"):
            complete_rules(GAME, "seed", {"kitty_cards": number})


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda v: "-".join(v.values()))
def test_sm_3_5_a_hand_that_was_thrown_in_changes_nothing(variant: dict[str, str]) -> None:
    """Neither the totals nor, whatever they are, the match."""
    assert settled((14, -3), THROWN_IN, **variant) == ((14, -3), None)
    assert settled((17, 20), THROWN_IN, **variant) == ((17, 20), None)


def test_sm_2_1_the_deal_passes_to_the_left() -> None:
    """After every hand but one that was thrown in (SM-3.5)."""
    rules = complete_rules(GAME, "match")
    assert [GAME.next_dealer(rules, dealer, hand(0, 2, 1, 1)) for dealer in range(4)] == [1, 2, 3, 0]
    assert [GAME.next_dealer(rules, dealer, THROWN_IN) for dealer in range(4)] == [0, 1, 2, 3]


def test_sm_8_6_max_hands_counts_hands_that_were_thrown_in() -> None:
    """SM-3.5: each has its number; the same seat deals them all; equal totals at the limit are a draw."""
    match = Match(
        GAME, complete_rules(GAME, "seed", {"max_hands": 3}), 2, lambda number: Random(number).sample(PACK_32, 32)
    )
    told = match.start()
    while match.turn is not None:
        told += match.apply(PASS)
    assert [(event.deal_no, event.dealer) for event in told if isinstance(event, DealStarted)] == [
        (0, 2),
        (1, 2),
        (2, 2),
    ]
    scored = [event for event in told if isinstance(event, DealScored)]
    assert scored == [DealScored(number, (0, 0), (0, 0)) for number in range(3)]
    assert (match.ending, match.winner, match.deals_complete) == (Termination.DEAL_LIMIT, None, 3)


def test_sm_8_6_max_hands_lets_the_higher_total_win() -> None:
    """Even under `must_bid_to_win` (SM-8.3), and although nobody is at the target."""
    rules = complete_rules(GAME, "seed", {"max_hands": 1, "must_bid_to_win": "on", "target": 99})
    match = Match(GAME, rules, 0, lambda number: Random(number).sample(PACK_32, 32))
    match.start()
    while match.turn is not None:
        match.apply(match.legal()[-1])
    assert match.ending is Termination.DEAL_LIMIT
    assert match.totals[0] != match.totals[1]
    assert match.winner == int(match.totals[1] > match.totals[0])
    assert [GAME.deal_limit(GAME.presets[preset]) for preset in ("seed", "match")] == [0, 100]


def test_presets_are_complete_and_possible() -> None:
    """Each names every option with a value that the option allows; `seed` has the defaults of the rules."""
    for rules in GAME.presets.values():
        assert list(rules) == [option.name for option in GAME.options]
        assert all(option.parse(rules[option.name]) == rules[option.name] for option in GAME.options)
    seed, match = GAME.presets["seed"], GAME.presets["match"]
    for option in GAME.options:
        if option.words:
            assert seed[option.name] == option.words[0]
    assert (seed["target"], seed["kitty_cards"], seed["max_hands"]) == (15, 3, 0)
    assert {name for name in seed if seed[name] != match[name]} == {"max_hands"}
    assert match["max_hands"] == 100


def test_four_seats_play_in_two_sides_with_a_short_pack() -> None:
    """SM-1.1, SM-1.2."""
    assert (GAME.name, GAME.sides, GAME.pack) == ("smear", (0, 1, 0, 1), PACK_32)
    assert GAME.title == "Four-Point Northeastern Wisconsin Smear"
