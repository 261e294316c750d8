"""A bot asked again what a seat of a logged match was asked: offline, by the protocol, in one process of its own.

Whatever it answers, the match goes on as it did, so every question is the one of the log.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from arena.announce import offer
from arena.bot.report import plain
from arena.bot.testing import Left, ScriptedArena, Silence, Stream, goodbye, welcome
from arena.errors import ArenaError
from arena.launch import BotFailedError, BotProgram, contract
from arena.process import BotProcess, NotAsExpected
from arena.replay.asking import Asked, Rest, conversation
from arena.replay.read import Replay
from arena.replay.rerun import setting_of
from arena.v1 import match_pb2, play_pb2
from arena.wire import action_from_proto, decision_chunk, event_chunk
from engine.action import Action, Discard
from engine.clock import SECOND

HELLO_SECONDS: Final = 30.0
_LEAVE_SECONDS: Final = 5.0
_LINES: Final = 12
"""So many of what a bot printed last are shown."""
_LAST_WORDS_SECONDS: Final = 2.0
_LEAST_SECONDS: Final = 10.0
"""How long a bot may think at least: it is asked offline, and its machine may be busy."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A question, and what the bot answers it now. `now` is None for an answer that is no legal action."""

    asked: Asked
    now: Action | None
    said: str
    """The answer in words: the action, or what the bot said instead of one."""
    note: str

    @property
    def same(self) -> bool:
        """It is the answer of the log."""
        return self.now == self.asked.answer


def rehearse(
    replay: Replay, seat: int, program: BotProgram, *, first_leg: Replay | None = None
) -> Generator[Reply, None, None]:
    """The bot's answer to every question that `seat` was asked.

    Raises BadReplay, and BotFailedError when the bot ends, says nothing, or does not play the game.
    """
    seats = len(replay.header.seats)
    if not 0 <= seat < seats:
        raise ArenaError(f"match {replay.name} has no seat {seat}: they are 0 to {seats - 1}")
    setting = setting_of(replay, first_leg)
    questions = conversation(replay, setting, seat)
    with ScriptedArena() as arena:
        settings = contract(arena.address, game=replay.header.game, seed=0, name=program.name)
        bot = BotProcess(program, settings)
        try:
            stream = _welcomed(arena, bot, replay)
            stream.say(play_pb2.Event(match_offered=offer(replay.header, setting.game.sides, seat, 20 * SECOND)))
            stream.ready(HELLO_SECONDS)
            stream.say(play_pb2.Event(match_started=play_pb2.MatchStarted(match_id=replay.header.match_id)))
            for item in questions:
                told = [event_chunk(event, seq) for seq, event in item.told]
                if isinstance(item, Rest):
                    stream.say(*told, _end(replay, item.last_seq + 1), goodbye("FINISHED", "all was asked"))
                    stream.end()
                    break
                stream.say(*told, decision_chunk(item.decision_id, item.view, item.legal, item.left))
                yield _reply(item, _answer(stream, item))
            bot.end(_LEAVE_SECONDS)
        except (Silence, Left) as fault:
            raise BotFailedError(f"bot {program.name}: {fault}{_last_words(bot)}") from None
        except NotAsExpected:
            pass  # it stays after Goodbye: that is no matter here
        finally:
            bot.kill()


def _last_words(bot: BotProcess) -> str:
    """How the bot ended, if it has, and what it printed last."""
    ended = ""
    with suppress(NotAsExpected):
        ended = f" (it ended with exit code {bot.end(_LAST_WORDS_SECONDS)})"
    return ended + "".join(f"\n  {line}" for line in map(plain, bot.printed().splitlines()[-_LINES:]))


def _welcomed(arena: ScriptedArena, bot: BotProcess, replay: Replay) -> Stream:
    stream = arena.stream(HELLO_SECONDS, as_long_as=lambda: bot.running)
    games = stream.hello.games
    if games and replay.header.game not in games:
        raise Silence(f"it does not play {replay.header.game}: it plays {', '.join(games)}")
    stream.say(welcome())
    return stream


def _answer(stream: Stream, asked: Asked) -> play_pb2.PlayRequest:
    """What the bot says to a question: a Choose, or a Resign."""
    within = max(_LEAST_SECONDS, asked.left.decision_us / SECOND)
    while True:
        request = stream.hear(within)
        if request.HasField("resign") or request.choose.decision_id == asked.decision_id:
            return request


def _reply(asked: Asked, request: play_pb2.PlayRequest) -> Reply:
    choose = request.choose
    if request.HasField("resign"):
        return Reply(asked, None, "resign", "")
    if choose.WhichOneof("choice") == "index":
        if choose.index < len(asked.legal):
            action = asked.legal[choose.index]
            return Reply(asked, action, str(action), choose.note)
        return Reply(asked, None, f"index {choose.index}, of {len(asked.legal)} actions", choose.note)
    chosen = action_from_proto(choose.action) if choose.HasField("action") else None
    if isinstance(chosen, Discard):
        chosen = Discard(tuple(sorted(chosen.cards)))
    if chosen is None or chosen not in asked.legal:
        return Reply(asked, None, f"{chosen or 'no action'}, which is not legal", choose.note)
    return Reply(asked, chosen, str(chosen), choose.note)


def _end(replay: Replay, seq: int) -> play_pb2.Event:
    """The end of the match. It reveals nothing: the bot's nonce had no share in these decks."""
    ended = replay.ended
    message = play_pb2.MatchEnded(
        match_id=replay.header.match_id,
        outcomes=[match_pb2.OUTCOME_VOID] * len(replay.header.seats),
        text="All that was logged has been asked.",
    )
    if ended is not None:
        message.totals.extend(ended.totals)
        message.termination = ended.termination
    return play_pb2.Event(seq=seq, match_ended=message)
