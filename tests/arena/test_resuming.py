"""Streams that break and come back: the lane keeps its match, and nothing is lost or told twice."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio
import trio.testing

from arena.config import Limits
from arena.replay import verify
from arena.transport import Status
from arena.v1 import play_pb2
from arena.wire import chunk
from engine.clock import SECOND, TimeControl
from engine.states import Termination
from memory_arena import MemoryArena, MemoryBot, memory_arena, same_choice
from restarting import RULES, actions, pair, replay_of
from returning import ReturningBot
from talking import Talk, kinds


async def test_a_newer_stream_takes_the_lane_and_its_match(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """The older stream is told REPLACED and ended; the newer one has the match, on the same seat, and finishes it."""
    old = MemoryBot("a", same_choice("a"))
    new = MemoryBot("a", same_choice("a"))
    answer = old.choose

    def give_way(decision: play_pb2.Decision) -> play_pb2.Choose | None:
        if decision.decision_id < 20:
            return answer(decision)
        arena.nursery.start_soon(new.play, arena.lobby)
        return None

    old.choose = give_way
    async with memory_arena(tmp_path, **RULES) as arena:
        arena.nursery.start_soon(old.play, arena.lobby)
        (result,) = await arena.play(MemoryBot("b", same_choice("b")))
        assert result.termination is Termination.DEAL_LIMIT
        assert old.call.status == (Status.OK, "a newer stream of a has taken lane 0")
        assert old.told[-1].goodbye.reason == play_pb2.GOODBYE_REASON_REPLACED
        (resumed,) = [event.resumed for event in new.of("resumed")]
        assert resumed.offer == old.of("match_offered")[0].match_offered
        assert new.of("match_ended")[0].match_ended.match_id == result.match_id


async def test_two_programs_on_one_lane_do_not_chase_each_other(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """P07: of twenty streams in five seconds one is alive, each of the others was ended once, and one lane waits."""
    async with memory_arena(tmp_path, **RULES) as arena:
        talks = []
        for _ in range(20):
            talks.append(Talk(arena))
            await talks[-1].greet("a")
            await trio.sleep(0.25)
        ended = [talk.call.status for talk in talks]
        assert ended == [(Status.OK, "a newer stream of a has taken lane 0")] * 19 + [None]
        assert list(arena.lobby.lanes) == [("a", 0)]
        (result,) = await arena.play(MemoryBot("a", same_choice("a")), MemoryBot("b", same_choice("b")))
        assert result.termination is Termination.DEAL_LIMIT


async def deep(arena: MemoryArena, decisions: int) -> tuple[Talk, Talk, play_pb2.Decision]:
    """A match in which that many decisions were answered: the seat that is asked, the other one, and the question."""
    talks = {name: Talk(arena) for name in ("a", "b")}
    for name, talk in talks.items():
        await talk.greet(name)
    offers = {name: (await talk.next("match_offered")).match_offered for name, talk in talks.items()}
    for name, talk in talks.items():
        talk.call.say(ready=play_pb2.Ready(match_id=offers[name].match_id, nonce=bytes(16)))
    (director,) = arena.lobby.directors.values()
    for _ in range(decisions):
        await trio.testing.wait_all_tasks_blocked()
        seat = director.table.turn
        assert seat is not None
        talks[offers["a"].names[seat]].call.say(choose=play_pb2.Choose(decision_id=director.table.decision_id, index=0))
    await trio.testing.wait_all_tasks_blocked()
    asked = talks.pop(offers["a"].names[director.table.turn or 0])
    (other,) = talks.values()
    heard = await asked.quiet(0)
    return asked, other, heard[-1].decision


async def test_from_nothing_the_deal_is_told_from_its_start(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """Without Resume a stream is told the offer, every event of the deal, and the question with the true clock."""
    async with memory_arena(tmp_path, **RULES) as arena:
        asked, _, decision = await deep(arena, 30)
        await trio.sleep(2.5)
        again = Talk(arena)
        await again.greet(arena_bot(arena))
        resumed, started, *told, question = await again.message()
    assert kinds([resumed, started, question]) == ["resumed", "match_started", "decision"]
    assert told[0].HasField("deal_started")
    seqs = [event.seq for event in told]
    assert seqs == list(range(seqs[0], resumed.resumed.last_seq + 1))
    assert not resumed.resumed.awaits_ready
    assert list(resumed.resumed.totals) == [0, 0]
    assert question.decision.decision_id == decision.decision_id
    assert (question.decision.view, question.decision.legal) == (decision.view, decision.legal)
    assert question.decision.clock.bank_ms == decision.clock.bank_ms - 2500
    assert question.decision.clock.decision_ms == decision.clock.decision_ms - 2500
    assert asked.call.status is not None


def arena_bot(arena: MemoryArena) -> str:
    """The bot that is asked in the one running match."""
    (director,) = arena.lobby.directors.values()
    assert director.table.turn is not None
    return director.lanes[director.table.turn].bot


@pytest.mark.parametrize("missed", [0, 1, 7])
async def test_with_the_last_seq_only_what_came_after_is_told(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, missed: int
) -> None:
    """A stream that says what it has seen is told the rest, and what it says of another match is worth nothing."""
    async with memory_arena(tmp_path, **RULES) as arena:
        asked, _, decision = await deep(arena, 30)
        name = arena_bot(arena)
        (match_id,), (director,) = list(arena.lobby.directors), list(arena.lobby.directors.values())
        last = director.table.seq
        again = Talk(arena)
        await again.greet(name, resume=play_pb2.Resume(match_id=match_id, last_seq=last - missed))
        resumed, started, *told, question = await again.message()
        assert started.match_started.match_id == match_id
        assert [event.seq for event in told] == list(range(last - missed + 1, last + 1))
        assert resumed.resumed.last_seq == last
        assert question.decision.decision_id == decision.decision_id
        elsewhere = Talk(arena)
        await elsewhere.greet(name, resume=play_pb2.Resume(match_id="another", last_seq=last))
        resumed, _, *told, question = await elsewhere.message()
        assert told[0].HasField("deal_started")
        assert asked.call.status is not None


async def test_who_knows_more_than_has_happened_is_told_all(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """A stream that has seen what a power cut took off the log is told the deal from its start: it may go otherwise."""
    async with memory_arena(tmp_path, **RULES) as arena:
        await deep(arena, 30)
        (match_id,), (director,) = list(arena.lobby.directors), list(arena.lobby.directors.values())
        again = Talk(arena)
        resume = play_pb2.Resume(match_id=match_id, last_seq=director.table.seq + 1)
        await again.greet(arena_bot(arena), resume=resume)
        _, _, *told, _ = await again.message()
    assert told[0].HasField("deal_started")
    assert [event.seq for event in told] == [seq for seq, _ in director.table.history]


async def test_what_was_missed_comes_in_messages_of_bounded_size(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """No message of a resumption is longer than the limit, the question among them, and none is empty."""
    limit = 300  # a little more than the longest single event here
    async with memory_arena(tmp_path, limits=Limits(resume_chunk_bytes=limit), **RULES) as arena:
        await deep(arena, 45)
        again = Talk(arena)
        await again.greet(arena_bot(arena))
        with trio.move_on_after(1):
            sizes, events = [], []
            async for data in again.call.responses:
                sizes.append(len(data))
                events += list(play_pb2.PlayResponse.FromString(data).events)
    assert len(sizes) > 3
    assert all(0 < size <= limit for size in sizes)
    assert kinds(events)[0] == "resumed"
    assert kinds(events)[-1] == "decision"
    assert kinds(events)[1:3] == ["match_started", "deal_started"]
    assert [event.seq for event in events[2:-1]] == list(range(events[2].seq, events[0].resumed.last_seq + 1))


async def test_nonces_are_told_to_one_who_broke_off_before_the_first_question(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """Whenever a stream broke, the bot gets all nonces with the next one: without them it could not prove its decks."""
    async with memory_arena(tmp_path, seed=None, **RULES) as arena:
        asked, _, _ = await deep(arena, 2)
        (director,) = arena.lobby.directors.values()
        again = Talk(arena)
        await again.greet(arena_bot(arena))
        _, started, *_ = await again.message()
    nonces = [place.nonce for place in director.table.seats]
    assert list(started.match_started.nonces) == nonces
    assert all(nonces)
    assert asked.call.status is not None


@pytest.mark.parametrize(("resumes", "away"), [(True, 0.0), (True, 0.3), (False, 0.3)])
async def test_leaving_at_every_decision_changes_nothing(
    tmp_path: Path,
    autojump_clock: trio.testing.MockClock,
    resumes: bool,  # noqa: FBT001 # a parameter
    away: float,
) -> None:
    """A bot that hangs up at every single question of a match and comes back plays the match it would have played."""
    async with memory_arena(tmp_path / "whole", **RULES) as arena:
        (whole,) = await arena.play(*pair())
    leaver = ReturningBot("a", same_choice("a"), lambda _decision: True, away, resumes)
    async with memory_arena(tmp_path / "broken", **RULES) as arena:
        arena.nursery.start_soon(leaver.play, arena.lobby)
        (result,) = await arena.play(MemoryBot("b", same_choice("b")))
        await trio.sleep(1)
    replay = replay_of(tmp_path / "broken", result)
    assert actions(replay) == actions(replay_of(tmp_path / "whole", whole))
    assert (result.termination, result.totals) == (whole.termination, whole.totals)
    assert not verify(replay, known_hash=result.log_hash).failures
    answered = {frame.action.decision_id for frame in replay.frames if frame.action.HasField("bill")}
    assert leaver.left_at < answered
    assert len(leaver.left_at) > 50
    assert len(leaver.of("match_ended")) == 1
    if resumes:
        seqs = [event.seq for event in leaver.told if event.seq]
        assert seqs == list(range(1, seqs[-1] + 1))  # no event twice, none left out


async def test_time_runs_while_the_one_who_is_asked_is_away(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """To hang up and to come back gives no new time: the bill of that decision holds the absence."""
    leaver = ReturningBot("a", same_choice("a"), lambda decision: decision.decision_id >= 30 and not leaver.left_at, 4)
    async with memory_arena(tmp_path, **RULES) as arena:
        arena.nursery.start_soon(leaver.play, arena.lobby)
        (result,) = await arena.play(MemoryBot("b", same_choice("b")))
    (at,) = leaver.left_at
    replay = replay_of(tmp_path, result)
    (bill,) = [f.action.bill for f in replay.frames if f.HasField("action") and f.action.decision_id == at]
    assert bill.charged_us == 4_000_000
    clocks = [event.decision.clock.decision_ms for event in leaver.of("decision") if event.decision.decision_id == at]
    assert clocks == [10_000, 6_000]


async def test_absences_add_up(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    """P37: many short absences are borne, until they are sixty seconds in all; then the match is lost by them."""
    leaver = ReturningBot("a", same_choice("a"), lambda _decision: True, 9.0)
    async with memory_arena(tmp_path, control=TimeControl(1000 * SECOND, 0, 0), **RULES) as arena:
        arena.nursery.start_soon(leaver.play, arena.lobby)
        (result,) = await arena.play(MemoryBot("b", same_choice("b")))
    assert result.termination is Termination.DISCONNECT
    assert result.bots[result.at_fault or 0] == "a"
    frames = replay_of(tmp_path, result).frames
    assert sum(frame.HasField("lost") for frame in frames) == 7  # six absences of nine seconds, and six seconds more
    began = next(frame.at_us for frame in frames if frame.HasField("started"))
    assert frames[-1].at_us - began == 60 * SECOND


async def test_a_lane_waits_until_its_newest_stream_has_heard_all(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """A stream that resumes is offered a match when it knows how the last one ended, whatever older streams asked."""
    async with memory_arena(tmp_path, **RULES) as arena:

        async def slowly(_bot: str, _resume: play_pb2.Resume) -> bytes:
            await trio.sleep(1)
            return chunk(play_pb2.Event(match_ended=play_pb2.MatchEnded(match_id="old")))

        arena.lobby.recall = slowly
        await Talk(arena).greet("b")
        older, newer = Talk(arena), Talk(arena)
        await older.greet("a", resume=play_pb2.Resume(match_id="old"))
        await trio.sleep(0.5)
        await newer.greet("a", resume=play_pb2.Resume(match_id="old"))
        await trio.sleep(0.7)
        assert not arena.lobby.directors
        assert kinds(await newer.quiet(0.5)) == ["match_ended", "match_offered"]
        assert kinds(await older.quiet(0)) == ["goodbye"]
