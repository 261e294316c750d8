"""The table: every race and every fault decided by the numbers that go in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import pytest

from engine.action import PASS, Play
from engine.clock import SECOND, TimeControl
from engine.deck import DeckSource
from engine.effect import Ask, Begin, Effect, EndStream, Finish, MarkBack, MarkLost, Record, Reject, Rejection, Tell
from engine.event import CardDrawn, DealStarted, HandDealt
from engine.game import complete_rules
from engine.games import find
from engine.states import MatchState, Termination
from engine.table import STRAYS, STRIKES, Table, TableTerms

GAME = find("draw-bridge")
T = TypeVar("T")
NONCES = (b"0" * 16, b"1" * 16)
CONTROL = TimeControl(bank_us=10 * SECOND, increment_us=SECOND, cap_us=4 * SECOND)


def offered(*, auto_draw: tuple[bool, bool] = (False, False), control: TimeControl = CONTROL, **rules: int) -> Table:
    """A table whose match is offered."""
    source = DeckSource(bytes(32), "m1", GAME.name, GAME.pack, 2)
    return Table(TableTerms(GAME, complete_rules(GAME, "match", rules), source, control, auto_draw))


def begun(now: int = 0, **terms: object) -> tuple[Table, list[Effect]]:
    """A table whose match has begun, and the effects of that."""
    table = offered(**terms)  # type: ignore[arg-type]  # passed on as they are
    assert table.ready(0, NONCES[0], now) == []
    return table, table.ready(1, NONCES[1], now)


def of(kind: type[T], effects: Sequence[Effect]) -> list[T]:
    """The effects of one kind."""
    return [effect for effect in effects if isinstance(effect, kind)]


def act(table: Table, now: int, choice: int = 0) -> list[Effect]:
    """The seat to act answers by index."""
    turn = table.turn
    assert turn is not None
    return table.submit(turn, table.decision_id, choice, now)


def finish(effects: Sequence[Effect]) -> Finish:
    """The one end among the effects."""
    (end,) = of(Finish, effects)
    return end


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


def test_not_ready_in_time_voids() -> None:
    """P26: a bot that loads in 95 % of the start-up budget plays; one that needs 105 % voids the match, by name."""
    table = offered()
    table.ready(0, NONCES[0], 0)
    budget = table.terms.ready_within_us
    assert table.deadline() == budget
    assert table.tick(budget * 95 // 100) == []
    end = finish(table.tick(budget * 105 // 100))
    assert (end.termination, end.at_fault, end.winner) == (Termination.VOID_NOT_READY, 1, None)
    assert table.ready(1, NONCES[1], budget * 106 // 100) == []


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


def test_a_drop_does_not_stop_the_clock() -> None:
    """P37: one who drops and returns in mid-turn has the time left that really is left, and the same question."""
    table, _ = begun()
    turn = table.turn
    assert turn is not None
    assert of(MarkLost, table.lost(turn, SECOND)) == [MarkLost(turn)]
    assert of(MarkBack, table.back(turn, 3 * SECOND)) == [MarkBack(turn)]
    question = table.question(3 * SECOND)
    assert question is not None
    assert (question.decision_id, question.left.decision_us) == (0, SECOND)
    assert finish(table.tick(4 * SECOND + 1)).termination is Termination.TIMEOUT


def test_absences_add_up_to_a_loss() -> None:
    """Being away is counted over the whole match, whoever's turn it is; sixty seconds in all lose it."""
    table, _ = begun(control=TimeControl(1000 * SECOND, 0, 0))
    waiting = 1 - (table.turn or 0)
    table.lost(waiting, 0)
    table.back(waiting, 40 * SECOND)
    table.lost(waiting, 50 * SECOND)
    assert table.deadline() == 70 * SECOND
    assert table.tick(70 * SECOND - 1) == []
    end = finish(table.tick(70 * SECOND))
    assert (end.termination, end.at_fault) == (Termination.DISCONNECT, waiting)


def test_both_away_to_the_same_moment_is_nobodys_loss() -> None:
    """When both sides run out in one tick the arena cannot say who was first: the match is void."""
    table, _ = begun(control=TimeControl(1000 * SECOND, 0, 0))
    table.lost(0, 0)
    table.lost(1, 0)
    end = finish(table.tick(61 * SECOND))
    assert (end.termination, end.winner, end.at_fault) == (Termination.VOID_ARENA, None, None)


def test_time_and_absence_of_two_sides_in_one_tick_is_void() -> None:
    """One side out of time and the other away too long, seen in one tick: void."""
    table, _ = begun()
    table.lost(1 - (table.turn or 0), 0)
    assert finish(table.tick(100 * SECOND)).termination is Termination.VOID_ARENA


def test_a_bot_that_cannot_return_is_not_waited_for() -> None:
    """A bot whose program has ended loses at once by `disconnect`; before the start the match is void."""
    table, _ = begun()
    assert finish(table.abandon(1)).termination is Termination.DISCONNECT
    assert finish(offered().abandon(0)).termination is Termination.VOID_NOT_READY


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


def test_recall_stands_where_the_log_ends() -> None:
    """A table that is told its log again has the same state, clocks and strikes, and goes on the same."""
    table, _ = begun(auto_draw=(True, False))
    records: list[Record | Begin | Reject] = [Begin(0, ())]
    for now in range(1, 60):
        turn = table.turn
        assert turn is not None
        if now == 30:
            records += of(Reject, table.submit(turn, table.decision_id, None, now * 1000))
        records += of(Record, act(table, now * 1000))
    again = offered(auto_draw=(True, False))
    again.recall(records, NONCES)
    assert (again.decision_id, again.turn, again.seq) == (table.decision_id, table.turn, table.seq)
    assert again.history == table.history
    assert [seat.clock for seat in again.seats] == [seat.clock for seat in table.seats]
    assert sum(seat.strikes for seat in again.seats) == 1
    assert again.playing.deal.hands() == table.playing.deal.hands()


def test_a_restart_charges_nobody() -> None:
    """After a restart no clock runs until its seat is back, everybody has sixty seconds, and staying away voids."""
    table, _ = begun()
    turn = table.turn
    assert turn is not None
    assert table.restart(100 * SECOND) == []
    assert table.question(130 * SECOND) is not None
    effects = table.back(turn, 140 * SECOND)
    (ask,) = of(Ask, effects)
    assert (ask.left.bank_us, ask.left.decision_us) == (10 * SECOND, 4 * SECOND)
    assert isinstance(table.submit(turn, 0, 0, 141 * SECOND)[0], Record)
    end = finish(table.tick(160 * SECOND))
    assert (end.termination, end.at_fault) == (Termination.VOID_ARENA, None)


def test_a_restart_completes_what_was_cut_short() -> None:
    """Draws that the arena owed and an end that was not logged are made up for by the restart."""
    table, _ = begun(auto_draw=(True, True))
    records = of(Record, [*act(table, 1), *act(table, 2)])
    cut = offered(auto_draw=(True, True))
    cut.recall([Begin(0, ()), *records[:2]], NONCES)
    assert cut.decision_id == 2
    made = of(Record, cut.restart(10))
    assert [(record.auto, record.decision_id) for record in made] == [(True, 2), (True, 3)]


def test_an_offer_does_not_survive_a_restart() -> None:
    """A match that was offered and not begun when the arena was killed is void, and nobody's fault."""
    table = offered()
    end = finish(table.restart(1))
    assert (end.termination, end.at_fault) == (Termination.VOID_ARENA, None)


def test_the_operator_voids() -> None:
    """The operator can end any match; it counts for nothing."""
    table, _ = begun()
    end = finish(table.void(Termination.VOID_OPERATOR))
    assert (end.termination, end.winner, end.at_fault) == (Termination.VOID_OPERATOR, None, None)


def test_absence_counts_from_the_start() -> None:
    """A seat that is away when the match begins is marked so, and its absence counts from then."""
    table = offered(control=TimeControl(1000 * SECOND, 0, 0))
    table.ready(0, NONCES[0], 0)
    assert table.lost(0, SECOND) == []
    effects = table.ready(1, NONCES[1], 10 * SECOND)
    assert of(MarkLost, effects) == [MarkLost(0)]
    assert table.deadline() == 70 * SECOND


def test_absence_before_the_start_is_forgotten() -> None:
    """A seat that was away and back while the match was offered has its whole allowance."""
    table = offered(control=TimeControl(1000 * SECOND, 0, 0))
    table.lost(0, 0)
    table.back(0, 18 * SECOND)
    table.ready(0, NONCES[0], 19 * SECOND)
    table.ready(1, NONCES[1], 19 * SECOND)
    table.lost(0, 20 * SECOND)
    assert table.deadline() == 80 * SECOND


def test_a_stall_of_the_arena_is_nobodys_absence() -> None:
    """While the arena itself is late nobody's absence grows, and nobody's start-up time passes."""
    table, _ = begun(control=TimeControl(1000 * SECOND, 0, 0))
    table.lost(0, 0)
    table.lag = 70 * SECOND
    assert table.tick(70 * SECOND) == []
    assert table.deadline() == 130 * SECOND
    assert of(MarkBack, table.back(0, 90 * SECOND)) == [MarkBack(0)]
    table.lost(0, 90 * SECOND)
    assert table.deadline() == 200 * SECOND - 70 * SECOND  # twenty seconds were really spent
    late = offered()
    late.lag = 5 * SECOND
    assert late.tick(late.terms.ready_within_us) == []
    assert late.deadline() == late.terms.ready_within_us + 5 * SECOND


def test_two_that_are_not_ready_are_not_told_apart() -> None:
    """When several seats were not ready the match is void and none of them is named alone."""
    table = offered()
    assert finish(table.tick(table.terms.ready_within_us)).at_fault is None


def test_without_auto_draw_every_seat_is_asked() -> None:
    """Terms that say nothing of draws leave them to the seats."""
    source = DeckSource(bytes(32), "m1", GAME.name, GAME.pack, 2)
    table = Table(TableTerms(GAME, complete_rules(GAME), source, CONTROL))
    table.ready(0, NONCES[0], 0)
    table.ready(1, NONCES[1], 0)
    act(table, 1)
    (ask,) = of(Ask, act(table, 2))
    assert [str(action) for action in ask.legal] == ["draw"]
