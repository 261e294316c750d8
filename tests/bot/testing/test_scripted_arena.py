"""The scripted arena on the wire, met by a bot of the SDK: streams, breaks, restarts, and waits that are in vain."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue

import grpc
import pytest

from arena.bot import Settings, play
from arena.bot.testing import Left, ScriptedArena, ScriptedMatch, Silence, goodbye, rejected, welcome
from arena.bot.testing.arena import _OPTIONS
from arena.transport.options import server_options
from arena.v1 import arena_pb2_grpc, play_pb2
from engine.effect import Rejection


@contextmanager
def playing(arena: ScriptedArena) -> Iterator[list[int]]:
    """A bot that plays the first legal action, in a thread; gives its exit status when it has ended."""
    status: list[int] = []
    leave: list[Callable[[], None]] = []
    settings = Settings(arena.address, name="tested", patience=5.0)
    bot = threading.Thread(
        target=lambda: status.append(play(lambda decision: decision.legal[0], settings, on_leave=leave.append)),
        name="tested",
    )
    bot.start()
    try:
        yield status
    finally:
        leave[0]()
        bot.join(10)
        assert not bot.is_alive()


def test_a_match_is_played_and_the_bot_leaves() -> None:
    """Offer, Ready, every question of a deal, a Goodbye after which the bot ends."""
    with ScriptedArena() as arena:
        with playing(arena) as status:
            stream, match = arena.stream(), ScriptedMatch("smear", seat=2)
            assert (stream.hello.name, stream.hello.lane) == ("tested", 0)
            stream.say(welcome(), match.offer)
            stream.say(*match.start(stream.ready().nonce))
            while match.asked:
                assert match.answer(stream.choose(match.decision_id)) == ""
                stream.say(*match.news())
            stream.say(goodbye("FINISHED"))
            assert stream.wait_left() == []
            assert stream.left
        assert status == [0]


def test_a_broken_stream_is_followed_by_another_that_resumes() -> None:
    """Once by breaking it off, once by an arena that is killed and is back; never two streams at once."""
    with ScriptedArena() as arena, playing(arena):
        stream, match = arena.stream(), ScriptedMatch("draw-bridge", seed=5)
        stream.say(welcome(), match.offer)
        stream.say(*match.start(stream.ready().nonce))
        match.answer(stream.choose(match.decision_id))
        stream.break_off()
        for again in range(2):
            stream = arena.stream()
            assert stream.hello.resume.match_id == match.match_id
            missed = match.since(stream.hello.resume.last_seq)
            stream.say(welcome(), match.resumed(), match.started, *missed, match.question)
            match.answer(stream.choose(match.decision_id))
            if again:
                break
            arena.stop()
            arena.start()
        stream.say(goodbye("FINISHED"))
        assert (arena.opened, arena.most_at_once) == (3, 1)


def test_a_refusal_is_answered_again() -> None:
    """What the script says is refused is asked once more by the bot itself."""
    with ScriptedArena() as arena, playing(arena):
        stream, match = arena.stream(), ScriptedMatch("german-whist")
        stream.say(welcome(), match.offer)
        stream.say(*match.start(stream.ready().nonce))
        first = stream.choose(match.decision_id)
        stream.say(rejected(match.decision_id, Rejection.NOT_LEGAL, "GW-1: not today"))
        assert stream.choose(match.decision_id) == first
        stream.say(goodbye("FINISHED"))


def test_what_does_not_come_is_said() -> None:
    """Nothing within the time, another message than awaited, a stream that has ended: each names what was found."""
    with ScriptedArena() as arena:
        with pytest.raises(Silence, match=r"no Hello within 0\.1 s"):
            arena.stream(0.1)
        with pytest.raises(Silence, match="ended without a Hello"):
            arena.stream(30, as_long_as=lambda: False)
        with playing(arena):
            stream, match = arena.stream(), ScriptedMatch("german-whist")
            assert stream.quiet(0.05) is None
            stream.say(welcome(), match.offer)
            with pytest.raises(Silence, match="said ready, not choose"):
                stream.choose(0)
            stream.say(goodbye("REPLACED"))
            with pytest.raises(Left):
                stream.hear()


def test_a_stream_can_end_with_any_status() -> None:
    """The bot is told the status and its text, and does what it does after it."""
    with ScriptedArena() as arena, playing(arena) as status:
        stream = arena.stream()
        stream.end(grpc.StatusCode.UNAUTHENTICATED, "who are you")
        stream.wait_left()
        for bot in [thread for thread in threading.enumerate() if thread.name == "tested"]:
            bot.join(10)  # by itself: nobody has told it to leave
        assert status == [1]
        assert arena.opened == 1


def test_a_bot_that_half_closes_is_let_go() -> None:
    """It hears what was said to it, then the stream ends with OK, as with every arena."""
    with ScriptedArena() as arena, grpc.insecure_channel(arena.address) as channel:
        requests: SimpleQueue[play_pb2.PlayRequest | None] = SimpleQueue()
        requests.put(play_pb2.PlayRequest(hello=play_pb2.Hello(protocol_version=1)))
        call = arena_pb2_grpc.ArenaServiceStub(channel).Play(iter(requests.get, None), timeout=10)
        stream = arena.stream()
        stream.say(welcome())
        requests.put(None)
        assert [event.WhichOneof("kind") for response in call for event in response.events] == ["welcome"]
        assert call.code() is grpc.StatusCode.OK
        assert stream.wait_left() == []


def test_of_a_bot_that_stays_it_is_told_what_it_said_instead() -> None:
    """Its messages by name, in their order."""
    with ScriptedArena() as arena, grpc.insecure_channel(arena.address) as channel:
        requests: SimpleQueue[play_pb2.PlayRequest | None] = SimpleQueue()
        requests.put(play_pb2.PlayRequest(hello=play_pb2.Hello(protocol_version=1)))
        call = arena_pb2_grpc.ArenaServiceStub(channel).Play(iter(requests.get, None), timeout=10)
        stream = arena.stream()
        for message in (play_pb2.PlayRequest(ready=play_pb2.Ready()), play_pb2.PlayRequest()):
            requests.put(message)
        with pytest.raises(Silence, match=r"not left after 0\.5 s, in which it said ready, an empty message"):
            stream.wait_left(0.5)
        with pytest.raises(Silence, match=r"not left after 0\.0 s, in which it said nothing"):
            stream.wait_left(0)
        call.cancel()


def test_nobody_waits_for_a_stream_of_an_arena_that_was_closed() -> None:
    """Whoever waits is told so at once, and so is whoever asks again."""
    arena = ScriptedArena()
    threading.Timer(0.1, arena.close).start()
    for _ in range(2):
        with pytest.raises(Silence, match="the arena was closed"):
            arena.stream(30)


def test_a_bot_that_pings_every_ten_seconds_is_borne() -> None:
    """The pings that the protocol asks of bots are allowed: its options are those of an arena."""
    real = dict(server_options())
    options = dict(_OPTIONS)
    for name in ("grpc.http2.min_ping_interval_without_data_ms", "grpc.keepalive_permit_without_calls"):
        assert options[name] == real[name]


def test_the_port_of_an_arena_that_is_away_is_kept() -> None:
    """Nobody is answered there, nobody else is given it, and the arena is back on it."""
    with ScriptedArena() as arena:
        address = arena.address
        arena.stop()
        host, port = address.split(":")
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection((host, int(port)), 5)
        with pytest.raises(OSError, match="in use"), socket.socket() as other:
            other.bind((host, int(port)))
        arena.start()
        assert arena.address == address
        socket.create_connection((host, int(port)), 5).close()
