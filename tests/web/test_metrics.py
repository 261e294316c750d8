"""What the metrics say is what happened."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
import trio.testing
from prometheus_client.parser import text_string_to_metric_families

from arena.lag import PERIOD
from arena.replay import read_replay
from arena.v1 import play_pb2
from arena.web import Metrics
from engine.effect import Rejection
from engine.states import Termination
from memory_arena import MemoryArena, MemoryBot, memory_arena, same_choice
from restarting import pair
from talking import Talk

TRANSPORT: Any = SimpleNamespace(running=0, connections=0)


def values(arena: MemoryArena) -> dict[str, float]:
    """Every sample by its name with its labels."""
    text = Metrics(arena.lobby, TRANSPORT).text().decode()
    return {
        sample.name + "".join(f" {key}={value}" for key, value in sample.labels.items()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def test_counts_are_those_of_the_log(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    """Matches by termination, decisions, writes and rejections add up to what the stored replays hold."""
    bots = pair()
    answer = bots[0].choose

    def choose(decision: play_pb2.Decision) -> play_pb2.Choose | None:
        if decision.decision_id in {40, 41}:
            bots[0].call.say(choose=play_pb2.Choose(decision_id=decision.decision_id, index=999))
            bots[0].call.say(choose=play_pb2.Choose(decision_id=2, index=0))
        return answer(decision)

    bots[0].choose = choose
    async with memory_arena(tmp_path, max_deals=1, target=10_000) as arena:
        before = values(arena)
        (result,) = await arena.play(*bots)
        await trio.sleep(10 * PERIOD)
        after = values(arena)
        frames = read_replay(arena.store.replay(result)).frames
    taken = sum(frame.HasField("action") and not frame.action.auto for frame in frames)
    struck = sum(frame.HasField("rejected") for frame in frames)
    assert before["arena_decisions_total"] == 0
    assert after["arena_decisions_total"] == taken > 20
    assert struck
    refused = {reason: after[f"arena_rejections_total reason={reason.value}"] for reason in Rejection}
    assert sum(count for reason, count in refused.items() if reason.strike) == struck
    assert sum(count for reason, count in refused.items() if not reason.strike) == struck
    ended = {name: after[f"arena_matches_total termination={name}"] for name in Termination}
    assert {name for name, count in ended.items() if count} == {result.termination}
    assert after["arena_journal_write_seconds_count"] > taken
    assert after["arena_decision_latency_seconds_count"] == taken + 2 * struck
    assert after["arena_decision_latency_seconds_bucket le=+Inf"] == taken + 2 * struck
    assert after["arena_loop_lag_seconds_count"] >= 9


async def test_gauges_follow_who_is_there(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    """Streams, bots, lanes that wait, running matches, and whether the arena is about to stop."""
    names = ("sessions", "bots", "lanes_waiting", "matches_running", "draining")
    async with memory_arena(tmp_path, max_deals=1) as arena:

        def gauges() -> list[float]:
            found = values(arena)
            return [found[f"arena_{name}"] for name in names]

        assert gauges() == [0, 0, 0, 0, 0]
        talks = [Talk(arena), Talk(arena)]
        for lane, talk in enumerate(talks):
            await talk.greet("a", lane=lane)
        await trio.testing.wait_all_tasks_blocked()
        assert gauges() == [2, 1, 2, 0, 0]
        arena.nursery.start_soon(MemoryBot("b", same_choice("b")).play, arena.lobby)
        await trio.testing.wait_all_tasks_blocked()
        assert gauges() == [3, 2, 1, 1, 0]
        arena.lobby.drain()
        assert gauges() == [3, 2, 1, 1, 1]


@pytest.mark.parametrize("labels", [[("rejections", "reason", Rejection)], [("matches", "termination", Termination)]])
async def test_every_label_is_there_from_the_start(tmp_path: Path, labels: Any) -> None:
    """A count that has not happened yet is zero, not absent, so that an alarm can be set on it."""
    async with memory_arena(tmp_path) as arena:
        found = values(arena)
    for family, label, kinds in labels:
        assert {kind.value for kind in kinds} == {
            name.partition("=")[2] for name in found if name.startswith(f"arena_{family}_total {label}=")
        }


async def test_however_many_ask_the_text_is_made_once_a_second(tmp_path: Path) -> None:
    """Whoever asks again at once gets the same bytes, so that asking often costs the bots nothing."""
    async with memory_arena(tmp_path) as arena:
        metrics = Metrics(arena.lobby, TRANSPORT)
        first = metrics.text()
        arena.lobby.tally.decisions += 1
        assert metrics.text() is first
        metrics._made_at -= 1
        assert metrics.text() != first
