"""Starts bots as programs of their own, by the launch contract: everything a bot needs is in its environment.

ARENA_SERVER host and port; ARENA_TOKEN who it is; ARENA_CA the file of certificates to trust, empty without TLS;
ARENA_GAME the game, empty for all; ARENA_LANES how many seats to open; ARENA_SEED a number for dice that can be thrown
again, empty if nothing is to be repeated; ARENA_NAME what the bot is called; ARENA_PATIENCE the seconds for which it
looks for an arena that is not there. SIGTERM means: finish the match in hand, then leave.
"""

from __future__ import annotations

import math
import os
import re
import shlex
import shutil
import signal
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import psutil
import trio

from arena.errors import ArenaError
from arena.naming import names_of
from arena.output import Output

LEAVE_SECONDS: Final = 5.0
"""How long a bot that was told to leave may take."""
LAST_WORDS_SECONDS: Final = 1.0
"""How long is waited for the last words of a bot that has ended: what it started may hold the pipe open for ever."""
PATIENCE_SECONDS: Final = 30
"""How long a started bot looks for its arena: one that was killed stops none of its bots, and does not come back."""
_ASSIGNMENT: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
_BUILT_IN: Final = frozenset({"cd", "source", ".", "export", "set", "exec"})
_OPERATORS: Final = frozenset({"&&", "||", "|", ";", "&", ">", "<"})
"""Words that mean something to a shell, and that people write in commands."""
_READ: Final = 64 * 1024
_BREATH: Final = 0.002
"""Seconds between two full reads: a bot that prints without end is held up, and not the matches of the others."""


def contract(
    server: str,
    *,
    token: str = "",
    ca: str = "",
    game: str = "",
    lanes: int = 1,
    seed: int | None = None,
    name: str = "",
    patience: float = PATIENCE_SECONDS,
) -> dict[str, str]:
    """The variables of the launch contract (proto/README.md), all of them, so that none is inherited from elsewhere."""
    return {
        "ARENA_SERVER": server,
        "ARENA_TOKEN": token,
        "ARENA_CA": ca,
        "ARENA_GAME": game,
        "ARENA_LANES": str(lanes),
        "ARENA_SEED": "" if seed is None else str(seed),
        "ARENA_NAME": name,
        "ARENA_PATIENCE": str(patience),
    }


class BotFailedError(ArenaError):
    """A bot could not be started, or ended by itself."""


@dataclass(frozen=True, slots=True)
class BotProgram:
    """A bot as the arena starts it: its name in results, the words of its command.

    `folder` is where it is started, `environment` what it finds there beside the launch contract. `memory_mib` is how
    much it may have in memory, with all that it starts, and `start_seconds` how long it may take to connect; None for
    no limit of its own.
    """

    name: str
    argv: tuple[str, ...]
    folder: Path = Path()
    environment: tuple[tuple[str, str], ...] = ()
    memory_mib: int | None = None
    start_seconds: int | None = None

    def document(self) -> dict[str, Any]:
        """It as JSON."""
        return {
            "name": self.name,
            "argv": list(self.argv),
            "folder": str(self.folder),
            "environment": dict(self.environment),
            "memory_mib": self.memory_mib,
            "start_seconds": self.start_seconds,
        }

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> BotProgram:
        """What `document` gave."""
        environment = tuple(document["environment"].items())
        return cls(
            document["name"],
            tuple(document["argv"]),
            Path(document["folder"]),
            environment,
            document.get("memory_mib"),  # runs of an older arena have no limits
            document.get("start_seconds"),
        )

    @property
    def in_words(self) -> str:
        """Its command with all that goes with it: `'python a.py' in /bots DEPTH=3, memory_mib 512`."""
        where = f" in {self.folder}" if self.folder != Path() else ""
        settings = "".join(f" {name}={value}" for name, value in self.environment)
        limits = {"memory_mib": self.memory_mib, "start_seconds": self.start_seconds}
        limited = "".join(f", {name} {most}" for name, most in limits.items() if most is not None)
        return f"'{shlex.join(self.argv)}'{where}{settings}{limited}"


def programs_of(
    commands: list[str], *, memory_mib: int | None = None, start_seconds: int | None = None
) -> tuple[BotProgram, ...]:
    """The bots that the commands start, each with a name of its own. Raises ArenaError for an empty command."""
    found: list[tuple[str, ...]] = []
    for command in commands:
        try:
            argv = tuple(shlex.split(command))
        except ValueError as error:
            raise ArenaError(f"the bot command {command!r} cannot be read: {error}") from None
        if not argv:
            raise ArenaError("a bot command is empty: give the words that start a bot, such as 'python my_bot.py'")
        found.append(argv)
    return tuple(
        BotProgram(name, argv, Path.cwd(), memory_mib=memory_mib, start_seconds=start_seconds)
        for name, argv in zip(names_of(found), found, strict=True)
    )


@dataclass(slots=True, eq=False)
class RunningBot:
    """A started bot."""

    program: BotProgram
    process: trio.Process
    output: Output
    _silent: trio.Event = field(default_factory=trio.Event)
    _hearing: trio.CancelScope = field(default_factory=lambda: trio.CancelScope(shield=True))
    """Bots leave when all else is cancelled already, and what they say then is kept too."""

    @property
    def stderr(self) -> Path:
        """Where its output is kept."""
        return self.output.path

    def tail(self, lines: int = 8) -> str:
        """The end of what it wrote to stderr, for a message."""
        return self.output.tail(lines)

    async def listen(self) -> None:
        """Keep what it prints until nobody can print there any more, or until it has left."""
        pipe, written = self.process.stdout, trio.current_time()
        try:
            with self._hearing:
                while pipe is not None:
                    with trio.move_on_after(1.0 if self.output.behind else math.inf) as waiting:
                        data = await pipe.receive_some(_READ)
                        if not data:
                            return
                        self.output.take(bytes(data))
                    if waiting.cancelled_caught or trio.current_time() > written + 1.0:
                        self.output.write()  # a quarter of a MiB a second: less than a thread for it would cost
                        written = trio.current_time()
                    elif len(data) == _READ:
                        await trio.sleep(_BREATH)
        finally:
            self.output.close()
            self._silent.set()

    async def ended(self) -> int:
        """Wait until it has ended and its last words are kept; its exit code."""
        code = await self.process.wait()
        with trio.move_on_after(LAST_WORDS_SECONDS):
            await self._silent.wait()
        return code

    def resident_mib(self) -> float:
        """The memory that it has now, in MiB, with all that it started."""
        resident = 0
        with suppress(psutil.Error):
            own = psutil.Process(self.process.pid)
            for process in (own, *own.children(recursive=True)):
                with suppress(psutil.Error):  # it has ended meanwhile
                    resident += process.memory_info().rss
        return resident / 1024**2

    async def leave(self, *, at_once: bool = False) -> None:
        """Tell the bot to leave, and make it leave if it does not, or `at_once`; nothing that it started stays."""
        if self.process.poll() is None and not at_once:
            self._signal(signal.SIGTERM)
            with trio.move_on_after(LEAVE_SECONDS):
                await self.process.wait()
        self._signal(getattr(signal, "SIGKILL", signal.SIGTERM))
        await self.ended()
        self._hearing.cancel()

    def _signal(self, number: int) -> None:
        """Send it to the bot and to all that it started: a shell, for one, passes nothing on."""
        with suppress(ProcessLookupError, PermissionError):
            if os.name == "posix":
                os.killpg(self.process.pid, number)
            else:
                self.process.send_signal(number)


def check_program(program: BotProgram) -> None:
    """Raise BotFailedError, with what is wrong, when there is no such program or folder."""
    if not program.folder.is_dir():
        raise BotFailedError(f"bot {program.name} does not start: there is no folder {program.folder}")
    word = program.argv[0]
    path = program.folder / word  # a name with a slash is looked for from there, another in PATH
    if shutil.which(path if os.sep in word else word) is None:
        raise BotFailedError(f"bot {program.name} does not start: {_why_it_is_none(path, program.argv)}")


def _why_it_is_none(path: Path, argv: tuple[str, ...]) -> str:
    """What is wrong with the first word of a command that no program goes by; `path` is where its file would be."""
    word = argv[0]
    if _ASSIGNMENT.match(word):
        return f"no shell reads its command, so {word!r} sets nothing: write 'env {shlex.join(argv)}'"
    if path.is_dir():
        return f"{word!r} is a folder: name the program in it, or what runs it"
    if path.is_file():
        return f"{word!r} is a file that is no program: make it executable, or write what runs it in front"
    if word in _BUILT_IN or _OPERATORS & set(argv):
        return f"there is no program {word!r}, and no shell reads its command: for one, write sh -c '...'"
    return f"there is no program {word!r}"


async def start(program: BotProgram, contract: Mapping[str, str], stderr: Path, nursery: trio.Nursery) -> RunningBot:
    """Start a bot; what it prints is kept in the file `stderr` by a task in `nursery`.

    Raises BotFailedError when there is no such program.
    """
    check_program(program)
    try:
        output = Output(stderr)
    except OSError as error:
        raise BotFailedError(
            f"bot {program.name} does not start: cannot write {stderr}: {(error.strerror or '').lower()}"
        ) from None
    try:
        # A session of its own: a Ctrl-C at the terminal is the arena's to handle, not the bots'.
        process = await trio.lowlevel.open_process(
            program.argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=program.folder,
            env={**os.environ, **dict(program.environment), **contract},
            start_new_session=True,
        )
    except OSError as error:
        output.close()
        raise BotFailedError(f"bot {program.name} does not start: {error.strerror}") from None
    running = RunningBot(program, process, output)
    nursery.start_soon(running.listen)
    return running
