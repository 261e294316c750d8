"""Faults that show only in a corner: each fails one step of the kit, and is told what it did there."""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import indent
from typing import NamedTuple

import pytest

from arena.bot.testing import ScriptedMatch
from arena.conformance.catalogue import steps_of
from arena.conformance.run import Outcome, Verdict, check
from arena.conformance.stage import READY_SECONDS
from arena.launch import BotProgram
from conformance_page import BOTS, ROOT

FORM = """
import os, random, time
import grpc
from honest import Honest
from launch import run, say
from arena.v1 import play_pb2

class Narrow(Honest):
{methods}

run(Narrow)
"""


class Fault(NamedTuple):
    """What is wrong with a bot: the step that finds it, what that tells in part, and the methods that make it so."""

    step: str
    told: str
    methods: str


TALKS_ON_AFTER = """
def talk(self):
    stream = super().talk()
    self.known = getattr(self, "known", False) or self.welcomed
    if self.known is {welcomed} and stream.code() is grpc.StatusCode.{code}:
        stream.code = lambda: grpc.StatusCode.UNAVAILABLE
    return stream
"""
ENDS_AFTER = """
def talk(self):
    stream = super().talk()
    if stream.code() is grpc.StatusCode.{code}:
        os._exit(1)
    return stream
"""
FAULTS = {
    "dials_again_after_invalid_argument": Fault(
        "version", "s after INVALID_ARGUMENT", TALKS_ON_AFTER.format(welcomed=False, code="INVALID_ARGUMENT")
    ),
    "dials_again_when_its_token_is_revoked": Fault(
        "token-refused",
        "s after UNAUTHENTICATED that came after Welcome",
        TALKS_ON_AFTER.format(welcomed=True, code="UNAUTHENTICATED"),
    ),
    "prints_its_token": Fault(
        "token-refused",
        "it printed its token",
        """
def hello(self):
    say(f"{self.launch}")
    return super().hello()
""",
    ),
    "makes_nonces_of_its_seed": Fault(
        "nonces",
        "it said the same nonce again when it was started anew",
        """
dice = random.Random(os.environ["ARENA_SEED"])

def say(self, **message):
    if "ready" in message:
        message["ready"].nonce = self.dice.randbytes(16)
    super().say(**message)
""",
    ),
    "dies_of_nonces": Fault(
        "nonces",
        "its exit code is 1",
        """
def hear(self, event):
    assert not event.match_started.nonces
    super().hear(event)
""",
    ),
    "reads_nothing_after_an_end": Fault(
        "three-matches",
        "after the message that ended its match and offered the next",
        """
def listen(self, responses):
    def shortened():
        for response in responses:
            ends = [at for at, event in enumerate(response.events) if event.HasField("match_ended")]
            yield play_pb2.PlayResponse(events=response.events[:ends[0] + 1] if ends else response.events)
    super().listen(shortened())
""",
    ),
    "ends_with_the_first_lane_that_has_finished": Fault(
        "lanes-apart",
        "lane 3 was told GOODBYE_REASON_FINISHED, and all of it ended, with exit code 0: lane 0 had a match in hand",
        """
def hear(self, event):
    super().hear(event)
    if event.goodbye.reason == play_pb2.GOODBYE_REASON_FINISHED:
        os._exit(0)
""",
    ),
    "ends_with_the_first_lane_that_is_replaced": Fault(
        "lanes-apart",
        "lane 2 was told GOODBYE_REASON_REPLACED, and all of it ended, with exit code 0: lane 0 had a match in hand",
        """
def hear(self, event):
    super().hear(event)
    if event.goodbye.reason == play_pb2.GOODBYE_REASON_REPLACED:
        os._exit(0)
""",
    ),
    "ends_with_the_first_lane_that_is_refused": Fault(
        "lanes-apart",
        "lane 1 was refused, and all of it ended, with exit code 1: lane 0 had a match in hand",
        ENDS_AFTER.format(code="INVALID_ARGUMENT"),
    ),
    "leaves_a_match_that_has_not_begun": Fault(
        "sigterm-in-match",
        "SIGTERM came after its Ready, before MatchStarted, and it ended at once, with exit code 0",
        """
begun = False

def hear(self, event):
    self.begun = self.begun or event.HasField("match_started")
    super().hear(event)

def leave(self):
    if not self.begun and self.match is not None:
        os._exit(0)
    super().leave()
""",
    ),
    "leaves_with_its_first_idle_lane": Fault(
        "sigterm-in-match",
        "SIGTERM came in the midst of a match, and it ended at once, with exit code 0",
        """
def leave(self):
    if self.match is None:
        os._exit(0)
    super().leave()
""",
    ),
    "does_not_come_back_when_told_to_leave": Fault(
        "sigterm-in-match",
        "the bot ended without a Hello; its exit code is 0",
        """
def talk(self):
    stream = super().talk()
    if self.leaving.is_set() and self.match is not None:
        os._exit(0)
    return stream
""",
    ),
    "says_its_answer_again_for_a_new_reason": Fault(
        "unknown-words",
        "it said choose to a refusal for a reason that it does not know",
        """
def refused(self, rejected):
    super().refused(rejected)
    self.due = self.due or rejected.reason > 5
""",
    ),
    "takes_a_new_goodbye_for_the_last": Fault(
        "unknown-words",
        "a goodbye for a reason that it does not know is one as for SHUTDOWN",
        """
def hear(self, event):
    super().hear(event)
    if event.HasField("goodbye"):
        self.dismissed = event.goodbye.reason != play_pb2.GOODBYE_REASON_SHUTDOWN
""",
    ),
    "gives_up_after_a_fault_of_the_arena": Fault(
        "busy", "the bot ended without a Hello", ENDS_AFTER.format(code="INTERNAL")
    ),
    "waits_longer_and_longer": Fault(
        "busy",
        "its pauses begin anew with a Welcome",
        """
pause = 0.05

def wait(self, seconds):
    self.pause *= 2
    super().wait(self.pause)
""",
    ),
    "tells_its_token_to_everybody": Fault(
        "environment",
        "it was still running after 15 s",
        """
import arena.loopback
arena.loopback.is_loopback = lambda server: True
""",
    ),
    "lingers_when_it_was_replaced": Fault(
        "replaced",
        "it was still running after 5 s",
        """
def stay(self):
    super().stay()
    time.sleep(600)
""",
    ),
    "counts_on_from_match_to_match": Fault(
        "dropped-idle",
        "of its second match: it was told up to",
        """
most = 0

def hello(self):
    hello = super().hello()
    self.most = max(self.most, self.seq)
    if hello.HasField("resume"):
        hello.resume.last_seq = self.most
    return hello

def ended(self):
    self.most = max(self.most, self.seq)
    super().ended()
""",
    ),
    "resumes_its_first_match": Fault(
        "dropped-idle",
        "its Hello resumes match",
        """
first = None

def hello(self):
    hello = super().hello()
    if hello.HasField("resume"):
        self.first = self.first or self.match.match_id
        hello.resume.match_id = self.first
    return hello

def accept(self, offer):
    self.first = self.first or offer.match_id
    super().accept(offer)
""",
    ),
    "does_without_tls_where_it_cannot_have_it": Fault(
        "tls-stranger",
        "it spoke without TLS; ARENA_CA was public",
        """
def __init__(self, launch, lane):
    super().__init__(launch._replace(trusted=launch.trusted or b""), lane)
""",
    ),
    "has_patience_once": Fault(
        "nobody",
        "s after the stream of its Welcome had ended, with exit code 1: ARENA_PATIENCE is 2, and counts from there",
        """
begun = time.monotonic()

def wait(self, seconds):
    if time.monotonic() - self.begun > self.launch.patience:
        os._exit(1)
    super().wait(seconds)
""",
    ),
}


def tried(folder: Path, step: str, methods: str) -> Outcome:
    """How the step ends for the honest bot with other methods."""
    bot = folder / "narrow.py"
    bot.write_text(FORM.format(methods=indent(methods or "pass", "    ")))
    program = BotProgram("narrow", (sys.executable, str(bot)), folder, (("PYTHONPATH", f"{BOTS}:{ROOT}"),))
    return list(check(program, steps_of([step])))[-1]


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_in_a_corner_is_found(name: str, tmp_path: Path) -> None:
    """By the step that is for it, in words that say what happened and when."""
    fault = FAULTS[name]
    outcome = tried(tmp_path, fault.step, fault.methods)
    assert outcome.verdict is Verdict.FAILED
    assert fault.told in outcome.told, outcome.printed


@pytest.mark.parametrize("step", sorted({fault.step for fault in FAULTS.values()}))
def test_without_the_fault_the_step_is_passed(step: str, tmp_path: Path) -> None:
    """The same bot, as it is."""
    outcome = tried(tmp_path, step, "")
    assert outcome.verdict is Verdict.PASSED, outcome.told


def test_a_bot_may_take_as_long_to_be_ready_as_its_offer_says() -> None:
    """It may have models to load."""
    assert ScriptedMatch("smear").offer.match_offered.ready_within_ms == 1000 * READY_SECONDS
