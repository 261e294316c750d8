"""The door of a running arena follows the registry: who is registered comes in, who is revoked is shown out."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import trio

from arena.admission import PERIOD, Admission
from arena.errors import BadDataFolder
from arena.identity import Doorkeeper, digest_of, new_secret, token_of
from arena.matchmaking import OpenPairing
from arena.store import Registration, Registry
from arena.transport import Status
from arena.v1 import match_pb2, play_pb2
from engine.games import find
from engine.states import MatchState
from memory_arena import MemoryArena, MemoryBot, MemoryCall, at_once, memory_arena, same_choice
from talking import Talk, kinds

GAME = find("draw-bridge")


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    """The metadata that carries a token."""
    return (("authorization", f"Bearer {token}"),)


def register(registry: Registry, name: str, version: str = "1") -> str:
    """Register a bot; its token."""
    secret = new_secret()
    return token_of(str(registry.add(name, version, owner="", digest=digest_of(secret), now_ms=1).id), secret)


@asynccontextmanager
async def closed_arena(folder: Path, registry: Registry, **changes: Any) -> AsyncIterator[MemoryArena]:
    """An arena for registered bots, which pairs whoever comes."""
    door = Doorkeeper(is_open=False)
    pairing = OpenPairing({GAME.name: GAME}, 1)
    async with memory_arena(folder, doorkeeper=door, matchmaker=pairing, **changes) as arena:
        await arena.nursery.start(Admission(registry, door, at_once).run, arena.lobby)
        yield arena


@pytest.fixture
def registry(tmp_path: Path) -> Any:
    """The registry of a new data folder."""
    with Registry.open(tmp_path, create=True) as opened:
        yield opened


async def test_a_registered_bot_plays_as_name_and_version(
    tmp_path: Path, registry: Registry, autojump_clock: Any
) -> None:
    """Its token says who it is, whatever its Hello claims; the record has name and version."""
    tokens = [register(registry, "heron", "2"), register(registry, "otter")]
    async with closed_arena(tmp_path, registry, max_deals=1, target=10_000) as arena:
        bots = [MemoryBot("liar", same_choice(n), call=MemoryCall(bearer(token))) for n, token in enumerate(tokens)]
        arena.lobby.on_ended.append(lambda _director, _finish: arena.lobby.drain())
        (result,) = await arena.play(*bots)
    assert [bot.of("welcome")[0].welcome.bot for bot in bots] == ["heron@2", "otter@1"]
    assert set(result.bots) == {"heron@2", "otter@1"}


async def test_an_open_arena_knows_registered_bots_too(tmp_path: Path, registry: Registry, autojump_clock: Any) -> None:
    """With its token a bot plays under its registered name, without one under the name that it gives."""
    token = register(registry, "heron")
    door = Doorkeeper(is_open=True)
    async with memory_arena(tmp_path, doorkeeper=door) as arena:
        await arena.nursery.start(Admission(registry, door, at_once).run, arena.lobby)
        assert (await Talk(arena, bearer(token)).greet("heron")).bot == "heron@1"
        assert (await Talk(arena).greet("heron")).bot == "heron"


async def test_a_bot_that_is_registered_later_comes_in(tmp_path: Path, registry: Registry, autojump_clock: Any) -> None:
    """The running arena notices within its period; before that the token is as unknown as any other."""
    async with closed_arena(tmp_path, registry) as arena:
        token = register(registry, "heron")
        early = Talk(arena, bearer(token))
        early.call.say(hello=play_pb2.Hello(protocol_version=1))
        assert await early.status() == (Status.UNAUTHENTICATED, "this token is not known here")
        await trio.sleep(1.5 * PERIOD)
        assert (await Talk(arena, bearer(token)).greet()).bot == "heron@1"


async def _playing(arena: MemoryArena, tokens: list[str]) -> list[Talk]:
    """Two bots in the middle of a match."""
    talks = [Talk(arena, bearer(token)) for token in tokens]
    for talk in talks:
        await talk.greet()
    for talk in talks:
        await talk.begin()
    await trio.sleep(0.1)  # not for the start: a seat is told of it when it has to act
    assert next(iter(arena.lobby.directors.values())).table.state is MatchState.PLAYING
    return talks


async def test_a_revoked_bot_is_shown_out_and_loses(tmp_path: Path, registry: Registry, autojump_clock: Any) -> None:
    """Its stream ends with the reason, its match is lost by disconnect at once, and its token is no good any more."""
    tokens = [register(registry, "heron"), register(registry, "otter")]
    async with closed_arena(tmp_path, registry) as arena:
        revoked, other = await _playing(arena, tokens)
        idle = Talk(arena, bearer(tokens[0]))
        await idle.greet(lane=7)
        registry.revoke("heron", None, now_ms=2)
        begun = trio.current_time()
        for talk in (revoked, idle):
            text = "the token of heron@1 was revoked by the operator"
            assert await talk.status() == (Status.UNAUTHENTICATED, text)
        ended = (await other.next("match_ended")).match_ended
        assert trio.current_time() - begun <= 2 * PERIOD
        assert ended.termination == match_pb2.TERMINATION_DISCONNECT
        assert arena.results()[0].bots[ended.at_fault] == "heron@1"
        again = Talk(arena, bearer(tokens[0]))
        again.call.say(hello=play_pb2.Hello(protocol_version=1))
        assert await again.status() == (Status.UNAUTHENTICATED, "this token is not known here")
        assert other.call.status is None


async def test_a_rotated_token_ends_the_stream_but_not_the_match(
    tmp_path: Path, registry: Registry, autojump_clock: Any
) -> None:
    """Whoever came with the old token is out; the bot takes its match up again with the new one."""
    tokens = [register(registry, "heron"), register(registry, "otter")]
    async with closed_arena(tmp_path, registry) as arena:
        old, other = await _playing(arena, tokens)
        secret = new_secret()
        fresh = token_of(str(registry.rotate("heron", None, digest_of(secret)).id), secret)
        text = "the token of heron@1 was replaced: come back with the new one"
        assert await old.status() == (Status.UNAUTHENTICATED, text)
        stale = Talk(arena, bearer(tokens[0]))
        stale.call.say(hello=play_pb2.Hello(protocol_version=1))
        assert (await stale.status())[0] is Status.UNAUTHENTICATED
        back = Talk(arena, bearer(fresh))
        await back.greet()
        await back.next("resumed")
        assert "match_ended" not in kinds(await other.quiet())


async def test_only_the_bot_that_was_changed_notices(tmp_path: Path, registry: Registry, autojump_clock: Any) -> None:
    """Another version of the same name, and another bot, play on."""
    tokens = [register(registry, "heron"), register(registry, "heron", "2"), register(registry, "otter")]
    async with closed_arena(tmp_path, registry) as arena:
        talks = [Talk(arena, bearer(token)) for token in tokens]
        for talk in talks:
            await talk.greet()
        registry.revoke("heron", "2", now_ms=2)
        await trio.sleep(2 * PERIOD)
        assert [talk.call.status is None for talk in talks] == [True, False, True]


async def test_a_bot_that_is_shown_out_is_offered_nothing(
    tmp_path: Path, registry: Registry, autojump_clock: Any
) -> None:
    """A lane that waits is out at once, before its stream has come to its end: whoever comes next waits for another."""
    tokens = [register(registry, "heron"), register(registry, "otter")]
    async with closed_arena(tmp_path, registry) as arena:
        heron = Talk(arena, bearer(tokens[0]))
        await heron.greet()
        await trio.sleep(0.1)
        otter = arena.lobby.lane("otter@1", 0)
        arena.lobby.expel("heron@1", Status.UNAUTHENTICATED, "out")
        assert heron.call.status == (Status.UNAUTHENTICATED, "out")
        assert arena.lobby.streams("heron@1") == 0
        talk = Talk(arena, bearer(tokens[1]))
        await talk.greet()
        assert await talk.quiet() == []
        assert otter.match is None


async def test_a_word_that_was_under_way_counts_no_more(
    tmp_path: Path, registry: Registry, autojump_clock: Any
) -> None:
    """What a bot sends in the moment in which it is shown out does not reach its match."""
    tokens = [register(registry, "heron"), register(registry, "otter")]
    async with closed_arena(tmp_path, registry) as arena:
        talks = await _playing(arena, tokens)
        (director,) = arena.lobby.directors.values()
        seat = director.table.turn
        assert seat is not None
        bot = director.header.seats[seat].bot
        talk = talks[["heron@1", "otter@1"].index(bot)]
        talk.call.say(choose=play_pb2.Choose(decision_id=0, index=0))
        arena.lobby.expel(bot, Status.UNAUTHENTICATED, "out")
        await trio.sleep(0.1)
        assert director.table.turn == seat
        assert director.finish is None


async def test_a_bot_revoked_while_the_arena_was_away_loses_its_match(
    tmp_path: Path, registry: Registry, autojump_clock: Any
) -> None:
    """A match found running at the start is not held up by a seat that nobody will be let into."""
    tokens = [register(registry, "heron"), register(registry, "otter")]
    async with closed_arena(tmp_path, registry, matches=0) as arena:
        await _playing(arena, tokens)
    registry.revoke("heron", None, now_ms=2)
    async with closed_arena(tmp_path, registry, matches=0) as arena:
        await trio.sleep(1)  # on the clock that jumps; a seat that is only away would be waited for 60 s
        (result,) = arena.results()
    assert result.termination == "disconnect"
    assert result.bots[result.at_fault or 0] == "heron@1"


async def test_a_registry_that_cannot_be_read_keeps_the_arena_shut(
    tmp_path: Path, registry: Registry, autojump_clock: Any
) -> None:
    """At the start it is an error; nobody is let in by chance."""
    broken = Failing(registry)
    broken.failing = True
    with pytest.RaisesGroup(BadDataFolder, flatten_subgroups=True):
        async with closed_arena(tmp_path, broken):  # type: ignore[arg-type]
            pass


async def test_a_registry_that_fails_later_leaves_the_door_as_it_is(
    tmp_path: Path, registry: Registry, autojump_clock: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """It is said once; what changed meanwhile is heeded when the registry can be read again."""
    broken = Failing(registry)
    token = register(registry, "heron")
    async with closed_arena(tmp_path, broken) as arena:  # type: ignore[arg-type]
        talk = Talk(arena, bearer(token))
        await talk.greet()
        broken.failing = True
        registry.revoke("heron", None, now_ms=2)
        await trio.sleep(5 * PERIOD)
        assert talk.call.status is None
        assert [line for line in caplog.messages if "cannot be seen" in line] == [
            f"changes to the registry of bots cannot be seen: data folder {tmp_path}: its database does not work: no"
        ]
        broken.failing = False
        assert (await talk.status())[0] is Status.UNAUTHENTICATED


class Failing:
    """A registry whose database can be made to fail."""

    def __init__(self, registry: Registry) -> None:
        self.registry = registry
        self.failing = False

    def changed_after(self, change: int) -> list[Registration]:
        """As the registry, or not."""
        if self.failing:
            raise BadDataFolder(self.registry.folder, "its database does not work: no")
        return self.registry.changed_after(change)
