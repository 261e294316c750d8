"""The SDK for bots in Python.

    from arena.bot import run

    def choose(decision):
        return decision.dice.choice(decision.legal)

    run(choose)

That is a bot: `python first_bot.py --server 127.0.0.1:7878`. One with a memory or with hooks inherits from `Bot`.
`arena.bot.local` plays bots against each other in one process, without an arena.

The SDK makes no call that only Unix has, so all this is the same on Linux, macOS and Windows, but for one thing:
Windows has no SIGTERM that a program could hear, so there Ctrl-Break (CTRL_BREAK_EVENT) tells a bot to finish its match
and leave.
"""

from arena.bot.bot import Bot, BotError, BotFailed, BotLike
from arena.bot.decision import Answer, Choice, Decision, Resign, UnknownAction, Unreadable
from arena.bot.offer import MatchOffer, MatchResult, Outcome, Rejection
from arena.bot.run import play, run
from arena.bot.settings import Settings

__all__ = [
    "Answer",
    "Bot",
    "BotError",
    "BotFailed",
    "BotLike",
    "Choice",
    "Decision",
    "MatchOffer",
    "MatchResult",
    "Outcome",
    "Rejection",
    "Resign",
    "Settings",
    "UnknownAction",
    "Unreadable",
    "play",
    "run",
]
