"""An arena that was killed at any moment goes on where it was."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import trio
import trio.testing

from arena.replay import verify
from arena.store import Result
from arena.v1 import match_pb2
from engine.clock import SECOND, TimeControl
from engine.states import Termination
from memory_arena import MemoryArena, memory_arena
from restarting import RULES, actions, ends_of, go_on, journal_of, pair, play_with, replay_of, running_frames


@pytest.mark.parametrize("seed", [1, None])
async def test_a_match_goes_on_from_every_moment(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, seed: int | None, *, soak: bool
) -> None:
    """Killed at any decision, the arena goes on with the same match, decks and actions, and it is recorded once."""
    moments: list[int] = []

    def snapshot(arena: MemoryArena, decision_id: int) -> None:
        if soak or decision_id % 9 == (0 if seed is None else 4):
            moments.append(decision_id)
            arena.snapshot(tmp_path / str(decision_id))

    whole = await play_with(tmp_path / "whole", snapshot, seed=seed)
    assert len(moments) > 5
    done = actions(replay_of(tmp_path / "whole", whole))
    for moment in moments:
        (result,) = await go_on(tmp_path / str(moment), seed=seed)
        again = replay_of(tmp_path / str(moment), result)
        assert (result.match_id, result.number, result.attempt) == (whole.match_id, 1, 0)
        assert actions(again) == done
        assert (result.termination, result.totals, result.winner) == (whole.termination, whole.totals, whole.winner)
        assert sum(frame.HasField("restarted") for frame in again.frames) == 1


async def test_a_log_that_a_power_cut_cut_short_goes_on_from_its_end(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """Cut behind a frame of any kind or inside it, the log is good: the match goes on and comes to the same end."""

    def snapshot(arena: MemoryArena, decision_id: int) -> None:
        if decision_id == deep and not (tmp_path / "deep").exists():
            arena.snapshot(tmp_path / "deep")

    deep = 130
    whole = await play_with(tmp_path / "whole", snapshot)
    done = actions(replay_of(tmp_path / "whole", whole))
    data = journal_of(tmp_path / "deep").read_bytes()
    last = dict(ends_of(data))
    assert set(last) == {"header", "ready", "started", "asked", "action", "deal"}
    for kind, end in last.items():
        for cut in (0, 3):
            folder = tmp_path / f"{kind}-{cut}"
            shutil.copytree(tmp_path / "deep", folder)
            journal_of(folder).write_bytes(data[: end - cut])
            (result,) = await go_on(folder)
            assert (result.number, result.attempt, result.termination) == (1, 0, Termination.DEAL_LIMIT)
            assert actions(replay_of(folder, result)) == done, (kind, cut)
            assert result.match_id == whole.match_id


async def test_an_offer_that_was_not_taken_up_yet_still_stands(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """Killed before the start, a match is begun when its bots are back: the same match, on the same decks."""
    bots = pair()
    bots[0].ready_after = 5
    async with memory_arena(tmp_path / "first", **RULES) as arena:
        for bot in bots:
            arena.nursery.start_soon(bot.play, arena.lobby)
        await trio.sleep(1)
        arena.snapshot(tmp_path / "killed")
    (offered,) = bots[0].of("match_offered")
    (played,) = await go_on(tmp_path / "killed")
    assert (played.termination, played.number, played.attempt) == (Termination.DEAL_LIMIT, 1, 0)
    assert played.match_id == offered.match_offered.match_id


async def test_no_clock_runs_while_the_arena_is_away(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    """Neither the outage nor the time until a seat is back is charged: the bank is what it was, the cap runs anew."""
    control = TimeControl(30 * SECOND, 0, 8 * SECOND)

    def snapshot(arena: MemoryArena, decision_id: int) -> None:
        if decision_id >= 60 and not (tmp_path / "killed").exists():
            arena.snapshot(tmp_path / "killed")

    bots = pair()
    for bot in bots:
        bot.think = 0.25
    await play_with(tmp_path / "first", snapshot, *bots, control=control)
    asked = [frame.asked for frame in running_frames(tmp_path / "killed") if frame.HasField("asked")][-1]
    again = pair()
    async with memory_arena(tmp_path / "killed", control=control, **RULES) as arena:
        header = next(iter(arena.lobby.directors.values())).header
        late = next(bot for bot in again if bot.name == header.seats[asked.seat].bot)
        other = next(bot for bot in again if bot is not late)
        arena.nursery.start_soon(other.play, arena.lobby)
        await trio.sleep(40)
        late.choose = lambda _decision: None
        began = trio.current_time()
        arena.nursery.start_soon(late.play, arena.lobby)
        await arena.lobby.quiet.wait()
        (decision,) = [event.decision for event in late.of("decision")]
        assert decision.decision_id == asked.decision_id
        assert decision.clock.bank_ms == asked.bank_us // 1000
        assert decision.clock.decision_ms == min(8000, asked.bank_us // 1000)
        assert trio.current_time() - began == pytest.approx(decision.clock.decision_ms / 1000, abs=0.01)
        (result,) = arena.results()
    assert (result.termination, result.at_fault) == (Termination.TIMEOUT, asked.seat)


async def test_who_stays_away_after_a_restart_loses_nothing(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """Sixty seconds after a restart a match whose bots are not all back is void, and the others are told."""

    def snapshot(arena: MemoryArena, decision_id: int) -> None:
        if decision_id >= 50 and not (tmp_path / "killed").exists():
            arena.snapshot(tmp_path / "killed")

    await play_with(tmp_path / "first", snapshot)
    async with memory_arena(tmp_path / "killed", **RULES) as arena:
        (bot, _) = pair()
        arena.nursery.start_soon(bot.play, arena.lobby)
        await trio.sleep(59)
        assert not arena.results()
        await trio.sleep(2)
        assert arena.results()[0].termination is Termination.VOID_ARENA
        assert bot.of("match_ended")[0].match_ended.outcomes == [match_pb2.OUTCOME_VOID] * 2


async def test_an_arena_that_was_stopped_at_once_goes_on(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """Stopped in good order, with all streams ended by the arena, a match goes on as after a kill, again and again."""
    results: list[Result] = []
    for seconds in (3.3, 4.1, 1000):
        bots = pair()
        async with memory_arena(tmp_path, **RULES) as arena:
            assert bool(arena.notes) == (seconds != 3.3)
            for bot in bots:
                bot.think = 0.1
                arena.nursery.start_soon(bot.play, arena.lobby)
            with trio.move_on_after(seconds):
                await arena.lobby.quiet.wait()
            results = arena.results()
        assert bool(results) == (seconds == 1000)
    (result,) = results
    replay = replay_of(tmp_path, result)
    assert (result.number, result.attempt, result.termination) == (1, 0, Termination.DEAL_LIMIT)
    assert sum(frame.HasField("restarted") for frame in replay.frames) == 2
    assert not verify(replay, known_hash=result.log_hash).failures
