"""A real arena and real bots, each a process of its own, for tests that kill some of them."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Self

import psutil

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 60.0
"""Seconds after which a line that does not come is a failure."""


class Process:
    """A process whose output is read line by line."""

    def __init__(self, argv: Iterable[str], **environment: str) -> None:
        self.lines: SimpleQueue[str | None] = SimpleQueue()
        self.seen: list[str] = []
        self._process = subprocess.Popen(
            list(argv),
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1", **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.lines.put(line.rstrip("\n"))
        self._process.stdout.close()
        self.lines.put(None)

    def wait_line(self, part: str) -> str:
        """The next line with `part` in it. Fails with all that was said when it does not come."""
        while True:
            try:
                line = self.lines.get(timeout=PATIENCE)
            except Empty:
                line = None
            if line is None:
                raise AssertionError("\n".join([f"no line with {part!r} came:", *self.seen]))
            self.seen.append(line)
            if part in line:
                return line

    @property
    def pid(self) -> int:
        """Its id."""
        return self._process.pid

    def signal(self, number: int) -> None:
        """Send a signal."""
        self._process.send_signal(number)

    def wait(self) -> int:
        """The exit code, once it has ended."""
        try:
            code = self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            while not self.lines.empty():
                self.seen.append(str(self.lines.get()))
            raise AssertionError(f"it does not end: {self.seen}") from None
        self._reader.join(PATIENCE)
        while (line := self.lines.get()) is not None:
            self.seen.append(line)
        return code

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self._reader.join(PATIENCE)


def arena(*words: str) -> Process:
    """An `arena` command."""
    return Process([sys.executable, "-m", "arena.cli", *words])


def gone(pid: int) -> bool:
    """Wait until that process has ended. Killed, it is nobody's child here: nothing tells, and nobody may bury it."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        threading.Event().wait(0.01)
    return False


def run_arena(*words: str) -> str:
    """What an `arena` command prints, when it succeeds."""
    done = subprocess.run(
        [sys.executable, "-m", "arena.cli", *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def bot(script: Path, server: str, name: str, **environment: str) -> Process:
    """A bot in Python."""
    return Process([sys.executable, str(script)], ARENA_SERVER=server, ARENA_NAME=name, **environment)
