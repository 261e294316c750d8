"""Bots that are checked by the conformance kit, as anybody would check them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
CHECK_SECONDS: Final = 600.0

Report = dict[str, Any]
"""What `arena check-bot --json` prints."""


def check(command: str) -> Report:
    """Check the bot that `command` starts in the root of the tree, with every step; its report."""
    done = subprocess.run(
        [sys.executable, "-m", "arena.cli", "check-bot", command, "--json"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=CHECK_SECONDS,
    )
    assert done.stdout, done.stderr
    report: Report = json.loads(done.stdout)
    assert done.returncode == (0 if report["passed"] else 1)
    return report


def steps(report: Report, verdict: str) -> list[int]:
    """The numbers of the steps that ended so."""
    return [step["step"] for step in report["steps"] if step["verdict"] == verdict]


def told(report: Report) -> Sequence[str]:
    """What there is to say of a report that is not as it should be: a line for each step that was not passed."""
    return [
        f"{step['step']} {step['name']} {step['verdict']}: {step['told']}; it printed {step['printed']}"
        for step in report["steps"]
        if step["verdict"] != "passed"
    ]
