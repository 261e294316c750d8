"""P66: what the first arenas wrote still opens: a data folder of version 1, its replay, its running match."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import trio.testing

from arena.replay import export_jsonl, read_replay, story, verify
from arena.store import Store, schema
from memory_arena import memory_arena
from restarting import RULES, journal_of, pair

KEPT = Path(__file__).parents[1] / "vectors" / "folder-1"
"""A data folder as an arena of database version 1 and replay schema 1 left it, with its database as SQL."""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """That folder, to be used."""
    data = tmp_path / "data"
    shutil.copytree(KEPT / "running", data / "running")
    with closing(sqlite3.connect(data / "arena.db")) as connection:
        connection.executescript((KEPT / "arena.sql").read_text(encoding="utf-8"))
    return data


@pytest.mark.parametrize("hold", [True, False])
def test_an_old_folder_opens(old: Path, *, hold: bool) -> None:
    """Its database is brought up to date, a copy stays, and its result, replay and ratings are as they were."""
    with Store.open(old, hold=hold) as store:
        assert store.upgraded == old / "arena.db.v1"
        (result,) = store.matches()
        ratings = store.ratings()
        replay = read_replay(store.replay(result))
    assert verify(replay, known_hash=result.log_hash).ok
    assert list(story(replay, times=True, notes=True))
    assert '"schema":1' in next(iter(export_jsonl(replay)))
    with Store.open(old, hold=True) as store:
        assert store.upgraded is None
        store.rebuild_ratings()
        assert store.ratings() == ratings
    assert schema.VERSION > 1


async def test_an_old_running_match_goes_on(old: Path, autojump_clock: trio.testing.MockClock) -> None:
    """The match that was running is played to its end by the present arena, and the whole log is proved."""
    begun = read_replay(journal_of(old).read_bytes())
    async with memory_arena(old, matches=2, **{**RULES, "seed": None}) as arena:
        _, result = await arena.play(*pair())
        replay = read_replay(arena.store.replay(result))
    assert replay.frames[: len(begun.frames)] == begun.frames
    assert (result.match_id, result.termination.value) == (begun.header.match_id, "deal_limit")
    assert verify(replay, known_hash=result.log_hash).ok
