"""The play of Smear (SM-5), against the worked examples of its rules and beyond them."""

from __future__ import annotations

from random import Random

import pytest

from any_deal import do, snapshot, tokens
from engine.action import Play
from engine.card import PACK_32, Card, parse_card
from engine.errors import Refused
from engine.event import CardPlayed, TrickTaken, TrumpNamed
from smear_deals import bid_by, cards, new_deal, play_of


def following(hand: str, trump: str, led: str) -> list[str]:
    """What seat 1 may play when seat 0 has led a card of a suit; the cards that others hold do not matter."""
    lead = next(card for card in map(str, PACK_32) if card[1] == led and card not in hand.split())
    others = [card for card in map(str, PACK_32) if card not in (lead, *hand.split())]
    size = len(hand.split())
    deal = play_of([" ".join([lead, *others[: size - 1]]), hand, *(" ".join(others[-size:]),) * 2], trump)
    do(deal, f"play {lead}")
    return [text.removeprefix("play ") for text in tokens(deal.legal())]


@pytest.mark.parametrize(
    ("trump", "led", "hand", "legal"),
    [
        pytest.param("H", "D", "9D TH KS JC", "9D TH", id="L1 may trump though able to follow"),
        pytest.param("H", "H", "9D TH KS", "TH", id="L2"),
        pytest.param("H", "D", "TH KS JC", "TH KS JC", id="L3"),
        pytest.param("H", "H", "9D KS", "9D KS", id="L4"),
        pytest.param("H", "S", "9D TH KS 8S JC", "KS 8S TH", id="L5"),
    ],
)
def test_legal_plays_are_those_of_the_worked_example(trump: str, led: str, hand: str, legal: str) -> None:
    """L1 to L5, SM-5.3: the suit led or any trump; anything without the suit led; in ascending order."""
    assert following(hand, trump, led) == [str(card) for card in sorted(cards(legal))]


@pytest.mark.parametrize(
    ("trump", "trick", "winner"),
    [
        ("C", "TC 7C JC 8C", 2),
        ("C", "JD KC TS 8D", 1),
        ("S", "9H AD AC TH", 3),
        ("S", "9H AD AC AS", 3),
        ("H", "7H AS AD AC", 0),
        ("D", "KC 7D 8D AC", 2),
    ],
)
@pytest.mark.parametrize("leader", range(4))
def test_a_trick_is_won_as_the_worked_example_says(trump: str, trick: str, winner: int, leader: int) -> None:
    """SM-5.4: the highest trump, else the highest card of the suit led; with every seat as leader."""
    hands = [""] * 4
    for place, card in enumerate(trick.split()):
        hands[(leader + place) % 4] = card
    deal = play_of(hands, trump, leader=leader)
    told = do(deal, *(f"play {card}" for card in trick.split()))
    plays = [CardPlayed((leader + place) % 4, parse_card(card)) for place, card in enumerate(trick.split())]
    taker = (leader + winner) % 4
    assert told == [*plays, TrickTaken(taker)]
    assert deal.taken == [taker % 2 == 0, taker % 2 == 1]
    assert deal.turn is None


def test_sm_5_5_the_winner_leads_any_card() -> None:
    """A trump as well; the trick before is out of the way."""
    deal = play_of(["9H 7C", "AD 8H", "AC TD", "TH JS"], "S")
    do(deal, "play 9H", "play 8H", "play TD", "play TH")
    assert (deal.turn, deal.view(3).table.cards) == (3, ())
    assert tokens(deal.legal()) == ["play JS"]
    deal = play_of(["9H 7C", "AD 8H", "AC TD", "TH JS"], "S", leader=3)
    assert tokens(deal.legal()) == ["play TH", "play JS"]


def test_sm_5_1_the_first_lead_names_trump_and_no_other_does() -> None:
    """Told once, after the lead."""
    deal = new_deal(Random(2).sample(PACK_32, 32), kitty_cards=0)
    bid_by(2, 4, deal)
    told = do(deal, str(deal.legal()[0]))
    lead = told[0]
    assert isinstance(lead, CardPlayed)
    assert told == [CardPlayed(2, lead.card), TrumpNamed(lead.card.suit)]
    rest = []
    while deal.turn is not None:
        deal.apply(deal.legal()[-1], rest)
    assert not any(isinstance(event, TrumpNamed) for event in rest)
    assert deal.view(0).trump is lead.card.suit


@pytest.mark.parametrize("seed", range(40))
def test_what_may_be_played_in_deals_at_random(seed: int) -> None:
    """SM-5.3, SM-5.4 written anew over whole deals: what is offered, who wins, who leads, six tricks."""
    dice = Random(seed)
    deal = new_deal(dice.sample(PACK_32, 32), dealer=seed % 4, kitty_cards=0)
    bid_by(dice.randrange(4), 4 if seed % 2 else 2, deal)
    trump, table, tricks = None, [], 0
    while deal.turn is not None:
        seat, hand = deal.turn, deal.hands()[deal.turn]
        allowed = set(hand)
        if table and any(card.suit == table[0].suit for card in hand):
            allowed = {card for card in hand if card.suit in (table[0].suit, trump)}
        assert [play.card for play in deal.legal()] == sorted(allowed)
        card = dice.choice(sorted(allowed))
        trump = trump or card.suit
        table.append(card)
        told = []
        deal.apply(Play(card), told)
        if len(table) == 4:
            best = max(table, key=lambda c: (c.suit == trump, c.suit == table[0].suit, c.rank))
            winner = (seat + 1 + table.index(best)) % 4
            assert told[-1] == TrickTaken(winner)
            tricks += 1
            assert deal.turn == (winner if tricks < 6 else None)
            table = []
        else:
            assert deal.turn == (seat + 1) % 4
    assert tricks == 6


@pytest.mark.parametrize(
    ("action", "text"),
    [
        ("play JC", "SM-5.3: you hold diamonds, the suit led, so play diamonds or a trump (hearts): JC is neither"),
        ("play AS", "SM-5.3: AS is not in your hand"),
        ("play 6D", "SM-1.2: there is no 6D in the pack, which goes from 7 to ace"),
        ("bid 2", "SM-3.3: the auction has ended: play a card"),
        ("draw", "SM-2.2: no cards are drawn in Smear: play a card"),
        ("discard JC", "SM-4.2: only the bidder discards, once, before the first lead: play a card"),
    ],
)
def test_a_card_that_does_not_follow_is_refused_in_words(action: str, text: str) -> None:
    """L1: neither the suit led nor a trump; and what is no card of the hand at all."""
    deal = play_of(["7D 8D 9S TS", "9D TH KS JC", "AD 7S 8S JS", "KD QS 7H 8H"], "H")
    do(deal, "play 7D")
    before, told = snapshot(deal), []
    with pytest.raises(Refused) as refused:
        do(deal, action)
    assert str(refused.value) == text
    assert (snapshot(deal), told) == (before, [])


def test_a_card_that_is_no_trump_is_refused_when_trump_is_led() -> None:
    """L2, and numbers that are no card; as a lead too."""
    deal = play_of(["7H 8D 9S", "9D TH KS", "AD 7S 8S", "KD QS 8H"], "H")
    with pytest.raises(Refused, match=r"^SM-5\.5: AS is not in your hand$"):
        do(deal, "play AS")
    for number in (0, 1, 31, 95):
        with pytest.raises(Refused, match=rf"^SM-1\.2: there is no card number {number} in the pack$"):
            deal.apply(Play(Card(number)))
    do(deal, "play 7H")
    with pytest.raises(Refused, match=r"^SM-5\.3: trumps \(hearts\) are led and you hold one: KS is none$"):
        do(deal, "play KS")
    with pytest.raises(Refused, match=r"^SM-1\.2: there is no card number 31 in the pack$"):
        deal.apply(Play(Card(31)))


def test_a_hand_that_is_played_is_over() -> None:
    """SM-5.2: six tricks, then nothing is offered or accepted."""
    deal = play_of(["7H", "9D", "AD", "KD"], "H")
    do(deal, "play 7H", "play 9D", "play AD", "play KD")
    assert (deal.turn, deal.legal(), deal.view(0).table) == (None, (), None)
    for action in ("play 7H", "pass", "draw", "discard 7H"):
        with pytest.raises(Refused, match=r"^SM-5\.2: all 6 tricks are played and the hand is over$"):
            do(deal, action)
