"""A bot's stream: who is let in, what it may say when, and how the arena refuses."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio
import trio.testing

from arena.config import Limits
from arena.identity import Doorkeeper
from arena.matchmaking import PlannedMatches
from arena.schedule import Pairing
from arena.session import STRAYS
from arena.transport import Status
from arena.v1 import play_pb2
from memory_arena import MemoryBot, hello, memory_arena, same_choice
from talking import Talk


async def test_the_first_message_must_be_hello(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    """A stream that begins with anything else ends with INVALID_ARGUMENT and says what was wanted."""
    async with memory_arena(tmp_path) as arena:
        talk = Talk(arena)
        talk.call.say(ready=play_pb2.Ready(match_id="m", nonce=bytes(16)))
        assert await talk.status() == (Status.INVALID_ARGUMENT, "the first message of a stream must be Hello")


async def test_hello_must_come_soon(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    """A stream that says nothing ends after five seconds, not before."""
    async with memory_arena(tmp_path) as arena:
        talk = Talk(arena)
        began = trio.current_time()
        assert await talk.status() == (Status.DEADLINE_EXCEEDED, "no Hello within 5 s")
        assert trio.current_time() - began == pytest.approx(5)


@pytest.mark.parametrize("version", [0, 2, 4_000_000_000])
async def test_an_unknown_protocol_is_refused_with_those_that_are_spoken(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, version: int
) -> None:
    """Another protocol version gets FAILED_PRECONDITION and the versions that would do."""
    async with memory_arena(tmp_path) as arena:
        talk = Talk(arena)
        talk.call.say(hello=hello("a", protocol_version=version))
        assert await talk.status() == (
            Status.FAILED_PRECONDITION,
            f"protocol version {version} is not spoken here: this arena speaks 1",
        )


@pytest.mark.parametrize("name", ["", "a b", "x" * 33, "naïve", "a/b", "[red]", "a\n"])
async def test_a_name_that_will_not_do_is_refused(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, name: str
) -> None:
    """On an open arena a stream needs a name of the allowed letters; the refusal shows it and says what would do."""
    async with memory_arena(tmp_path) as arena:
        talk = Talk(arena)
        talk.call.say(hello=hello(name))
        code, text = await talk.status()
    assert code is Status.UNAUTHENTICATED
    assert text == f"Hello.name {name[:40]!r} is no bot name: it has 1 to 32 letters, digits, '.', '_' or '-'"


async def test_an_open_arena_believes_the_name(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    """Welcome says under which name the bot plays, and what it is allowed."""
    limits = Limits(note_bytes=100, lanes=7)
    async with memory_arena(tmp_path, limits=limits) as arena:
        welcome = await Talk(arena).greet("My-Bot_1.0")
    assert welcome.bot == "My-Bot_1.0"
    assert (welcome.limits.message_bytes, welcome.limits.note_bytes, welcome.limits.lanes) == (65536, 100, 7)
    assert (welcome.limits.away_ms, welcome.limits.strikes) == (60_000, 3)
    assert len(welcome.session) == 12


async def test_a_closed_arena_knows_bots_by_their_tokens(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """Without a token, or with one that was never issued, nobody comes in; with one the name is the token's."""
    door = Doorkeeper(is_open=False)
    token = door.issue("real")
    async with memory_arena(tmp_path, doorkeeper=door) as arena:
        nobody = Talk(arena)
        nobody.call.say(hello=hello("real"))
        assert await nobody.status() == (
            Status.UNAUTHENTICATED,
            "this arena wants a token: set ARENA_TOKEN, or send the metadata 'authorization: Bearer TOKEN'",
        )
        stranger = Talk(arena, (("authorization", f"Bearer {token}x"),))
        stranger.call.say(hello=hello("real"))
        assert await stranger.status() == (Status.UNAUTHENTICATED, "this token is not known here")
        admitted = Talk(arena, (("authorization", f"Bearer {token}"),))
        assert (await admitted.greet("somebody else")).bot == "real"


async def test_a_bot_has_a_limited_number_of_lanes(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    """The last lane is let in, the one after it is refused with the range."""
    async with memory_arena(tmp_path, limits=Limits(lanes=4)) as arena:
        await Talk(arena).greet("a", lane=3)
        talk = Talk(arena)
        talk.call.say(hello=hello("a", lane=4))
        assert await talk.status() == (
            Status.INVALID_ARGUMENT,
            "lane 4 is out of range: a bot has lanes 0 to 3",
        )


@pytest.mark.parametrize(
    ("request_", "text"),
    [
        (
            play_pb2.PlayRequest(hello=play_pb2.Hello(protocol_version=1, name="a")),
            "a second Hello: it is the first message of a stream and no other",
        ),
        (play_pb2.PlayRequest(), "an empty PlayRequest: set hello, ready, choose or resign"),
        (
            play_pb2.PlayRequest(ready=play_pb2.Ready(match_id="m", nonce=bytes(15))),
            "Ready.nonce has 15 bytes: it needs 16 to 32",
        ),
        (
            play_pb2.PlayRequest(ready=play_pb2.Ready(match_id="m", nonce=bytes(33))),
            "Ready.nonce has 33 bytes: it needs 16 to 32",
        ),
    ],
)
async def test_what_is_no_message_of_the_protocol_ends_the_stream(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, request_: play_pb2.PlayRequest, text: str
) -> None:
    """A second Hello, an empty request or a nonce of the wrong length ends the stream with what was wrong."""
    async with memory_arena(tmp_path) as arena:
        talk = Talk(arena)
        await talk.greet()
        talk.call.say_bytes(request_.SerializeToString())
        assert await talk.status() == (Status.INVALID_ARGUMENT, text)


@pytest.mark.parametrize("size", [16, 32])
async def test_the_shortest_and_the_longest_nonce_will_do(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, size: int
) -> None:
    """A nonce of 16 or 32 bytes is taken, and both seats are told of it."""
    async with memory_arena(tmp_path, seed=None) as arena:
        talks = Talk(arena), Talk(arena)
        await talks[0].greet("a")
        await talks[1].greet("b")
        for talk in talks:
            await talk.begin(bytes(range(size)))
        # The one that is asked hears of the start with its first question, the other with its own.
        (asked,) = [talk for talk in talks if await talk.quiet(1)]
        assert asked.call.status is None
        (director,) = arena.lobby.directors.values()
        assert [seat.nonce for seat in director.table.seats] == [bytes(range(size))] * 2


async def test_answers_while_no_match_runs_end_the_stream_at_last(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """Eight answers outside any match are refused in words, the ninth ends the stream with a goodbye."""
    async with memory_arena(tmp_path) as arena:
        talk = Talk(arena)
        await talk.greet()
        for number in range(STRAYS):
            talk.call.say(choose=play_pb2.Choose(decision_id=number, index=0))
            rejected = (await talk.next("rejected")).rejected
            assert (rejected.decision_id, rejected.reason) == (number, play_pb2.REJECTION_REASON_NOT_YOUR_TURN)
            assert rejected.text == "no match is running on this lane"
        talk.call.say(choose=play_pb2.Choose(decision_id=99, index=0))
        (event,) = await talk.rest()
        assert event.goodbye.reason == play_pb2.GOODBYE_REASON_PROTOCOL
        assert event.goodbye.text == "more than 8 answers while no match is running"
        assert talk.call.status == (Status.OK, event.goodbye.text)


async def test_one_late_answer_after_every_match_is_no_fault(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """A bot whose opponent resigns and leaves while it thinks answers too late, match after match, and stays."""
    plan = [Pairing(number, "draw-bridge", ("a", f"quitter-{number}")) for number in range(1, STRAYS + 4)]
    thinker = MemoryBot("a", same_choice("a"), think=1.0)
    async with memory_arena(tmp_path, matchmaker=PlannedMatches(plan)) as arena:
        arena.nursery.start_soon(thinker.play, arena.lobby)
        for pairing in plan:
            quitter = Talk(arena)
            await quitter.greet(pairing.bots[1])
            match_id = await quitter.begin()
            for event in await quitter.quiet(0.1):
                if event.HasField("decision"):
                    quitter.call.say(choose=play_pb2.Choose(decision_id=event.decision.decision_id, index=0))
            await trio.sleep(0.1)
            quitter.call.say(resign=play_pb2.Resign(match_id=match_id))
            await trio.sleep(2)
        assert len(arena.results()) == len(plan)
        assert thinker.call.status is None
    assert [event.rejected.text for event in thinker.of("rejected")] == ["no match is running on this lane"] * len(plan)


async def test_a_bot_that_closes_its_side_is_gone(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    """A stream that hangs up before or after Hello leaves nothing behind: no lane, and nobody is paired with it."""
    async with memory_arena(tmp_path) as arena:
        silent, greeted = Talk(arena), Talk(arena)
        silent.call.hang_up()
        await greeted.greet("a")
        greeted.call.hang_up()
        other = Talk(arena)
        await other.greet("b")
        await trio.testing.wait_all_tasks_blocked()
        assert [name for name, _ in arena.lobby.lanes] == ["b"]
        assert await other.quiet(30) == []
