"""Runs a bot as a program: reads how it is to play, opens its lanes, and leaves when it is told to."""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Final, NoReturn, TypeAlias

from arena.bot.bot import Bot, BotError, BotFailed, BotLike, FunctionBot, make_bots, software
from arena.bot.conversation import Conversation, Ending
from arena.bot.report import Report
from arena.bot.settings import Settings, settings

if TYPE_CHECKING:
    from arena.bot.lane import Lane

INTERRUPTED: Final = 130
"""Exit status after Ctrl-C, as shells have it."""
NONCE_BYTES: Final = 16

_News: TypeAlias = "SimpleQueue[tuple[Lane, Ending] | str]"
"""What the main thread waits for: a lane has ended, or the program is to leave, with what there is to say of that."""
_LEAVE_SIGNALS: Final = ("SIGTERM", "SIGBREAK")  # the second is Windows' way to say the first
_WAKE_SECONDS: Final = 0.5
"""A signal that does not end the wait of the main thread is heard this much later: on Windows each, elsewhere one that
comes just before the wait begins, or to another thread."""


def run(bot: BotLike, arguments: Sequence[str] | None = None) -> NoReturn:
    """Play until all is played, then end the program.

    `bot` is a function `choose(decision)`, a Bot, a subclass of Bot or a function that makes Bots. On several lanes
    each has an instance of its own, so a Bot itself plays on one. The settings come from the environment (ARENA_SERVER,
    ARENA_TOKEN, ...) and from `arguments`, by default those of the program; `--help` lists them and the exit statuses.
    """
    program = Path(sys.argv[0]).stem or "bot"
    chosen = settings(sys.argv[1:] if arguments is None else arguments, os.environ, program=program)
    status = play(bot, chosen, program=program)
    if status == INTERRUPTED:
        # At once: nothing waits for threads of gRPC, or for a bot that thinks.
        for stream in (sys.stdout, sys.stderr):
            with suppress(AttributeError, OSError):  # there may be none (pythonw), or nobody may be there to read it
                stream.flush()
        os._exit(status)
    sys.exit(status)


def play(
    bot: BotLike,
    chosen: Settings,
    *,
    program: str = "bot",
    on_leave: Callable[[Callable[[], None]], None] = lambda _: None,
) -> int:
    """Play until all is played; the exit status that says how that went.

    Signals are heeded only when this is called in the main thread. `on_leave` is given a function that does what
    SIGTERM does, without a word, to be called in any thread.
    """
    # gRPC is half of the time that importing a bot takes; a bot that is tested or played locally does without it.
    from arena.bot.lane import Lane  # noqa: PLC0415
    from arena.bot.link import Link  # noqa: PLC0415

    report = Report(program)
    if chosen.exposes_token:
        report.must_say(
            f"the token would go to {chosen.server} in plain text: give --ca FILE with the certificates to trust, "
            "or --ca public (ARENA_CA)"
        )
        return 2
    try:
        bots = make_bots(bot, chosen.lanes)
        games = _games(bots[0], chosen.game)
    except BotError as error:
        report.must_say(str(error))
        return 2
    for player in bots:
        if isinstance(player, FunctionBot):
            player.name = _as_name(program)  # most functions have the same name, choose
    link = Link(chosen)
    name = "" if chosen.token else chosen.name or bots[0].name or _as_name(program)
    lanes = []
    for number, player in enumerate(bots):
        talk = Conversation(player, nonce=_nonce, lane=number, name=name, games=games, seed=chosen.seed)
        lanes.append(Lane(number, talk, link, report, patience=chosen.patience))
    news: _News = SimpleQueue()
    on_leave(lambda: news.put(""))
    try:
        status = _play(lanes, report, news)
    except KeyboardInterrupt:
        return INTERRUPTED  # the streams end with the process
    link.close()
    return status


def _play(lanes: Sequence[Lane], report: Report, news: _News) -> int:
    """Play on all lanes until each has ended. One that fails makes the others finish their matches and leave."""
    playing = set(lanes)
    status = 0
    said: set[str] = set()
    with _told_to_leave(news):
        for lane in lanes:
            # Daemons: nothing waits for a bot that thinks when the program is to end at once.
            threading.Thread(target=_live, args=(lane, news), name=f"lane {lane.number}", daemon=True).start()
        while playing:
            item = _next(news, playing)
            if isinstance(item, str):
                if item:
                    report.say(item)
            else:
                lane, ending = item
                playing.discard(lane)
                status = max(status, ending.status)
                if ending.text and ending.text not in said:
                    said.add(ending.text)
                    report.must_say(ending.text)
            if isinstance(item, str) or status:
                for lane in playing:
                    lane.leave()
    return status


def _next(news: _News, playing: Collection[Lane]) -> tuple[Lane, Ending] | str:
    """What there is to hear next; that a lane does not come back from the bot's own code is seen from here."""
    while True:
        with suppress(Empty):
            return news.get(timeout=_WAKE_SECONDS)
        for lane in playing:
            if (ending := lane.deserted()) is not None:
                return lane, ending


def _live(lane: Lane, news: _News) -> None:
    """The thread of a lane."""
    try:
        ending = lane.run()
    except BotFailed as failure:
        ending = Ending(failure.status, str(failure))
    except BaseException:  # noqa: BLE001 - whatever ends the thread, the main thread must hear of it
        with suppress(OSError):  # nobody may be there to read it
            traceback.print_exc()
        ending = Ending(1, "the bot failed; its match goes on without it until its clock has run out")
    news.put((lane, ending))


@contextmanager
def _told_to_leave(news: _News) -> Iterator[None]:
    """Signals to leave become news. A queue, because a handler may not take a lock that its own thread may hold."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [number for name in _LEAVE_SIGNALS if (number := getattr(signal, name, None)) is not None]
    before = {number: signal.signal(number, lambda _number, _frame: news.put("told to leave")) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _games(bot: Bot, game: str) -> tuple[str, ...]:
    """The games to say in Hello."""
    if game and bot.games and game not in bot.games:
        raise BotError(f"{software(bot)} does not play {game}: it plays {', '.join(bot.games)}")
    return (game,) if game else tuple(bot.games)


def _as_name(program: str) -> str:
    """The program's name, as a bot can have it."""
    return re.sub(r"[^A-Za-z0-9._-]", "-", program)[:32]


def _nonce() -> bytes:
    return os.urandom(NONCE_BYTES)
