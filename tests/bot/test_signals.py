"""A word to leave is heard whichever thread of a bot the system gives it to."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from arena.bot.testing import ScriptedArena, ScriptedMatch, welcome
from arena.launch import contract

ROOT: Final = Path(__file__).parents[2]

TO_ITSELF: Final = "signal.pthread_kill(threading.get_ident(), signal.SIGTERM)"
SDK: Final = f"""
import signal, threading
from arena.bot import run
run(lambda decision: {TO_ITSELF} or 0)
"""
TEST_BOT: Final = f"""
import signal, threading
from honest import Honest
from launch import run
class Told(Honest):
    def choose(self, decision):
        return {TO_ITSELF} or 0
run(Told)
"""


@pytest.mark.parametrize("source", [SDK, TEST_BOT], ids=["sdk", "test-bots"])
def test_sigterm_is_heard_that_another_thread_was_given(source: str) -> None:
    """The main thread is in a wait that nothing interrupts; yet the bot leaves with the end of its match."""
    path = os.pathsep.join([str(ROOT), str(ROOT / "tests" / "broken_bots")])
    with ScriptedArena() as arena:
        words = contract(server=arena.address, name="told")
        bot = subprocess.Popen([sys.executable, "-c", source], env={**os.environ, **words, "PYTHONPATH": path})
        try:
            stream, match = arena.stream(30), ScriptedMatch("german-whist")
            stream.say(welcome(), match.offer)
            stream.say(*match.start(stream.ready().nonce))
            match.answer(stream.choose(match.decision_id))
            assert stream.quiet(1.0) is None
            match.resign(1)
            stream.say(*match.news())
            assert stream.wait_left() == []
            assert bot.wait(30) == 0
        finally:
            bot.kill()
            bot.wait(30)
