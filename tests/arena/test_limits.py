"""Limits on bots and guests: at the limit all is well, above it comes a refusal in words, and nobody else notices."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
import trio.testing
from grpc_reflection.v1alpha import reflection_pb2

from arena.config import Limits
from arena.guests import Guests
from arena.record import Recorder
from arena.services import handlers
from arena.session import NOISE
from arena.transport import Status
from arena.transport.discovery import HEALTH_WATCH, REFLECTION_SERVICES, Health
from arena.v1 import arena_pb2, play_pb2
from engine.clock import SECOND, TimeControl
from engine.states import Termination
from memory_arena import Choose, MemoryArena, MemoryBot, MemoryCall, memory_arena, same_choice
from restarting import pair
from talking import Talk

RULES: Any = {"max_deals": 1, "target": 10_000}


class From(MemoryCall):
    """A stream from an address."""

    def __init__(self, address: str = "10.0.0.1") -> None:
        super().__init__()
        self._address = address

    def peer(self) -> str:
        """Where it comes from."""
        return f"ipv4:{self._address}:4711"


Serve = Callable[[Any], Awaitable[None]]


def call_to(arena: MemoryArena, handler: Serve, address: str = "10.0.0.1") -> From:
    """A call to that handler."""
    call = From(address)
    arena.nursery.start_soon(call.serve, handler)
    return call


async def settled() -> None:
    """Let everything happen that can happen now."""
    await trio.testing.wait_all_tasks_blocked()


async def opened(arena: MemoryArena, handler: Serve, address: str = "10.0.0.1") -> From:
    """A call to that handler, which is let in or refused by now."""
    call = call_to(arena, handler, address)
    await settled()
    return call


def refusals(arena: MemoryArena) -> dict[str, int]:
    """What was refused so far."""
    return {limit: count for limit, count in arena.lobby.tally.refusals.items() if count}


async def test_streams_without_hello_are_bounded_for_each_address_and_in_all(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """Two may wait from one address and three in all; one that has said Hello makes room, and one that is too late."""
    limits = Limits(strangers_per_address=2, strangers=3, hello_seconds=5)
    async with memory_arena(tmp_path, limits=limits) as arena:
        calls = [await opened(arena, arena.lobby.play) for _ in range(3)]
        await settled()
        assert [call.status is None for call in calls] == [True, True, False]
        assert calls[2].status == (
            Status.RESOURCE_EXHAUSTED,
            "the limit of 2 streams that have not said Hello for one address is reached: end some, or wait",
        )
        others = [await opened(arena, arena.lobby.play, f"10.0.0.{number}") for number in (2, 3)]
        await settled()
        assert [call.status is None for call in others] == [True, False]
        calls[0].say(hello=play_pb2.Hello(protocol_version=1, name="a"))
        await settled()
        late = await opened(arena, arena.lobby.play)
        await trio.sleep(6)
        assert calls[0].status is None
        assert late.status is not None
        assert late.status[0] is Status.DEADLINE_EXCEEDED
        again = await opened(arena, arena.lobby.play)
        await settled()
        assert again.status is None
        assert refusals(arena) == {"address_strangers": 1, "all_strangers": 1, "hello": 3}


async def test_streams_of_bots_are_bounded_but_a_bot_in_a_match_always_comes_back(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """With room for two, a third bot is refused; one that lost its stream in a match is let in all the same."""
    async with memory_arena(tmp_path, limits=Limits(sessions=2), **RULES) as arena:
        a, b = Talk(arena), Talk(arena)
        await a.greet("a")
        await b.greet("b")
        await a.begin()
        await b.begin()
        third = Talk(arena)
        third.call.say(hello=play_pb2.Hello(protocol_version=1, name="c"))
        code, text = await third.status()
        assert (code, "limit of 2 streams of bots" in text) == (Status.RESOURCE_EXHAUSTED, True)
        b.call.hang_up()
        await settled()
        fourth = Talk(arena)
        await fourth.greet("c")
        back = Talk(arena)
        await back.greet("b")
        await back.next("resumed")
        assert refusals(arena) == {"all_sessions": 1}


async def test_a_bot_that_says_hello_again_and_again_is_slowed_down_alone(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """Four for each lane at once, then at a steady pace; others are not concerned."""
    limits = Limits(lanes=2, hellos_per_second=2)
    async with memory_arena(tmp_path, limits=limits) as arena:
        for _ in range(8):
            await Talk(arena).greet("a")
        refused = Talk(arena)
        refused.call.say(hello=play_pb2.Hello(protocol_version=1, name="a"))
        assert await refused.status() == (
            Status.RESOURCE_EXHAUSTED,
            "bot a has said Hello too often: no more than 2 a second for long",
        )
        await Talk(arena).greet("b")
        await trio.sleep(0.5)
        await Talk(arena).greet("a")
        assert refusals(arena) == {"bot_hellos": 1}


@pytest.mark.parametrize("kind", ["ready", "resign"])
async def test_messages_that_answer_nothing_are_bounded(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, kind: str
) -> None:
    """A few are passed over; one more ends the stream, and the bot that comes back plays its match to the end."""
    extra: Any = {
        "ready": play_pb2.Ready(match_id="other", nonce=bytes(16)),
        "resign": play_pb2.Resign(match_id="other"),
    }[kind]
    bots = pair()
    done: list[int] = []
    answer = bots[0].choose

    def choose(decision: play_pb2.Decision) -> play_pb2.Choose | None:
        wanted = NOISE if len(done) < 3 else NOISE + 1
        if len(done) < 4:
            done.append(decision.decision_id)
            for _ in range(wanted):
                bots[0].call.say(**{kind: extra})
        return answer(decision)

    bots[0].choose = choose
    async with memory_arena(tmp_path, **RULES) as arena:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(bots[1].play, arena.lobby)
            await bots[0].play(arena.lobby)
            assert bots[0].call.status == (
                Status.RESOURCE_EXHAUSTED,
                f"more than {NOISE} messages in a row that answer nothing",
            )
            nursery.start_soon(MemoryBot("a", same_choice("a")).play, arena.lobby)
            await arena.lobby.quiet.wait()
            arena.lobby.dismiss(play_pb2.GOODBYE_REASON_FINISHED, "all matches are played")
        (result,) = arena.results()
    assert result.termination is Termination.DEAL_LIMIT
    assert arena.lobby.tally.refusals["bot_noise"] == 1


async def held(_: Any) -> None:
    """A call that goes on."""
    await trio.sleep_forever()


async def test_watchers_are_bounded_for_match_address_and_in_all(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """Each bound lets so many in and not one more."""
    limits = Limits(watchers=4, watchers_per_address=2, watchers_per_match=3)
    async with memory_arena(tmp_path, limits=limits) as arena:
        guests = Guests(arena.lobby)

        async def watch(address: str, match_id: str) -> From:
            async def look(call: Any) -> None:
                with guests.at_match(call, match_id):
                    await trio.sleep_forever()

            return await opened(arena, guests.watching(look), address)

        calls = [
            await watch(address, match_id) for address, match_id in (("1", "m"), ("1", "m"), ("1", "n"), ("2", "m"))
        ]
        await settled()
        assert [call.status is None for call in calls] == [True, True, False, True]
        full = await watch("2", "m")
        await settled()
        assert full.status is not None
        assert "3 watchers for one match" in full.status[1]
        last, over = await watch("3", "n"), await watch("4", "n")
        await settled()
        assert last.status is None
        assert over.status == (
            Status.RESOURCE_EXHAUSTED,
            "the arena's limit of 4 watchers is reached: try again later",
        )
        calls[0].hang_up()
        await settled()
        again = await watch("4", "m")
        await settled()
        assert again.status is None
        assert refusals(arena) == {"address_watchers": 1, "match_watchers": 1, "all_watchers": 1}


async def test_requests_are_bounded_by_number_and_by_rate(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """So many at the same time, and so many in the long run; another address is not concerned."""
    limits = Limits(requests=3, requests_per_address=2, requests_per_second=1)
    async with memory_arena(tmp_path, limits=limits) as arena:
        ask = Guests(arena.lobby).asking(held)
        calls = [await opened(arena, ask) for _ in range(4)]
        await settled()
        assert [call.status is None for call in calls] == [True, True, False, False]
        fast = await opened(arena, ask)
        other, over = await opened(arena, ask, "10.0.0.2"), await opened(arena, ask, "10.0.0.3")
        await settled()
        assert fast.status == (
            Status.RESOURCE_EXHAUSTED,
            "too many requests from your address: no more than 1 a second for long",
        )
        assert (other.status, over.status is None) == (None, False)
        calls[0].hang_up()
        await trio.sleep(1)
        later = await opened(arena, ask)
        await settled()
        assert later.status is None
        assert refusals(arena) == {"address_requests": 2, "address_rate": 1, "all_requests": 1}


async def test_streams_that_stay_take_no_room_of_requests(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """Whoever holds health and reflection open is one of the watchers, so that others can still ask and be answered."""
    limits = Limits(requests=1, requests_per_address=1, watchers=4, watchers_per_address=4)
    async with memory_arena(tmp_path, limits=limits) as arena:
        served = handlers(arena.lobby, arena.store, Health())
        methods = (HEALTH_WATCH, *(f"/{service}/ServerReflectionInfo" for service in REFLECTION_SERVICES))
        calls = [await opened(arena, served[method]) for method in (*methods, HEALTH_WATCH, HEALTH_WATCH)]
        assert [call.status is None for call in calls] == [True] * 4 + [False]
        asked = call_to(arena, served["/arena.v1.ArenaService/ListGames"])
        asked.say_bytes(b"")
        assert arena_pb2.ListGamesResponse.FromString(await asked.responses.receive()).games
        assert refusals(arena) == {"address_watchers": 1}


async def test_questions_to_reflection_are_bounded_by_their_rate(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """One stream may ask no more than many calls may: so many at once and so many in the long run, then it ends."""
    question = reflection_pb2.ServerReflectionRequest(list_services="").SerializeToString()
    async with memory_arena(tmp_path, limits=Limits(requests_per_second=1)) as arena:
        method = f"/{REFLECTION_SERVICES[0]}/ServerReflectionInfo"
        call = await opened(arena, handlers(arena.lobby, arena.store, Health())[method])
        for _ in range(4):
            call.say_bytes(question)
            await call.responses.receive()
        await trio.sleep(1)
        call.say_bytes(question)
        await call.responses.receive()
        assert call.status is None
        call.say_bytes(question)
        await settled()
        assert call.status == (
            Status.RESOURCE_EXHAUSTED,
            "too many requests from your address: no more than 1 a second for long",
        )
        assert refusals(arena) == {"address_rate": 1}


async def test_a_limit_that_is_reached_leaves_a_match_as_it_was(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """Two bots play while others reach every limit: the result is that of a match in peace."""
    limits = Limits(strangers_per_address=2, sessions=2, requests_per_address=1, requests_per_second=1)
    results = []
    for crowded in (False, True):
        async with memory_arena(tmp_path / str(crowded), limits=limits, **RULES) as arena:
            bots = pair()
            if crowded:
                for bot in bots:
                    bot.choose = amid_a_crowd(arena, bot.choose)
            (result,) = await arena.play(*bots)
            assert bool(refusals(arena)) is crowded
        results.append((result.termination, result.totals, result.winner, result.deals))
    assert results[0] == results[1]
    assert results[0][0] is Termination.DEAL_LIMIT


def amid_a_crowd(arena: MemoryArena, answer: Choose) -> Choose:
    """The same answers, with many calls of others before each."""
    ask = Guests(arena.lobby).asking(held)

    def choose(decision: play_pb2.Decision) -> play_pb2.Choose | None:
        for _ in range(3):
            call_to(arena, arena.lobby.play)
            call_to(arena, ask)
            name = f"x{decision.decision_id}"
            call_to(arena, arena.lobby.play, "10.0.0.9").say(hello=play_pb2.Hello(protocol_version=1, name=name))
        return answer(decision)

    return choose


async def test_matches_at_the_same_time_are_bounded(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    """With room for one match two more bots wait, and play when it has ended; nothing is refused."""
    async with memory_arena(
        tmp_path, ("a", "b"), 2, limits=Limits(matches=1), control=TimeControl(1000 * SECOND, 0, 0), **RULES
    ) as arena:
        bots = [MemoryBot(name, same_choice(name), think=1.0) for name in ("a", "b")]
        most = 0

        async def look() -> None:
            nonlocal most
            while True:
                most = max(most, len(arena.lobby.directors))
                await trio.sleep(0.5)

        arena.nursery.start_soon(look)
        async with trio.open_nursery() as nursery:
            for bot in bots:
                nursery.start_soon(bot.play, arena.lobby)
                nursery.start_soon(partial(MemoryBot(bot.name, bot.choose, think=1.0).play, arena.lobby, lane=1))
            await arena.lobby.quiet.wait()
            arena.lobby.dismiss(play_pb2.GOODBYE_REASON_FINISHED, "all matches are played")
        assert [result.termination for result in arena.results()] == [Termination.DEAL_LIMIT] * 2
        assert (most, refusals(arena)) == (1, {})


async def test_a_match_that_was_played_does_not_wait_for_those_that_nobody_played(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """However many unplayed matches are to be recorded, one that was played waits for one of them at most."""
    order: list[str] = []

    async def slowly(function: Callable[[], Any], /) -> Any:
        await trio.sleep(1)
        return function()

    recorder = Recorder(SimpleNamespace(), SimpleNamespace(), slowly)  # type: ignore[arg-type]

    async def record(name: str, *, played: bool) -> None:
        journal = SimpleNamespace(sync=lambda: order.append(name))
        director = SimpleNamespace(
            journal=journal,
            logged_end=None,
            header=SimpleNamespace(match_id=name),
            table=SimpleNamespace(match=played or None),
        )
        with pytest.raises(RuntimeError, match="has no end"):  # far enough: its turn had come
            await recorder._store_log(director)  # type: ignore[arg-type]

    async with trio.open_nursery() as nursery:
        for number in range(5):
            nursery.start_soon(partial(record, f"void-{number}", played=False))
        await trio.sleep(0.5)
        nursery.start_soon(partial(record, "played", played=True))
    assert order[1:3].count("played") == 1
    assert len(order) == 6
