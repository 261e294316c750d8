"""The auction of Draw Bridge (DB-5), against the worked examples of its rules and beyond them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from any_deal import do, snapshot, tokens
from bridge_deals import after_calls, after_draws, new_deal
from engine.action import DOUBLE, PASS, REDOUBLE, STRAIN_BIDS, Call, CallKind, parse_call
from engine.card import Strain
from engine.errors import Refused
from engine.event import CallMade, ContractSet, Event, TrumpNamed

VECTORS: Final = json.loads((Path(__file__).parents[1] / "vectors" / "rules.json").read_text())["draw_bridge"]


def named(vectors: list[dict[str, Any]], *more: str) -> list[Any]:
    """The vectors with the calls as their names."""
    return [pytest.param(v, id=" ".join([*v["calls"], *[str(v[key]) for key in more]])) for v in vectors]


@pytest.mark.parametrize("vector", named(VECTORS["auctions"]))
def test_an_auction_ends_as_the_worked_example_says(vector: dict[str, Any]) -> None:
    """A1 to A13: contract, declarer, doubling and who leads; the second half starts, or nothing more happens."""
    deal = after_draws(new_deal(dealer=vector["dealer"]))
    told: list[Event] = []
    for token in vector["calls"]:
        assert deal.phase == "auction"
        deal.apply(parse_call(token), told)
    made = [event for event in told if isinstance(event, CallMade)]
    assert [event.call.token for event in made] == vector["calls"]
    assert [event.seat for event in made] == [(vector["dealer"] + number) % 2 for number in range(len(made))]
    assert deal.turn == vector["leads"]
    if vector["passed_out"]:
        assert told == made
        assert deal.result().passed_out
        assert (deal.phase, deal.legal()) == ("auction", ())
    else:
        contract = told[-2]
        assert isinstance(contract, ContractSet)
        assert f"{contract.level}{contract.strain}" == vector["contract"]
        assert (contract.declarer, contract.multiplier) == (vector["declarer"], vector["multiplier"])
        assert told[-1] == TrumpNamed(contract.strain)
        assert deal.phase == "play"


@pytest.mark.parametrize("vector", named(VECTORS["illegal_calls"], "illegal"))
def test_an_illegal_call_is_refused_and_changes_nothing(vector: dict[str, Any]) -> None:
    """The worked examples of illegal calls: not offered, refused by a clause of DB-5, the deal as before."""
    deal = after_calls(" ".join(vector["calls"]))
    call, before, told = parse_call(vector["illegal"]), snapshot(deal), []
    assert call not in deal.legal()
    with pytest.raises(Refused, match=r"^DB-5\.\d+: "):
        deal.apply(call, told)
    assert (snapshot(deal), told) == (before, [])


@pytest.mark.parametrize(
    ("calls", "others", "lowest", "count"),
    [
        ("", "pass", "1C", 36),
        ("P", "pass", "1C", 36),
        ("1H", "pass double", "1S", 34),
        ("1H X", "pass redouble", "1S", 34),
        ("1H X XX", "pass", "1S", 33),
        ("1H X 2H", "pass double", "2S", 29),
        ("1NT", "pass double", "2C", 32),
        ("6NT 7C", "pass double", "7D", 6),
        ("7NT", "pass double", None, 2),
        ("7NT X", "pass redouble", None, 2),
        ("7NT X XX", "pass", None, 1),
    ],
)
def test_legal_calls_stand_in_a_fixed_order(calls: str, others: str, lowest: str | None, count: int) -> None:
    """DB-5.4 to DB-5.13: pass, then double or redouble, then every higher bid, ascending."""
    legal = list(after_calls(calls).legal())
    bids = list(STRAIN_BIDS[STRAIN_BIDS.index(parse_call(lowest)) :]) if lowest else []
    assert legal == [*(parse_call(token) for token in others.split()), *bids]
    assert len(legal) == count


def test_nothing_is_legal_after_the_pass_that_ends_it() -> None:
    """DB-5.9: after 1H P the plays of the leader are legal, and no call."""
    assert all(text.startswith("play ") for text in tokens(after_calls("1H P").legal()))


@pytest.mark.parametrize(
    ("calls", "call", "text"),
    [
        ("2H", "2C", "DB-5.4: 2C does not beat 2H"),
        ("2H", "2H", "DB-5.4: 2H does not beat 2H"),
        ("1NT X", "1S", "DB-5.4: 1S does not beat 1NT"),
        ("", "X", "DB-5.5: there is no bid to double"),
        ("P", "X", "DB-5.5: there is no bid to double"),
        ("1H X", "X", "DB-5.5: 1H is your own bid and already doubled"),
        ("1H X XX", "X", "DB-5.5: 1H is already redoubled"),
        ("", "XX", "DB-5.6: there is no bid to redouble"),
        ("1H", "XX", "DB-5.6: 1H is not doubled"),
        ("1H X 2H", "XX", "DB-5.6: 2H is not doubled"),
        ("1H X XX", "XX", "DB-5.6: 1H is already redoubled"),
        ("1H", "3", "DB-5.3: a bid is a level from 1 to 7 and a denomination, such as 2C or 3NT"),
        ("1H P", "1S", "DB-5.9: the auction has ended: play a card"),
        ("P P", "1S", "DB-5.12: the deal was passed out and is over"),
    ],
)
def test_a_refusal_names_the_rule_and_says_why(calls: str, call: str, text: str) -> None:
    """The clause, then what is wrong in words."""
    deal = after_calls(calls)
    with pytest.raises(Refused) as refused:
        deal.apply(parse_call(call))
    assert str(refused.value) == text
    assert refused.value.clause == text.partition(":")[0]


@pytest.mark.parametrize(
    "call",
    [
        Call(CallKind.BID),
        Call(CallKind.BID, 8, Strain.CLUBS),
        Call(CallKind.BID, 2),
        Call(CallKind.PASS, 3),
        Call(CallKind.DOUBLE, 0, Strain.HEARTS),
    ],
)
def test_what_is_no_call_is_refused(call: Call) -> None:
    """DB-5.3: levels and strains that no call has, or that only bids have."""
    with pytest.raises(Refused, match=r"^DB-5\.3: "):
        after_calls("1H").apply(call)


def test_an_equal_call_is_as_good_as_the_object_that_is_offered() -> None:
    """A call is known by what it says."""
    deal = after_calls("1H")
    deal.apply(Call(CallKind.BID, 2, Strain.CLUBS))
    assert deal.auction.calls == [parse_call("1H"), parse_call("2C")]
    deal.apply(Call(CallKind.DOUBLE))
    assert deal.auction.multiplier == 2


def test_the_longest_auction_has_107_calls() -> None:
    """DB-5.14: a pass, every bid doubled and redoubled, a pass; each legal, and 7NT redoubled stands."""
    calls = [PASS, *(call for bid in STRAIN_BIDS for call in (bid, DOUBLE, REDOUBLE)), PASS]
    deal = after_draws(new_deal())
    for call in calls:
        assert deal.phase == "auction"
        assert call in deal.legal()
        deal.apply(call)
    assert len(calls) == len(deal.auction.calls) == 107
    assert deal.phase == "play"
    assert str(deal.contract) == "7NT XX"


def test_whoever_doubled_is_not_declarer() -> None:
    """DB-5.10: after 1H X P the contract is the bidder's, although he passed last."""
    told = do(after_draws(new_deal(dealer=1)), "bid 1H", "double", "pass")
    assert ContractSet(1, 1, Strain.HEARTS, 2) in told


def test_the_bidder_may_outbid_himself() -> None:
    """DB-5.7, DB-5.8: his new bid wipes the double."""
    assert str(after_calls("1H X 2H P").contract) == "2H"
    assert str(after_calls("1H X XX 1S P").contract) == "1S"
    assert after_calls("1H X XX 1S P").contract.declarer == 1
