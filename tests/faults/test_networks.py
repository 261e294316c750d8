"""What networks do to connections: slow ones, dead ones, resets at any moment. Real sockets, real bots, one proxy."""

from __future__ import annotations

import logging
from pathlib import Path
from random import Random

import pytest
import trio

from arena.config import Limits
from arena.replay import Replay
from engine.clock import SECOND, TimeControl
from engine.states import Termination
from faults.networked import networked, quick_pings_of_arena, quick_pings_of_bots, slowly, until

PLAYED_OUT = {Termination.SCORE, Termination.DEAL_LIMIT}


def count(replay: Replay, kind: str) -> int:
    """How many entries of a kind a log has."""
    return sum(entry.kind == kind for entry in replay.entries)


def seat_of(replay: Replay, name: str) -> int:
    """Where a bot sat."""
    return [seat.bot for seat in replay.header.seats].index(name)


async def test_a_long_way_costs_time_and_no_match(tmp_path: Path, *, soak: bool) -> None:
    """P21: over a link of 200 ms (40 ms in short) a deal of 26 tricks without increments is played out, in its bank.

    Each decision costs the way there and back, which is the bot's, and little else.
    """
    way = 0.2 if soak else 0.04
    async with networked(tmp_path, delay=way / 2, control=TimeControl(60 * SECOND, 0, 0)) as network:
        network.join("a")
        network.join("b")
        ((result, replay),) = await network.finished()
    assert result.termination in PLAYED_OUT
    far = seat_of(replay, "a")
    actions = [frame.action for frame in replay.frames if frame.action.HasField("bill")]
    bills = [[action.bill for action in actions if action.seat == seat] for seat in (0, 1)]
    assert len(actions) > 52
    assert min(bill.elapsed_us for bill in bills[far]) >= way * SECOND
    assert sum(bill.charged_us for bill in bills[far]) > sum(bill.charged_us for bill in bills[1 - far])


async def test_a_reset_in_the_midst_of_a_message_ends_no_match(tmp_path: Path) -> None:
    """P37: connections are reset after any number of bytes, so in mid-message; the bot is back at once and plays on."""
    dice = Random(1)
    async with networked(tmp_path) as network:
        network.proxy.resets = [dice.randrange(100, 3000) for _ in range(8)]
        network.join("a")
        network.join("b")
        ((result, replay),) = await network.finished()
    assert result.termination in PLAYED_OUT
    assert network.proxy.resets == []
    assert network.proxy.seen == 9
    assert count(replay, "back") == count(replay, "lost") > 3


async def test_one_reset_at_any_moment_ends_no_match(tmp_path: Path, *, soak: bool) -> None:
    """P37: one reset at a random moment, a return within the grace: the match goes on, and nobody loses by it."""
    dice = Random(2)
    for number in range(100 if soak else 5):
        async with networked(tmp_path / str(number)) as network:
            network.join("a")
            network.join("b")
            await network.asked(dice.randrange(60))
            network.proxy.reset()
            ((result, replay),) = await network.finished()
        assert result.termination in PLAYED_OUT
        assert count(replay, "lost") <= 1


async def test_a_flapping_connection_is_one_session(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """P07: twenty resets in a row: never more than one stream of the bot is alive, and few lines are written of it."""
    caplog.set_level(logging.INFO)
    most = 0
    async with networked(tmp_path, max_deals=10) as network:
        network.join("a", slowly)
        network.join("b")
        await network.asked(0)
        for number in range(1, 21):
            await until(lambda: network.proxy.seen >= number and network.proxy.connections)  # noqa: B023 # now
            await trio.sleep(0.05)
            most = max(most, sum(lane.bot == "a" for lane in network.arena.lobby.lanes.values()))
            network.proxy.reset()
        network.arena.lobby.drain()
        ((result, replay),) = await network.finished()
    assert result.termination in PLAYED_OUT
    assert most == 1
    assert 10 <= count(replay, "lost") <= 21
    lines = [record for record in caplog.records if record.name.startswith("arena")]
    assert len(lines) <= 2 * (network.proxy.seen + 1) + 2  # one as it comes and one as it leaves, and the match's two


async def test_a_link_that_stalls_and_goes_on_loses_nothing(tmp_path: Path) -> None:
    """Nothing passes for a while, nobody is told, then all that was held passes: the same stream plays on."""
    async with networked(tmp_path) as network:
        network.join("a")
        network.join("b")
        await network.asked(20)
        network.proxy.hold()
        await trio.sleep(0.5)
        network.proxy.release()
        ((result, replay),) = await network.finished()
    assert result.termination in PLAYED_OUT
    assert (network.proxy.seen, count(replay, "lost")) == (1, 0)


async def test_a_slow_reader_plays_on(tmp_path: Path) -> None:
    """A bot whose link brings it a trickle has its messages late, and every one of them, on the stream that it has."""
    async with networked(tmp_path) as network:
        network.proxy.rate = 40_000
        network.join("a")
        network.join("b")
        ((result, replay),) = await network.finished()
    assert result.termination in PLAYED_OUT
    assert (network.proxy.seen, count(replay, "lost")) == (1, 0)
    charged = [0, 0]
    for frame in replay.frames:
        charged[frame.action.seat] += frame.action.bill.charged_us
    assert charged[seat_of(replay, "a")] > charged[seat_of(replay, "b")]


async def test_a_dead_bot_is_found_by_its_silence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot behind a link that swallows everything is away as soon as it answers no ping, and loses by staying away."""
    quick_pings_of_arena(monkeypatch)
    limits = Limits(away_seconds=1)
    async with networked(tmp_path, limits=limits, control=TimeControl(1000 * SECOND, 0, 0)) as network:
        network.join("a", slowly)
        network.join("b", slowly)
        await network.asked(10)
        network.proxy.accepts = False
        network.proxy.hold()
        ((result, replay),) = await network.finished()
    assert (result.termination, result.at_fault) == (Termination.DISCONNECT, seat_of(replay, "a"))
    assert count(replay, "lost") == 1


async def test_a_bot_finds_that_its_link_is_dead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """P37: on a link that swallows everything a bot does not wait for ever: it dials again, and its match goes on.

    To the arena the old stream still looks alive; the new one takes its place.
    """
    quick_pings_of_bots(monkeypatch)
    async with networked(tmp_path, control=TimeControl(1000 * SECOND, 0, 0)) as network:
        network.join("a", slowly)
        network.join("b", slowly)
        await network.asked(10)
        network.proxy.hold()
        ((result, replay),) = await network.finished()
    assert result.termination in PLAYED_OUT
    assert network.proxy.seen == 2
    assert count(replay, "lost") == count(replay, "back") == 1


async def test_a_host_that_never_lets_go_holds_up_nobody(tmp_path: Path) -> None:
    """P10: a bot that neither reads nor closes its stream after the last match does not keep the arena from its end."""
    async with networked(tmp_path) as network:
        network.join("a", slowly)
        network.join("b")
        await network.asked(10)
        network.arena.lobby.on_ended.append(lambda *_: network.proxy.hold())
        ((result, _),) = await network.finished()
        assert result.termination in PLAYED_OUT
        assert network.proxy.connections
