"""What a bot is: a function that answers decisions, or a class with hooks."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import TypeAlias

from arena.bot.decision import Answer, Decision
from arena.bot.offer import MatchOffer, MatchResult, Rejection
from engine.event import Event


class Bot:
    """A bot with hooks; only `choose` must be there.

    One instance plays one match at a time: `run` makes as many as the bot has lanes, and calls each from a thread of
    its own. The hooks run between decisions, so they cost no time on the clock unless they are slow. An exception in
    any of them ends the bot: its traceback goes to stderr, and the arena's clock decides what becomes of the match.
    """

    name: str = ""
    """What the bot is called; empty: the name of its class. On an open arena it plays under this name."""
    version: str = ""
    """Its version, for people."""
    games: Sequence[str] = ()
    """The games that it plays, such as `draw-bridge`; empty for all."""
    auto_draw: bool = True
    """The arena makes the bot's draws (DB-4.13), so `choose` is not asked for them."""

    def choose(self, decision: Decision) -> Answer:
        """Answer a decision: with an action, its index in `decision.legal`, its text (`play 9H`), or a Choice."""
        raise NotImplementedError(f"{type(self).__name__} has no method choose(self, decision)")

    def match_started(self, offer: MatchOffer) -> None:
        """A match begins, or goes on that this process has not seen before. Called once for each match."""

    def event(self, event: Event) -> None:
        """Something happened at the table; cards that this seat may not see are `engine.card.HIDDEN`."""

    def match_ended(self, result: MatchResult) -> None:
        """The match is over. Not called if its end was not learned, as after an arena's total loss."""

    def rejected(self, rejection: Rejection) -> None:
        """An answer was not accepted. After a strike `choose` is called again with the same decision."""


Choose: TypeAlias = Callable[[Decision], Answer]
"""The smallest bot."""
BotLike: TypeAlias = Bot | type[Bot] | Callable[[], Bot] | Choose
"""All that can be played: a function `choose(decision)`, a Bot, a subclass of Bot, a function that makes Bots."""


class BotError(ValueError):
    """What was given as a bot cannot be one, or cannot do what was asked of it."""


class BotFailed(Exception):
    """Raised by a hook: the bot cannot go on. The program says the text alone, without a traceback, and ends so."""

    def __init__(self, text: str, status: int = 1) -> None:
        super().__init__(text)
        self.status = status
        """The exit status of the program."""


class FunctionBot(Bot):
    """A function as a bot, called what the function is called."""

    def __init__(self, choose: Choose) -> None:
        self.name = getattr(choose, "__name__", "function")
        self._choose = choose

    def choose(self, decision: Decision) -> Answer:
        """Answer a decision."""
        return self._choose(decision)


def make_bots(bot: BotLike, lanes: int) -> list[Bot]:
    """A bot for each lane. Raises BotError when that cannot be."""
    if isinstance(bot, Bot):
        if lanes > 1:
            kind = type(bot).__name__
            raise BotError(f"one {kind} cannot play on {lanes} lanes: give the class, run({kind}), not an instance")
        return [bot]
    return [_make(bot) for _ in range(lanes)]


def software(bot: Bot) -> str:
    """What the bot is called."""
    return bot.name or type(bot).__name__


def hears(bot: Bot) -> bool:
    """The bot has an `event` hook of its own."""
    return type(bot).event is not Bot.event or "event" in vars(bot)


def _make(bot: type[Bot] | Callable[[], Bot] | Choose) -> Bot:
    if not callable(bot):
        raise BotError(f"{bot!r} is no bot: give a function choose(decision), a Bot, or a class of Bots")
    needed = _needed(bot)
    if isinstance(bot, type) and not issubclass(bot, Bot):
        raise BotError(f"{bot.__name__} is no bot: let it inherit from arena.bot.Bot")
    if needed == 1 and not isinstance(bot, type):
        return FunctionBot(bot)  # type: ignore[arg-type]  # it takes one argument, so it is not the one that makes Bots
    if needed:
        raise BotError(
            f"{_named(bot)} needs {needed} arguments: a bot takes one, a class or function that makes one none"
        )
    made = bot()  # type: ignore[call-arg]  # it takes no argument, so it is not a Choose
    if not isinstance(made, Bot):
        raise BotError(f"{_named(bot)} makes {made!r}, which is no arena.bot.Bot")
    return made


def _named(bot: object) -> str:
    return getattr(bot, "__name__", repr(bot))


def _needed(bot: Callable[..., object]) -> int:
    """How many arguments must be given to call it."""
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = inspect.signature(bot).parameters.values()
    return sum(parameter.default is parameter.empty and parameter.kind in positional for parameter in parameters)
