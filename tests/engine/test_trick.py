"""Hands on masks, what follows suit, who wins a trick."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.card import PACK_52, Card, Strain, parse_card
from engine.trick import PLACES, SUIT_PLAYS, beats, cards_of, count, hand_of, plays, plays_following, winning

some_cards = st.sets(st.sampled_from(PACK_52)).map(sorted)


def hand(cards: list[Card]) -> list[int]:
    """The hand that holds these cards."""
    return hand_of(PLACES[card] for card in cards)


def cards(text: str) -> list[Card]:
    """The cards that `AS KD` names."""
    return [parse_card(token) for token in text.split()]


@given(some_cards)
def test_a_hand_holds_its_cards(held: list[Card]) -> None:
    """Masks and back: the same cards, ascending, as many."""
    assert list(cards_of(hand(held))) == held
    assert count(hand(held)) == len(held)
    assert [play.card for play in plays(hand(held))] == held


@given(some_cards, st.sampled_from(PACK_52))
def test_suit_is_followed_if_possible(held: list[Card], led: Card) -> None:
    """Cards of the suit led if there are any, else all; ascending."""
    same = [card for card in held if card.suit == led.suit]
    assert [play.card for play in plays_following(hand(held), PLACES[led][0])] == (same or held)


def test_every_holding_of_a_suit_has_its_plays() -> None:
    """8,192 holdings a suit, each with the cards of its bits and no other."""
    for suit, holdings in enumerate(SUIT_PLAYS):
        assert len(holdings) == 8192
        for mask in (0, 1, 0b1000000000001, 8191):
            of_mask = [card for card, (place, bit, _) in PLACES.items() if place == suit and bit & mask]
            assert [play.card for play in holdings[mask]] == of_mask


@pytest.mark.parametrize(
    ("trump", "trick", "position"),
    [
        (Strain.NONE, "9H TH", 1),
        (Strain.NONE, "9H AS", 0),
        (Strain.NOTRUMP, "9H AS", 0),
        (Strain.SPADES, "9H 2S", 1),
        (Strain.SPADES, "2S AH", 0),
        (Strain.CLUBS, "2C 3C", 1),
        # Four at the table.
        (Strain.CLUBS, "TC 7C JC 8C", 2),
        (Strain.CLUBS, "JD KC TS 8D", 1),
        (Strain.SPADES, "9H AD AC TH", 3),
        (Strain.SPADES, "9H AD AC AS", 3),
        (Strain.HEARTS, "7H AS AD AC", 0),
        (Strain.DIAMONDS, "KC 7D 8D AC", 2),
    ],
)
def test_the_highest_trump_wins_else_the_highest_of_the_suit_led(trump: Strain, trick: str, position: int) -> None:
    """DB-6.4, SM-5.4."""
    assert winning(cards(trick), trump - 1) == position


def test_the_winner_is_that_of_a_plain_ranking() -> None:
    """Random tricks of two to four cards: the card with the most by (trump, suit led, rank)."""
    dice = Random(4)
    for _ in range(3000):
        trick = dice.sample(PACK_52, dice.randint(2, 4))
        trump = dice.choice(list(Strain))
        worth = [(card.suit == trump, card.suit == trick[0].suit, card.rank) for card in trick]
        assert winning(trick, trump - 1) == worth.index(max(worth)), (trick, trump)


def test_nothing_beats_the_ace_of_trumps() -> None:
    """And it beats everything."""
    ace = PLACES[parse_card("AD")]
    others = [place for place in PLACES.values() if place != ace]
    assert not any(beats(place, ace, Strain.DIAMONDS - 1) for place in others)
    assert all(beats(ace, place, Strain.DIAMONDS - 1) for place in others)
