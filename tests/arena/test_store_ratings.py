"""Ratings in the database: carried forward match by match they are, to the byte, those computed again from the log."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.ratings import Rating
from arena.store import Player, RatingChange, Result, Store
from engine.states import Termination

TEAMS = (0, 1, 0, 1)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An open store with two runs."""
    with Store.open(tmp_path, hold=True) as opened:
        for run in ("r1", "r2"):
            opened.open_run(run, "match", seeded=False, created_ms=1)
        yield opened


def result(number: int, bots: str, winner: int | None, **changes: object) -> Result:
    """A result between bots of one letter each: two of them duel, four are partners across."""
    sides = TEAMS if len(bots) == 4 else (0, 1)
    fields: dict[str, object] = {
        "run": "r1",
        "match_id": f"m{number}",
        "number": number,
        "game": "g4" if len(bots) == 4 else "g2",
        "rules_version": 1,
        "rules": "{}",
        "players": tuple(Player(bot, side) for bot, side in zip(bots, sides, strict=True)),
        "termination": Termination.SCORE,
        "winner": winner,
        "at_fault": None,
        "totals": (0, 0),
        "deals": 1,
        "offered_ms": 0,
        "ended_ms": 0,
        "log_hash": bytes(32),
        "set_id": f"m{number}",
    }
    return Result(**{**fields, **changes})  # type: ignore[arg-type]  # the fields of a Result by name


def milli(store: Store, **where: str) -> dict[str, int]:
    """The ratings by bot."""
    return {standing.bot: standing.rating.milli for standing in store.ratings(**where)}


def hurry(store: Store) -> None:
    """Let commits not wait for the disk: what is asked here is what they hold, not whether they last."""
    connection = store._engine.raw_connection()
    connection.cursor().execute("PRAGMA synchronous = OFF")
    connection.close()


def dump(folder: Path) -> list[str]:
    """The tables of ratings as SQL text."""
    with closing(sqlite3.connect(folder / "arena.db")) as connection:
        lines = list(connection.iterdump())
    return [line for line in lines if line.startswith(('INSERT INTO "rating', 'INSERT INTO "rating_changes'))]


def test_single_match_is_rated_when_it_closes(store: Store) -> None:
    """A match of its own is a set of one leg."""
    assert store.close_match(result(1, "ab", 1), b"") == [
        RatingChange("a", 1_500_000, 1_490_000),
        RatingChange("b", 1_500_000, 1_510_000),
    ]
    assert milli(store) == {"a": 1_490_000, "b": 1_510_000}


def test_set_is_rated_when_its_last_leg_closes(store: Store) -> None:
    """The first leg changes nothing; the second rates both, whatever came between."""
    assert store.close_match(result(1, "ab", 0, legs=2), b"") == []
    assert milli(store) == {}
    store.close_match(result(2, "cd", 0), b"")
    changes = store.close_match(result(3, "ba", 1, leg=2, legs=2, set_id="m1"), b"")
    assert changes == [RatingChange("b", 1_500_000, 1_480_000), RatingChange("a", 1_500_000, 1_520_000)]
    assert store.close_match(result(3, "ba", 1, leg=2, legs=2, set_id="m1"), b"") == changes


@pytest.mark.parametrize(
    "changes",
    [
        {"termination": Termination.VOID_ARENA, "winner": None},
        {"rated": False},
        {"players": (Player("a", 0), Player("a", 1))},
        {"rules": '{"target":"1"}'},
    ],
)
def test_set_with_a_leg_that_does_not_count_is_not_rated(store: Store, changes: dict[str, object]) -> None:
    """A void leg voids the set; so does one that is not rated, of a bot against itself, or by other rules."""
    store.close_match(result(1, "ab", 0, legs=2), b"")
    second = result(2, "ba", 1, leg=2, legs=2, set_id="m1")
    fields = {name: getattr(second, name) for name in Result.__slots__} | changes
    assert store.close_match(Result(**fields), b"") == []
    assert store.ratings() == []
    assert store.rebuild_ratings() == 0


def test_ladders_are_apart(store: Store) -> None:
    """Runs, games, rules, their versions, and pairs against single bots each have ratings of their own."""
    games = [
        result(1, "ab", 0),
        result(2, "ab", 0, run="r2"),
        result(3, "ab", 0, game="other"),
        result(4, "ab", 0, rules="other"),
        result(5, "ab", 0, rules_version=2),
        result(6, "abcd", 0),
        result(7, "abab", 0),
    ]
    for played in games:
        store.close_match(played, b"")
    assert all(standing.rating.matches == 1 for standing in store.ratings())
    assert len({standing.ladder for standing in store.ratings()}) == len(games)
    assert [standing.bot for standing in store.ratings(run="r1", game="g4")] == ["a", "c", "b", "d", "a", "b"]
    assert {standing.ladder.kind for standing in store.ratings(game="g4")} == {"individual", "pair"}
    assert milli(store, run="r2") == {"a": 1_510_000, "b": 1_490_000}


def test_best_come_first(store: Store) -> None:
    """Within a ladder the highest rating stands first; equal ones stand by name."""
    for number, bots in enumerate(("ab", "ac", "da"), 1):
        store.close_match(result(number, bots, 0), b"")
    assert [standing.bot for standing in store.ratings()] == ["d", "a", "c", "b"]
    assert store.ratings()[0].rating.provisional


MATCHES = st.lists(
    st.tuples(
        st.sampled_from(["ab", "ba", "bc", "ca", "aa", "abcd", "dcba", "abab", "abac"]),
        st.sampled_from([0, 1, None]),
        st.sampled_from(["r1", "r2"]),
        st.booleans(),
        st.integers(0, 9),
        st.integers(0, 3),
    ),
    max_size=25,
)


@settings(max_examples=25)
@given(MATCHES)
def test_computed_again_ratings_are_the_same_to_the_byte(
    tmp_path_factory: pytest.TempPathFactory, played: list[tuple[str, int | None, str, bool, int, int]]
) -> None:
    """Whatever was played, in sets or singly, void or not, a rebuild of one run or of all gives the same tables."""
    folder = tmp_path_factory.mktemp("store")
    with Store.open(folder, hold=True) as store:
        hurry(store)
        for run in ("r1", "r2"):
            store.open_run(run, "match", seeded=False, created_ms=1)
        opened: dict[tuple[str, str], str] = {}
        for number, (bots, winner, run, rated, ending, in_set) in enumerate(played, 1):
            fields: dict[str, object] = {"run": run, "rated": rated}
            if ending == 0:
                fields["termination"], winner = Termination.VOID_OPERATOR, None  # noqa: PLW2901 - nobody wins it
            if in_set == 0:
                key = (run, "".join(sorted(bots)))
                first = opened.pop(key, None)
                fields |= {"legs": 2, "leg": 1 if first is None else 2, "set_id": first or f"m{number}"}
                if first is None:
                    opened[key] = f"m{number}"
            store.close_match(result(number, bots, winner, **fields), b"")
        carried = dump(folder)
        store.rebuild_ratings()
        assert dump(folder) == carried
        store.rebuild_ratings("r1")
        assert dump(folder) == carried


def test_rebuild_mends_what_was_changed(store: Store) -> None:
    """Ratings that somebody edited are put right; those of other runs are not touched by the rebuild of one."""
    for number, run in enumerate(("r1", "r2", "r1"), 1):
        store.close_match(result(number, "ab", 0, run=run), b"")
    before = dump(store.folder)
    assert len(before) == 10
    with store._write() as connection:
        connection.exec_driver_sql("UPDATE ratings SET milli = 9000000")
        connection.exec_driver_sql("DELETE FROM rating_changes")
        connection.exec_driver_sql("INSERT INTO ratings VALUES ('r1', 'g9', 1, '{}', 'individual', 'ghost', 1, 1)")
    assert store.rebuild_ratings("r1") == 2
    assert milli(store, run="r2") == {"a": 9_000_000, "b": 9_000_000}
    assert store.rebuild_ratings() == 3
    assert dump(store.folder) == before


def test_many_matches_are_rebuilt_in_pages(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The log is read bit by bit, and no match is lost between two bits."""
    import arena.store.results  # noqa: PLC0415 - its insides are replaced

    monkeypatch.setattr(arena.store.results, "_CHUNK", 4)
    for number in range(1, 13):
        store.close_match(result(number, "ab", number % 2), b"")
    before = dump(store.folder)
    assert store.rebuild_ratings() == 12
    assert dump(store.folder) == before
    assert store.ratings()[0].rating == Rating(milli(store)[store.ratings()[0].bot], 12)
