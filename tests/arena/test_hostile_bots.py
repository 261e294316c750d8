"""Bots that say what they should not: nobody else notices, and every match ends with a log that is proved."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing

from arena.replay import read_replay, verify
from arena.store import Result
from arena.transport import Status
from arena.v1 import play_pb2
from engine.clock import SECOND, TimeControl
from engine.states import Termination
from memory_arena import MemoryArena, MemoryBot, memory_arena, same_choice
from restarting import pair
from talking import Talk

RULES: Any = {"max_deals": 1, "target": 10_000}


async def play_against(folder: Path, deed: Callable[[MemoryBot, play_pb2.Decision], None], at: int) -> Result:
    """A match in which bot a does `deed` once, when it is asked for decision `at` or a later one, and then answers."""
    bots = pair()
    answer, done = bots[0].choose, list[int]()

    def choose(decision: play_pb2.Decision) -> play_pb2.Choose | None:
        if decision.decision_id >= at and not done:
            done.append(decision.decision_id)
            deed(bots[0], decision)
        return answer(decision)

    bots[0].choose = choose
    async with memory_arena(folder, **RULES) as arena:
        (result,) = await arena.play(*bots)
        prove(arena, result)
    assert done
    return result


def prove(arena: MemoryArena, result: Result) -> None:
    """The stored log is proved."""
    assert not verify(read_replay(arena.store.replay(result)), known_hash=result.log_hash).failures


def choose_far_away(bot: MemoryBot, _: play_pb2.Decision) -> None:
    """Answer a decision that will never be."""
    bot.call.say(choose=play_pb2.Choose(decision_id=2**64 - 1, index=2**32 - 1))


def ready_again(bot: MemoryBot, _: play_pb2.Decision) -> None:
    """Accept the running match once more, and another one."""
    for match_id in (bot.of("match_offered")[0].match_offered.match_id, "another"):
        bot.call.say(ready=play_pb2.Ready(match_id=match_id, nonce=b"\xff" * 32))


def resign_elsewhere(bot: MemoryBot, _: play_pb2.Decision) -> None:
    """Give up a match that is not the one."""
    bot.call.say(resign=play_pb2.Resign(match_id="another"))


def answer_the_past(bot: MemoryBot, decision: play_pb2.Decision) -> None:
    """Answer all decisions of the past, up to the limit."""
    for back in range(1, 9):
        bot.call.say(choose=play_pb2.Choose(decision_id=decision.decision_id - back, index=0))


@pytest.mark.parametrize("deed", [choose_far_away, ready_again, resign_elsewhere, answer_the_past])
async def test_what_means_nothing_changes_nothing(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, deed: Callable[[MemoryBot, play_pb2.Decision], None]
) -> None:
    """Answers to other decisions, a second Ready and a resignation from another match leave the match as it was."""
    plain = await play_against(tmp_path / "plain", lambda *_: None, at=20)
    result = await play_against(tmp_path / "hostile", deed, at=20)
    assert (result.termination, result.totals, result.winner) == (plain.termination, plain.totals, plain.winner)


@pytest.mark.parametrize("note", ["x" * 60_000, "é" * 30_000, "😀" * 300, "a\0b\nc\x1b[31m", "x" * 511 + "é"])
async def test_a_long_note_is_cut_to_whole_characters(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, note: str
) -> None:
    """Of a note the first 512 bytes are logged, never a part of a character, and the log is proved."""
    bots = pair()
    answer = bots[0].choose

    def choose(decision: play_pb2.Decision) -> play_pb2.Choose | None:
        chosen = answer(decision)
        if chosen is not None:
            chosen.note = note
        return chosen

    bots[0].choose = choose
    async with memory_arena(tmp_path, **RULES) as arena:
        (result,) = await arena.play(*bots)
        prove(arena, result)
        replay = read_replay(arena.store.replay(result))
    kept = {frame.action.note for frame in replay.frames if frame.action.note}
    (text,) = kept
    assert note.startswith(text)
    assert 512 - 4 < len(text.encode()) <= 512 or text == note


@pytest.mark.parametrize(
    "data",
    [
        b"\xff",
        b"\x1a\x05hello",
        bytes(1000),
        play_pb2.PlayRequest(choose=play_pb2.Choose(note="abc")).SerializeToString().replace(b"abc", b"\xff\xfe\xfd"),
        play_pb2.PlayRequest(resign=play_pb2.Resign(match_id="abc")).SerializeToString().replace(b"abc", b"\xc3\x28x"),
    ],
)
async def test_bytes_that_are_no_message_end_their_stream_alone(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, data: bytes
) -> None:
    """P40: broken protobuf and text that is no UTF-8 end their stream in words; the match waits for the bot."""
    async with memory_arena(tmp_path, **RULES) as arena:
        talk = Talk(arena)
        await talk.greet("a")
        other = MemoryBot("b", same_choice("b"))
        arena.nursery.start_soon(other.play, arena.lobby)
        await talk.begin()
        await trio.sleep(1)
        talk.call.say_bytes(data)
        code, text = await talk.status()
        assert code is Status.INVALID_ARGUMENT
        assert text == f"{len(data)} bytes that are no arena.v1.PlayRequest"
        (result,) = await arena.play(MemoryBot("a", same_choice("a")))
        prove(arena, result)
    assert result.termination is Termination.DEAL_LIMIT


async def test_a_bot_can_give_up_before_the_start(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    """Resign instead of Ready is an offer not taken: void, no result for anybody, and the log is proved."""
    async with memory_arena(tmp_path, **RULES) as arena:
        talk, other = Talk(arena), MemoryBot("b", same_choice("b"))
        await talk.greet("a")
        arena.nursery.start_soon(other.play, arena.lobby)
        offer = (await talk.next("match_offered")).match_offered
        talk.call.say(resign=play_pb2.Resign(match_id=offer.match_id))
        ended = (await talk.next("match_ended")).match_ended
        (result,) = arena.results()
        prove(arena, result)
    assert (result.termination, result.at_fault, result.deals) == (Termination.VOID_NOT_READY, offer.seat, 0)
    assert ended.text


async def test_answers_before_the_start_are_strays(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    """An answer to a match that is only offered is refused without a strike; the ninth ends the stream alone."""
    async with memory_arena(tmp_path, **RULES) as arena:
        talk, other = Talk(arena), MemoryBot("b", same_choice("b"))
        await talk.greet("a")
        arena.nursery.start_soon(other.play, arena.lobby)
        offer = (await talk.next("match_offered")).match_offered
        for _ in range(9):
            talk.call.say(choose=play_pb2.Choose(index=0))
        *refused, goodbye = await talk.rest()
        assert [event.rejected.reason for event in refused] == [play_pb2.REJECTION_REASON_NOT_YOUR_TURN] * 8
        assert {event.rejected.strikes_left for event in refused} == {3}
        assert goodbye.goodbye.reason == play_pb2.GOODBYE_REASON_PROTOCOL
        (result,) = await arena.play(MemoryBot("a", same_choice("a")))
    assert (result.match_id, result.termination) == (offer.match_id, Termination.DEAL_LIMIT)


async def hang_up_when_offered(arena: MemoryArena, talk: Talk) -> None:
    """Break the stream with the offer open."""
    await talk.next("match_offered")
    talk.call.hang_up()
    del arena


async def hang_up_when_ready(arena: MemoryArena, talk: Talk) -> None:
    """Break the stream as soon as the match is accepted."""
    await talk.begin()
    await trio.testing.wait_all_tasks_blocked()
    assert arena.lobby.directors
    talk.call.hang_up()


async def close_in_mid_match(arena: MemoryArena, talk: Talk) -> None:
    """Say no more in the middle of the match, as a client does that closes its side."""
    await talk.begin()
    await talk.next("decision")
    talk.call._to_arena.close()
    del arena


@pytest.mark.parametrize("leave", [hang_up_when_offered, hang_up_when_ready, close_in_mid_match])
@pytest.mark.parametrize("returns", [True, False])
async def test_hanging_up_in_any_state_ends_as_the_rules_say(
    tmp_path: Path,
    autojump_clock: trio.testing.MockClock,
    leave: Callable[[MemoryArena, Talk], Any],
    returns: bool,  # noqa: FBT001 # a parameter
) -> None:
    """Who comes back plays the match; who does not is not ready, or away for too long; the other is never at fault."""
    long = TimeControl(1000 * SECOND, 0, 0)
    async with memory_arena(tmp_path, control=long, **RULES) as arena:
        talk, other = Talk(arena), MemoryBot("b", same_choice("b"))
        await talk.greet("a")
        arena.nursery.start_soon(other.play, arena.lobby)
        await leave(arena, talk)
        await trio.sleep(1)
        if returns:
            arena.nursery.start_soon(MemoryBot("a", same_choice("a")).play, arena.lobby)
        await trio.sleep(74)
        result = arena.results()[0]
        prove(arena, result)
    if returns:
        assert result.termination is Termination.DEAL_LIMIT
    else:
        never_ready = leave is hang_up_when_offered
        assert result.termination is (Termination.VOID_NOT_READY if never_ready else Termination.DISCONNECT)
        assert result.bots[result.at_fault or 0] == "a"


async def test_a_drip_of_refused_answers_gains_no_time(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    """Strikes and strays leave the clock running: the question is lost at the cap, however much is said meanwhile."""
    bots = pair()
    said: list[float] = []

    def choose(decision: play_pb2.Decision) -> play_pb2.Choose | None:
        said.append(trio.current_time())

        async def drip() -> None:
            for number in range(7):
                await trio.sleep(1)
                wrong = decision.decision_id if number in (1, 3, 5) else 2**40
                bots[0].call.say(choose=play_pb2.Choose(decision_id=wrong, index=2**20))

        arena.nursery.start_soon(drip)
        return None

    bots[0].choose = choose
    async with memory_arena(tmp_path, **RULES) as arena:
        (result,) = await arena.play(*bots)
        assert trio.current_time() - said[0] == pytest.approx(10, abs=0.001)
        prove(arena, result)
    assert result.termination is Termination.TIMEOUT
    clocks = [event.rejected.clock.decision_ms for event in bots[0].of("rejected")]
    assert clocks == [9000, 8000, 7000, 6000, 5000, 4000, 3000]
