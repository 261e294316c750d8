"""The bridge as a program: its options, a process for each lane, and how it ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import Final, NoReturn

from arena.bot.bot import Bot, BotFailed
from arena.bot.bridge.bridged import Bridged, Form
from arena.bot.bridge.child import Child
from arena.bot.bridge.forms import json_lines, text_lines
from arena.bot.bridge.naming import called
from arena.bot.report import Report
from arena.bot.run import INTERRUPTED, play
from arena.bot.settings import Settings, settings

TEXT: Final = "--text"
USAGE: Final = """\
Let a program that reads and writes lines play: %(program)s [--text] [OPTION...] -- COMMAND...

COMMAND is started once for each lane, is told and asked on its stdin, and answers on its stdout, a JSON object a line;
with --text in plain words, for awk or a shell. proto/bridge.md explains the lines. OPTIONs, as of any bot:

"""


def main(arguments: Sequence[str], *, program: str) -> NoReturn:
    """Play until all is played, then end the process: with the exit code of COMMAND if that ended before its time."""
    options, command = _split(arguments)
    form: Form = text_lines if TEXT in options else json_lines
    options = [option for option in options if option != TEXT]
    if {"-h", "--help"} & set(options):
        sys.stdout.write(USAGE % {"program": program})
    chosen = settings(options, os.environ, program=program)
    if not command:
        sys.stderr.write(f"{program}: there is no program to run: write it after --, as in {program} -- perl bot.pl\n")
        sys.exit(2)
    status = Bridge(command, chosen, form=form, program=program).play()
    if status == INTERRUPTED:
        os._exit(status)  # at once, as any bot: nothing waits for threads of gRPC
    sys.exit(status)


class Bridge:
    """A command with its processes."""

    def __init__(self, command: Sequence[str], chosen: Settings, *, form: Form, program: str) -> None:
        self._command = command
        self._chosen = chosen
        self._form = form
        self._program = program
        self._report = Report(program)
        self._children: list[Child] = []
        self._leave: Callable[[], None] = lambda: None

    def play(self) -> int:
        """Play until all is played; the exit status."""
        status = INTERRUPTED
        try:
            status = play(self._bot, self._chosen, program=self._program, on_leave=self._can_leave)
        finally:
            for child in self._children:
                child.stop(at_once=status == INTERRUPTED)
            for child in self._children:
                child.wait()
        failed = [child.failure.status for child in self._children if child.failure is not None]
        return status or max(failed, default=0)

    def _bot(self) -> Bot:
        lane = len(self._children)
        environment = {name: value for name, value in os.environ.items() if name != "ARENA_TOKEN"}
        environment["ARENA_LANE"] = str(lane)
        say = self._report.say
        child = Child(self._command, environment, say=say, gone=self._gone)
        self._children.append(child)
        return Bridged(child, form=self._form, say=say, name=called(self._command), lane=lane)

    def _gone(self, failure: BotFailed) -> None:
        self._report.must_say(str(failure))
        self._leave()

    def _can_leave(self, leave: Callable[[], None]) -> None:
        self._leave = leave
        if any(child.failure for child in self._children):
            leave()


def _split(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """The bridge's options and the command, which `--` parts."""
    words = list(arguments)
    cut = words.index("--") if "--" in words else len(words)
    return words[:cut], words[cut + 1 :]
