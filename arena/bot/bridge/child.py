"""The program of a lane as a process: lines in, lines out, and its end."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from queue import SimpleQueue
from typing import IO, Final

from arena.bot.bot import BotError, BotFailed

LINE_BYTES: Final = 65536
"""The longest line that a program may write, its newline counted."""
GRACE_SECONDS: Final = 5.0
"""How long a program may take to leave once its stdin is closed, and once more after SIGTERM."""
_ENDING_SECONDS: Final = 5.0
"""A program that has closed its stdout is about to end: how long its exit status is waited for."""
_SIGNALLED: Final = 128
"""Added to the number of the signal that ended a program, as shells do."""


class Child:
    """A program that is asked in lines. Its stderr is the bridge's own.

    `say` gets a line for people; `gone` how the program ended, if it did so unbidden. `ask` and `tell`
    are for one thread; they raise BotFailed when the program has ended, without a text, for `gone` has told it.
    """

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        *,
        say: Callable[[str], None],
        gone: Callable[[BotFailed], None],
    ) -> None:
        self.failure: BotFailed | None = None
        """How it ended, if it was not asked to."""
        self._say = say
        self._gone = gone
        self._asked = threading.Event()
        self._answers: SimpleQueue[bytes | None] = SimpleQueue()
        self._stopping = False
        self._spoke = False
        try:
            with _deaf() as flags:
                self._process = subprocess.Popen(  # noqa: S603  # it is there to run what the user names
                    _found(command),
                    env=dict(environment),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    creationflags=flags,
                )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise BotError(f"{command[0]!r} cannot be started: {reason}") from None
        self._reader = threading.Thread(target=self._read, name="program", daemon=True)
        self._reader.start()

    def tell(self, lines: str) -> None:
        """Write lines."""
        assert self._process.stdin is not None  # noqa: S101  # it was asked for
        try:
            self._process.stdin.write(lines.encode())
            self._process.stdin.flush()
        except OSError:
            raise BotFailed("", self._failed().status) from None

    def ask(self, lines: str) -> bytes:
        """Write lines and wait for one; it is cut after LINE_BYTES."""
        self._asked.set()
        self.tell(lines)
        answer = self._answers.get()
        if answer is None:
            raise BotFailed("", self._failed().status)
        return answer

    def stop(self, *, at_once: bool = False) -> None:
        """Close its stdin, or end it `at_once`. From now on its end is no failure."""
        self._stopping = True
        if at_once:
            self._process.kill()  # first: whoever still writes to it would hold up the close
        assert self._process.stdin is not None  # noqa: S101  # it was asked for
        with suppress(OSError):
            self._process.stdin.close()

    def wait(self, grace: float = GRACE_SECONDS) -> None:
        """Wait for its end after `stop`; with SIGTERM and then by force if it takes longer than `grace` seconds."""
        for insist in (self._process.terminate, self._process.kill):
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(grace)
                break
            insist()
        self._process.wait()
        self._reader.join(grace)  # a process that the program left behind may hold its stdout open

    def _read(self) -> None:
        """The thread that reads: an answer for each question, and nothing else."""
        assert self._process.stdout is not None  # noqa: S101  # it was asked for
        with self._process.stdout as out:
            for line in _bounded(out):
                if self._asked.is_set():
                    self._asked.clear()
                    self._answers.put(line)
                elif not self._spoke:
                    self._spoke = True
                    self._say(f"the program wrote a line when it was not asked, ignored: {line[:60]!r}")
        if not self._stopping:
            self._gone(self._failed())
        self._answers.put(None)

    def _failed(self) -> BotFailed:
        """How it ended."""
        if self.failure is None:
            try:
                code = self._process.wait(_ENDING_SECONDS)
            except subprocess.TimeoutExpired:
                self.failure = BotFailed("the program closed its stdout and runs on; it is ended", 1)
            else:
                how = f"with exit code {code}" if code >= 0 else f"by signal {-code}"
                self.failure = BotFailed(f"the program ended {how}", (_SIGNALLED - code if code < 0 else code) or 1)
        return self.failure


def _bounded(out: IO[bytes]) -> Iterator[bytes]:
    """Lines; of one that is too long its beginning."""
    while line := out.readline(LINE_BYTES):
        yield line
        rest = line
        while rest and not rest.endswith(b"\n"):
            rest = out.readline(LINE_BYTES)


def _found(command: Sequence[str]) -> Sequence[str]:
    """The command as this system can start it: Windows looks for no `.cmd` and `.bat` by itself."""
    return command if sys.platform != "win32" else [shutil.which(command[0]) or command[0], *command[1:]]


@contextmanager
def _deaf() -> Iterator[int]:
    """What is started here ignores SIGTERM and SIGINT, unless it wants to hear them; gives the flags to start it with.

    An arena sends SIGTERM to all processes of a bot, a terminal SIGINT. It is the bridge that heeds them: for the match
    in hand it needs the program, which leaves when its stdin is closed. On Windows, Ctrl-C and Ctrl-Break go to a group
    of processes, so there the program gets one of its own.
    """
    if sys.platform == "win32":
        yield subprocess.CREATE_NEW_PROCESS_GROUP
    elif threading.current_thread() is not threading.main_thread():
        yield 0
    else:
        before = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGTERM, signal.SIGINT)}
        try:
            yield 0
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
