"""The bot that asks a program."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeAlias

from arena.bot.bot import Bot, BotFailed
from arena.bot.bridge import forms
from arena.bot.bridge.child import Child
from arena.bot.bridge.replies import reply
from arena.bot.decision import Answer, Decision, Unreadable
from arena.bot.offer import MatchOffer, MatchResult, Rejection
from engine.event import Event

Form: TypeAlias = Callable[[dict[str, Any]], str]
"""`forms.json_lines` or `forms.text_lines`."""


class Bridged(Bot):
    """A program as a bot: it is told all hooks in lines, and answers the decisions."""

    def __init__(self, child: Child, *, form: Form, say: Callable[[str], None], name: str = "", lane: int = 0) -> None:
        self.name = name
        self._child = child
        self._form = form
        self._say = say
        self._wrong = ""
        """What was wrong with the last answer, if it was none."""
        with suppress(BotFailed):  # one that has ended already is found out like any other
            self._child.tell(form(forms.greeting(lane)))

    def choose(self, decision: Decision) -> Answer:
        """Ask the program. What it answers that is no action is for the arena to refuse."""
        line = self._child.ask(self._form(forms.question(decision)))
        self._wrong = ""
        try:
            return reply(line, decision)
        except ValueError as error:
            self._wrong = str(error)
            self._say(f"decision {decision.decision_id}: {error}")
            return Unreadable()

    def match_started(self, offer: MatchOffer) -> None:
        """Tell it."""
        self._child.tell(self._form(forms.told("match_started", offer)))

    def event(self, event: Event) -> None:
        """Tell it."""
        self._child.tell(self._form(forms.happened(event)))

    def match_ended(self, result: MatchResult) -> None:
        """Tell it."""
        self._child.tell(self._form(forms.told("match_ended", result)))

    def rejected(self, rejection: Rejection) -> None:
        """Tell it; if the answer was none, with what was wrong with it, which the arena could not know."""
        text = self._wrong or rejection.text
        self._child.tell(self._form(forms.told("rejected", replace(rejection, text=text))))
