"""The table: who is away, who was, and a table that is told its log again."""

from __future__ import annotations

from bare_table import NONCES, act, begun, finish, of, offered
from engine.clock import SECOND, TimeControl
from engine.effect import Ask, Begin, MarkBack, MarkLost, Record, Reject
from engine.states import MatchState, Termination
from engine.terms import SHORTEST_ABSENCE_US


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


def test_an_offer_survives_a_restart() -> None:
    """A match that was offered when the arena was killed waits for its bots, and begins when both have accepted it."""
    table = offered()
    assert table.ready(0, NONCES[0], 5) == []
    table.recall([], (NONCES[0], b""))
    assert table.restart(10) == []
    for seat in (0, 1):
        assert table.back(seat, 30 * SECOND) == []
    assert table.deadline() == 30 * SECOND + table.terms.ready_within_us
    assert of(Begin, table.ready(1, NONCES[1], 31 * SECOND))


def test_an_offer_that_nobody_comes_back_to_is_nobodys_fault() -> None:
    """Who stays away after a restart makes the offer void by the arena; who is back and not ready is at fault."""
    table = offered()
    table.restart(10)
    assert table.deadline() == 10 + table.terms.away_us
    assert table.tick(9 + table.terms.away_us) == []
    end = finish(table.tick(10 + table.terms.away_us))
    assert (end.termination, end.at_fault) == (Termination.VOID_ARENA, None)
    table = offered()
    table.restart(10)
    table.back(1, 20)
    end = finish(table.tick(20 + table.terms.ready_within_us))
    assert (end.termination, end.at_fault) == (Termination.VOID_NOT_READY, 1)


def test_an_offer_that_all_had_accepted_begins_with_the_restart() -> None:
    """Killed between the last Ready and the start, a match begins at once; no clock runs before its seat is back."""
    table = offered()
    table.recall([], NONCES)
    assert of(Begin, table.restart(10))
    assert table.left(10 * SECOND) == table.left(50 * SECOND)


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


def test_a_seat_that_flaps_loses_in_the_end() -> None:
    """The shortest absence counts as 50 ms, so that nobody can make a log without end by coming and going."""
    table, _ = begun(control=TimeControl(1000 * SECOND, 0, 0))
    returns = 0
    while True:
        table.lost(0, 1)
        if table.tick(1):
            break
        table.back(0, 1)
        returns += 1
    assert table.state is MatchState.ENDED
    assert returns == 60 * SECOND // SHORTEST_ABSENCE_US


def test_an_offer_does_not_wait_for_one_who_has_left() -> None:
    """A seat that loses its stream before it is ready voids the match after two seconds, unless it is back by then."""
    table = offered()
    table.ready(0, NONCES[0], 0)
    table.lost(1, SECOND)
    assert table.deadline() == 3 * SECOND
    table.back(1, 2 * SECOND)
    assert table.deadline() == table.terms.ready_within_us
    table.lost(1, 5 * SECOND)
    assert table.tick(7 * SECOND - 1) == []
    end = finish(table.tick(7 * SECOND))
    assert (end.termination, end.at_fault) == (Termination.VOID_NOT_READY, 1)


def test_nothing_is_lost_before_the_start() -> None:
    """Who resigns an offer has not taken it: the match is void, not a result for anybody."""
    end = finish(offered().resign(0))
    assert (end.termination, end.winner, end.at_fault) == (Termination.VOID_NOT_READY, None, 0)
