"""Starting and stopping an arena on a real socket: drain, abort, a port that is taken, a log that is damaged."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import trio

from arena.config import ArenaConfig
from arena.errors import ArenaError
from arena.identity import Doorkeeper
from arena.matchmaking import Matchmaker, OpenPairing
from arena.server import Arena
from arena.store import Store
from arena.transport import ListenError
from arena.v1 import play_pb2
from engine.game import complete_rules
from engine.games import find
from loopback import Client, in_thread, timely_nursery
from memory_arena import MemoryBot, hello, same_choice
from restarting import journal_of

GAME = find("draw-bridge")
PLAY = "/arena.v1.ArenaService/Play"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A data folder with a run."""
    with Store.open(tmp_path, hold=True) as opened:
        opened.open_run("ladder", "ladder", seeded=False, created_ms=0)
        yield opened


def new_arena(store: Store, *, listen: str = "127.0.0.1:0") -> Arena:
    """An open arena on that data folder."""
    rules = complete_rules(GAME, "match", {"max_deals": 1, "target": 10_000})
    config = ArenaConfig(store.folder, "ladder", {GAME.name: rules}, open=True, listen=listen)
    matchmaker: Matchmaker = OpenPairing({GAME.name: GAME}, store.next_number("ladder"))
    return Arena(config, store, matchmaker, Doorkeeper(is_open=True))


async def join(arena: Arena, nursery: trio.Nursery, *, think: float = 0.01) -> list[MemoryBot]:
    """Let two bots come, and wait until they play."""
    bots = [MemoryBot(name, same_choice(name), think=think) for name in "ab"]
    for bot in bots:
        nursery.start_soon(bot.play, arena.lobby)
    for _ in range(500):
        if bots[0].of("decision"):
            break
        await trio.sleep(0.01)
    return bots


async def test_drain_lets_the_running_match_end(store: Store) -> None:
    """Told to stop, the arena plays its match out, says SHUTDOWN to every bot, and is gone."""
    arena = new_arena(store)
    async with timely_nursery() as nursery:
        async with trio.open_nursery() as serving:
            await serving.start(arena.serve)
            bots = await join(arena, nursery)
            arena.drain()
        (result,) = store.matches()
        assert result.termination == "deal_limit"
        assert arena.running == 0
        assert [bot.of("goodbye")[0].goodbye.reason for bot in bots] == [play_pb2.GOODBYE_REASON_SHUTDOWN] * 2


async def test_abort_leaves_the_match_to_the_next_start(store: Store) -> None:
    """Stopped at once, the arena keeps the log; the next one on the folder says so and goes on with it."""
    first = new_arena(store)
    async with timely_nursery() as nursery:
        async with trio.open_nursery() as serving:
            await serving.start(first.serve)
            bots = await join(first, nursery)
            first.abort()
        for bot in bots:
            bot.call.hang_up()
        assert store.matches() == []
        match_id = journal_of(store.folder).name.split(".")[1]
        again = new_arena(store)
        async with trio.open_nursery() as serving:
            await serving.start(again.serve)
            (note,) = again.notes
            assert note.startswith(f"match {match_id} goes on after an outage of 0.")
            for name in "ab":
                nursery.start_soon(MemoryBot(name, same_choice(name)).play, again.lobby)
            again.drain()
        (result,) = store.matches()
        assert (result.match_id, result.number) == (match_id, 1)


async def test_abort_while_results_are_stored_loses_none(store: Store) -> None:
    """Stopped at once in the moment of the record, the arena has each result in the database or in its log."""
    arena = new_arena(store)
    async with timely_nursery() as nursery:
        async with trio.open_nursery() as serving:
            await serving.start(arena.serve)
            record = store.close_match

            def slowly(*result: object) -> object:
                trio.from_thread.run_sync(arena.abort)
                return record(*result)  # type: ignore[arg-type] # passed on as it came

            store.close_match = slowly  # type: ignore[method-assign,assignment] # a hook of this test
            bots = await join(arena, nursery, think=0.0)
        for bot in bots:
            bot.call.hang_up()
        store.close_match = record  # type: ignore[method-assign]
        ended = store.matches()
        left = list((store.folder / "running").iterdir())
        assert len(ended) + len(left) == 1
        again = new_arena(store)
        async with trio.open_nursery() as serving:
            await serving.start(again.serve)
            again.drain()
        assert len(store.matches()) == 1


async def test_stopped_before_it_is_open_it_just_leaves(store: Store) -> None:
    """Two presses of Ctrl-C while the arena starts are no fault: `serve` returns, and the port is free."""
    arena = new_arena(store)
    async with timely_nursery() as nursery:

        def stop(_lobby: object) -> None:
            arena.drain()
            arena.abort()

        async def serve(*, task_status: trio.TaskStatus[None]) -> None:
            await arena.serve(prepare=stop, task_status=task_status)

        await nursery.start(serve)
    assert arena.running == 0
    with socket.create_server(("127.0.0.1", int(arena.address.rpartition(":")[2]))):
        pass


async def test_a_port_that_is_taken_is_named(store: Store) -> None:
    """The arena does not start where another program listens, and says where that is."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        listen = f"127.0.0.1:{other.getsockname()[1]}"
        arena = new_arena(store, listen=listen)
        with pytest.RaisesGroup(pytest.RaisesExc(ListenError, match=listen), flatten_subgroups=True):
            async with timely_nursery() as nursery:
                await nursery.start(arena.serve)


async def test_a_damaged_log_stops_the_start(store: Store) -> None:
    """An arena that cannot go on with a log says which, and leaves the file alone."""
    path = store.folder / "running" / "ladder.0123.arp"
    path.parent.mkdir()
    data = b"something else entirely"
    path.write_bytes(data)
    arena = new_arena(store)
    with pytest.RaisesGroup(pytest.RaisesExc(ArenaError, match=str(path)), flatten_subgroups=True):
        async with timely_nursery() as nursery:
            await nursery.start(arena.serve)
    assert path.read_bytes() == data


async def test_a_bot_on_a_real_stream_is_told_goodbye(store: Store) -> None:
    """What is said at the very end reaches a bot over the socket before its stream ends, with status OK."""
    arena = new_arena(store)
    async with timely_nursery():
        async with trio.open_nursery() as serving:
            await serving.start(arena.serve)
            client = Client(arena.address)
            stream = client.open(PLAY)
            stream.send(play_pb2.PlayRequest(hello=hello("a")).SerializeToString())
            await in_thread(stream.receive)
            arena.finished("all is played")
            arena.drain()
            said = play_pb2.PlayResponse.FromString(await in_thread(stream.receive))
            assert said.events[0].goodbye.reason == play_pb2.GOODBYE_REASON_FINISHED
            code, _ = await in_thread(stream.outcome)
            assert code == 0
        client.close()


@pytest.mark.parametrize(("how", "code"), [("stop", "UNAVAILABLE"), ("hello", "INVALID_ARGUMENT"), ("leave", "OK")])
async def test_a_stream_that_ends_otherwise_has_no_goodbye(store: Store, how: str, code: str) -> None:
    """Stopped at once, after a second Hello, and when the bot leaves, the status alone says what there is to say."""
    arena = new_arena(store)
    async with timely_nursery():
        async with trio.open_nursery() as serving:
            await serving.start(arena.serve)
            client = Client(arena.address)
            stream = client.open(PLAY)
            greeting = play_pb2.PlayRequest(hello=hello("a")).SerializeToString()
            stream.send(greeting)
            await in_thread(stream.receive)
            if how == "stop":
                arena.abort()
            elif how == "hello":
                stream.send(greeting)
            else:
                stream.half_close()
            said, status = await in_thread(stream.rest)
            assert (said, status.name) == ([], code)
            arena.abort()
        client.close()


@pytest.mark.parametrize(("is_open", "reason"), [(True, "--open believes every name"), (False, "in plain text")])
async def test_an_arena_is_not_opened_to_strangers_unprotected(store: Store, is_open: bool, reason: str) -> None:  # noqa: FBT001 # a parameter
    """Whoever starts it: on an address that others can reach it wants tokens and TLS, and listens to nobody before."""
    arena = new_arena(store, listen="0.0.0.0:0")
    arena.config = replace(arena.config, open=is_open)
    with pytest.raises(ArenaError, match=reason):
        await arena.serve()
    assert not hasattr(arena, "address")
