"""Messages with anything in them: refused in words, nobody else notices, and every match ends with a proved log."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing
from google.protobuf.message import Message
from hypothesis import given
from hypothesis import strategies as st

from arena.lobby import Lobby
from arena.matchmaking import PlannedMatches
from arena.replay import read_replay, verify
from arena.schedule import Pairing
from arena.services import handlers
from arena.store import Store
from arena.transport import Status
from arena.transport.discovery import Health
from arena.v1 import arena_pb2, play_pb2
from broken_folders import whole_folder
from fuzzing import SOAK, budget, changed, changes, stranger_bytes
from memory_arena import MemoryArena, MemoryBot, MemoryCall, hello, memory_arena, same_choice

RULES: Any = {"max_deals": 1, "target": 10_000}
SAID_IN_WORDS = {Status.INVALID_ARGUMENT, Status.UNAUTHENTICATED, Status.FAILED_PRECONDITION, Status.NOT_FOUND}
SAID_IN_WORDS |= {Status.DEADLINE_EXCEEDED, Status.RESOURCE_EXHAUSTED, Status.OK, Status.CANCELLED}


@contextmanager
def no_fault() -> Iterator[None]:
    """Fails when the arena logs a fault of its own: a record with a traceback."""
    faults: list[logging.LogRecord] = []
    handler = logging.Handler(logging.ERROR)
    handler.emit = lambda record: faults.append(record) if record.exc_info else None  # type: ignore[method-assign]
    log = logging.getLogger("arena")
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)
    assert [record.getMessage() for record in faults] == []


class HostileBot(MemoryBot):
    """Answers offers as it should, and decisions with what it is given, once each, before the answer that it owes."""

    def __init__(self, name: str, outburst: Sequence[tuple[int, bytes]]) -> None:
        super().__init__(name, same_choice(name))
        self._outburst = list(outburst)
        self._asked = 0

    async def play(self, lobby: Lobby, **fields: object) -> None:
        """Play until the arena ends the stream, and then politely on another."""
        await super().play(lobby, **fields)
        await MemoryBot(self.name, same_choice(self.name)).play(lobby)

    async def answer(self, event: play_pb2.Event) -> None:
        """React to one event."""
        if event.HasField("decision"):
            for at, data in self._outburst:
                if at == self._asked:
                    self.call.say_bytes(data)
            self._asked += 1
        await super().answer(event)


stray_choices = st.builds(
    lambda number, index, edits: changed(
        play_pb2.PlayRequest(choose=play_pb2.Choose(decision_id=number, index=index)).SerializeToString(), edits
    ),
    st.integers(0, 30),
    st.integers(0, 60),
    changes,
)
outbursts = st.lists(
    st.tuples(st.integers(0, 12), st.one_of(stray_choices, stranger_bytes(play_pb2.PlayRequest))), max_size=6
)
greetings = st.lists(stranger_bytes(play_pb2.PlayRequest), max_size=4)


@budget(25, soak=20_000)
@given(outburst=outbursts, greeting=greetings, is_polite=st.booleans())
def test_a_stream_with_anything_in_it(
    outburst: list[tuple[int, bytes]], greeting: list[bytes], *, is_polite: bool, soak: bool
) -> None:
    """P40: whatever one bot sends, before Hello, after it, in a match: its own match ends by rule, others as ever."""
    with tempfile.TemporaryDirectory() as folder, no_fault():
        run = partial(_play_beside, Path(folder), outburst, greeting, is_polite=is_polite)
        trio.run(run, clock=trio.testing.MockClock(autojump_threshold=0))


async def _play_beside(
    folder: Path, outburst: Sequence[tuple[int, bytes]], greeting: Sequence[bytes], *, is_polite: bool
) -> None:
    plan = PlannedMatches([Pairing(1, "draw-bridge", ("a", "b")), Pairing(2, "draw-bridge", ("x", "y"))])
    async with memory_arena(folder, matchmaker=plan, **RULES) as arena:
        stranger = MemoryCall()
        arena.nursery.start_soon(stranger.serve, arena.lobby.play)
        if is_polite:
            stranger.say(hello=hello("z"))
        for data in greeting:
            stranger.say_bytes(data)
        hostile = HostileBot("x", outburst)
        honest = [MemoryBot(name, same_choice(name)) for name in "aby"]
        async with trio.open_nursery() as nursery:
            for bot in (hostile, *honest):
                nursery.start_soon(bot.play, arena.lobby)
            await arena.lobby.quiet.wait()
            nursery.cancel_scope.cancel()
        _check(arena, hostile.call, stranger)


def _check(arena: MemoryArena, *calls: MemoryCall) -> None:
    results = {result.number: result for result in arena.results()}
    assert set(results) == {1, 2}
    assert results[1].termination.value == "deal_limit"
    for result in results.values():
        report = verify(read_replay(arena.store.replay(result)), known_hash=result.log_hash)
        assert not report.failures, report.failures
    other = results[2]
    assert other.at_fault is None or other.bots[other.at_fault] == "x"
    for call in calls:
        if call.status is not None:
            code, text = call.status
            assert code in SAID_IN_WORDS, call.status
            assert text or code is Status.OK
            assert len(text) < 1000
            assert text.isprintable()


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a match recorded and one running."""
    folder = tmp_path_factory.mktemp("recorded") / "data"
    trio.run(whole_folder, folder, clock=trio.testing.MockClock(autojump_threshold=0))
    return folder


REQUESTS: dict[str, type[Message]] = {
    "ListGames": arena_pb2.ListGamesRequest,
    "ListMatches": arena_pb2.ListMatchesRequest,
    "ListRatings": arena_pb2.ListRatingsRequest,
    "GetReplay": arena_pb2.GetReplayRequest,
    "WatchMatch": arena_pb2.WatchMatchRequest,
}
requests = st.sampled_from(sorted(REQUESTS)).flatmap(
    lambda method: st.tuples(st.just(method), stranger_bytes(REQUESTS[method]))
)


@budget(15, soak=2_000)
@given(asked=st.lists(requests, min_size=1, max_size=12))
def test_requests_with_anything_in_them(recorded: Path, asked: list[tuple[str, bytes]], *, soak: bool) -> None:
    """Whatever is asked of an arena at play is answered, or refused in words."""
    with no_fault():
        trio.run(_ask_all, recorded, asked)


async def _ask_all(recorded: Path, asked: Sequence[tuple[str, bytes]]) -> None:
    with tempfile.TemporaryDirectory() as place:
        async with memory_arena(Path(place), matches=1, **RULES) as arena:
            with Store.open(recorded, hold=False) as store:
                methods = handlers(arena.lobby, store, Health())
                for method, data in asked:
                    call = MemoryCall()
                    call.say_bytes(data)
                    call._to_arena.close()
                    with trio.fail_after(60):
                        await call.serve(methods[f"/arena.v1.ArenaService/{method}"])
                    assert call.status is not None
                    code, text = call.status
                    assert code in SAID_IN_WORDS, (method, call.status)
                    assert text.isprintable()
                    assert len(text) < 1000


def test_the_budgets_hang_on_soak(*, soak: bool) -> None:
    """The examples of these tests are many where others have their full size too."""
    assert soak == SOAK
