"""Where a step is played: an arena of its own, and the bot, started as often as the step wants."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Final, Self

from arena.bot.testing import Player, ScriptedArena, ScriptedMatch, Silence, Stream, welcome
from arena.conformance.course import ANSWER_SECONDS, carry_out
from arena.conformance.failed import Failed
from arena.conformance.openings import free
from arena.launch import BotProgram, contract
from arena.process import BotProcess, NotAsExpected
from arena.v1 import play_pb2
from engine.games import registered

HELLO_SECONDS: Final = 15.0
"""How long a bot may take from its start to its Hello, and to come back."""
READY_SECONDS: Final = 20.0
"""How long it may take to say Ready: the `ready_within_ms` of each offer."""
PATIENCE_SECONDS: Final = 20
"""ARENA_PATIENCE, where the step is not about that."""

_DEALS: Final = 5000
"""So many are tried until one fits."""


class Stage:
    """One step's arena and bots; leaving it ends all of them.

    `plays` are the games that the bot plays, `game` is the one that it is to play, empty for all.
    """

    def __init__(self, program: BotProgram, plays: Sequence[str] = (), game: str = "") -> None:
        self.program = program
        self.plays = tuple(plays or registered())
        self.game = game
        self.arena = ScriptedArena()
        self.bots: list[BotProcess] = []
        self._lock = threading.Lock()
        self.answered = False
        """The bot has answered a question that `take` asked, rightly or not."""
        self._ended = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def end(self) -> None:
        """End the bots and the arena, from whichever thread; whoever waits for them waits no more."""
        with self._lock:
            self._ended = True
        for bot in self.bots:
            bot.kill()
        self.arena.close()

    @property
    def any_game(self) -> str:
        """A game to play where it does not matter which: the first that is played."""
        return self.plays[0]

    @property
    def short_game(self) -> str:
        """The game that is played with the fewest cards: its deals end soonest."""
        return min(self.plays, key=lambda name: len(registered()[name].pack))

    def start(self, *, heard: bool = True, **changes: Any) -> BotProcess:
        """Start the bot by the launch contract; `changes` are arguments of `arena.launch.contract`."""
        usual = {"server": self.arena.address, "game": self.game, "seed": 1, "name": "tested"}
        words = contract(**{**usual, "patience": PATIENCE_SECONDS, **changes})
        with self._lock:
            if self._ended:
                raise Failed("it was not started any more")
            bot = BotProcess(self.program, words, heard=heard)
            self.bots.append(bot)
        return bot

    def stream(self, within: float = HELLO_SECONDS) -> Stream:
        """The bot's next stream, not made welcome. Raises Silence when there is none, or the bot has ended."""
        return self.arena.stream(within, as_long_as=lambda: any(bot.running for bot in self.bots))

    def ending(self, within: float = 0.0) -> str:
        """The exit code of the bot that was started last, in words; empty if it has not ended in so many seconds."""
        try:
            return f"its exit code is {self.bot().end(within)}" if self.bots else ""
        except NotAsExpected:
            return ""

    def meet(self, within: float = HELLO_SECONDS) -> Stream:
        """The bot's next stream, made welcome."""
        stream = self.stream(within)
        stream.say(welcome())
        return stream

    def meet_lanes(self, lanes: int) -> list[Stream]:
        """The streams of so many lanes, by lane, made welcome in that order."""
        streams = sorted((self.stream() for _ in range(lanes)), key=lambda stream: stream.hello.lane)
        found = [stream.hello.lane for stream in streams]
        if found != list(range(lanes)):
            raise Failed(f"its Hellos say lanes {found}, and ARENA_LANES is {lanes}")
        for stream in streams:
            stream.say(welcome())
        return streams

    def match(
        self,
        stream: Stream,
        game: str = "",
        *,
        seed: str,
        fits: Callable[[ScriptedMatch], bool] = lambda match: match.asked,
        seat: int = 0,
        rules: Mapping[str, str | int] | None = None,
        players: Mapping[int, Player] | None = None,
    ) -> ScriptedMatch:
        """A match for the bot on this stream, with draws as its Hello asks for them. The cards are the same each time.

        It is the first, by `seed` and a number, that `fits` when it has just begun.
        """

        def made(number: int) -> ScriptedMatch:
            return ScriptedMatch(
                game or self.any_game,
                seat=seat,
                seed=f"{seed}-{number}",
                rules=rules,
                auto_draw=stream.hello.auto_draw,
                players=players,
            )

        for number in range(_DEALS):
            trial = made(number)
            trial.start()
            if fits(trial):
                return made(number)
        raise RuntimeError(f"none of {_DEALS} deals fits")

    def begin(self, stream: Stream, match: ScriptedMatch) -> None:
        """Offer the match on the stream, and start it when the bot is ready."""
        stream.say(match.offer)
        stream.say(*match.start(self.ready(stream, match)))

    def ready(self, stream: Stream, match: ScriptedMatch) -> bytes:
        """The nonce with which the bot accepts a match that it was offered."""
        try:
            ready = stream.ready(READY_SECONDS)
        except Silence as silence:
            raise Silence(f"{silence}, and was offered match {match.match_id!r}") from None
        if ready.match_id != match.match_id:
            raise Failed(f"it said Ready to match {ready.match_id!r}: {match.match_id!r} was offered")
        return ready.nonce

    def resume(self, match: ScriptedMatch) -> Stream:
        """Meet the bot again in the middle of the match, and tell it all that it missed, in one response."""
        stream = self.meet()
        stream.say(match.resumed(), match.started, *match.since(seen(stream, match)), *self.question(match))
        return stream

    @staticmethod
    def question(match: ScriptedMatch) -> list[play_pb2.Event]:
        """The open question, if the bot is asked."""
        return [match.question] if match.asked else []

    def fresh(self, game: str = "", *, seed: str, seat: int = 0) -> tuple[Stream, ScriptedMatch]:
        """Start the bot, and begin a match in which its first question leaves it a choice."""
        self.start()
        stream = self.meet()
        match = self.match(stream, game, seed=seed, seat=seat, fits=free)
        self.begin(stream, match)
        return stream, match

    def take(self, stream: Stream, match: ScriptedMatch, within: float = ANSWER_SECONDS) -> play_pb2.Choose:
        """The answer to the open question, carried out. Raises Failed if the rules forbid it."""
        choose = stream.choose(match.decision_id, within)
        self.answered = True
        carry_out(match, choose, judged=True)
        return choose

    def bot(self) -> BotProcess:
        """The bot that was started last."""
        return self.bots[-1]

    def pause(self, seconds: float) -> None:
        """Let time pass, in which the bot must not end."""
        time.sleep(seconds)
        if not self.bot().running:
            raise Failed(f"it ended; {self.ending(1.0)}")


def seen(stream: Stream, match: ScriptedMatch) -> int:
    """How far the bot says it got in this match; 0 if it says nothing of it."""
    resume = stream.hello.resume
    return resume.last_seq if resume.match_id == match.match_id else 0
