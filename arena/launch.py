"""Starts bots as programs of their own, by the launch contract: everything a bot needs is in its environment.

ARENA_SERVER host and port; ARENA_TOKEN who it is; ARENA_CA the file of certificates to trust, empty without TLS;
ARENA_GAME the game, empty for all; ARENA_LANES how many seats to open; ARENA_SEED a number for dice that can be thrown
again, empty if nothing is to be repeated. SIGTERM means: finish the match in hand, then leave.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Final

import trio

from arena.errors import ArenaError

LEAVE_SECONDS: Final = 5.0
"""How long a bot that was told to leave may take."""
_PROGRAM_WORDS: Final = ("python", "python3", "node", "java", "go", "run", "sh", "bash", "perl", "env", "exec")


class BotFailedError(ArenaError):
    """A bot could not be started, or ended by itself."""


@dataclass(frozen=True, slots=True)
class BotProgram:
    """A bot as the arena starts it: its name in results, and the words of its command."""

    name: str
    argv: tuple[str, ...]


def programs(commands: list[str]) -> list[BotProgram]:
    """The bots that the commands start, each with a name of its own. Raises ArenaError for an empty command."""
    found: list[BotProgram] = []
    for command in commands:
        try:
            argv = tuple(shlex.split(command))
        except ValueError as error:
            raise ArenaError(f"the bot command {command!r} cannot be read: {error}") from None
        if not argv:
            raise ArenaError("a bot command is empty: give the words that start a bot, such as 'python my_bot.py'")
        name = _name(argv)
        taken = {program.name for program in found}
        number = 2
        while name in taken:
            name, number = f"{_name(argv)[:28]}-{number}", number + 1
        found.append(BotProgram(name, argv))
    return found


def _name(argv: tuple[str, ...]) -> str:
    """A bot's name from its command: the first word that is neither an option nor a mere interpreter."""
    for word in argv:
        stem = PurePath(word).name
        if not word.startswith("-") and re.sub(r"[\d.]+$", "", stem) not in _PROGRAM_WORDS:
            plain = stem.rsplit(".", 1)
            candidate = plain[1] if len(plain) == 2 and plain[1] not in _ENDINGS else plain[0]
            return re.sub(r"[^A-Za-z0-9._-]", "-", candidate)[:32] or "bot"
    return re.sub(r"[^A-Za-z0-9._-]", "-", PurePath(argv[0]).name)[:32] or "bot"


_ENDINGS: Final = ("py", "js", "ts", "jar", "pl", "rb", "awk", "sh", "exe", "mjs", "cjs")


@dataclass(slots=True, eq=False)
class RunningBot:
    """A started bot."""

    program: BotProgram
    process: trio.Process
    stderr: Path

    def tail(self, lines: int = 8) -> str:
        """The end of what it wrote to stderr, for a message."""
        try:
            text = self.stderr.read_bytes()[-4096:].decode(errors="replace")
        except OSError:
            return ""
        return "\n".join(text.splitlines()[-lines:])

    async def leave(self, *, at_once: bool = False) -> None:
        """Tell the bot to leave, and make it leave if it does not, or `at_once`."""
        if self.process.poll() is not None:
            return
        if not at_once:
            self.process.terminate()
            with trio.move_on_after(LEAVE_SECONDS):
                await self.process.wait()
        if self.process.poll() is None:
            self.process.kill()
            await self.process.wait()


async def start(program: BotProgram, contract: Mapping[str, str], stderr: Path) -> RunningBot:
    """Start a bot; what it prints goes to the file `stderr`. Raises BotFailedError when there is no such program."""
    if shutil.which(program.argv[0]) is None:
        raise BotFailedError(f"bot {program.name} does not start: there is no program {program.argv[0]!r}")
    stderr.parent.mkdir(parents=True, exist_ok=True)
    with stderr.open("ab") as sink:
        try:
            # A session of its own: a Ctrl-C at the terminal is the arena's to handle, not the bots'.
            process = await trio.lowlevel.open_process(
                program.argv,
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=sink,
                env={**os.environ, **contract},
                start_new_session=True,
            )
        except OSError as error:
            raise BotFailedError(f"bot {program.name} does not start: {error.strerror}") from None
    return RunningBot(program, process, stderr)
