"""What a seat may know of a deal of Draw Bridge (DB-9), and deals as values."""

from __future__ import annotations

from random import Random
from typing import Any

from any_deal import do, snapshot
from bridge_deals import after_calls, cards, draw_phase_of, new_deal, play_of
from engine.action import CallKind, parse_call
from engine.card import HIDDEN, PACK_52, Card, Strain, parse_card
from engine.event import CallMade, CardDrawn, CardPlayed, ContractSet, Event, TrickTaken, redact
from engine.view import Trick


def test_a_view_of_the_draw_phase() -> None:
    """Own cards, counts, the trick on the table, no trump, nothing of the stock but its size."""
    deal = new_deal(PACK_52, dealer=1)
    view = deal.view(0)
    assert view.hand == PACK_52[0:26:2]
    assert (view.seat, view.dealer, view.phase, view.hand_counts) == (0, 1, "draw", (13, 13))
    assert (view.stock_count, view.shown, view.trump, view.contract) == (26, HIDDEN, Strain.NONE, None)
    assert (view.totals, view.taken, view.table) == ((0, 0), (0, 0), Trick(0, ()))
    do(deal, "play 2C")
    assert deal.view(1).table == deal.view(0).table == Trick(0, cards("2C"))
    assert deal.view(1).hand_counts == (12, 13)


def test_between_the_trick_and_the_draws_there_is_no_table() -> None:
    """The trick is among the complete ones, with its winner."""
    deal = draw_phase_of(("9H 2D", "TH 3D"), "2S 3S 4S 5S")
    deal.drawn = 0
    deal.stock[:4] = deal.stock[22:]
    do(deal, "play 9H", "play TH")
    view = deal.view(0)
    assert view.table is None
    assert view.tricks == (Trick(0, cards("9H TH"), 1),)


def test_own_draws_are_seen_and_the_others_are_not() -> None:
    """DB-4.9: a drawn card is the drawer's secret; the order of draws is public."""
    deal = new_deal(PACK_52, dealer=1)  # seat 0 leads the deuce and seat 1 takes it with the trey
    do(deal, "play 2C", "play 3C", "draw", "draw")
    first, second = PACK_52[26], PACK_52[27]
    assert deal.view(1).draws == (CardDrawn(1, first), CardDrawn(0, HIDDEN))
    assert deal.view(0).draws == (CardDrawn(1, HIDDEN), CardDrawn(0, second))
    assert deal.view(0).stock_count == 24


def test_under_reveal_top_the_winners_card_is_open() -> None:
    """DB-4.10, DB-9: face up until the winner takes it, and known to both; the loser's stays his secret."""
    deal = new_deal(PACK_52, dealer=1, reveal="top")
    assert deal.view(0).shown == deal.view(1).shown == PACK_52[26]
    do(deal, "play 2C", "play 3C")
    assert deal.view(0).shown == PACK_52[26]
    do(deal, "draw")
    assert deal.view(0).shown == deal.view(1).shown == HIDDEN
    do(deal, "draw")
    assert deal.view(0).draws == (CardDrawn(1, PACK_52[26], shown=True), CardDrawn(0, PACK_52[27]))
    assert deal.view(1).draws == (CardDrawn(1, PACK_52[26], shown=True), CardDrawn(0, HIDDEN))
    assert deal.view(0).shown == PACK_52[28]


def test_a_view_of_the_auction_and_the_play() -> None:
    """Calls with their seats, the contract once it is made, trump, tricks of the play by seat."""
    view = after_calls("P 1H X").view(1)
    assert view.calls == (
        CallMade(0, parse_call("P")),
        CallMade(1, parse_call("1H")),
        CallMade(0, parse_call("X")),
    )
    assert (view.table, view.contract, view.trump) == (None, None, Strain.NONE)
    deal = play_of("P 1H X P", ("KD 4D", "QD 3C"))
    view = deal.view(1)
    assert (view.contract, view.trump) == (ContractSet(1, 1, Strain.HEARTS, 2), Strain.HEARTS)
    assert view.table == Trick(0, ())
    do(deal, "play 4D", "play QD")
    assert deal.view(0).taken == (0, 1)
    do(deal, "play 3C", "play KD")
    assert (deal.view(0).table, deal.view(0).taken, deal.view(0).phase) == (None, (0, 2), "play")
    assert after_calls("1NT P").view(0).trump is Strain.NOTRUMP


def played(dice: Random, deal: Any, steps: int = 1000) -> list[Event]:
    """Play on at random; gives what was told."""
    told: list[Event] = []
    while deal.turn is not None and steps:
        legal = deal.legal()
        calls = [action for action in legal if getattr(action, "kind", None) is CallKind.PASS]
        deal.apply(dice.choice(calls or legal) if dice.random() < 0.6 else dice.choice(legal), told)
        steps -= 1
    return told


def test_a_view_repeats_what_the_seat_was_told() -> None:
    """Tricks, calls and draws of the view are those of the redacted events, looked at often or once."""
    for seed in range(20):
        dice = Random(seed)
        deal = new_deal(dice.sample(PACK_52, 52), dealer=seed % 2, reveal=dice.choice(["top", "hidden"]))
        told: list[Event] = []
        while deal.turn is not None:
            told += played(dice, deal, dice.randint(1, 40))
            for seat in (0, 1):
                view, seen = deal.view(seat), [redact(event, seat) for event in told]
                assert list(view.draws) == [event for event in seen if isinstance(event, CardDrawn)]
                assert list(view.calls) == [event for event in seen if isinstance(event, CallMade)]
                plays = [(event.seat, event.card) for event in seen if isinstance(event, CardPlayed)]
                tricks = [*view.tricks, *([view.table] if view.table and view.table.cards else [])]
                in_order = [
                    ((trick.leader + place) % 2, card) for trick in tricks for place, card in enumerate(trick.cards)
                ]
                assert in_order == plays
                assert [t.winner for t in view.tricks] == [e.seat for e in seen if isinstance(e, TrickTaken)]
                assert view.hand == deal.hands()[seat]


def test_a_copy_is_independent() -> None:
    """What happens to the copy does not touch the deal, nor the other way round, at any point of a deal."""
    dice = Random(8)
    deal = new_deal(dice.sample(PACK_52, 52))
    while deal.turn is not None:
        deal.view(0)
        before, view = snapshot(deal), deal.view(1)
        twin = deal.copy()
        assert snapshot(twin) == before
        assert twin.view(1) == view
        played(Random(1), twin)
        assert twin.turn is None
        assert (snapshot(deal), deal.view(1)) == (before, view)
        kept = deal.copy()
        played(dice, deal, 1)
        assert snapshot(kept) == before


def test_hands_are_in_ascending_order() -> None:
    """By card number, whatever the order of the deck."""
    deck = Random(5).sample(PACK_52, 52)
    for hand in new_deal(deck).hands():
        assert list(hand) == sorted(hand)
        assert all(type(card) is Card for card in hand)
    assert parse_card("2C") == PACK_52[0]
