"""Four seats in two sides at the arena's table: whose fault costs whom the match."""

from __future__ import annotations

from random import Random
from typing import Final

import pytest

from bare_table import CONTROL, act, finish, of
from engine.action import Discard, parse_action
from engine.clock import SECOND, TimeControl
from engine.deck import DeckSource
from engine.effect import Ask, Effect, Finish, Record, Reject, Tell
from engine.event import DealScored
from engine.game import complete_rules
from engine.states import Termination
from engine.table import Table
from engine.terms import STRIKES, TableTerms
from smear_deals import GAME

NONCES: Final = tuple(bytes([seat]) * 16 for seat in range(4))


def begun(control: TimeControl = CONTROL, **changes: int) -> tuple[Table, list[Effect]]:
    """A match that four seats have begun, and the effects of that."""
    source = DeckSource(bytes(32), "m1", GAME.name, GAME.pack, 4)
    table = Table(TableTerms(GAME, complete_rules(GAME, "match", changes), source, control))
    for seat in range(3):
        assert table.ready(seat, NONCES[seat], 0) == []
    return table, table.ready(3, NONCES[3], 0)


def test_a_match_of_four_plays_to_its_end() -> None:
    """Every seat is asked, every action is recorded for the seat that made it, the side with the target wins."""
    table, effects = begun()
    dice, asked, now = Random(1), set[int](), 0
    records: list[Record] = []
    while not of(Finish, effects):
        (question,) = of(Ask, effects)
        asked.add(question.seat)
        now += SECOND // 10
        effects = act(table, now, dice.randrange(len(question.legal)))
        records += of(Record, effects)
    end = finish(effects)
    assert asked == {0, 1, 2, 3} == {record.seat for record in records}
    assert any(isinstance(record.action, Discard) for record in records)
    assert not any(record.auto for record in records)
    last = [tell.event for tell in of(Tell, effects)][-1]
    assert isinstance(last, DealScored)
    assert last.totals == end.totals == table.totals
    assert end.termination in (Termination.SCORE, Termination.DEAL_LIMIT)
    assert (end.winner, end.at_fault) == (int(end.totals[1] > end.totals[0]), None)


@pytest.mark.parametrize("seat", range(4))
def test_a_seat_that_resigns_loses_for_its_side(seat: int) -> None:
    """And its partner with it."""
    table, _ = begun()
    end = finish(table.resign(seat))
    assert (end.termination, end.at_fault, end.winner) == (Termination.RESIGN, seat, 1 - seat % 2)


def test_a_seat_that_is_late_loses_for_its_side() -> None:
    """The other side wins, whoever of it would have been next."""
    table, _ = begun()
    seat = table.turn
    assert seat is not None
    end = finish(table.tick(60 * SECOND))
    assert (end.termination, end.at_fault, end.winner) == (Termination.TIMEOUT, seat, 1 - seat % 2)


def test_strikes_are_counted_by_seat() -> None:
    """A seat's refused answers are not its partner's: each bears as many as any other, and one more loses."""
    table, _ = begun()
    first = table.turn
    assert first is not None
    for _ in range(STRIKES):
        (reject,) = of(Reject, table.submit(first, table.decision_id, parse_action("draw"), 0))
        assert reject.text == "SM-2.2: no cards are drawn in Smear: call"
    act(table, 0)
    act(table, 0)
    partner = table.turn
    assert partner == (first + 2) % 4
    (reject,) = of(Reject, table.submit(partner, table.decision_id, parse_action("draw"), 0))
    assert reject.strikes_left == STRIKES - 1


@pytest.mark.parametrize(
    ("away", "termination", "winner", "at_fault"),
    [
        ((0, 2), Termination.DISCONNECT, 1, 0),
        ((1, 3), Termination.DISCONNECT, 0, 1),
        ((0, 1), Termination.VOID_ARENA, None, None),
        ((2, 3), Termination.VOID_ARENA, None, None),
        ((2,), Termination.DISCONNECT, 1, 2),
    ],
)
def test_partners_that_stay_away_lose_and_opponents_void(
    away: tuple[int, ...], termination: Termination, winner: int | None, at_fault: int | None
) -> None:
    """Who runs out in the same tick: partners lose their match; with one of each side nobody was first."""
    table, _ = begun(TimeControl(1000 * SECOND, 0, 0))
    for seat in away:
        table.lost(seat, 0)
    end = finish(table.tick(61 * SECOND))
    assert (end.termination, end.winner, end.at_fault) == (termination, winner, at_fault)


def test_a_match_waits_for_all_four() -> None:
    """Three that are ready begin nothing; the fourth is named when it is not ready in time, two of them are not."""
    source = DeckSource(bytes(32), "m1", GAME.name, GAME.pack, 4)
    for late, at_fault in (((2,), 2), ((1, 2), None)):
        table = Table(TableTerms(GAME, complete_rules(GAME), source, CONTROL))
        for seat in range(4):
            if seat not in late:
                assert table.ready(seat, NONCES[seat], 0) == []
        end = finish(table.tick(60 * SECOND))
        assert (end.termination, end.at_fault, end.winner) == (Termination.VOID_NOT_READY, at_fault, None)
