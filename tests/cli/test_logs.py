"""The log of a server: one line an event, whole whatever strangers say, about something, and never too many."""

from __future__ import annotations

import io
import json
import logging
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing

from arena.cli.logs import FORMATS, start_log
from arena.lines import about
from arena.v1 import play_pb2
from memory_arena import memory_arena
from restarting import pair

EVIL = 'x\n{"level": "error"}\r\x1b[31m\u2028\x00" bot=ann'


@contextmanager
def log_of(form: str) -> Iterator[Callable[[], list[str]]]:
    """The lines that are written in that form while the context lasts."""
    arena = logging.getLogger("arena")
    stream, level = io.StringIO(), arena.level
    handler = start_log(form, stream=stream)
    arena.setLevel(logging.INFO)
    try:
        yield lambda: stream.getvalue().split("\n")[:-1]
    finally:
        logging.getLogger().removeHandler(handler)
        arena.setLevel(level)


@pytest.mark.parametrize("form", FORMATS)
def test_whatever_a_stranger_says_a_line_is_one_line(form: str) -> None:
    """Line ends, colours and quotes in a message or a field are escaped: nobody can write a line of the log."""
    with log_of(form) as lines:
        logging.getLogger("arena.test").info("said %s", EVIL, extra={"software": EVIL, "match": "3f2a"})
        (line,) = lines()
    assert line.isprintable()
    if form == "json":
        document = json.loads(line)
        assert (document["message"], document["software"], document["match"]) == (f"said {EVIL}", EVIL, "3f2a")
        assert (document["level"], document["logger"]) == ("info", "arena.test")
    else:
        assert " INFO arena.test: said x\\n" in line
        fields = line.partition(" match=")[2]
        assert fields == "3f2a software=" + json.dumps(EVIL)


@pytest.mark.parametrize("form", FORMATS)
def test_a_fault_comes_with_its_traceback(form: str) -> None:
    """As text it follows the line, set in, as JSON it is a field, and the document stays one line."""
    with log_of(form) as lines:
        try:
            int(EVIL)
        except ValueError:
            logging.getLogger("arena.test").exception("failed")
        found = lines()
    if form == "json":
        assert "ValueError" in json.loads(found[0])["error"]
        assert len(found) == 1
    else:
        assert found[0].endswith(" ERROR arena.test: failed")
        assert any("ValueError" in line for line in found[1:])
        assert all(line.startswith("  ") and line.isprintable() for line in found[1:])


def test_a_message_without_end_is_cut() -> None:
    """A megabyte is not written."""
    with log_of("json") as lines:
        logging.getLogger("arena.test").warning("x" * 10**6)
        assert len(lines()[0]) < 3000


async def test_a_line_is_about_what_its_task_is_about() -> None:
    """Each task has its own; a line can say more, or take something away."""

    async def speak(bot: str) -> None:
        about(bot=bot, lane=0)
        await trio.lowlevel.checkpoint()
        logging.getLogger("arena.test").info("one", extra={"seat": 1})
        logging.getLogger("arena.test").info("two", extra={"bot": None})

    with log_of("json") as lines:
        async with trio.open_nursery() as nursery:
            for bot in ("a", "b"):
                nursery.start_soon(speak, bot)
        found = [json.loads(line) for line in lines()]
    said = sorted((line["message"], line.get("bot", "-"), line["lane"], line.get("seat", "-")) for line in found)
    assert said == [("one", "a", 0, 1), ("one", "b", 0, 1), ("two", "-", 0, "-"), ("two", "-", 0, "-")]


@pytest.mark.parametrize("form", FORMATS)
def test_a_flood_of_lines_is_bounded_and_others_are_heard(form: str) -> None:
    """A bot that causes a thousand lines gets a few, however many bots do it there is an end, and warnings stay."""
    log = logging.getLogger("arena.test")
    with log_of(form) as lines:
        for _ in range(1000):
            log.info("rejected", extra={"bot": "loud"})
        assert len(lines()) <= 25
        log.info("rejected", extra={"bot": "quiet"})
        assert "quiet" in lines()[-1]
        for number in range(5000):
            log.info("came", extra={"bot": f"b{number}"})
        assert len(lines()) <= 700
        log.warning("heed this", extra={"bot": "loud"})
        assert "heed this" in lines()[-1]


def test_the_next_line_says_how_many_were_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was left out is counted for each bot."""
    log = logging.getLogger("arena.test")
    with log_of("json") as lines:
        for at in (0.0, 0.0, 1000.0):
            monkeypatch.setattr("time.time", lambda at=at: at)
            monkeypatch.setattr("time.time_ns", lambda at=at: int(at * 1e9))
            for _ in range(20 if not at else 1):
                log.info("came", extra={"bot": "a"})
        messages = [json.loads(line)["message"] for line in lines()]
    assert messages == [*["came"] * 20, "came (20 lines left out)"]


async def test_a_match_in_the_log(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    """Who came and left, which match began and ended and why, which answer was rejected: each line with its fields."""
    bots = pair()
    answer, done = bots[0].choose, list[int]()

    def choose(decision: play_pb2.Decision) -> play_pb2.Choose | None:
        if not done:
            done.append(1)
            bots[0].call.say(choose=play_pb2.Choose(decision_id=decision.decision_id, index=9999))
        return answer(decision)

    bots[0].choose = choose
    with log_of("json") as lines:
        async with memory_arena(tmp_path, max_deals=1, target=10_000) as arena:
            (result,) = await arena.play(*bots, software_name=EVIL)
        found: list[dict[str, Any]] = [json.loads(line) for line in lines()]
    by_message = {line["message"].partition(":")[0]: line for line in found}
    assert {line["bot"] for line in found if line["message"] == "bot came"} == {"a", "b"}
    assert {line["bot"] for line in found if line["message"] == "bot left"} == {"a", "b"}
    assert by_message["bot came"]["software"] == EVIL.strip()[:100]
    for message in ("match begins", "match ended"):
        line = by_message[message]
        assert (line["match"], line["bots"], "bot" in line) == (result.match_id, "a,b", False)
    assert by_message["match ended"]["reason"] == "deal_limit"
    rejected = by_message["answer rejected"]
    assert (rejected["match"], rejected["bot"], rejected["seat"], rejected["lane"]) == (result.match_id, "a", 0, 0)
    assert rejected["reason"] == "malformed"


def test_a_server_that_logs_as_json_prints_nothing_else(spawn: Callable[..., subprocess.Popen[str]]) -> None:
    """Every line on standard output is a document, the first of those says where it listens."""
    served = spawn("serve", "--open", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0", "--log-format", "json")
    assert served.stdout is not None
    first = json.loads(served.stdout.readline())
    assert first["message"] == f"listening on {first['address']}"
    assert json.loads(served.stdout.readline())["message"].startswith("health and metrics on http://127.0.0.1:")
    served.send_signal(signal.SIGINT)
    rest, _ = served.communicate(timeout=60)
    assert all(json.loads(line) for line in rest.splitlines())
    assert served.returncode == 0
