"""The record: closed matches go in once, come out as they were, and are found by what a person writes."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio
from sqlalchemy.exc import IntegrityError

from arena.errors import Ambiguous, ArenaError, NotFound
from arena.store import Player, RatingChange, Result, Run, Store, Tally, rules_key
from arena.v1 import match_pb2, replay_pb2
from engine.states import Termination

RULES = rules_key({"target": "300", "reveal": "hidden"})


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An open store with one run, `demo`."""
    with Store.open(tmp_path, hold=True) as opened:
        opened.open_run("demo", "demo", seeded=False, created_ms=1)
        yield opened


def result(number: int = 1, winner: int | None = 0, **changes: Any) -> Result:
    """The result of a match of a and b."""
    made = Result(
        run="demo",
        match_id=f"m{number:04d}",
        number=number,
        game="draw-bridge",
        rules_version=1,
        rules=RULES,
        players=(Player("a", 0, "Steady 1"), Player("b", 1)),
        termination=Termination.SCORE,
        winner=winner,
        at_fault=None,
        totals=(310, 40),
        deals=7,
        offered_ms=1_000 + number,
        ended_ms=2_000 + number,
        log_hash=bytes([number % 256]) * 32,
        set_id=f"m{number:04d}",
    )
    return replace(made, **changes)


def test_match_comes_out_as_it_went_in(store: Store) -> None:
    """Every field of a result, and its replay, are read back; its place in the log is added."""
    given = result(
        3, None, termination=Termination.VOID_NOT_READY, at_fault=1, rated=False, attempt=2, leg=2, legs=2, totals=()
    )
    assert store.close_match(given, b"packed") == []
    kept = store.match("demo", "m0003")
    assert kept == replace(given, seq=1)
    assert store.replay(kept) == b"packed"
    assert store.match("demo", "m0004") is None
    assert store.match("other", "m0003") is None


def test_closing_twice_changes_nothing(store: Store) -> None:
    """A match that is recorded already is not recorded again, and tells the same rating changes."""
    first = store.close_match(result(1), b"one")
    assert first == [RatingChange("a", 1_500_000, 1_510_000), RatingChange("b", 1_500_000, 1_490_000)]
    store.close_match(result(2), b"two")
    assert store.close_match(result(1), b"again") == first
    assert [kept.seq for kept in store.matches()] == [2, 1]
    assert store.replay(store.find("m0001")) == b"one"
    assert {standing.bot: standing.rating.matches for standing in store.ratings()} == {"a": 2, "b": 2}
    assert store.changes(store.find("m0001")) == first


def test_another_log_of_a_recorded_match_is_refused(store: Store) -> None:
    """The record of a match is never exchanged for another."""
    store.close_match(result(1), b"one")
    with pytest.raises(ArenaError, match="match demo/m0001 is recorded already, with another log"):
        store.close_match(result(1, log_hash=b"x" * 32), b"two")
    assert store.match("demo", "m0001") == replace(result(1), seq=1)


def test_result_is_all_or_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the ratings cannot be written, neither result nor replay is there."""
    import arena.store.ledger  # noqa: PLC0415 - its insides are replaced

    def fail(*_: object) -> None:
        raise RuntimeError("the disk caught fire")

    with monkeypatch.context() as patch:
        patch.setattr(arena.store.ledger, "_change_rows", fail)
        with pytest.raises(RuntimeError, match="caught fire"):
            store.close_match(result(1), b"one")
    assert store.matches() == []
    assert store.ratings() == []
    assert len(store.close_match(result(1), b"one")) == 2


@pytest.mark.parametrize(
    "wrong",
    [
        {"run": "unknown"},
        {"match_id": "m0009"},
        {"match_id": "m0002", "number": 2, "winner": 0, "termination": Termination.VOID_ARENA},
    ],
)
def test_record_that_contradicts_itself_is_refused(store: Store, wrong: dict[str, Any]) -> None:
    """A match of no run, a number that is taken, and a winner of a void match are faults of the arena's own."""
    store.close_match(result(1), b"one")
    with pytest.raises(IntegrityError):
        store.close_match(replace(result(1, log_hash=b"2" * 32), **wrong), b"two")
    assert len(store.matches()) == 1


def test_result_of_a_log() -> None:
    """A result takes every field from the header and the end of a log."""
    header = replay_pb2.ReplayHeader(
        schema=1,
        match_id="m1",
        set_id="m0",
        leg=2,
        legs=2,
        run="demo",
        number=7,
        game="draw-bridge",
        rules_version=1,
        rules={"target": "300", "reveal": "hidden"},
        seats=[replay_pb2.ReplaySeat(bot="a", software="Steady 1"), replay_pb2.ReplaySeat(bot="b")],
        offered_unix_ms=5,
        rated=True,
        attempt=1,
    )
    ended = replay_pb2.LoggedEnd(
        termination=match_pb2.TERMINATION_TIMEOUT, winner=0, at_fault=1, totals=[20, 0], deals_complete=1
    )
    made = Result.from_log(header, ended, sides=(0, 1), ended_ms=9, log_hash=b"h")
    assert made == Result(
        run="demo",
        match_id="m1",
        number=7,
        game="draw-bridge",
        rules_version=1,
        rules='{"reveal":"hidden","target":"300"}',
        players=(Player("a", 0, "Steady 1"), Player("b", 1)),
        termination=Termination.TIMEOUT,
        winner=0,
        at_fault=1,
        totals=(20, 0),
        deals=1,
        offered_ms=5,
        ended_ms=9,
        log_hash=b"h",
        set_id="m0",
        leg=2,
        legs=2,
        attempt=1,
    )
    nobody = replay_pb2.LoggedEnd(termination=match_pb2.TERMINATION_DEAL_LIMIT)
    drawn = Result.from_log(header, nobody, sides=(0, 1), ended_ms=9, log_hash=b"h")
    assert (drawn.winner, drawn.at_fault) == (None, None)
    with pytest.raises(ValueError, match="does not say why it ended"):
        Result.from_log(header, replay_pb2.LoggedEnd(), sides=(0, 1), ended_ms=9, log_hash=b"h")


def test_pages_of_the_log(store: Store) -> None:
    """Matches are listed newest first, page by page, of all runs or one, of all bots or one."""
    store.open_run("other", "match", seeded=False, created_ms=2)
    for number in range(1, 8):
        run = "other" if number % 3 == 0 else "demo"
        bots = (Player("a", 0), Player("c" if number % 2 else "b", 1))
        store.close_match(result(number, run=run, players=bots), b"")
    listed = []
    before = None
    while page := store.matches(limit=3, before=before):
        listed += [kept.number for kept in page]
        before = page[-1].seq
    assert listed == [7, 6, 5, 4, 3, 2, 1]
    assert [kept.number for kept in store.matches(run="other")] == [6, 3]
    assert [kept.number for kept in store.matches(bot="c")] == [7, 5, 3, 1]
    assert [kept.number for kept in store.matches(run="demo", bot="b", limit=2)] == [4, 2]
    assert store.matches(bot="nobody") == []


def test_match_is_found_by_id_or_its_beginning(store: Store) -> None:
    """An id, the beginning of one, and either after a run's name find the match that they fit alone."""
    store.open_run("match-1", "match", seeded=True, created_ms=2)
    for run, match_id in [
        ("demo", "abc1"),
        ("demo", "abd2"),
        ("match-1", "abc1"),
        ("match-1", "abc12"),
        ("demo", "x%"),
    ]:
        number = len(store.matches()) + 1
        store.close_match(result(number, run=run, match_id=match_id, set_id=match_id), b"")
    assert store.find("abd").name == "demo/abd2"
    assert store.find("demo/abc").name == "demo/abc1"
    assert store.find("match-1/abc1").name == "match-1/abc1"
    assert store.find("abc12").name == "match-1/abc12"
    assert store.find("x%").name == "demo/x%"
    for text in ("abz", "demo/abc12", "nowhere/abc1", "", "demo/", "%", "_"):
        with pytest.raises(NotFound, match="no match"):
            store.find(text)
    with pytest.raises(Ambiguous) as caught:
        store.find("abc1")
    assert caught.value.choices == ("demo/abc1", "match-1/abc1")
    assert str(caught.value) == "abc1 could be demo/abc1, match-1/abc1: write more of it"
    with pytest.raises(Ambiguous) as caught:
        store.find("ab")
    assert len(caught.value.choices) == 4


def test_many_choices_are_not_all_named() -> None:
    """The message of an ambiguous name stays one line of a length that can be read."""
    told = str(Ambiguous("m", [f"demo/m{number}" for number in range(30)]))
    assert told.endswith("demo/m7 and 22 more: write more of it")


def test_a_run_that_is_not_there_is_answered_with_those_that_are(store: Store) -> None:
    """The most similar one, else all of them, else the newest."""
    complaints = []
    for wanted, more in (("zzz", 0), ("zzz", 2), ("match-21", 0), ("zzz", 7)):
        for _ in range(more):
            store.new_run("match", seeded=False, created_ms=1)
        with pytest.raises(NotFound) as refusal:
            store.run(wanted)
        complaints.append(str(refusal.value).removeprefix(f"no run {wanted} in {store.folder}"))
    assert complaints[:3] == [": there are demo", ": there are demo, match-1, match-2", "; did you mean match-2?"]
    assert complaints[3] == f": the newest are {', '.join(f'match-{number}' for number in range(2, 10))}"


def test_runs_are_named_in_turn(store: Store) -> None:
    """A run of a kind gets the next free name, and a named run is taken up again if it is of the same kind."""
    made = [store.new_run("match", seeded=False, created_ms=at).name for at in (5, 6)]
    store.open_run("match-7", "match", seeded=True, created_ms=7)
    store.open_run("match-x", "match", seeded=True, created_ms=8)
    made.append(store.new_run("match", seeded=True, created_ms=9).name)
    assert made == ["match-1", "match-2", "match-8"]
    assert store.new_run("gate", seeded=False, created_ms=10) == Run("gate-1", "gate", seeded=False, created_ms=10)
    assert store.open_run("match-7", "match", seeded=True, created_ms=99).created_ms == 7
    with pytest.raises(ArenaError, match=r"run match-7 in .* is a seeded match: choose another name"):
        store.open_run("match-7", "match", seeded=False, created_ms=99)
    names = [run.name for run in store.runs()]
    assert names == ["demo", "match-1", "match-2", "match-7", "match-x", "match-8", "gate-1"]


def due(store: Store, planned: int) -> dict[int, int]:
    """The numbers that are due, each with its next attempt."""
    left = store.due("demo", planned)
    attempts = {number: left.attempt(number) for number in range(1, planned + 1)}
    found = {number: attempt for number, attempt in attempts.items() if attempt is not None}
    assert len(found) == left.open
    return found


def test_what_is_left_of_a_plan(store: Store) -> None:
    """P55, P60: numbers without a result that counts are due, void ones as the next attempt, others never again."""
    assert store.next_number("demo") == 1
    assert due(store, 3) == {1: 0, 2: 0, 3: 0}
    void: dict[str, Any] = {"termination": Termination.VOID_ARENA, "winner": None}
    store.close_match(result(2, **void), b"")
    store.close_match(result(2, match_id="m2b", attempt=1, **void), b"")
    store.close_match(result(4), b"")
    assert due(store, 4) == {1: 0, 2: 2, 3: 0}
    store.close_match(result(2, match_id="m2c", attempt=2), b"")
    assert due(store, 5) == {1: 0, 3: 0, 5: 0}
    assert store.next_number("demo") == 5


def test_counts_add_up(store: Store) -> None:
    """P59: the counts of the terminations add up to the matches, and every match counts once for each bot."""
    endings = list(Termination)
    for number, ending in enumerate(endings, 1):
        winner = None if ending.void or ending is Termination.DEAL_LIMIT else number % 2
        store.close_match(result(number, winner, termination=ending), b"")
    assert store.terminations("demo") == Counter(endings)
    assert store.terminations().total() == len(store.matches())
    assert store.tally("demo") == [
        Tally("a", won=2, drawn=1, lost=4, void=3),
        Tally("b", won=4, drawn=1, lost=2, void=3),
    ]
    assert store.tally("nowhere") == []


def test_partners_of_one_bot_count_once(store: Store) -> None:
    """A bot that has both seats of a side has one result in a match."""
    pair = tuple(Player(bot, side) for bot, side in [("p", 0), ("q", 1), ("p", 0), ("q", 1)])
    store.close_match(result(1, 1, players=pair), b"")
    assert store.tally("demo") == [Tally("p", 0, 0, 1, 0), Tally("q", 1, 0, 0, 0)]


def test_legs_of_a_set(store: Store) -> None:
    """A set's legs are found together, in the order in which they ended."""
    for number, leg in ((1, 1), (2, 1), (3, 2)):
        store.close_match(result(number, set_id="m0002" if number > 1 else "m0001", leg=leg, legs=leg), b"")
    assert [kept.match_id for kept in store.legs("demo", "m0002")] == ["m0002", "m0003"]


async def test_matches_may_be_closed_from_any_thread(store: Store) -> None:
    """Many matches closed at once from worker threads, with readers beside them, are all recorded, each once."""
    seen: list[int] = []

    async def close(number: int) -> None:
        await trio.to_thread.run_sync(store.close_match, result(number), b"packed")
        listed = await trio.to_thread.run_sync(lambda: store.matches(limit=1000))
        seen.append(len(listed))

    async with trio.open_nursery() as nursery:
        for number in range(1, 61):
            nursery.start_soon(close, number)
    assert len(seen) == 60
    assert sorted(kept.seq for kept in store.matches()) == list(range(1, 61))
    rated = {standing.bot: standing.rating.matches for standing in store.ratings()}
    assert rated == {"a": 60, "b": 60}


def test_long_run_stays_quick_to_search(store: Store) -> None:
    """What is asked for every match is answered from an index, never by reading the whole log."""
    with store._engine.connect() as connection:
        for query in (
            "SELECT * FROM matches WHERE run = 'demo' AND match_id = 'm1'",
            "SELECT * FROM matches WHERE run = 'demo' AND set_id = 'm1' ORDER BY seq",
            "SELECT max(number) FROM matches WHERE run = 'demo'",
            "SELECT * FROM seats WHERE seq IN (1, 2)",
            "SELECT * FROM ratings WHERE run = 'demo' AND game = 'g' AND rules_version = 1 AND bot IN ('a')",
        ):
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}").all()
            assert all("SEARCH" in row[3] or "B-TREE" in row[3] for row in plan), plan


def test_order_of_the_log_is_that_of_closing(store: Store) -> None:
    """P53: places in the log follow the order in which matches ended, whatever their numbers."""
    for number in itertools.chain(range(9, 0, -2), range(2, 10, 2)):
        store.close_match(result(number), b"")
    assert [kept.number for kept in reversed(store.matches())] == [9, 7, 5, 3, 1, 2, 4, 6, 8]
    assert [kept.seq for kept in reversed(store.matches())] == list(range(1, 10))
