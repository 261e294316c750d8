"""Cards and draws in Draw Bridge: the draw phase (DB-4) and the play (DB-6)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from any_deal import do, snapshot, tokens
from bridge_deals import after_calls, cards, draw_phase_of, new_deal, play_of
from engine.action import DRAW, PASS, PLAYS, Action, Discard, Play, parse_call
from engine.card import PACK_52, SUITS, Card, Strain, parse_card
from engine.errors import Refused
from engine.event import (
    CallMade,
    CardDrawn,
    CardPlayed,
    ContractSet,
    Event,
    HandDealt,
    ScoreLine,
    TopCardShown,
    TrickTaken,
    TrumpNamed,
)

VECTORS: Final = json.loads((Path(__file__).parents[1] / "vectors" / "rules.json").read_text())["draw_bridge"]
D1: Final = VECTORS["full_deal"]
DECK: Final = tuple(map(parse_card, D1["deck"]))


def of_trick(trick: dict[str, Any]) -> list[Event]:
    """What is told of a trick of the worked example."""
    leader, lead, follow = trick["leader"], parse_card(trick["lead"]), parse_card(trick["follow"])
    return [CardPlayed(leader, lead), CardPlayed(1 - leader, follow), TrickTaken(trick["winner"])]


def of_draws(trick: dict[str, Any], *, shown: bool) -> list[Event]:
    """What is told of the draws after it."""
    winner = trick["winner"]
    return [
        CardDrawn(winner, parse_card(trick["winner_draws"]), shown),
        CardDrawn(1 - winner, parse_card(trick["loser_draws"])),
    ]


def story(*, reveal: bool) -> Iterator[Event]:
    """Every event of the worked example D1."""
    dealer = D1["dealer"]
    for seat in (1 - dealer, dealer):
        yield HandDealt(seat, tuple(map(parse_card, D1["hands"][seat])))
    for trick in D1["draw"]:
        if reveal:
            yield TopCardShown(parse_card(trick["winner_draws"]))
        yield from of_trick(trick)
        yield from of_draws(trick, shown=reveal)
    for number, token in enumerate(D1["auction"]):
        yield CallMade((dealer + number) % 2, parse_call(token))
    yield ContractSet(D1["declarer"], 2, Strain.HEARTS, D1["multiplier"])
    yield TrumpNamed(Strain.HEARTS)
    for trick in D1["play"]:
        yield from of_trick(trick)


def actions_of(events: list[Event]) -> Iterator[tuple[int, Action]]:
    """Who did what, from what was told."""
    for event in events:
        match event:
            case CardPlayed():
                yield event.seat, PLAYS[event.card]
            case CardDrawn():
                yield event.seat, DRAW
            case CallMade():
                yield event.seat, event.call


@pytest.mark.parametrize("reveal", ["hidden", "top"])
def test_the_whole_deal_of_the_worked_example(reveal: str) -> None:
    """D1: every event in its order, whose turn it is at each decision, hands at the auction, tricks, score."""
    told: list[Event] = []
    deal = new_deal(DECK, dealer=D1["dealer"], told=told, reveal=reveal)
    expected = list(story(reveal=reveal == "top"))
    for seat, action in actions_of(expected):
        assert deal.turn == seat
        assert action in deal.legal()
        deal.apply(action, told)
        if deal.phase == "auction" and not deal.auction.calls:
            held = [set(map(parse_card, hand)) for hand in D1["hands_at_auction"]]
            assert [set(hand) for hand in deal.hands()] == held
    assert told == expected
    assert deal.turn is None
    assert deal.legal() == ()
    assert deal.taken == D1["tricks"]
    result = deal.result()
    assert list(result.points) == D1["score"]
    assert (result.declarer, result.level, result.made) == (1, 2, True)
    assert result.lines == (ScoreLine("2H X made +1", 1, 180),)


def test_a_playout_without_listeners_is_the_same_deal() -> None:
    """`told` left out changes nothing but that nobody is told."""
    deal = new_deal(DECK, dealer=1)
    for _, action in actions_of(list(story(reveal=False))):
        deal.apply(action)
    assert deal.result().points == (0, 180)


def test_cards_are_dealt_one_at_a_time_to_the_non_dealer_first() -> None:
    """DB-3.4 to DB-3.6, DB-4.2: deck[0] to the non-dealer, who leads, deck[1] to the dealer, then the stock."""
    for dealer in (0, 1):
        told: list[Event] = []
        deal = new_deal(DECK, dealer=dealer, told=told)
        assert told == [HandDealt(1 - dealer, DECK[0:26:2]), HandDealt(dealer, DECK[1:26:2])]
        assert deal.hands()[dealer] == tuple(sorted(DECK[1:26:2]))
        assert (deal.turn, deal.phase) == (1 - dealer, "draw")
        do(deal, str(deal.legal()[0]))
        do(deal, str(deal.legal()[0]))
        drawn = do(deal, "draw", "draw")
        assert [event.card for event in drawn if isinstance(event, CardDrawn)] == list(DECK[26:28])


def test_plays_are_offered_ascending_and_a_draw_alone() -> None:
    """The order of legal actions is that of the cards' numbers: clubs first, low to high."""
    deal = draw_phase_of(("AS 2C TD 9H KC", "3C 4C 5C 6C 7C"), "2S 3S")
    assert tokens(deal.legal()) == ["play 2C", "play KC", "play TD", "play 9H", "play AS"]
    do(deal, "play 2C", "play 3C")
    assert tokens(deal.legal()) == ["draw"]


@pytest.mark.parametrize(
    ("lead", "follow", "led", "any_"),
    [("9H", "TH", 1, 1), ("9H", "AS", 0, 1), ("9H", "2C", 0, 0), ("9H", "9S", 0, 0), ("4H", "5S", 0, 1)],
)
def test_who_wins_a_trick_of_the_draw_phase(lead: str, follow: str, led: int, any_: int) -> None:
    """T1 to T4, DB-4.4: the higher card of the suit led; under `draw_winner: any` the higher rank, else the leader."""
    for option, winner in (("led", led), ("any", any_)):
        deal = draw_phase_of((f"{lead} 2D", f"{follow} 3D"), "2S 3S", draw_winner=option)
        assert TrickTaken(winner) in do(deal, f"play {lead}", f"play {follow}")
        assert [event.seat for event in do(deal, "draw", "draw") if isinstance(event, CardDrawn)] == [
            winner,
            1 - winner,
        ]


@pytest.mark.parametrize(
    ("calls", "lead", "follow", "winner"),
    [
        ("1S P", "9H", "AS", 0),
        ("1S P", "9H", "2S", 0),
        ("1S P", "2S", "AH", 1),
        ("1H P", "2D", "AC", 1),
        ("1C P", "2C", "3C", 0),
        ("1NT P", "9H", "AS", 1),
    ],
)
def test_who_wins_a_trick_of_the_play(calls: str, lead: str, follow: str, winner: int) -> None:
    """T5 to T9, DB-6.4: seat 1 leads against seat 0; highest trump, else highest of the suit led; he leads (DB-6.5)."""
    void = "KC" if lead[1] != "C" else "KD"  # the follower's other card, never of the suit led
    deal = play_of(calls, (f"{follow} {void}", f"{lead} 4D"))
    assert TrickTaken(winner) in do(deal, f"play {lead}", f"play {follow}")
    assert deal.turn == winner


def test_any_rank_counts_no_longer_in_the_play() -> None:
    """`draw_winner: any` is a matter of the draw phase alone (DB-4.4)."""
    deal = play_of("1NT P", ("AS 3D", "9H 4D"), draw_winner="any")
    assert TrickTaken(1) in do(deal, "play 9H", "play AS")


def test_suit_is_followed_in_the_play() -> None:
    """T10, DB-6.3: holding KD 4D 7S against a diamond, only the diamonds are legal; a leader may play anything."""
    deal = play_of("1S P", ("KD 4D 7S", "QD 3C 2C"))
    assert tokens(deal.legal()) == ["play 2C", "play 3C", "play QD"]
    do(deal, "play QD")
    assert tokens(deal.legal()) == ["play 4D", "play KD"]


def test_trumping_is_never_forced() -> None:
    """DB-6.3: who cannot follow may play any card."""
    deal = play_of("1S P", ("KH 4D 7S", "QC 3C 2C"))
    do(deal, "play QC")
    assert tokens(deal.legal()) == ["play 4D", "play KH", "play 7S"]


def test_a_drawn_card_is_in_the_hand_for_the_next_trick() -> None:
    """DB-4.6, DB-4.8, DB-4.11: winner draws first, then the loser; then the winner leads, the drawn card too."""
    deal = draw_phase_of(("9H 2D", "TH 3D"), "2S 3S 4S 5S")
    told = do(deal, "play 9H", "play TH", "draw", "draw")
    assert told[-2:] == [CardDrawn(1, parse_card("2S")), CardDrawn(0, parse_card("3S"))]
    assert deal.turn == 1
    assert tokens(deal.legal()) == ["play 3D", "play 2S"]


def test_the_auction_follows_the_last_two_cards_of_the_stock() -> None:
    """DB-4.12, DB-5.1: stock empty, 13 cards each; the dealer calls first, whoever won the last trick."""
    for dealer in (0, 1):
        deal = new_deal(DECK, dealer=dealer)
        for _ in range(13 * 4):
            assert deal.phase == "draw"
            do(deal, str(deal.legal()[-1]))
        assert (deal.phase, deal.turn, deal.drawn) == ("auction", dealer, 26)
        assert [len(hand) for hand in deal.hands()] == [13, 13]


def refused(deal: Any, action: Action | str) -> str:
    """The text of the refusal of an action, which left the deal as it was."""
    before, told = snapshot(deal), []
    with pytest.raises(Refused) as caught:
        deal.apply(action, told) if not isinstance(action, str) else do(deal, action)
    assert (snapshot(deal), told) == (before, [])
    return str(caught.value)


def test_a_card_that_is_not_held_is_refused() -> None:
    """In each phase by the clause that speaks of what may be played."""
    assert refused(draw_phase_of(("9H", "TH"), "2S 3S"), "play TH") == "DB-4.3: TH is not in your hand"
    deal = play_of("1S P", ("KD 4D", "QD 3C"))
    assert refused(deal, "play KD") == "DB-6.2: KD is not in your hand"
    do(deal, "play QD")
    assert refused(deal, "play 3C") == "DB-6.3: 3C is not in your hand"


@pytest.mark.parametrize("suit", SUITS)
def test_a_card_that_does_not_follow_is_refused(suit: Strain) -> None:
    """DB-6.3: the text names the suit led and the card, and nothing that the other seat holds."""
    name = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}[str(suit)]
    other = "7H" if str(suit) == "S" else "7S"
    deal = play_of("1NT P", (f"K{suit} {other}", f"Q{suit} 2{suit}"))
    do(deal, f"play Q{suit}")
    assert refused(deal, f"play {other}") == f"DB-6.3: you must follow {name} while you hold one: {other} is none"


def test_no_card_of_the_pack_is_refused() -> None:
    """DB-1.2: a hidden card, or a number that no card has."""
    deal = draw_phase_of(("9H", "TH"), "2S 3S")
    assert refused(deal, Play(Card(0))) == "DB-1.2: there is no card number 0 in the pack"
    assert refused(deal, Play(Card(31))) == "DB-1.2: there is no card number 31 in the pack"


def test_an_action_of_another_kind_than_is_due_is_refused() -> None:
    """Each text says what is due instead; a plain `2C` is a bid or a card by its kind."""
    trick = draw_phase_of(("9H", "TH"), "2S 3S")
    draws = draw_phase_of(("9H", "TH"), "2S 3S")
    do(draws, "play 9H", "play TH")
    discard = Discard(cards("9H"))
    only_draw = "DB-4.13: a draw is due and nothing else is legal: draw"
    expected: list[tuple[Any, Action | str, str]] = [
        (trick, DRAW, "DB-4.6: cards are drawn after the trick: play a card"),
        (trick, PASS, "DB-4.12: the auction follows the 13 tricks of the draw phase: play a card"),
        (trick, discard, "DB-4.1: nothing is discarded in Draw Bridge: play a card"),
        (draws, "play TH", only_draw),
        (draws, PASS, only_draw),
        (draws, discard, only_draw),
        (after_calls(""), "play 2C", "DB-5.9: the play follows the auction: call"),
        (after_calls(""), DRAW, "DB-4.12: the stock is empty: call"),
        (after_calls(""), discard, "DB-5.2: nothing is discarded in Draw Bridge: call"),
        (after_calls("1C P"), DRAW, "DB-4.12: the stock is empty: play a card"),
        (after_calls("1C P"), "bid 2C", "DB-5.9: the auction has ended: play a card"),
        (after_calls("1C P"), discard, "DB-6.5: nothing is discarded in Draw Bridge: play a card"),
        (after_calls("P P"), "play 2C", "DB-5.12: the deal was passed out and is over"),
    ]
    for deal, action, text in expected:
        assert refused(deal, action) == text


def test_nothing_is_done_after_the_last_trick() -> None:
    """DB-6.5: 13 tricks, then every kind of action is refused."""
    deal = play_of("1NT P", ("KD", "QD"))
    do(deal, "play QD", "play KD")
    assert deal.turn is None
    for action in (DRAW, PASS, "play KD", Discard(cards("9H"))):
        assert refused(deal, action) == "DB-6.5: all 13 tricks are played and the deal is over"


def test_a_deck_is_a_pack() -> None:
    """A deck with what is no card cannot be dealt."""
    with pytest.raises(KeyError):
        new_deal((*PACK_52[:51], Card(0)))
