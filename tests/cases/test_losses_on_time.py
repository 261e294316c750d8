"""Losses on time in a real run: real processes, a real clock."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

from real_arena import ROOT

LATE = Path(__file__).parent / "late_bot.py"
PATIENCE = 100.0
"""Seconds that the run may take; it needs about ten."""
MEASURED = """
import atexit, resource
from pathlib import Path

def measure():
    used = resource.getrusage(resource.RUSAGE_SELF)
    Path("cpu_seconds").write_text(str(used.ru_utime + used.ru_stime))

atexit.register(measure)
from arena.cli import main
main()
"""
"""The command `arena`, which leaves behind what CPU time its own process has taken, bots not counted."""


def test_a_run_with_losses_on_time_ends(tmp_path: Path) -> None:
    """P02, P04: eight matches, two lost on time: exit code 0, done in reasonable time, and no CPU taken by waiting."""
    bots = [f"{shlex.quote(sys.executable)} {script}" for script in (LATE, "-m sample_bots.python.random_bot")]
    rules = ["--option", "max_deals=1", "--option", "target=9999", "--time-control", "60+0/2"]
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, "match", *bots, "--matches", "8", "--concurrency", "1", *rules, "--json"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    took = time.monotonic() - began
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert (summary["terminations"], summary["due"]) == ({"deal_limit": 6, "timeout": 2}, 0)
    faults = {bot["bot"]: bot["at_fault"] for bot in summary["bots"]}
    assert faults == {"late_bot": {"timeout": 2}, "random_bot": {}}
    busy = float((tmp_path / "cpu_seconds").read_text())
    assert busy < took / 2, f"busy for {busy:.1f} s of {took:.1f} s"
