"""Starts bots as programs of their own, by the launch contract: everything a bot needs is in its environment.

ARENA_SERVER host and port; ARENA_TOKEN who it is; ARENA_CA the file of certificates to trust, empty without TLS;
ARENA_GAME the game, empty for all; ARENA_LANES how many seats to open; ARENA_SEED a number for dice that can be thrown
again, empty if nothing is to be repeated; ARENA_NAME what the bot is called. SIGTERM means: finish the match in hand,
then leave.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any, Final

import trio

from arena.errors import ArenaError

LEAVE_SECONDS: Final = 5.0
"""How long a bot that was told to leave may take."""
_PROGRAM_WORDS: Final = (
    *("python", "python3", "pypy", "pypy3", "node", "deno", "bun", "java", "go", "lua", "ruby", "perl", "php"),
    *("sh", "bash", "env", "exec", "uv", "run"),
)


class BotFailedError(ArenaError):
    """A bot could not be started, or ended by itself."""


@dataclass(frozen=True, slots=True)
class BotProgram:
    """A bot as the arena starts it: its name in results, the words of its command.

    `folder` is where it is started, `environment` what it finds there beside the launch contract.
    """

    name: str
    argv: tuple[str, ...]
    folder: Path = Path()
    environment: tuple[tuple[str, str], ...] = ()

    def document(self) -> dict[str, Any]:
        """It as JSON."""
        return {
            "name": self.name,
            "argv": list(self.argv),
            "folder": str(self.folder),
            "environment": dict(self.environment),
        }

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> BotProgram:
        """What `document` gave."""
        environment = tuple(document["environment"].items())
        return cls(document["name"], tuple(document["argv"]), Path(document["folder"]), environment)


def programs_of(commands: list[str]) -> tuple[BotProgram, ...]:
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
        found.append(BotProgram(name, argv, Path.cwd()))
    return tuple(found)


def _name(argv: tuple[str, ...]) -> str:
    """A bot's name from its command: the first word that is no option, no setting and no mere interpreter."""
    for before, word in zip(("", *argv), argv, strict=False):
        path = PurePath(word)
        interpreter = re.sub(r"[\d.]+$", "", path.name) in _PROGRAM_WORDS
        if word.startswith("-") or "=" in word or interpreter:
            continue
        if before == "-m":
            return _plain(path.name.rpartition(".")[2])
        return _plain(path.stem if path.suffix[1:].isalpha() else path.name)
    return _plain(PurePath(argv[0]).name)


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]", "-", name)[:32].strip("-") or "bot"


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
        """Tell the bot to leave, and make it leave if it does not, or `at_once`; nothing that it started stays."""
        if self.process.poll() is None and not at_once:
            self._signal(signal.SIGTERM)
            with trio.move_on_after(LEAVE_SECONDS):
                await self.process.wait()
        self._signal(getattr(signal, "SIGKILL", signal.SIGTERM))
        await self.process.wait()

    def _signal(self, number: int) -> None:
        """Send it to the bot and to all that it started: a shell, for one, passes nothing on."""
        with suppress(ProcessLookupError, PermissionError):
            if os.name == "posix":
                os.killpg(self.process.pid, number)
            else:
                self.process.send_signal(number)


def _check(program: BotProgram) -> None:
    if not program.folder.is_dir():
        raise BotFailedError(f"bot {program.name} does not start: there is no folder {program.folder}")
    word = program.argv[0]
    path = program.folder / word  # a name with a slash is looked for from there, another in PATH
    if shutil.which(path if os.sep in word else word) is None:
        what = f"there is no program {word!r}"
        if path.is_file():
            what = f"{word!r} is a file that is no program: make it executable, or write what runs it in front"
        raise BotFailedError(f"bot {program.name} does not start: {what}")


async def start(program: BotProgram, contract: Mapping[str, str], stderr: Path) -> RunningBot:
    """Start a bot; what it prints goes to the file `stderr`. Raises BotFailedError when there is no such program."""
    _check(program)
    try:
        stderr.parent.mkdir(parents=True, exist_ok=True)
        sink = stderr.open("ab")
    except OSError as error:
        raise BotFailedError(
            f"bot {program.name} does not start: cannot write {stderr}: {(error.strerror or '').lower()}"
        ) from None
    with sink:
        try:
            # A session of its own: a Ctrl-C at the terminal is the arena's to handle, not the bots'.
            process = await trio.lowlevel.open_process(
                program.argv,
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=sink,
                cwd=program.folder,
                env={**os.environ, **dict(program.environment), **contract},
                start_new_session=True,
            )
        except OSError as error:
            raise BotFailedError(f"bot {program.name} does not start: {error.strerror}") from None
    return RunningBot(program, process, stderr)
