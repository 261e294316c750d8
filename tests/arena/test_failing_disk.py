"""A disk that takes no more: nothing acknowledged is lost, the other matches end, and the next start goes on."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing

from arena.director import Director
from arena.errors import ArenaError, BadDataFolder, JournalBroken
from arena.replay import Journal, read_replay
from arena.v1 import play_pb2
from engine.states import Termination
from memory_arena import MemoryArena, MemoryBot, memory_arena, same_choice
from restarting import RULES, actions, go_on, journal_of, pair, play_with, replay_of


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """What the arena logs of its own faults is none of these tests' business."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def full(path: Path) -> JournalBroken:
    """What a full disk says."""
    return JournalBroken(path, "no space left on device")


def fill(director: Director) -> None:
    """Let the log of a match take no more."""

    def refuse(*_: object) -> None:
        raise full(director.journal.path)

    director.journal._write = refuse  # type: ignore[method-assign] # a full disk


async def until_quiet(arena: MemoryArena, *bots: MemoryBot) -> None:
    """Let the bots play until the arena has nothing left to do."""
    for bot in bots:
        arena.nursery.start_soon(bot.play, arena.lobby)
    await arena.lobby.quiet.wait()


async def test_a_match_whose_log_is_full_goes_on_at_the_next_start(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """The action that did not fit is acknowledged to nobody; the arena stops, says why, and plays on later."""
    whole = await play_with(tmp_path / "whole", lambda *_: None)
    bots = pair()
    answer = bots[0].choose

    def choose(decision: play_pb2.Decision) -> play_pb2.Choose | None:
        if decision.decision_id >= 50:
            for director in arena.lobby.directors.values():
                fill(director)
        return answer(decision)

    bots[0].choose = choose
    async with memory_arena(tmp_path / "full", matches=3, **RULES) as arena:
        await until_quiet(arena, *bots)
        assert str(arena.lobby.fault) == str(full(journal_of(tmp_path / "full")))
        assert arena.results() == []
        assert [event for bot in bots for event in bot.of("match_ended")] == []
        assert arena.ended == []
    logged = read_replay(journal_of(tmp_path / "full").read_bytes())
    assert logged.ended is None
    told = max(event.decision.decision_id for bot in bots for event in bot.of("decision"))
    assert len(actions(logged)) == told
    (result,) = await go_on(tmp_path / "full")
    assert actions(replay_of(tmp_path / "full", result)) == actions(replay_of(tmp_path / "whole", whole))
    assert (result.number, result.attempt) == (1, 0)


async def test_a_last_action_that_cannot_be_logged_does_not_hang_the_match(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """A resignation for which there is no room stops the arena as any entry does; the next start goes on with it."""
    bots = pair()

    def choose(decision: play_pb2.Decision) -> play_pb2.Choose | None:
        del decision
        for director in arena.lobby.directors.values():
            fill(director)
        bots[0].call.say(resign=play_pb2.Resign(match_id=bots[0].of("match_offered")[0].match_offered.match_id))
        return None

    bots[0].choose = choose
    async with memory_arena(tmp_path, **RULES) as arena:
        began = trio.current_time()
        await until_quiet(arena, *bots)
        assert trio.current_time() - began < 1
        assert isinstance(arena.lobby.fault, JournalBroken)
    (result,) = await go_on(tmp_path)
    assert result.termination is Termination.DEAL_LIMIT


async def test_a_log_with_room_again_is_not_ended_without_what_did_not_fit(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """When the disk refuses one write and would take the next, the match is not void: the next start goes on."""
    bots = pair()
    answer = bots[0].choose

    def choose(decision: play_pb2.Decision) -> play_pb2.Choose | None:
        if decision.decision_id >= 50:
            for director in arena.lobby.directors.values():
                fill_once(director)
        return answer(decision)

    bots[0].choose = choose
    async with memory_arena(tmp_path, **RULES) as arena:
        await until_quiet(arena, *bots)
    assert read_replay(journal_of(tmp_path).read_bytes()).ended is None
    (result,) = await go_on(tmp_path)
    assert (result.attempt, result.termination) == (0, Termination.DEAL_LIMIT)


def fill_once(director: Director) -> None:
    """Let the log of a match refuse one write."""
    write = director.journal._write

    def refuse(*_: object) -> None:
        director.journal._write = write  # type: ignore[method-assign] # room again
        raise full(director.journal.path)

    director.journal._write = refuse  # type: ignore[method-assign] # a full disk


async def test_a_log_that_cannot_be_synced_stops_its_match_alone(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """When the disk fails a sync, that match stays for the next start, a match beside it is played to its end."""
    async with memory_arena(tmp_path, matches=9, **RULES) as arena:
        for name in ("a", "b"):
            for lane in (0, 1):
                bot = MemoryBot(name, same_choice(name), think=0.02)
                arena.nursery.start_soon(lambda bot=bot, lane=lane: bot.play(arena.lobby, lane=lane))
        await trio.sleep(0.5)
        first, _ = arena.lobby.directors.values()

        def refuse() -> None:
            raise full(first.journal.path)

        first.journal.sync = refuse  # type: ignore[method-assign] # a disk that fails
        await arena.lobby.quiet.wait()
        assert str(arena.lobby.fault) == str(full(first.journal.path))
        (other,) = arena.results()
        assert other.match_id != first.header.match_id
        assert other.termination is Termination.DEAL_LIMIT
    assert journal_of(tmp_path) == first.journal.path


async def test_a_match_that_cannot_begin_stops_the_arena(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When there is no room for a new log nobody is offered anything, and the arena stops with the reason."""

    def create(path: Path, _header: Any) -> Journal:
        raise full(path)

    monkeypatch.setattr(Journal, "create", create)
    bots = pair()
    async with memory_arena(tmp_path, **RULES) as arena:
        await until_quiet(arena, *bots)
        assert isinstance(arena.lobby.fault, JournalBroken)
        assert bots[0].of("match_offered") == bots[1].of("match_offered") == []


async def test_a_result_that_cannot_be_stored_stays_in_its_log(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """When the database fails, the ended match stays for the next start, which records it as it was."""
    async with memory_arena(tmp_path, matches=2, **RULES) as arena:

        def refuse(*_: object) -> None:
            raise BadDataFolder(tmp_path, "its database does not work: disk I/O error")

        arena.store.close_match = refuse  # type: ignore[assignment] # a disk that fails
        await until_quiet(arena, *pair())
        assert isinstance(arena.lobby.fault, ArenaError)
    logged = read_replay(journal_of(tmp_path).read_bytes())
    assert logged.ended is not None
    results = await go_on(tmp_path, matches=2)
    assert [result.number for result in results] == [1, 2]
    assert results[0].log_hash == logged.head
