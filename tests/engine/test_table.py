"""The table: every race of questions and answers decided by the numbers that go in."""

from __future__ import annotations

import pytest

from bare_table import CONTROL, GAME, NONCES, act, begun, finish, of, offered
from engine.action import PASS, Play
from engine.clock import SECOND
from engine.deck import DeckSource
from engine.effect import Ask, Begin, EndStream, Record, Reject, Rejection, Tell
from engine.event import CardDrawn, DealStarted, HandDealt
from engine.game import complete_rules
from engine.match import MAX_DEALS, Match
from engine.states import MatchState, Termination
from engine.table import Table
from engine.terms import STRAYS, STRIKES, TableTerms


def test_last_ready_begins_the_match_and_asks() -> None:
    """The match begins with the last Ready: start, deal, both hands, then the question to the non-dealer."""
    table, effects = begun()
    assert isinstance(effects[0], Begin)
    assert effects[0].nonces == NONCES
    assert [type(tell.event) for tell in of(Tell, effects)] == [DealStarted, HandDealt, HandDealt]
    assert [tell.seq for tell in of(Tell, effects)] == [1, 2, 3]
    (ask,) = of(Ask, effects)
    assert (ask.seat, ask.decision_id) == (1 - effects[0].first_dealer, 0)
    assert (ask.left.bank_us, ask.left.decision_us) == (10 * SECOND, 4 * SECOND)
    assert table.state is MatchState.PLAYING


def test_second_ready_changes_nothing() -> None:
    """A seat that says Ready twice keeps its first nonce and does not begin the match alone."""
    table = offered()
    table.ready(0, NONCES[0], 0)
    assert table.ready(0, b"x" * 16, 1) == []
    assert table.seats[0].nonce == NONCES[0]
    assert table.state is MatchState.OFFERED


def test_answer_is_recorded_told_and_the_next_asked() -> None:
    """An accepted answer gives its record first, then what happened, then the question to the next seat."""
    table, _ = begun()
    effects = act(table, 3 * SECOND)
    record = effects[0]
    assert isinstance(record, Record)
    assert record.bill is not None
    assert (record.decision_id, record.bill.charged_us) == (0, 3 * SECOND)
    assert isinstance(effects[-1], Ask)
    assert effects[-1].decision_id == 1
    assert table.seats[record.seat].clock.bank_us == 8 * SECOND  # 10 - 3 + 1


@pytest.mark.parametrize(("late", "in_time"), [(0, True), (1, False)])
def test_the_microsecond_decides(late: int, *, in_time: bool) -> None:
    """P18: an answer at exactly the allowance is in time, one microsecond later is a loss on time."""
    table, _ = begun()
    effects = act(table, 4 * SECOND + late)
    if in_time:
        assert isinstance(effects[0], Record)
    else:
        assert finish(effects).termination is Termination.TIMEOUT


def test_tick_at_the_deadline_ends_the_match_and_not_before() -> None:
    """The deadline is the first moment at which a tick loses the match for the seat that is asked."""
    table, effects = begun()
    deadline = table.deadline()
    assert deadline == 4 * SECOND + 1
    assert table.tick(deadline - 1) == []
    end = finish(table.tick(deadline))
    asked = of(Ask, effects)[0].seat
    assert (end.termination, end.at_fault, end.winner) == (Termination.TIMEOUT, asked, 1 - asked)
    assert table.deadline() is None


def test_late_answer_after_the_tick_changes_nothing() -> None:
    """An answer that comes after the match was lost on time has no effect at all."""
    table, _ = begun()
    turn = table.turn
    assert turn is not None
    table.tick(5 * SECOND)
    assert table.submit(turn, 0, 0, 5 * SECOND) == []


def test_lag_of_the_arena_is_not_charged() -> None:
    """P20: time in which the arena itself was late is on the bill, but not charged, nor a reason to lose on time."""
    table, _ = begun()
    table.lag = 2 * SECOND
    assert table.tick(5 * SECOND) == []
    assert table.deadline() == 6 * SECOND + 1
    turn = table.turn
    assert turn is not None
    effects = table.submit(turn, 0, 0, 5 * SECOND)
    record = effects[0]
    assert isinstance(record, Record)
    assert record.bill is not None
    assert (record.bill.elapsed_us, record.bill.lag_us, record.bill.charged_us) == (
        5 * SECOND,
        2 * SECOND,
        3 * SECOND,
    )


def test_the_second_answer_is_already_decided() -> None:
    """Of two answers to one decision the first counts; the second is told so, without a strike."""
    table, _ = begun()
    turn = table.turn
    assert turn is not None
    table.submit(turn, 0, 0, 1)
    (reject,) = of(Reject, table.submit(turn, 0, 1, 2))
    assert (reject.reason, reject.strikes_left) == (Rejection.ALREADY_DECIDED, STRIKES)


def test_stale_and_foreign_answers_are_no_strikes() -> None:
    """A wrong decision id of the seat to act is stale, any answer of another seat out of turn; neither is a strike."""
    table, _ = begun()
    turn = table.turn
    assert turn is not None
    (stale,) = of(Reject, table.submit(turn, 7, 0, 1))
    (foreign,) = of(Reject, table.submit(1 - turn, 0, 0, 1))
    assert (stale.reason, foreign.reason) == (Rejection.STALE_DECISION, Rejection.NOT_YOUR_TURN)
    assert stale.left is not None
    assert foreign.left is None
    assert [seat.strikes for seat in table.seats] == [0, 0]


def test_too_many_strays_end_the_stream_and_not_the_match() -> None:
    """More than eight answers to no question for one decision end the stream; an action starts the count anew."""
    table, _ = begun()
    turn = table.turn
    assert turn is not None
    for _ in range(STRAYS):
        assert of(EndStream, table.submit(1 - turn, 0, 0, 1)) == []
    assert [end.seat for end in of(EndStream, table.submit(1 - turn, 0, 0, 1))] == [1 - turn]
    assert table.state is MatchState.PLAYING
    act(table, 2)
    assert [seat.strays for seat in table.seats] == [0, 0]


@pytest.mark.parametrize(
    ("choice", "reason", "termination"),
    [
        (PASS, Rejection.NOT_LEGAL, Termination.ILLEGAL),
        (None, Rejection.MALFORMED, Termination.MALFORMED),
        (99, Rejection.MALFORMED, Termination.MALFORMED),
    ],
)
def test_the_fourth_strike_forfeits(choice: object, reason: Rejection, termination: Termination) -> None:
    """P42: three refused answers leave the question open, the fourth loses the match, named by that fourth."""
    table, _ = begun()
    turn = table.turn
    assert turn is not None
    for strike in range(1, STRIKES + 1):
        (reject,) = of(Reject, table.submit(turn, 0, choice, strike))  # type: ignore[arg-type]
        assert (reject.reason, reject.strikes_left) == (reason, STRIKES - strike)
        assert (table.turn, table.decision_id) == (turn, 0)
    end = finish(table.submit(turn, 0, choice, 9))  # type: ignore[arg-type]
    assert (end.termination, end.at_fault, end.winner) == (termination, turn, 1 - turn)


def test_the_fourth_strike_names_the_kind() -> None:
    """Three malformed answers and then an illegal one are a loss by `illegal`."""
    table, _ = begun()
    turn = table.turn
    assert turn is not None
    for _ in range(STRIKES):
        table.submit(turn, 0, None, 1)
    assert finish(table.submit(turn, 0, PASS, 1)).termination is Termination.ILLEGAL


def test_a_refused_answer_runs_on_the_same_clock() -> None:
    """A rejection gives no new time."""
    table, _ = begun()
    turn = table.turn
    assert turn is not None
    (reject,) = of(Reject, table.submit(turn, 0, None, 3 * SECOND))
    assert reject.left is not None
    assert reject.left.decision_us == SECOND
    assert table.deadline() == 4 * SECOND + 1


def test_resigning_loses_to_the_other_side() -> None:
    """A seat that resigns loses, whoever's turn it is."""
    table, _ = begun()
    end = finish(table.resign(0))
    assert (end.termination, end.at_fault, end.winner) == (Termination.RESIGN, 0, 1)
    assert table.resign(1) == []


def test_auto_draw_makes_draws_and_nothing_else() -> None:
    """DB-4.13: draws of a seat with auto_draw are made and logged by the arena, count as decisions, are never asked."""
    table, _ = begun(auto_draw=(True, True))
    act(table, 1)
    effects = act(table, 2)
    records = of(Record, effects)
    assert [record.auto for record in records] == [False, True, True]
    assert [record.decision_id for record in records] == [1, 2, 3]
    assert len([tell for tell in of(Tell, effects) if isinstance(tell.event, CardDrawn)]) == 2
    (ask,) = of(Ask, effects)
    assert ask.decision_id == 4
    assert all(isinstance(action, Play) for action in ask.legal)


def test_a_match_plays_to_its_end_by_first_choices() -> None:
    """P48: a match ends with a result in which termination, winner and totals agree, and then takes nothing more."""
    table, effects = begun(auto_draw=(True, True), max_deals=3)
    now = 0
    while table.state is not MatchState.ENDED:
        now += 1
        effects = act(table, now, -1 % len(table.playing.legal()) if now % 2 else 0)
    end = finish(effects)
    assert end.termination in (Termination.SCORE, Termination.DEAL_LIMIT)
    best = max(end.totals)
    assert end.winner == (end.totals.index(best) if end.totals.count(best) == 1 else None)
    assert table.submit(0, table.decision_id, 0, now) == []
    assert table.tick(now + 10**9) == []
    assert table.lost(0, now) == table.back(0, now) == table.resign(0) == []


def test_without_auto_draw_every_seat_is_asked() -> None:
    """Terms that say nothing of draws leave them to the seats."""
    source = DeckSource(bytes(32), "m1", GAME.name, GAME.pack, 2)
    table = Table(TableTerms(GAME, complete_rules(GAME), source, CONTROL))
    table.ready(0, NONCES[0], 0)
    table.ready(1, NONCES[1], 0)
    act(table, 1)
    (ask,) = of(Ask, act(table, 2))
    assert [str(action) for action in ask.legal] == ["draw"]


def test_no_match_goes_beyond_a_thousand_deals() -> None:
    """DB-8.3: a limit of deals above 1,000 is one of 1,000."""
    rules = complete_rules(GAME, "match", {"max_deals": 5000, "target": 1_000_000})
    source = DeckSource(bytes(32), "m1", GAME.name, GAME.pack, 2)
    match = Match(GAME, rules, 0, source.decks(NONCES))
    match.start()
    while match.turn is not None:
        match.apply(match.legal()[0])  # in the auction that is a pass
    assert (match.deals_complete, match.ending) == (MAX_DEALS, Termination.DEAL_LIMIT)
