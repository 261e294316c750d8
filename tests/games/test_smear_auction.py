"""The auction of Smear (SM-3), against the worked examples of its rules and beyond them."""

from __future__ import annotations

from itertools import product

import pytest

from any_deal import do, snapshot, tokens
from engine.action import DOUBLE, REDOUBLE, Call, CallKind, parse_call
from engine.card import Strain
from engine.errors import Refused
from engine.event import CallMade, ContractSet, Event
from engine.game import DealResult, complete_rules
from smear_deals import GAME, after_calls, new_deal


@pytest.mark.parametrize(
    ("calls", "bidder", "bid"),
    [
        pytest.param("2 P 3 P", 2, 3, id="B2"),
        pytest.param("4", 0, 4, id="B3 over at once"),
        pytest.param("2 3 4", 2, 4, id="B4 the dealer never calls"),
        pytest.param("P P P 2", 3, 2, id="B5 the dealer bids"),
        pytest.param("P 4", 1, 4, id="a pass, then over"),
        pytest.param("2 3 P 4", 3, 4, id="the dealer bids highest"),
        pytest.param("P 2 P P", 1, 2, id="one bid"),
    ],
)
def test_an_auction_ends_as_the_worked_example_says(calls: str, bidder: int, bid: int) -> None:
    """B2 to B5 (dealer 3): who has the contract, at which number and without a suit, and acts next."""
    told: list[Event] = []
    deal = new_deal(told=told)
    del told[:]
    for token in calls.split():
        assert deal.phase == "auction"
        deal.apply(parse_call(token), told)
    made = [event for event in told if isinstance(event, CallMade)]
    assert [(event.seat, event.call.token) for event in made] == list(enumerate(calls.split()))
    assert told[len(made)] == deal.contract == ContractSet(bidder, bid, Strain.NONE, 1)
    assert (deal.phase, deal.turn) == ("discard", bidder)


def test_all_four_pass() -> None:
    """B1, SM-3.5: nothing more happens, no points, and the same dealer deals again."""
    deal = after_calls("P P P")
    assert do(deal, "pass") == [CallMade(3, parse_call("P"))]
    assert (deal.turn, deal.phase, deal.legal(), deal.contract) == (None, "auction", (), None)
    result = deal.result()
    assert result == DealResult((0, 0), None, 0, made=False)
    assert result.passed_out
    assert GAME.next_dealer(complete_rules(GAME, "seed"), 3, result) == 3


@pytest.mark.parametrize("dealer", range(4))
def test_sm_3_1_the_dealers_left_calls_first(dealer: int) -> None:
    """Then clockwise, each seat once, the dealer last."""
    deal = new_deal(dealer=dealer)
    callers = []
    while deal.turn is not None:
        callers.append(deal.turn)
        do(deal, "pass")
    assert callers == [(dealer + i) % 4 for i in (1, 2, 3, 4)]
    assert [made.seat for made in deal.view(dealer).calls] == callers


@pytest.mark.parametrize(
    ("calls", "legal"),
    [
        ("", "P 2 3 4"),
        ("P P P", "P 2 3 4"),
        ("2", "P 3 4"),
        ("2 P", "P 3 4"),
        ("2 3", "P 4"),
        ("2 P P", "P 3 4"),
        ("3 P P", "P 4"),
    ],
)
def test_sm_3_2_a_bid_is_higher_than_every_one_before(calls: str, legal: str) -> None:
    """The dealer too has no right to the number that stands (B6)."""
    assert [call.token for call in after_calls(calls).legal()] == legal.split()


@pytest.mark.parametrize(
    ("calls", "call", "text"),
    [
        ("3 P P", "3", "SM-3.2: 3 is not higher than 3, the bid that stands"),  # B6
        ("3", "2", "SM-3.2: 2 is not higher than 3, the bid that stands"),  # B7
        ("", "1", "SM-3.2: a bid is 2, 3 or 4 and names no suit: trump is the suit that the bidder leads"),  # B7
        ("", "5", "SM-3.2: a bid is 2, 3 or 4 and names no suit: trump is the suit that the bidder leads"),  # B7
        ("", "2C", "SM-3.2: a bid is 2, 3 or 4 and names no suit: trump is the suit that the bidder leads"),
        ("", "3NT", "SM-3.2: a bid is 2, 3 or 4 and names no suit: trump is the suit that the bidder leads"),
        ("2", "X", "SM-3.2: a call is a pass or a bid of 2, 3 or 4"),
        ("2", "XX", "SM-3.2: a call is a pass or a bid of 2, 3 or 4"),
    ],
)
def test_an_illegal_call_is_refused_and_changes_nothing(calls: str, call: str, text: str) -> None:
    """B6, B7 and calls of other games: not offered, refused in words, the deal as before."""
    deal = after_calls(calls)
    before, told = snapshot(deal), []
    assert parse_call(call) not in deal.legal()
    with pytest.raises(Refused) as refused:
        deal.apply(parse_call(call), told)
    assert str(refused.value) == text
    assert (snapshot(deal), told) == (before, [])


def test_a_call_that_only_equals_a_known_one_is_as_good() -> None:
    """Calls are compared by value."""
    deal = new_deal()
    deal.apply(Call(CallKind.BID, 3))
    assert deal.auction.bid == 3
    deal.apply(Call(CallKind.PASS))
    assert [call.token for call in deal.auction.calls] == ["3", "P"]


def test_sm_3_5_dealer_must_bid() -> None:
    """`all_pass: dealer_must_bid`: after three passes the dealer may not pass; whoever has been outbid still may."""
    deal = after_calls("P P P", all_pass="dealer_must_bid")
    assert [call.token for call in deal.legal()] == ["2", "3", "4"]
    before = snapshot(deal)
    with pytest.raises(Refused) as refused:
        do(deal, "pass")
    assert str(refused.value) == "SM-3.5: all others have passed, so the dealer must bid: 2, 3 or 4"
    assert snapshot(deal) == before
    do(deal, "bid 2")
    assert deal.contract == ContractSet(3, 2, Strain.NONE, 1)
    for calls in ("", "P P", "P 2 P"):
        assert tokens(after_calls(calls, all_pass="dealer_must_bid").legal())[0] == "pass"


@pytest.mark.parametrize(
    ("calls", "off", "on"), [("2 P P", "P 3 4", "P 2 3 4"), ("2 3 P", "P 4", "P 3 4"), ("P P P", "P 2 3 4", "P 2 3 4")]
)
def test_sm_3_2_dealer_steals(calls: str, off: str, on: str) -> None:
    """`dealer_steals: on`: the dealer, and nobody else, may bid the number that stands."""
    for option, legal in (("off", off), ("on", on)):
        deal = after_calls(calls, dealer_steals=option)
        assert [call.token for call in deal.legal()] == legal.split()


def test_sm_3_2_a_stolen_bid_is_the_dealers() -> None:
    """It takes the contract at the same number; others than the dealer may not take it; a 4 is never stolen."""
    deal = after_calls("3 P P", dealer_steals="on")
    do(deal, "bid 3")
    assert deal.contract == ContractSet(3, 3, Strain.NONE, 1)
    deal = after_calls("3 P", dealer_steals="on")
    with pytest.raises(Refused, match=r"^SM-3\.2: 3 is not higher than 3"):
        do(deal, "bid 3")
    with pytest.raises(Refused, match=r"^SM-3\.2: 2 is not higher than 3"):
        do(after_calls("3 P P", dealer_steals="on"), "bid 2")
    assert after_calls("P P 4", dealer_steals="on").contract == ContractSet(2, 4, Strain.NONE, 1)


@pytest.mark.parametrize("steals", ["off", "on"])
@pytest.mark.parametrize("all_pass", ["redeal", "dealer_must_bid"])
def test_every_auction_there_is(steals: str, all_pass: str) -> None:
    """All sequences of calls, against the clauses written anew: what is offered, how it ends, who has the contract."""
    endings = 0
    for wanted in product("P234", repeat=4):
        deal = new_deal(dealer_steals=steals, all_pass=all_pass)
        standing, bidder = 1, None
        for seat, token in enumerate(wanted):
            legal = {"P"} | {str(level) for level in (2, 3, 4) if level > standing}
            if seat == 3 and steals == "on" and bidder is not None:
                legal.add(str(standing))
            if seat == 3 and all_pass == "dealer_must_bid" and bidder is None:
                legal.discard("P")
            assert {call.token for call in deal.legal()} == legal
            if token not in legal:
                break
            deal.apply(parse_call(token))
            if token != "P":
                standing, bidder = int(token), seat
            if seat == 3 or standing == 4:
                endings += 1
                expected = None if bidder is None else ContractSet(bidder, standing, Strain.NONE, 1)
                assert deal.contract == expected
                break
            assert deal.phase == "auction"
    assert endings


@pytest.mark.parametrize(
    ("action", "text"),
    [
        ("play 7C", "SM-5.1: the play follows the auction: call"),
        ("discard 7C 8C 9C", "SM-4.2: whoever bids highest discards when the auction has ended: call"),
        ("draw", "SM-2.2: no cards are drawn in Smear: call"),
    ],
)
def test_only_calls_are_made_in_the_auction(action: str, text: str) -> None:
    """Everything else is refused in words that say what is due."""
    deal = new_deal()
    with pytest.raises(Refused) as refused:
        do(deal, action)
    assert str(refused.value) == text


def test_a_hand_that_was_thrown_in_is_over() -> None:
    """Nothing is offered, nothing is accepted."""
    deal = after_calls("P P P P")
    for action in (DOUBLE, REDOUBLE, parse_call("P")):
        with pytest.raises(Refused, match=r"^SM-3\.5: all four passed: the hand is thrown in and over$"):
            deal.apply(action)
