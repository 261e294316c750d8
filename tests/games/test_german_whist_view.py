"""What a seat may know of a deal of German Whist (GW-8), and deals as values."""

from __future__ import annotations

from random import Random

from any_deal import do, play_on, snapshot
from engine.card import HIDDEN, PACK_52, Strain, parse_card
from engine.event import CardDrawn, Event, redact
from engine.view import Trick
from whist_deals import GAME, cards, first_half, new_deal, second_half

HANDS = ("9H 2D", "TH 3D")
STOCK = "2S 3S 4C 5C"


def test_a_view_of_the_first_half() -> None:
    """Own cards, counts, the trick on the table, the card shown, trump, no contract and no calls."""
    deal = first_half(HANDS, STOCK)
    view = deal.view(0)
    assert (view.seat, view.dealer, view.deal_no, view.phase) == (0, 1, 0, "draw")
    assert (view.hand, view.hand_counts) == (cards("2D 9H"), (2, 2))
    assert (view.stock_count, view.shown, view.trump) == (4, parse_card("2S"), Strain.SPADES)
    assert (view.totals, view.taken, view.table, view.tricks) == ((0, 0), (0, 0), Trick(0, ()), ())
    assert (view.contract, view.calls, view.draws, view.kitty, view.discards) == (None, (), (), (), ())
    do(deal, "play 9H")
    assert deal.view(1).table == deal.view(0).table == Trick(0, cards("9H"))
    assert deal.view(1).hand_counts == (1, 2)


def test_the_card_shown_is_seen_until_it_is_drawn() -> None:
    """GW-8: it lies there during the trick; between the draws nothing does, and no trick is on the table."""
    deal = first_half(HANDS, STOCK)
    do(deal, "play 9H", "play TH")
    assert deal.view(0).shown == deal.view(1).shown == parse_card("2S")
    do(deal, "draw")
    for seat in (0, 1):
        view = deal.view(seat)
        assert (view.shown, view.stock_count, view.table) == (HIDDEN, 3, None)
        assert view.tricks == (Trick(0, cards("9H TH"), 1),)
    do(deal, "draw")
    assert deal.view(0).shown == deal.view(1).shown == parse_card("4C")
    assert deal.view(0).trump is Strain.SPADES


def test_the_losers_draw_is_its_own_secret() -> None:
    """GW-4.5, GW-4.6: both know what the winner took, and who drew what lay below only the drawer."""
    deal = first_half(HANDS, STOCK)
    do(deal, "play 9H", "play TH", "draw", "draw")
    open_draw = CardDrawn(1, parse_card("2S"), shown=True)
    assert deal.view(0).draws == (open_draw, CardDrawn(0, parse_card("3S")))
    assert deal.view(1).draws == (open_draw, CardDrawn(0, HIDDEN))


def test_tricks_that_count_are_those_of_the_second_half() -> None:
    """GW-6.1: those of the first half are not among the tricks taken."""
    deal = first_half(HANDS, STOCK)
    do(deal, "play 9H", "play TH", "draw", "draw")
    assert deal.view(0).taken == (0, 0)
    deal = second_half(("9S 2D", "TS 3D"), "D")
    assert (deal.view(0).phase, deal.view(0).shown, deal.view(0).stock_count) == ("play", HIDDEN, 0)
    do(deal, "play 9S", "play TS")
    assert deal.view(0).taken == (0, 1)
    do(deal, "play 3D", "play 2D")
    assert (deal.view(1).taken, deal.view(1).table, deal.view(1).phase) == ((0, 2), None, "play")


def test_a_view_shows_the_totals_before_the_deal() -> None:
    """And the number of the deal."""
    deal = GAME.deal(GAME.presets["match"], PACK_52, deal_no=3, dealer=0, totals=(20, 19))
    assert (deal.view(1).totals, deal.view(1).deal_no) == ((20, 19), 3)


def test_the_second_half_has_no_secrets() -> None:
    """GW-8: what a seat has seen, held and drawn leaves just the cards of the other hand, with 13 cards each."""
    for seed in range(10):
        dice = Random(seed)
        deal = new_deal(dice.sample(PACK_52, 52), dealer=seed % 2)
        play_on(dice, deal, 4 * 13)
        assert deal.phase == "play"
        for seat in (0, 1):
            view = deal.view(seat)
            gone = {card for trick in view.tricks for card in trick.cards} | set(view.hand)
            assert tuple(card for card in PACK_52 if card not in gone) == deal.hands()[1 - seat]


def test_a_view_repeats_what_the_seat_was_told() -> None:
    """Its draws are those of the redacted events, in order."""
    dice = Random(3)
    told: list[Event] = []
    deal = new_deal(dice.sample(PACK_52, 52), told=told)
    while deal.turn is not None:
        told += play_on(dice, deal, dice.randint(1, 9))
        for seat in (0, 1):
            draws = [event for event in (redact(event, seat) for event in told) if isinstance(event, CardDrawn)]
            assert list(deal.view(seat).draws) == draws


def test_a_copy_is_independent() -> None:
    """What happens to the copy does not touch the deal, nor the other way round, at any point of a deal."""
    dice = Random(8)
    deal = new_deal(dice.sample(PACK_52, 52), hand_cards=5)
    while deal.turn is not None:
        before, view = snapshot(deal), deal.view(1)
        twin = deal.copy()
        assert (snapshot(twin), twin.view(1)) == (before, view)
        play_on(Random(1), twin)
        assert twin.turn is None
        assert (snapshot(deal), deal.view(1)) == (before, view)
        kept = deal.copy()
        play_on(dice, deal, 1)
        assert snapshot(kept) == before
