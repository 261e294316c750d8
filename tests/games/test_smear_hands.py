"""Whole hands of Smear, as the worked examples have them: from the deck to the points, event by event."""

from __future__ import annotations

from typing import Any

import pytest

from any_deal import do
from engine.card import PACK_32, Strain, parse_card
from engine.event import (
    CallMade,
    CardPlayed,
    ContractSet,
    Discarded,
    Event,
    HandDealt,
    KittyTaken,
    ScoreLine,
    TrickTaken,
    TrumpNamed,
)
from smear_deals import VECTORS, bid_by, cards, new_deal, words

by_name = pytest.mark.parametrize("v", VECTORS["hands"], ids=lambda v: f"H-{v['name']}")


def deck_told(v: dict[str, Any]) -> tuple[Any, ...]:
    """The deck of a worked example."""
    return tuple(map(parse_card, v["deck"]))


def played_through(v: dict[str, Any], level: int = 2, **changes: Any) -> tuple[Any, list[Event]]:
    """The deal of a worked example with its bid at that level, and what was told of it."""
    told: list[Event] = []
    deal = new_deal(deck_told(v), dealer=v["dealer"], kitty_cards=v["kitty_cards"], told=told, **changes)
    told += bid_by(v["bidder"], level, deal)
    if v["discards"]:
        told += do(deal, " ".join(["discard", *v["discards"]]))
    assert words(sorted(cards(" ".join(v["kept"])))) == words(deal.hands()[v["bidder"]])
    for trick in v["tricks"]:
        for seat, card in trick["plays"]:
            assert deal.turn == seat
            told += do(deal, f"play {card}")
    return deal, told


@pytest.mark.parametrize("dealer", range(4))
def test_sm_2_2_cards_are_dealt_one_at_a_time_from_the_dealers_left(dealer: int) -> None:
    """Six each, told in the order of dealing; the other eight are undealt, the next card of the deck on top."""
    told: list[Event] = []
    deal = new_deal(PACK_32, dealer=dealer, told=told)
    left = [(dealer + 1 + place) % 4 for place in range(4)]
    assert told == [HandDealt(seat, PACK_32[place:24:4]) for place, seat in enumerate(left)]
    assert [deal.hands()[seat] for seat in left] == [PACK_32[place:24:4] for place in range(4)]
    assert (deal.undealt, deal.view(0).stock_count) == (PACK_32[24:], 8)


@by_name
def test_a_hand_goes_as_the_worked_example_says(v: dict[str, Any]) -> None:
    """SM-2.2, SM-4, SM-5: hands, cards taken and put away, trump, tricks; in this order and nothing else."""
    deal, told = played_through(v)
    dealt = [HandDealt(seat, cards(" ".join(hand))) for seat, hand in enumerate(v["hands"])]
    calls = [event for event in told if isinstance(event, CallMade)]
    expected: list[Event] = [*dealt, *calls, ContractSet(v["bidder"], 2, Strain.NONE, 1)]
    if v["kitty_cards"]:
        taken = cards(" ".join(v["undealt"][: v["kitty_cards"]]))
        put = tuple(sorted(cards(" ".join(v["discards"]))))
        expected += [KittyTaken(v["bidder"], taken), Discarded(v["bidder"], put)]
    for number, trick in enumerate(v["tricks"]):
        plays: list[Event] = [CardPlayed(seat, parse_card(card)) for seat, card in trick["plays"]]
        if number == 0:
            plays.insert(1, TrumpNamed(parse_card(f"A{v['trump']}").suit))
        expected += [*plays, TrickTaken(trick["winner"])]
    assert told == expected
    assert deal.turn is None


@by_name
@pytest.mark.parametrize("level", [2, 3, 4])
def test_a_hand_scores_as_the_worked_example_says(v: dict[str, Any], level: int) -> None:
    """SM-6, SM-7.1: the four points, the count of the game point, whether the bid was made; the discards are shown."""
    deal, _ = played_through(v, level)
    result = deal.result()
    side, ours = v["bidder"] % 2, v["points"][v["bidder"] % 2]
    assert list(result.points) == v["points"]
    assert (result.declarer, result.level, result.made) == (v["bidder"], level, ours >= level)
    high, low = max(v["game_totals"]), min(v["game_totals"])
    won = {"high": v["high"], "low": v["low"], "jack": v["jack"], f"game {high}-{low}": v["game"]}
    lines = [ScoreLine(name, winner, 1) for name, winner in won.items() if winner is not None]
    if v["game"] is None:
        lines.append(ScoreLine(f"game {high}-{low}", 0, 0))
    outcome = "made" if ours >= level else "not made"
    assert list(result.lines) == [*lines, ScoreLine(f"bid {level} {outcome}", side, 0)]
    put = tuple(sorted(cards(" ".join(v["discards"]))))
    assert result.shown == ((Discarded(v["bidder"], put),) if put else ())
