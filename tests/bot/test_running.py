"""Bots on real streams, against an arena that says what the test tells it to."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeAlias

import grpc
import pytest

from arena.bot import Answer, Bot, Decision, Settings, play
from arena.bot.settings import PUBLIC
from arena.bot.testing import goodbye, welcome
from arena.v1 import play_pb2
from bare_messages import asked, both, ended, offered, started
from certificates import Authority
from stream_scripts import Noting, OneScriptArena, Responses, Talk, first, one_match

Serve: TypeAlias = Callable[..., OneScriptArena]


def test_a_function_plays_a_match(serve: Serve, capfd: pytest.CaptureFixture[str]) -> None:
    """A function on a stream plays to the end of the run, leaves with status 0, and says what it did in two lines."""
    arena = serve(one_match)
    assert play(first, Settings(arena.address, name="newcomer"), program="first bot") == 0
    hello = arena.talks[0].hello
    assert (hello.name, hello.software_name, hello.lane) == ("newcomer", "first-bot", 0)
    said = f"first bot: connected to {arena.address} as tester\nfirst bot: all is played\n"
    assert capfd.readouterr().err == said


def test_without_a_name_a_bot_is_called_by_its_class_or_program(serve: Serve) -> None:
    """The name of the class comes first, that of the program if it has none."""

    class Named(Bot):
        name = "fred"

        def choose(self, decision: Decision) -> Answer:
            return first(decision)

    arena = serve(one_match)
    assert play(Named, Settings(arena.address), program="my bot") == 0
    assert play(first, Settings(arena.address), program="my bot") == 0
    assert [talk.hello.name for talk in arena.talks] == ["fred", "my-bot"]


def test_hooks_of_a_match_are_called_once_each(serve: Serve, noting: type[Noting]) -> None:
    """Start, decisions and end, in order."""
    assert play(noting, Settings(serve(one_match).address)) == 0
    assert noting.notes == ["started m1", "choose 0", "ended m1"]


@pytest.mark.parametrize(
    "code",
    [
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.PERMISSION_DENIED,
    ],
)
def test_a_refusal_is_said_in_the_arenas_words(
    serve: Serve, code: grpc.StatusCode, capfd: pytest.CaptureFixture[str]
) -> None:
    """What another attempt would not change ends the bot at once, with one line and status 1, on however many lanes."""

    def refuse(talk: Talk) -> Responses:
        if talk.hello.protocol_version:
            talk.abort(code, "this arena speaks 1, 2")
        yield welcome()

    arena = serve(refuse)
    assert play(lambda _: 0, Settings(arena.address, lanes=3)) == 1
    assert capfd.readouterr().err == f"bot: {arena.address} refuses: this arena speaks 1, 2\n"
    assert len(arena.talks) <= 3


def test_a_server_that_is_no_arena_is_not_asked_again(capfd: pytest.CaptureFixture[str]) -> None:
    """A gRPC server without the service ends the bot with status 1."""
    server = grpc.server(ThreadPoolExecutor(1))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    assert play(first, Settings(f"127.0.0.1:{port}")) == 1
    assert "Method not found" in capfd.readouterr().err
    server.stop(0).wait()


def test_a_replaced_bot_leaves(serve: Serve) -> None:
    """A bot whose lane a newer stream has taken does not fight for it."""

    def replace(_: Talk) -> Responses:
        yield both(welcome(), goodbye("REPLACED"))

    arena = serve(replace)
    assert play(first, Settings(arena.address)) == 0
    assert len(arena.talks) == 1


def test_a_bot_that_raises_leaves_with_its_traceback(serve: Serve, capfd: pytest.CaptureFixture[str]) -> None:
    """An exception in choose is shown, the stream ends, and the status is 1."""

    def broken(decision: Decision) -> Answer:
        raise KeyError(f"no idea about {decision.hand[0]}")

    rest: list[play_pb2.PlayRequest] = []

    def script(talk: Talk) -> Responses:
        yield both(welcome(), offered())
        talk.next()
        yield both(started(), asked(0))
        rest.extend(talk.rest())

    arena = serve(script)
    assert play(broken, Settings(arena.address)) == 1
    said = capfd.readouterr().err
    assert "KeyError: 'no idea about 2C'" in said
    assert "the bot failed" in said
    arena.close()
    assert rest == []


def test_a_grpc_error_of_the_bots_own_is_no_broken_stream(serve: Serve) -> None:
    """A bot that calls a service itself fails with its call, and does not look like one that lost its arena."""

    def calling(_: Decision) -> Answer:
        raise grpc.RpcError("the model server is down")

    def script(talk: Talk) -> Responses:
        yield both(welcome(), offered())
        talk.next()
        yield both(started(), asked(0))
        talk.rest()

    assert play(calling, Settings(serve(script).address)) == 1


def test_a_bot_that_fails_on_one_lane_finishes_on_the_others(serve: Serve, noting: type[Noting]) -> None:
    """The match of another lane is played to its end before the program leaves with status 1."""
    failed, accepted = threading.Event(), threading.Event()

    class Fragile(Noting):
        def choose(self, decision: Decision) -> Answer:
            if decision.decision_id == 13:
                failed.set()
                raise ValueError("thirteen")
            return super().choose(decision)

    def script(talk: Talk) -> Responses:
        yield both(welcome(), offered())
        talk.next()
        if talk.hello.lane == 1:
            accepted.wait(10)
            yield both(started(), asked(13))
        else:
            accepted.set()
            failed.wait(10)
            yield both(started(), asked(4))
            talk.next()
            yield ended()
        talk.rest()

    assert play(Fragile, Settings(serve(script).address, lanes=2)) == 1
    assert noting.notes.count("ended m1") == 1


def test_lanes_are_streams_with_bots_of_their_own(serve: Serve) -> None:
    """Each lane says its number and has an instance of the class."""
    made: list[Bot] = []

    class Counted(Bot):
        def __init__(self) -> None:
            made.append(self)

        def choose(self, decision: Decision) -> Answer:
            return first(decision)

    arena = serve(one_match)
    assert play(Counted, Settings(arena.address, lanes=3)) == 0
    assert sorted(talk.hello.lane for talk in arena.talks) == [0, 1, 2]
    assert len(made) == 3


def test_one_instance_cannot_play_on_two_lanes(noting: type[Noting], capfd: pytest.CaptureFixture[str]) -> None:
    """The mistake is one line that says what would be right."""
    assert play(noting(), Settings("127.0.0.1:1", lanes=2)) == 2
    said = capfd.readouterr().err
    assert said == "bot: one Noting cannot play on 2 lanes: give the class, run(Noting), not an instance\n"


def test_a_bot_is_not_started_for_a_game_that_it_does_not_play(capfd: pytest.CaptureFixture[str]) -> None:
    """ARENA_GAME must be one of the bot's games."""

    class Smearing(Noting):
        games = ("smear",)

    assert play(Smearing, Settings("127.0.0.1:1", game="draw-bridge")) == 2
    assert capfd.readouterr().err == "bot: Smearing does not play draw-bridge: it plays smear\n"


def test_a_token_says_who_the_bot_is(serve: Serve) -> None:
    """With a token the bot shows it in the call's metadata and gives no name."""
    arena = serve(one_match)
    assert play(first, Settings(arena.address, name="newcomer", token="arena_1_secret")) == 0
    assert arena.talks[0].stream.metadata["authorization"] == "Bearer arena_1_secret"
    assert arena.talks[0].hello.name == ""


def test_an_encrypted_connection(serve: Serve, tmp_path: Path) -> None:
    """With certificates to trust the connection is encrypted."""
    authority = Authority(tmp_path)
    certificate, key = (path.read_bytes() for path in authority.pair())
    arena = serve(one_match, key=key, certificate=certificate)
    assert play(first, Settings(arena.address, ca=authority.trusted)) == 0


@pytest.mark.parametrize("trusted", [PUBLIC, b""])
def test_a_bot_that_does_not_trust_the_arena_tells_it_nothing(
    serve: Serve, tmp_path: Path, trusted: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    """An arena whose certificate nobody vouches for, or that wants TLS where the bot does not, never sees a call."""
    certificate, key = (path.read_bytes() for path in Authority(tmp_path).pair())
    arena = serve(one_match, key=key, certificate=certificate)
    assert play(first, Settings(arena.address, ca=trusted, token="arena_1_secret", patience=0.3)) == 1
    assert arena.talks == []
    assert f"no arena at {arena.address} for 0.3 s, giving up: " in capsys.readouterr().err
