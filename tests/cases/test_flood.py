"""A flood of hostile clients of every kind, in short: honest bots lose nothing by it (its cost is in tests/bench)."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from real_arena import ROOT, Process, arena, run_arena

BENCH = ROOT / "tests" / "bench"
KINDS = ("messages", "huge", "storm", "streams", "hellos", "crowd", "watchers", "requests")
MATCHES = 6
"""Matches that have to end under the flood."""
TIGHT = {
    "strangers_per_address": 8,
    "requests_per_second": 2,
    "watchers_per_address": 2,
    "calls_at_once": 300,
    "hellos_per_second": 1,
}
"""Limits that a few clients reach at once."""


@contextmanager
def honest(server: str) -> Iterator[subprocess.Popen[str]]:
    """Four bots that play each other."""
    command = [sys.executable, str(BENCH / "honest_bots.py"), server, "--bots", "4", "--think", "0"]
    with subprocess.Popen(command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as bots:
        try:
            yield bots
        finally:
            bots.kill()


def ends(bots: subprocess.Popen[str], matches: int) -> tuple[Counter[str], int]:
    """How at least so many matches ended, as seats saw it, and how many streams were lost meanwhile."""
    assert bots.stdin is not None
    assert bots.stdout is not None
    bots.stdin.write(f"{2 * matches}\n")
    bots.stdin.flush()
    report = json.loads(bots.stdout.readline())
    return Counter(report["ends"]), report["ended_streams"]


def refused(http: str) -> dict[str, float]:
    """What was refused, from the metrics."""
    with urllib.request.urlopen(f"http://{http}/metrics", timeout=60) as answer:
        text = answer.read().decode()
    return {name: float(count) for name, count in re.findall(r'arena_refusals_total\{limit="(\w+)"\} (\S+)', text)}


def test_honest_bots_lose_nothing_by_a_flood(tmp_path: Path) -> None:
    """Their matches are played out, their streams stay, limits were reached, and every replay is proved."""
    words = ["--open", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0", "--data", str(tmp_path)]
    words += ["--game", "draw-bridge", "--game", "german-whist", "--option", "max_deals=1"]
    for name, value in TIGHT.items():
        words += ["--set", f"limits.{name}={value}"]
    with ExitStack() as stack:
        served = stack.enter_context(arena("serve", *words))
        http = served.wait_line("health and metrics on").split("http://")[1].split("/")[0]
        server = served.wait_line("listening on").split()[2].rstrip(";")
        bots = stack.enter_context(honest(server))
        ends(bots, 1)
        for kind in KINDS:
            stack.enter_context(Process([sys.executable, str(BENCH / "hostile_bots.py"), kind, server, http]))
        found, lost = ends(bots, MATCHES)
        while not {"address_calls", "address_strangers"} <= {name for name, count in refused(http).items() if count}:
            more, streams = ends(bots, 1)
            found, lost = found + more, lost + streams
        served.signal(signal.SIGINT)
        served.signal(signal.SIGINT)
        served.wait()
    assert set(found) <= {"SCORE", "DEAL_LIMIT"}
    assert lost == 0
    listed = json.loads(run_arena("replay", "list", "--json", "--data", str(tmp_path)))
    played = [match for match in listed if match["termination"] in {"score", "deal_limit"}]
    assert len(played) >= MATCHES
    for match in played[:3]:
        run_arena("replay", "verify", f"{match['run']}/{match['match_id']}", "--data", str(tmp_path))
