"""Cards and draws in German Whist: the deal (GW-3), the first half (GW-4) and the second (GW-5)."""

from __future__ import annotations

from typing import Any, Final

import pytest

from any_deal import do, snapshot, tokens
from engine.action import DRAW, PASS, Action, Discard, Play, parse_call
from engine.card import PACK_52, Card, Strain, parse_card
from engine.errors import Refused
from engine.event import CardDrawn, Event, HandDealt, TopCardShown, TrickTaken, TrumpNamed
from whist_deals import SUITS, cards, deal_told, examples, first_half, new_deal, second_half, stacked

FULL: Final = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC", "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD"
"""Hands of a deal in which nobody can ever follow."""


@pytest.mark.parametrize("title", ["W1", "W2"])
def test_the_whole_deal_of_the_worked_example(title: str) -> None:
    """W1, W2: every event in its order, whose turn it is at each decision, hands at the second half, tricks."""
    example = deal_told(title)
    first, second = (HandDealt(seat, cards(example.hands[seat])) for seat in (0, 1))
    stock = cards(example.stock)
    expected: list[Event] = [first, second, TopCardShown(stock[0]), TrumpNamed(example.trump)]
    told: list[Event] = []
    deal = new_deal(example.deck, told=told, hand_cards=len(first.cards), scoring="tricks")
    for number, trick in enumerate(example.tricks):
        half = "draw" if number < len(first.cards) else "play"
        if number == len(first.cards):
            assert tuple(map(set, deal.hands())) == example.at_second_half
        for seat, action in trick.actions():
            assert (deal.turn, deal.phase) == (seat, half)
            assert action in deal.legal()
            deal.apply(action, told)
        expected += trick.events()
        if number + 1 < len(first.cards):
            expected.append(TopCardShown(stock[2 * number + 2]))
    assert told == expected
    assert (deal.turn, deal.legal(), deal.hands()) == (None, (), ((), ()))
    assert deal.taken == list(deal.result().points) == example.taken


def test_gw_3_4_cards_are_dealt_one_at_a_time_to_the_non_dealer_first() -> None:
    """GW-3.4, GW-4.1: deck[0] to the non-dealer, who leads, deck[1] to the dealer."""
    for dealer in (0, 1):
        told: list[Event] = []
        deal = new_deal(PACK_52, dealer=dealer, told=told)
        assert told[:2] == [HandDealt(1 - dealer, PACK_52[0:26:2]), HandDealt(dealer, PACK_52[1:26:2])]
        assert deal.hands()[dealer] == PACK_52[1:26:2]
        assert deal.turn == 1 - dealer


def test_gw_3_6_the_first_card_turned_up_makes_trump_for_both_halves() -> None:
    """The suit of the first stock card, although a card of another suit is turned up next and drawn."""
    told: list[Event] = []
    deal = new_deal(stacked(("4D AC", "5D KC"), "2S 3H 6H 7C"), told=told, hand_cards=2)
    assert told[2:] == [TopCardShown(parse_card("2S")), TrumpNamed(Strain.SPADES)]
    told = do(deal, "play 4D", "play 5D", "draw", "draw")
    assert told[-1:] == [TopCardShown(parse_card("6H"))]
    told += do(deal, "play KC", "play AC", "draw", "draw")
    assert (deal.phase, deal.view(1).trump) == ("play", Strain.SPADES)
    told += do(deal, "play 6H", "play 2S")
    assert told[-1:] == [TrickTaken(1)]
    assert not any(isinstance(event, TrumpNamed) for event in told)


@pytest.mark.parametrize(
    ("label", "trump", "lead", "follow", "winner"), [row[:5] for row in examples("Trick winners (lead, follow)")]
)
def test_who_wins_a_trick(label: str, trump: str, lead: str, follow: str, winner: str) -> None:
    """T1 to T8: in both halves alike, whichever seat leads; the winner draws first or leads next."""
    spare = next(suit for suit in "CDHS" if suit not in (lead[1], follow[1], trump))
    for leader in (0, 1):
        hands = (f"{lead} K{spare}", f"{follow} Q{spare}")
        taker = leader if winner == "leader" else 1 - leader
        by_seat = hands if leader == 0 else (hands[1], hands[0])
        top = next(f"{rank}{trump}" for rank in "45" if f"{rank}{trump}" not in (lead, follow))
        deal = first_half(by_seat, f"{top} 7{spare} 8{spare} 6{spare}", dealer=1 - leader)
        assert TrickTaken(taker) in do(deal, f"play {lead}", f"play {follow}"), label
        drawn = [event.seat for event in do(deal, "draw", "draw") if isinstance(event, CardDrawn)]
        assert (drawn, deal.turn) == ([taker, 1 - taker], taker)
        deal = second_half(by_seat, trump, leader=leader)
        assert TrickTaken(taker) in do(deal, f"play {lead}", f"play {follow}"), label
        assert deal.turn == taker
        assert deal.taken == [taker == 0, taker == 1]


@pytest.mark.parametrize(("label", "trump", "led", "hand", "legal"), [row[:5] for row in examples("What may follow")])
def test_what_may_follow(label: str, trump: str, led: str, hand: str, legal: str) -> None:
    """F1 to F5: the legal cards are the same in both halves, in ascending order, and all others are refused."""
    size, leads = len(hand.split()), led == "none"
    others = [card for card in PACK_52 if str(card) not in (led, *hand.split())]
    others.sort(key=lambda card: card.suit is not SUITS[trump])
    stock, fill = " ".join(map(str, others[: 2 * size])), list(map(str, others[-size:]))
    hands = (hand, " ".join(fill)) if leads else (" ".join([led, *fill[1:]]), hand)
    for deal in (first_half(hands, stock), second_half(hands, trump)):
        if not leads:
            do(deal, f"play {led}")
        assert tokens(deal.legal()) == [f"play {card}" for card in legal.split()], label
        for card in set(hand.split()) - set(legal.split()):
            clause = "GW-4.2" if deal.phase == "draw" else "GW-5.2"
            assert refused(deal, f"play {card}").startswith(f"{clause}: you must follow ")


def test_gw_4_5_the_winner_draws_the_card_shown_and_the_loser_the_next_one() -> None:
    """GW-4.5, GW-4.6, GW-4.9, GW-4.10: the loser's is unseen, then the next is turned up and the winner leads."""
    deal = first_half(("9H 2D", "TH 3D"), "2S 3S 4S 5S")
    do(deal, "play 9H", "play TH")
    assert tokens(deal.legal()) == ["draw"]
    assert do(deal, "draw", "draw") == [
        CardDrawn(1, parse_card("2S"), shown=True),
        CardDrawn(0, parse_card("3S")),
        TopCardShown(parse_card("4S")),
    ]
    assert deal.turn == 1


def test_gw_4_8_a_drawn_card_may_have_to_be_played() -> None:
    """GW-4.2 holds for it: in the second deal it is the only spade of the follower."""
    deal = first_half(("9H AS", "TH 3D"), "KS 3S 4S 5S")
    do(deal, "play 9H", "play TH", "draw", "draw")
    do(deal, "play KS")
    assert tokens(deal.legal()) == ["play 3S", "play AS"]
    deal = first_half(("9H 2D", "TH 3D"), "2S 3S 4S 5S")
    do(deal, "play 9H", "play TH", "draw", "draw")
    do(deal, "play 2S")
    assert tokens(deal.legal()) == ["play 3S"]


def test_gw_4_11_the_second_half_begins_when_the_stock_is_empty() -> None:
    """GW-4.9, GW-5.1: 13 tricks, nothing is turned up after the last, its winner leads and holds 13 cards."""
    deal = new_deal(stacked(FULL, " ".join(str(card) for card in reversed(PACK_52) if card.suit in (3, 4))))
    for number in range(13):
        assert (deal.phase, deal.view(0).stock_count) == ("draw", 26 - 2 * number)
        do(deal, str(deal.legal()[-1]))
        do(deal, str(deal.legal()[0]))
        last = do(deal, "draw", "draw")
    assert isinstance(last[-1], CardDrawn)
    assert deal.phase == "play"
    assert deal.turn == deal.tricks[-1].winner
    assert [len(hand) for hand in deal.hands()] == [13, 13]
    assert deal.taken == [0, 0]


def test_gw_5_3_the_winner_leads_until_all_tricks_are_played() -> None:
    """GW-5.4: as many tricks as there are cards in a hand, then the deal is over."""
    deal = second_half(("AS 2H 3H", "KS 3C QH"), "D")
    do(deal, "play AS", "play KS")
    assert deal.turn == 0
    do(deal, "play 2H", "play QH")
    assert deal.turn == 1
    do(deal, "play 3C", "play 3H")
    assert (deal.turn, deal.taken) == (None, [1, 2])


def refused(deal: Any, action: Action | str) -> str:
    """The text of the refusal of an action, which left the deal as it was."""
    before = snapshot(deal)
    told: list[Event] = []
    with pytest.raises(Refused) as caught:
        deal.apply(action, told) if not isinstance(action, str) else do(deal, action)
    assert (snapshot(deal), told) == (before, [])
    assert caught.value.clause == str(caught.value).partition(":")[0]
    return str(caught.value)


def test_a_card_that_cannot_be_played_is_refused() -> None:
    """By the clause of its half that speaks of leading or following; nothing is said of the other hand."""
    deal = first_half(("9H 2D", "TH 3D"), "2S 3S 4S 5S")
    assert refused(deal, "play TH") == "GW-4.1: TH is not in your hand"
    do(deal, "play 9H")
    assert refused(deal, "play 9H") == "GW-4.2: 9H is not in your hand"
    assert refused(deal, "play 3D") == "GW-4.2: you must follow hearts while you hold one: 3D is none"
    deal = second_half(("9S 2D", "TS 3D"), "D")
    assert refused(deal, "play TS") == "GW-5.1: TS is not in your hand"
    do(deal, "play 9S")
    assert refused(deal, "play AS") == "GW-5.2: AS is not in your hand"
    assert refused(deal, "play 3D") == "GW-5.2: you must follow spades while you hold one: 3D is none"


@pytest.mark.parametrize(("suit", "name"), [("C", "clubs"), ("D", "diamonds"), ("H", "hearts"), ("S", "spades")])
def test_the_suit_to_follow_is_named(suit: str, name: str) -> None:
    """GW-5.2, for each of the four."""
    other = "7H" if suit == "S" else "7S"
    deal = second_half((f"Q{suit} 2{suit}", f"K{suit} {other}"), "S")
    do(deal, f"play Q{suit}")
    assert refused(deal, f"play {other}") == f"GW-5.2: you must follow {name} while you hold one: {other} is none"


def test_no_card_of_the_pack_is_refused() -> None:
    """GW-1.2: a hidden card, or a number that no card has, led or not."""
    deal = first_half(("9H 2D", "TH 3D"), "2S 3S 4S 5S")
    assert refused(deal, Play(Card(0))) == "GW-1.2: there is no card number 0 in the pack"
    do(deal, "play 9H")
    assert refused(deal, Play(Card(31))) == "GW-1.2: there is no card number 31 in the pack"


def test_an_action_of_another_kind_than_is_due_is_refused() -> None:
    """Each text says what is due instead."""
    trick = first_half(("9H 2D", "TH 3D"), "2S 3S 4S 5S")
    draws = first_half(("9H 2D", "TH 3D"), "2S 3S 4S 5S")
    do(draws, "play 9H", "play TH")
    second = second_half(("9S 2D", "TS 3D"), "D")
    over = second_half(("9S", "TS"), "D")
    do(over, "play 9S", "play TS")
    discard, bid = Discard(cards("9H")), parse_call("2C")
    only_draw = "GW-4.7: a draw is due and nothing else is legal: draw"
    no_call = "GW-1.4: nothing is called in German Whist: play a card"
    no_discard = "GW-1.4: nothing is discarded in German Whist: play a card"
    ended = "GW-5.4: all tricks are played and the deal is over"
    expected: list[tuple[Any, Action | str, str]] = [
        (trick, DRAW, "GW-4.5: cards are drawn after the trick: play a card"),
        (trick, PASS, no_call),
        (trick, bid, no_call),
        (trick, discard, no_discard),
        *((draws, action, only_draw) for action in ("play TH", PASS, bid, discard)),
        (second, DRAW, "GW-4.11: the stock is empty: play a card"),
        (second, PASS, no_call),
        (second, discard, no_discard),
        *((over, action, ended) for action in ("play TS", DRAW, PASS, discard)),
    ]
    for deal, action, text in expected:
        assert refused(deal, action) == text


def test_a_deck_is_a_pack() -> None:
    """A deck with what is no card cannot be dealt."""
    with pytest.raises(KeyError):
        new_deal((Card(0), *PACK_52[1:]))
