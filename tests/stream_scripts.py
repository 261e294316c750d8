"""A scripted arena that plays one script on each of its streams, a script to play there, and bots to meet it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, NoReturn, TypeAlias

import grpc

from arena.bot import Answer, Bot, Decision, MatchOffer, MatchResult
from arena.bot.testing import Left, Message, ScriptedArena, Silence, Stream, goodbye, welcome
from arena.v1 import play_pb2
from bare_messages import asked, both, ended, offered, started

SECONDS = 60.0
"""Longer than anything here takes, on whatever machine."""
NEVER = 1e6
"""Seconds that no test lasts."""


class Aborted(Exception):
    """The script has ended its stream with a status."""


@dataclass(frozen=True)
class Talk:
    """One stream, as a script sees it: it hears the bot here, and yields what is said to it."""

    number: int
    stream: Stream

    @property
    def hello(self) -> play_pb2.Hello:
        """How the bot introduced itself."""
        return self.stream.hello

    def next(self) -> play_pb2.PlayRequest:
        """What the bot says next. Raises Left, which ends the script, when it has left."""
        return self.stream.hear(SECONDS)

    def rest(self) -> list[play_pb2.PlayRequest]:
        """All that the bot still says, until it has left."""
        return self.stream.wait_left(SECONDS)

    def abort(self, code: grpc.StatusCode, text: str) -> NoReturn:
        """End the stream with a status, after all that was said, and the script with it."""
        self.stream.end(code, text)
        raise Aborted


Responses: TypeAlias = Iterator[Message]
Script: TypeAlias = Callable[[Talk], Responses]


class OneScriptArena:
    """Plays `script` on every stream, in a thread for each; `talks` are they so far, in the order of their Hellos.

    A script is over when its bot leaves. One that fails ends its stream with a status that a bot does not come back
    from, and `close` raises the error. `options` are those of a ScriptedArena.
    """

    def __init__(self, script: Script, **options: Any) -> None:
        self.script = script
        self.talks: list[Talk] = []
        self._arena = ScriptedArena(**options)
        self._failures: list[Exception] = []
        self._threads = [threading.Thread(target=self._meet, name="streams of a scripted arena", daemon=True)]
        self._threads[0].start()

    @property
    def address(self) -> str:
        """Host and port."""
        return self._arena.address

    def stop(self) -> None:
        """Be gone: all streams break, and nobody listens."""
        self._arena.stop()

    def start(self) -> None:
        """Be back on the same port."""
        self._arena.start()

    def close(self) -> None:
        """Be gone for good, when all scripts are over. Raises the first error of one that failed."""
        self._arena.close()
        for thread in self._threads:  # the first one adds no more to them when it has ended
            thread.join(SECONDS)
            assert not thread.is_alive(), f"still there: {thread.name}"
        if self._failures:
            raise self._failures[0]

    def _meet(self) -> None:
        while True:
            try:
                talk = Talk(len(self.talks), self._arena.stream(NEVER))
            except Silence:
                return  # the arena was closed
            self.talks.append(talk)
            self._threads.append(
                threading.Thread(target=self._play, args=(talk,), name=f"script of stream {talk.number}", daemon=True)
            )
            self._threads[-1].start()

    def _play(self, talk: Talk) -> None:
        try:
            for message in self.script(talk):
                talk.stream.say(message)
            talk.stream.end()
        except (Aborted, Left):
            pass
        except Exception as error:  # noqa: BLE001 - it is told by `close`
            self._failures.append(error)
            talk.stream.end(grpc.StatusCode.INVALID_ARGUMENT, f"the script failed: {error!r}")


def one_match(talk: Talk) -> Responses:
    """A match of one decision, then all is played."""
    yield welcome("tester")
    yield offered()
    assert talk.next().ready.match_id == "m1"
    yield both(started(), asked(0))
    assert talk.next().choose.index == 0
    yield both(ended(), goodbye("FINISHED", "all is played"))


def first(decision: Decision) -> Answer:
    """The smallest bot."""
    return 0 if decision.legal else 1


class Noting(Bot):
    """Plays the first legal action, and notes its hooks for all its instances."""

    notes: ClassVar[list[str]] = []

    def choose(self, decision: Decision) -> Answer:
        """The first one."""
        self.notes.append(f"choose {decision.decision_id}")
        return 0

    def match_started(self, offer: MatchOffer) -> None:
        """Noted."""
        self.notes.append(f"started {offer.match_id}")

    def match_ended(self, result: MatchResult) -> None:
        """Noted."""
        self.notes.append(f"ended {result.match_id}")
