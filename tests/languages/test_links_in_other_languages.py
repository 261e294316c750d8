"""The sample bots in other languages on links that break, with a proxy between them and a real arena."""

from __future__ import annotations

import signal
import threading
from pathlib import Path
from random import Random

import trio

from arena.bot import Answer, Decision
from arena.replay import Replay
from engine.states import Termination
from faults.networked import Networked, last, networked, slowly, until
from other_languages import Language
from real_arena import Process

PLAYED_OUT = {Termination.SCORE, Termination.DEAL_LIMIT}


def joined(network: Networked, language: Language) -> Process:
    """The bot of this language, as `a`, behind the proxy."""
    return Process(language.command, ARENA_SERVER=network.proxy.address, ARENA_NAME="a", ARENA_PATIENCE="30")


def count(replay: Replay, kind: str) -> int:
    """How many entries of a kind a log has."""
    return sum(entry.kind == kind for entry in replay.entries)


async def end_of(bot: Process) -> int:
    """The exit code of a bot, once it has ended."""
    return await trio.to_thread.run_sync(bot.wait)


async def test_one_reset_at_any_moment_ends_no_match(language: Language, tmp_path: Path, *, soak: bool) -> None:
    """P37: one reset at a random moment, back within the grace: the match goes on, and the bot leaves with 0."""
    dice = Random(language.name)
    for number in range(20 if soak else 1):
        async with networked(tmp_path / str(number)) as network:
            with joined(network, language) as bot:
                network.join("b", slowly)
                await network.asked(dice.randrange(1, 40))
                network.proxy.reset()
                ((result, replay),) = await network.finished()
                assert await end_of(bot) == 0, bot.seen
        assert result.termination in PLAYED_OUT
        assert count(replay, "lost") == count(replay, "back") == 1


async def test_a_flapping_connection_is_one_session(language: Language, tmp_path: Path) -> None:
    """P07: twenty resets in a row: never more than one stream of the bot is alive, and it writes few lines of it."""
    most = 0
    flapped = threading.Event()

    def choose(decision: Decision) -> Answer:
        flapped.wait(0.1)  # so that the match lasts as long as the link flaps
        return last(decision)

    async with networked(tmp_path, max_deals=2, target=9999) as network:
        with joined(network, language) as bot:
            network.join("b", choose)
            await network.asked(1)  # a match that has begun
            began = trio.current_time()
            for _ in range(20):
                await trio.to_thread.run_sync(bot.wait_line, "playing as")
                most = max(most, len(network.proxy.connections), network.arena.lobby.streams("a"))
                network.proxy.reset()
            took = trio.current_time() - began
            flapped.set()
            ((result, replay),) = await network.finished()
            assert await end_of(bot) == 0, bot.seen
    assert result.termination in PLAYED_OUT
    assert most == 1
    assert network.proxy.seen == 21
    assert count(replay, "lost") == count(replay, "back") == 20
    assert took > 19 * 0.05, "without pauses"
    assert len(bot.seen) <= 2 * 21 + 3  # two for each stream, and how the match ended


async def test_a_bot_that_leaves_leaves_nothing_behind(language: Language, tmp_path: Path) -> None:
    """P10: told to leave in a match, the bot closes its stream when that has ended; its place is free for another."""
    async with networked(tmp_path, matches=2) as network:
        lobby = network.arena.lobby
        with joined(network, language) as bot:
            network.join("b", slowly)
            await network.asked(10)
            bot.signal(signal.SIGTERM)
            assert await end_of(bot) == 0, bot.seen
            await until(lambda: not lobby.streams("a") and not network.proxy.connections)
        with joined(network, language) as again:
            results = await network.finished()
            assert await end_of(again) == 0, again.seen
    ends = [result.termination for result, _ in results]
    assert sum(end in PLAYED_OUT for end in ends) == 2
    # As it left it may have been offered another one, and did not take it.
    assert set(ends) - PLAYED_OUT <= {Termination.VOID_NOT_READY}


async def test_a_frozen_bot_holds_up_nobody(language: Language, tmp_path: Path) -> None:
    """P10: a bot whose host freezes at the end of the match, and never closes, does not keep the arena from its end."""
    async with networked(tmp_path) as network:
        with joined(network, language) as bot:
            network.join("b", slowly)
            await network.asked(10)
            network.arena.lobby.on_ended.append(lambda *_: bot.signal(signal.SIGSTOP))
            ((result, _),) = await network.finished()
            assert network.proxy.connections
    assert result.termination in PLAYED_OUT
