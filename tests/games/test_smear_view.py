"""What a seat may know of a deal of Smear (SM-9), and deals as values."""

from __future__ import annotations

from random import Random

from any_deal import do, play_on, snapshot
from engine.card import HIDDEN, PACK_32, Strain
from engine.event import CallMade, ContractSet, Discarded, KittyTaken, redact
from engine.view import Trick
from smear_deals import GAME, bid_by, cards, deck_of, new_deal

DECK = deck_of(["AS KS QS TD 9D 9H", "JS 7S AH KH QH JH", "", ""], "8H 7H TH")


def test_a_view_of_the_auction() -> None:
    """Own cards, counts, calls; eight undealt cards, no trick, no contract, no trump."""
    deal = new_deal(DECK)
    do(deal, "pass", "bid 2")
    view = deal.view(0)
    assert (view.seat, view.dealer, view.deal_no, view.phase) == (0, 3, 0, "auction")
    assert (view.hand, view.hand_counts, view.stock_count) == (cards("9D TD 9H QS KS AS"), (6, 6, 6, 6), 8)
    assert [(made.seat, made.call.token) for made in view.calls] == [(0, "P"), (1, "2")]
    assert all(isinstance(made, CallMade) for made in view.calls)
    assert (view.contract, view.trump, view.table, view.tricks) == (None, Strain.NONE, None, ())
    assert (view.totals, view.taken, view.draws, view.shown) == ((0, 0), (0, 0), (), HIDDEN)
    assert (view.kitty, view.discards) == ((), ())


def test_undealt_cards_and_discards_are_the_bidders_own() -> None:
    """SM-9: his partner sees as little of them as his opponents do, at every point of the deal."""
    deal = new_deal(DECK)
    bid_by(0, 3, deal)
    assert (deal.view(0).kitty, deal.view(0).discards) == (cards("8H 7H TH"), ())
    assert deal.view(0).hand == cards("9D TD 7H 8H 9H TH QS KS AS")
    for seat in (1, 2, 3):
        view = deal.view(seat)
        assert (view.kitty, view.hand_counts, view.stock_count) == ((), (9, 6, 6, 6), 5)
        assert (view.phase, view.contract) == ("discard", ContractSet(0, 3, Strain.NONE, 1))
        assert view.table is None
    do(deal, "discard 7H 8H TH")
    while deal.turn is not None:
        assert (deal.view(0).kitty, deal.view(0).discards) == (cards("8H 7H TH"), cards("7H 8H TH"))
        for seat in (1, 2, 3):
            assert (deal.view(seat).kitty, deal.view(seat).discards) == ((), ())
        deal.apply(deal.legal()[0])


def test_events_hide_them_until_the_hand_is_scored() -> None:
    """SM-4.7: the same shape without the cards, then the discards for everybody."""
    deal = new_deal(DECK)
    told = [*bid_by(0, 3, deal), *do(deal, "discard 7H 8H TH")]
    secret = [event for event in told if isinstance(event, KittyTaken | Discarded)]
    hidden = (HIDDEN,) * 3
    for seat in (1, 2, 3, None):
        assert [redact(event, seat) for event in secret] == [KittyTaken(0, hidden), Discarded(0, hidden)]
    assert [redact(event, 0) for event in secret] == secret
    while deal.turn is not None:
        deal.apply(deal.legal()[0])
    assert deal.result().shown == (Discarded(0, cards("7H 8H TH")),)


def test_a_view_of_the_play() -> None:
    """Trump with the first lead, the trick on the table, tricks by side; the leader sees an empty table."""
    deal = new_deal(DECK)
    bid_by(0, 3, deal)
    do(deal, "discard 7H 8H TH")
    assert (deal.view(2).table, deal.view(2).trump, deal.view(2).phase) == (Trick(0, ()), Strain.NONE, "play")
    do(deal, "play AS")
    assert deal.view(3).table == Trick(0, cards("AS"))
    assert (deal.view(3).trump, deal.view(3).hand_counts) == (Strain.SPADES, (5, 6, 6, 6))
    do(deal, "play 7S")
    deal.apply(deal.legal()[0])
    trick = deal.view(0).table
    assert (trick.leader, len(trick.cards), trick.winner) == (0, 3, None)
    deal.apply(deal.legal()[0])
    view = deal.view(1)
    assert (view.taken, len(view.tricks), view.tricks[0].winner) == ((1, 0), 1, 0)
    assert view.table == Trick(0, ())


def test_sides_not_seats_have_tricks_and_totals() -> None:
    """SM-1.1: two of each."""
    deal = GAME.deal(GAME.presets["match"], PACK_32, deal_no=3, dealer=0, totals=(-2, 9))
    for seat in range(4):
        view = deal.view(seat)
        assert (view.totals, view.taken, view.deal_no, len(view.hand_counts)) == ((-2, 9), (0, 0), 3, 4)


def test_a_copy_is_independent() -> None:
    """What happens to the copy does not touch the deal, nor the other way round, at any point of a deal."""
    for seed in range(8):
        dice = Random(seed)
        deal = new_deal(dice.sample(PACK_32, 32), kitty_cards=seed % 4)
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


def test_what_is_past_is_told_by_the_same_objects() -> None:
    """The wire remembers what it has said: tricks and calls of one view begin with those of the view before."""
    deal = new_deal(DECK)
    bid_by(1, 2, deal)
    dice, before = Random(1), deal.view(0)
    while deal.turn is not None:
        play_on(dice, deal, 1)
        view = deal.view(deal.turn or 0)
        assert all(one is other for one, other in zip(before.tricks, view.tricks, strict=False))
        assert all(one is other for one, other in zip(before.calls, view.calls, strict=True))
        before = view
