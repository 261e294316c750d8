"""A bot as a process, for whoever waits for it in a thread: started, heard, weighed, and ended with its children."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import psutil

from arena.launch import BotFailedError, BotProgram

KEPT: Final = 64 * 1024
"""Bytes of what it printed last are kept."""
_READ: Final = 4096


class NotAsExpected(AssertionError):
    """A bot's process runs on where it was to end, or has ended where it was to run. The text says which."""


@dataclass(frozen=True, slots=True)
class Weight:
    """What a bot uses, with all that it started: seconds of processor time so far, MiB of memory now."""

    cpu_seconds: float
    resident_mib: float


class BotProcess:
    """A started bot. `started` is when, by `time.monotonic`."""

    def __init__(self, program: BotProgram, contract: Mapping[str, str], *, heard: bool = True) -> None:
        """Start it. What it prints is read at once, or, unless it is `heard`, not before `hear` is called.

        Raises BotFailedError if it cannot be started.
        """
        self.started = time.monotonic()
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
        posix = os.name == "posix"
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the bot that is to be started
                program.argv,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                cwd=program.folder,
                env={**inherited, **dict(program.environment), **contract},
                start_new_session=posix,
                creationflags=0 if posix else getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except OSError as error:
            raise BotFailedError(
                f"bot {program.name} does not start: {(error.strerror or str(error)).lower()}"
            ) from None
        self._printed = bytearray()
        self._reader = threading.Thread(target=self._read, name="output of a bot", daemon=True)
        if heard:
            self.hear()

    def hear(self) -> None:
        """Begin to read what it prints."""
        self._reader.start()

    def printed(self) -> str:
        """What it printed last; of a bot that has ended, to the last word."""
        if self._process.poll() is not None and self._reader.ident is not None:
            self._reader.join(1.0)
        return bytes(self._printed).decode(errors="replace")

    @property
    def pid(self) -> int:
        """Its number as a process."""
        return self._process.pid

    @property
    def running(self) -> bool:
        """It has not ended."""
        return self._process.poll() is None

    def end(self, within: float) -> int:
        """Wait until it ends by itself; its exit code. Raises NotAsExpected if it has not within so many seconds."""
        try:
            return self._process.wait(within)
        except subprocess.TimeoutExpired:
            raise NotAsExpected(f"it was still running after {within:g} s") from None

    def tell_to_leave(self) -> None:
        """SIGTERM, to the bot and all that it started, as an arena sends it."""
        if os.name == "posix":
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGTERM)
        else:
            self._process.send_signal(getattr(signal, "CTRL_BREAK_EVENT", signal.SIGTERM))

    def kill(self) -> None:
        """End it at once, with all that it started."""
        for process in self._family():
            with suppress(psutil.Error):
                process.kill()
        if os.name == "posix":
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)  # what it started and left behind
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(5.0)
        if self._reader.ident is None:
            self._reader.start()
        self._reader.join(1.0)

    def weigh(self) -> Weight:
        """What it uses now. Raises NotAsExpected if it has ended."""
        cpu = resident = 0.0
        for process in self._family():
            with suppress(psutil.Error), process.oneshot():
                times = process.cpu_times()
                cpu += times.user + times.system
                resident += process.memory_info().rss / 1024**2
        if not resident:
            raise NotAsExpected("it has ended")
        return Weight(cpu, resident)

    def _family(self) -> list[psutil.Process]:
        with suppress(psutil.Error):
            own = psutil.Process(self._process.pid)
            return [*own.children(recursive=True), own]
        return []

    def _read(self) -> None:
        pipe = self._process.stdout
        if pipe is None:
            return
        with suppress(OSError, ValueError):
            while data := os.read(pipe.fileno(), _READ):
                self._printed += data
                del self._printed[:-KEPT]
        pipe.close()
