"""An arena that was killed around the end of a match, or whose logs are not what they were."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio
import trio.testing

from arena.errors import ArenaError
from arena.replay import read_replay
from arena.replay.frames import scan
from arena.v1 import play_pb2, replay_pb2
from engine.states import Termination
from memory_arena import MemoryBot, memory_arena
from recording import file_of
from restarting import RULES, Killed, cut_off, ends_of, go_on, journal_of, pair


@pytest.mark.parametrize("how", ["score", "resign", "not ready"])
@pytest.mark.parametrize("moment", ["logged", "recorded"])
async def test_an_end_is_recorded_once(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, how: str, moment: str
) -> None:
    """Killed between the end in the log, its record and the removal of the log, the arena records that end once."""
    bots = pair()
    if how == "resign":
        bots[0].choose = lambda decision: bots[0].call.say(resign=resign_from(bots[0], decision))
    if how == "not ready":
        bots[0].ready_after = 25
    async with memory_arena(tmp_path / "first", **RULES) as arena:
        Killed(arena, tmp_path)
        first = (await arena.play(*bots))[0]
    data = journal_of(tmp_path / moment).read_bytes()
    heard: list[str] = []
    async with memory_arena(tmp_path / moment, **RULES) as again:
        again.lobby.on_ended.append(lambda director, _finish: heard.append(director.header.match_id))
        assert again.notes == [
            f"match {first.match_id} had ended and is recorded" + (" now" if moment == "logged" else "")
        ]
        results = await again.play(*pair())
        changes = again.store.changes(results[0])
    assert (results[0].match_id, results[0].log_hash) == (first.match_id, first.log_hash)
    assert (results[0].termination, results[0].totals, results[0].at_fault) == (
        first.termination,
        first.totals,
        first.at_fault,
    )
    assert read_replay(data).head == first.log_hash
    assert [result.attempt for result in results] == ([0, 1] if how == "not ready" else [0])
    assert heard.count(first.match_id) == (moment == "logged")
    assert len(changes) == (0 if how == "not ready" else 2)
    assert not list((tmp_path / moment / "running").iterdir())


def resign_from(bot: MemoryBot, decision: play_pb2.Decision) -> play_pb2.Resign:
    """A resignation from the match that the bot was offered last."""
    assert decision.legal
    return play_pb2.Resign(match_id=bot.of("match_offered")[-1].match_offered.match_id)


async def test_who_comes_back_after_the_end_is_told_of_it(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """An end that was logged before the arena was killed is told to bots that say where they were and to others."""
    async with memory_arena(tmp_path / "first", **RULES) as arena:
        Killed(arena, tmp_path)
        (first,) = await arena.play(*pair())
    async with memory_arena(tmp_path / "logged", **RULES) as again:
        await again.lobby.quiet.wait()
        bots = pair()
        again.nursery.start_soon(bots[0].play, again.lobby)
        resume = play_pb2.Resume(match_id=first.match_id, seat=1, last_seq=5)
        again.nursery.start_soon(lambda: bots[1].play(again.lobby, resume=resume))
        await trio.sleep(1)
        for bot in bots:
            assert [event.match_ended.log_hash for event in bot.of("match_ended")] == [first.log_hash]
            bot.call.hang_up()
        again.nursery.start_soon((once_more := pair()[0]).play, again.lobby)
        await trio.sleep(1)
        assert once_more.of("match_ended") == []


async def test_a_fourth_refusal_without_the_end_behind_it_forfeits(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """A power cut that takes the end of the match off the log, behind the fourth refused answer, changes nothing."""
    bots = pair()
    bots[0].choose = lambda decision: play_pb2.Choose(decision_id=decision.decision_id)
    answer = bots[0].answer

    async def insist(event: play_pb2.Event) -> None:
        await answer(event)
        if event.HasField("rejected"):
            bots[0].call.say(choose=play_pb2.Choose(decision_id=event.rejected.decision_id))

    bots[0].answer = insist  # type: ignore[method-assign] # what this bot does differently
    async with memory_arena(tmp_path / "first", **RULES) as arena:
        Killed(arena, tmp_path)
        (first,) = await arena.play(*bots)
    assert first.termination is Termination.MALFORMED
    path = journal_of(tmp_path / "logged")
    data = path.read_bytes()
    *_, (before, end), _ = ends_of(data)
    assert before == "rejected"
    path.write_bytes(data[:end])
    (result,) = await go_on(tmp_path / "logged")
    assert (result.termination, result.at_fault) == (first.termination, first.at_fault)


async def complaint_of(folder: Path) -> str:
    """What an arena says that cannot start on the folder."""
    with pytest.RaisesGroup(ArenaError, flatten_subgroups=True) as caught:
        async with memory_arena(folder, **RULES):
            pass
    return str(caught.value.exceptions[0])


async def test_a_log_of_other_rules_is_refused_in_one_line(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """A running match of another version of its rules stops the start, with the file and what would be right."""
    path = await cut_off(tmp_path)
    header, *frames = (raw.body for raw in scan(path.read_bytes()))
    other = replay_pb2.ReplayHeader.FromString(header)
    other.rules_version = 7
    path.write_bytes(file_of([other.SerializeToString(), *frames]))
    assert await complaint_of(tmp_path) == (
        f"{path} is the log of a running match that this arena cannot go on with: header: it needs version 7 "
        "of the rules of draw-bridge: this arena plays version 1; "
        "start the version that wrote it, or move the file away"
    )


async def test_a_damaged_log_is_named(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    """Damage in the middle of a log stops the start, with the file, the place, and what to do; the file stays."""
    path = await cut_off(tmp_path)
    data = bytearray(path.read_bytes())
    data[-200] ^= 1
    path.write_bytes(data)
    line = await complaint_of(tmp_path)
    assert line.startswith(f"{path} is the log of a running match, and it is damaged: frame ")
    assert line.endswith("checksum does not fit; move the file away to start without it")
    assert path.read_bytes() == data


@pytest.mark.parametrize("left", [b"", b"ARENA", b"ARENARP1", b"ARENARP1\0\0", bytes(300)])
async def test_a_log_without_a_header_is_no_match(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, left: bytes
) -> None:
    """Killed while it made a log, the arena starts again: nobody was told of that match, and its number is played."""
    path = await cut_off(tmp_path)
    path.write_bytes(left)
    (result,) = await go_on(tmp_path)
    assert (result.number, result.attempt, result.termination) == (1, 0, Termination.DEAL_LIMIT)
