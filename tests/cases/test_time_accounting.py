"""Who is charged for what: bots that use exactly what they have, far ones, slow thinkers, and an arena that is late."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio
import trio.testing

from arena.replay import read_replay
from arena.transport import server_options
from arena.v1 import play_pb2
from engine.clock import SECOND, TimeControl
from engine.game import Game
from engine.games import registered
from engine.states import Termination
from faults.crowded import address, check, crowd, drain, names_for, serve
from faults.network import Link
from memory_arena import Choose, MemoryBot, memory_arena, same_choice

PLAYED_OUT = {Termination.SCORE, Termination.DEAL_LIMIT}


@pytest.mark.parametrize("used", [1.0, 0.999, 0.5])
async def test_bots_that_use_all_their_time_lose_no_match(
    tmp_path: Path,
    autojump_clock: trio.testing.MockClock,
    used: float,
    *,
    soak: bool,
) -> None:
    """P15, P18: in a thousand matches every answer takes all of a fixed time, or just less: not one is lost by it."""
    matches = 1000 if soak else 10
    control = TimeControl(3600 * SECOND, 0, SECOND // 4)
    bots = [MemoryBot(name, same_choice(name), think=used / 4, keep=False) for name in "ab"]
    async with memory_arena(tmp_path, matches=matches, control=control, max_deals=1) as arena:
        results = await arena.play(*bots)
        frames = read_replay(arena.store.replay(results[0])).frames
    assert len(results) == matches
    assert {result.termination for result in results} <= PLAYED_OUT
    charged = {frame.action.bill.charged_us for frame in frames if frame.action.HasField("bill")}
    assert charged <= {round(used * SECOND / 4) + rounding for rounding in (-1, 0, 1)}


async def test_a_little_more_than_all_the_time_is_a_loss(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """P18: there is no tolerance: ten microseconds over a fixed time lose the match, at the first decision."""
    bots = MemoryBot("a", same_choice("a"), think=0.25001), MemoryBot("b", same_choice("b"), think=0.25001)
    async with memory_arena(tmp_path, control=TimeControl(3600 * SECOND, 0, SECOND // 4), max_deals=1) as arena:
        (result,) = await arena.play(*bots)
        frames = read_replay(arena.store.replay(result)).frames
    assert result.termination is Termination.TIMEOUT
    assert not any(frame.HasField("action") for frame in frames)


def test_instant_bots_lose_no_match_on_time(tmp_path: Path, *, soak: bool) -> None:
    """P15: real bots on real sockets that answer at once lose no match on time; at full size a thousand of them."""
    game, matches = next(iter(registered().values())), 1000 if soak else 10
    data, notes = tmp_path / "data", tmp_path / "notes"
    with (
        serve(data, game, "127.0.0.1:0") as arena,
        crowd(address(arena), notes, names_for(game), 16 if soak else 2),
    ):
        for _ in range(matches):
            arena.wait_line("ladder/")
        drain(arena)
    results = check(data, notes)
    assert len(results) >= matches
    assert {result.termination for result in results} <= PLAYED_OUT


@pytest.mark.parametrize("game", registered().values(), ids=lambda game: game.name)
async def test_a_far_bot_can_play_a_match_at_absolute_time(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, game: Game
) -> None:
    """P21: 200 ms away, at a minute for all and no increment, an instant bot plays a deal out; each decision costs it
    200 ms to the microsecond, and a near one nothing.
    """
    rules = {option.name: 1 for option in game.options if option.name.startswith("max_")}
    names = [f"bot-{number}" for number in range(len(game.sides))]
    bots = [FarBot(name, same_choice(name), link=Link(0.1 if name == "bot-0" else 0.0)) for name in names]
    async with memory_arena(tmp_path, names, game=game.name, control=TimeControl(60 * SECOND, 0, 0), **rules) as arena:
        for bot in bots:
            arena.nursery.start_soon(bot.link.carry)
        (result,) = await arena.play(*bots)
        replay = read_replay(arena.store.replay(result))
    assert result.termination in PLAYED_OUT
    far = result.bots.index("bot-0")
    bills = [frame.action for frame in replay.frames if frame.action.HasField("bill")]
    assert {round(each.bill.charged_us, -1) for each in bills if each.seat == far} == {SECOND // 5}
    assert {each.bill.charged_us for each in bills if each.seat != far} == {0}


class FarBot(MemoryBot):
    """A bot whose stream goes through a network."""

    def __init__(self, name: str, choose: Choose, *, link: Link) -> None:
        super().__init__(name, choose)
        self.call = self.link = link


async def test_a_long_think_is_no_absence(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    """P32: a bot that thinks for 8 of its 10 minutes without a word is there all the time, and loses nothing."""
    control = TimeControl(600 * SECOND, 0, 0)
    thinker, other = MemoryBot("a", same_choice("a")), MemoryBot("b", same_choice("b"))
    answer = thinker.answer

    async def think_once(event: play_pb2.Event) -> None:
        if event.HasField("decision") and not thinker.of("decision")[1:]:
            await trio.sleep(480)
        await answer(event)

    thinker.answer = think_once
    async with memory_arena(tmp_path, control=control, max_deals=1) as arena:
        (result,) = await arena.play(thinker, other)
        frames = read_replay(arena.store.replay(result)).frames
    assert result.termination in PLAYED_OUT
    assert not any(frame.HasField("lost") for frame in frames)
    assert max(frame.action.bill.charged_us for frame in frames) == 480 * SECOND


def test_pings_wait_for_the_longest_think() -> None:
    """P32: a bot that cannot answer a ping while it thinks is not taken for dead before its time is over."""
    options = dict(server_options(longest_think_us=600 * SECOND))
    assert options["grpc.keepalive_timeout_ms"] > 600_000
    assert options["grpc.http2.ping_timeout_ms"] > 600_000
