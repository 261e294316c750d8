"""Undealt cards, the discard and the first lead of Smear (SM-4), against the worked examples and beyond them."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from any_deal import do, snapshot, tokens
from engine.action import Discard, Play
from engine.card import PACK_32, Card, parse_card
from engine.errors import Refused
from engine.event import CallMade, CardPlayed, ContractSet, Discarded, KittyTaken, TrumpNamed
from engine.games.smear.discards import Discards
from engine.trick import PLACES, hand_of
from smear_deals import after_calls, bid_by, bidder_holding, cards, deck_of, new_deal, words

X_HAND = "AS KS JS 7S TD 9D TC 8H"


def may_lead(kept: set[Card], away: set[Card]) -> set[Card]:
    """SM-4.4, written anew: the suit does not occur among the discards, or all six cards kept are of it."""
    gone = {card.suit for card in away}
    return {card for card in kept if card.suit not in gone or {other.suit for other in kept} == {card.suit}}


@pytest.mark.parametrize(
    ("hand", "away", "leads"),
    [
        pytest.param(X_HAND, "TC TD", "AS KS JS 7S 8H", id="X1"),
        pytest.param(X_HAND, "9D 8H", "AS KS JS 7S TC", id="X2"),
        pytest.param(X_HAND, "AS TD", "TC 8H", id="X3 spades given up"),
        pytest.param("AS KS QS JS TS 9S 8S 7S AH", "AH 8S 7S", "AS KS QS JS TS 9S", id="X5 surplus trumps"),
        pytest.param("AS KS QS JS TS 9S 8S", "JS", "AS KS QS TS 9S 8S", id="X7"),
    ],
)
def test_a_discard_allows_the_first_leads_of_the_worked_example(hand: str, away: str, leads: str) -> None:
    """X1 to X7: the discard is offered and accepted, and then exactly these cards may be led."""
    number = len(hand.split()) - 6
    deal = bidder_holding(hand, number)
    discard = Discard(tuple(sorted(cards(away))))
    assert discard in deal.legal()
    deal.apply(discard)
    assert deal.legal() == tuple(Play(card) for card in sorted(cards(leads)))
    for card in set(deal.hands()[0]) - set(cards(leads)):
        with pytest.raises(Refused, match=r"^SM-4\.4: "):
            deal.apply(Play(card))


@pytest.mark.parametrize("suit", "CDHS")
def test_surplus_trumps_may_be_put_away_in_every_suit(suit: str) -> None:
    """X5, X7 in each suit: all six cards kept are of it, so that any of them is led, cards of it put away or not."""
    seven = " ".join(f"{rank}{suit}" for rank in "AKQJT98")
    other = "CDHS"[("CDHS".index(suit) + 1) % 4]
    for hand, away in ((seven, f"J{suit}"), (f"{seven} 7{other}", f"J{suit} 7{other}")):
        deal = bidder_holding(hand, len(away.split()))
        do(deal, f"discard {away}")
        kept = sorted(set(cards(hand)) - set(cards(away)))
        assert deal.legal() == tuple(Play(card) for card in kept)
        for card in kept:
            assert CardPlayed(0, card) in do(deal.copy(), f"play {card}")


@pytest.mark.parametrize("away", ["discard TD", "discard TC TD 9D", "discard AS KS JS 7S TD 9D TC 8H"])
def test_sm_4_2_exactly_as_many_as_were_taken(away: str) -> None:
    """X8."""
    deal = bidder_holding(X_HAND, 2)
    before = snapshot(deal)
    with pytest.raises(Refused) as refused:
        do(deal, away)
    number = len(away.split()) - 1
    assert str(refused.value) == f"SM-4.2: discard exactly as many cards as you took, 2 cards: this is {number}"
    assert snapshot(deal) == before


def test_sm_4_1_the_bidder_takes_the_top_undealt_cards() -> None:
    """deck[24] and the next, as many as `kitty_cards` says, into the bidder's hand; with 0 nothing is taken or put."""
    deck = Random(4).sample(PACK_32, 32)
    for number in (0, 1, 2, 3):
        deal = new_deal(deck, kitty_cards=number)
        told = bid_by(1, 3, deal)
        taken = tuple(deck[24 : 24 + number])
        after = [event for event in told if not isinstance(event, CallMade)]
        assert after == [deal.contract, *([KittyTaken(1, taken)] if taken else [])]
        assert deal.hands()[1] == tuple(sorted((*deck[1:24:4], *taken)))
        assert deal.view(1).hand_counts == (6, 6 + number, 6, 6)
        assert (deal.phase, deal.turn) == ("discard" if number else "play", 1)


def test_sm_4_2_without_a_discard_the_bidder_leads_anything() -> None:
    """`kitty_cards: 0`: no step of its own, all six cards may be led."""
    deal = after_calls("2 P P P", kitty_cards=0)
    assert tokens(deal.legal()) == [f"play {card}" for card in deal.hands()[0]]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_every_discard_that_leaves_a_lead_is_legal(number: int) -> None:
    """SM-4.4 over random hands and hands of few suits: what is offered, against the clause written anew."""
    dice = Random(number)
    refused = 0
    for sample in range(120):
        suits = dice.sample((1, 2, 3, 4), 2 + sample % 3)
        pool = [card for card in PACK_32 if card.suit in suits]
        hand = tuple(sorted(dice.sample(pool, 6 + number)))
        every = [Discard(away) for away in combinations(hand, number)]
        legal = [away for away in every if may_lead(set(hand) - set(away.cards), set(away.cards))]
        assert list(Discards(hand_of(map(PLACES.__getitem__, hand)), number)) == legal
        refused += len(every) - len(legal)
    assert bool(refused) == (number > 1)  # a single card leaves another suit whole, or is of the only one


def test_what_is_offered_is_accepted_and_what_is_not_is_refused() -> None:
    """In deals that are played: each discard of the hand is accepted if and only if it is offered."""
    dice = Random(9)
    for _ in range(20):
        hand = " ".join(map(str, dice.sample([card for card in PACK_32 if card.suit != dice.randint(1, 4)], 9)))
        deal = bidder_holding(hand, 3)
        offered = set(deal.legal())
        for away in combinations(deal.hands()[0], 3):
            twin = deal.copy()
            if Discard(away) in offered:
                assert tuple(twin.legal()) == tuple(deal.legal())
                twin.apply(Discard(away))
                kept = set(deal.hands()[0]) - set(away)
                assert {play.card for play in twin.legal()} == may_lead(kept, set(away))
            else:
                with pytest.raises(Refused, match=r"^SM-4\.4: "):
                    twin.apply(Discard(away))


def test_discards_are_a_sequence_like_any_other() -> None:
    """Length, places, slices, order, equality."""
    found = bidder_holding("AS KS QS JS AH KH QH JH", 2).legal()
    listed = list(found)
    assert len(found) == len(listed) == 28 - 4 * 4
    assert [found[place] for place in range(len(found))] == listed
    assert (found[-1], found[:2], tuple(found)) == (listed[-1], tuple(listed[:2]), tuple(listed))
    assert [discard.cards for discard in listed] == sorted(discard.cards for discard in listed)
    assert found == bidder_holding("KS AS QS JS AH KH QH JH", 2).legal()
    assert hash(found) == hash(bidder_holding("KS AS QS JS AH KH QH JH", 2).legal())
    assert found != bidder_holding("AS KS QS JS AH KH QH TH", 2).legal()
    assert found != listed
    with pytest.raises(IndexError):
        found[len(found)]


def test_a_discard_that_leaves_nothing_to_lead_is_explained() -> None:
    """SM-4.3, SM-4.4: the refusal says why, to somebody who has never heard of the rule."""
    deal = bidder_holding("AS KS QS JS TS AH KH QH JH", 3)
    before = snapshot(deal)
    with pytest.raises(Refused) as refused:
        do(deal, "discard TS JS JH")
    assert refused.value.clause == "SM-4.4"
    assert refused.value.reason == (
        "with JH TS JS put away nothing could be led: the suit of your first lead is trump, and no trump may be "
        "discarded unless all 6 cards kept are trumps (SM-4.3), but of every suit that you would keep (hearts, spades) "
        "you put a card away; keep one suit whole"
    )
    assert snapshot(deal) == before


def test_a_lead_of_a_suit_that_was_put_away_is_explained() -> None:
    """SM-4.4: which cards stand in the way, and which may be led."""
    deal = bidder_holding("AS 8S TS KD QD 9C 8C 7C AH", 3)
    do(deal, "discard 8S TS 9C")
    before = snapshot(deal)
    with pytest.raises(Refused) as refused:
        do(deal, "play AS")
    assert str(refused.value) == (
        "SM-4.4: your first lead makes its suit trump, and you put 8S TS away: spades cannot be trumps unless all 6 "
        "cards you kept are spades (SM-4.3); lead one of QD KD AH"
    )
    assert snapshot(deal) == before


@pytest.mark.parametrize(
    ("action", "text"),
    [
        ("discard 7C 8C 9C", "SM-4.2: 7C is not in your hand"),
        ("discard TC 2C TD", "SM-1.2: there is no 2C in the pack, which goes from 7 to ace"),
        ("discard TC TC TD", "SM-4.2: name each card once, in ascending order of their numbers"),
        ("play AS", "SM-4.2: you have taken undealt cards, so discard as many before you lead"),
        ("pass", "SM-3.3: the auction has ended: discard as many cards as you took"),
        ("draw", "SM-2.2: no cards are drawn in Smear: discard as many cards as you took"),
    ],
)
def test_other_answers_are_refused_in_words(action: str, text: str) -> None:
    """Cards that are not held, cards that do not exist, a card twice, and other actions."""
    deal = bidder_holding(f"{X_HAND} 7H", 3)
    before = snapshot(deal)
    with pytest.raises(Refused) as refused:
        do(deal, action)
    assert str(refused.value) == text
    assert snapshot(deal) == before


def test_cards_out_of_order_and_numbers_that_are_none_are_refused() -> None:
    """A discard has one form; the arena writes what bots send into it."""
    deal = bidder_holding(X_HAND, 2)
    with pytest.raises(Refused, match=r"^SM-4\.2: name each card once, in ascending order"):
        deal.apply(Discard(cards("TD TC")))
    with pytest.raises(Refused, match=r"^SM-1\.2: there is no card number 31 in the pack$"):
        deal.apply(Discard((parse_card("TC"), Card(31))))


def test_a_discard_is_told_and_play_begins() -> None:
    """Discarded by the bidder, who leads; the lead names trump, right after it is played (SM-5.1)."""
    deal = bidder_holding(X_HAND, 2)
    assert do(deal, "discard TC TD") == [Discarded(0, cards("TC TD"))]
    assert (deal.phase, deal.turn, words(deal.hands()[0])) == ("play", 0, "9D 8H 7S JS KS AS")
    assert do(deal, "play 8H") == [CardPlayed(0, parse_card("8H")), TrumpNamed(parse_card("8H").suit)]


@pytest.mark.parametrize(
    ("action", "text"),
    [
        ("discard 8H 9D", "SM-4.2: only the bidder discards, once, before the first lead: play a card"),
        ("bid 3", "SM-3.3: the auction has ended: play a card"),
        ("draw", "SM-2.2: no cards are drawn in Smear: play a card"),
        ("play AC", "SM-5.1: AC is not in your hand"),
        ("play TC", "SM-5.1: TC is not in your hand"),
    ],
)
def test_before_the_first_lead_a_card_is_due(action: str, text: str) -> None:
    """Nobody discards twice, and what was put away is not played."""
    deal = bidder_holding(X_HAND, 2)
    do(deal, "discard TC TD")
    with pytest.raises(Refused) as refused:
        do(deal, action)
    assert str(refused.value) == text


def test_the_restriction_is_on_the_first_lead_alone() -> None:
    """SM-5.5: a later lead may be of a suit that was put away."""
    deck = deck_of(["AS KS QS TD 9D 9H", "", "", ""], "8H 7H", dealer=3)
    deal = new_deal(deck, kitty_cards=2)
    bid_by(0, 2, deal)
    do(deal, "discard 8H 9D", "play AS")
    while deal.turn != 0 or deal.table:
        deal.apply(deal.legal()[0])
    assert {"play TD", "play 9H"} <= set(tokens(deal.legal()))
    assert isinstance(deal.contract, ContractSet)
