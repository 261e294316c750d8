"""Each option of Draw Bridge where it changes what happens in a deal; those of the match are in the test of matches."""

from __future__ import annotations

import pytest

from any_deal import do, tokens
from bridge_deals import draw_phase_of, new_deal, play_of
from engine.card import PACK_52, parse_card
from engine.errors import Refused
from engine.event import CardDrawn, Event, TopCardShown, TrickTaken

HANDS = ("9H 2D", "TH 2C")


def test_db_4_4_draw_winner() -> None:
    """`led`: an off-suit ace loses; `any`: it wins."""
    for option, winner in (("led", 0), ("any", 1)):
        deal = draw_phase_of(("9H 2D", "AS 3D"), "2S 3S", draw_winner=option)
        assert TrickTaken(winner) in do(deal, "play 9H", "play AS")


def test_db_4_3_draw_follow() -> None:
    """T3. `free`: a follower with a heart may throw a club on a heart; `must`: he may not, and is told why."""
    deal = draw_phase_of(HANDS, "2S 3S", draw_follow="free")
    do(deal, "play 9H")
    assert tokens(deal.legal()) == ["play 2C", "play TH"]
    assert TrickTaken(0) in do(deal, "play 2C")
    deal = draw_phase_of(HANDS, "2S 3S", draw_follow="must")
    do(deal, "play 9H")
    assert tokens(deal.legal()) == ["play TH"]
    with pytest.raises(Refused) as refused:
        do(deal, "play 2C")
    assert str(refused.value) == "DB-4.3: you must follow hearts while you hold one: 2C is none"


def test_db_4_3_draw_follow_must_leaves_a_void_hand_free() -> None:
    """Who holds nothing of the suit led plays any card, and the leader any card at all."""
    deal = draw_phase_of(("9H 2D", "TS 2C"), "2S 3S", draw_follow="must")
    assert tokens(deal.legal()) == ["play 2D", "play 9H"]
    do(deal, "play 9H")
    assert tokens(deal.legal()) == ["play 2C", "play TS"]


def test_db_4_10_reveal() -> None:
    """`top`: the top card is shown before the first lead and after each pair of draws; only the winner's is open."""
    told: list[Event] = []
    deal = new_deal(PACK_52, told=told, reveal="top")
    assert told[2:] == [TopCardShown(PACK_52[26])]
    do(deal, str(deal.legal()[0]))
    do(deal, str(deal.legal()[0]))
    winner = deal.turn
    assert do(deal, "draw", "draw") == [
        CardDrawn(winner, PACK_52[26], shown=True),
        CardDrawn(1 - winner, PACK_52[27], shown=False),
        TopCardShown(PACK_52[28]),
    ]


def test_db_4_10_reveal_hidden() -> None:
    """`hidden`: no card of the stock is ever shown."""
    told: list[Event] = []
    deal = new_deal(PACK_52, told=told, reveal="hidden")
    while deal.phase == "draw":
        deal.apply(deal.legal()[0], told)
    assert not any(isinstance(event, TopCardShown) for event in told)
    assert not any(event.shown for event in told if isinstance(event, CardDrawn))


def test_db_4_10_reveal_shows_nothing_when_the_stock_is_empty() -> None:
    """After the last two draws comes the auction."""
    deal = draw_phase_of(("9H", "TH"), "2S 3S", reveal="top")
    assert do(deal, "play 9H", "play TH", "draw", "draw")[-1] == CardDrawn(0, parse_card("3S"))
    assert deal.phase == "auction"


def test_db_7_6_undertrick_points_and_db_7_9_overtricks() -> None:
    """The options reach the score of a deal that is played."""
    down = play_of("1NT P", ("2D", "3D"), undertrick_points=50)
    do(down, "play 3D", "play 2D")
    assert down.result().points == (0, 50 * 7)
    for overtricks, points in (("count", 220), ("none", 40)):
        made = play_of("1NT P", ("AD", "3D"), overtricks=overtricks)
        made.taken[0] = 12
        do(made, "play 3D", "play AD")
        assert made.result().points == (points, 0)
