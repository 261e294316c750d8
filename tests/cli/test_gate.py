"""`arena gate`: verdicts and exit codes, a report for a job, going on."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable

from click.testing import Result

Run = Callable[..., Result]
Complaint = Callable[[Result], str]

RANDOM = f"{shlex.quote(sys.executable)} -m sample_bots.python.random_bot"
STEADY = f"{shlex.quote(sys.executable)} -m sample_bots.python.steady_bot"
QUICK = ("--game", "smear", "--elo1", "400", "--seed", "1", "--option", "target=5")


def test_the_better_bot_passes_and_the_other_does_not(run: Run) -> None:
    """Exit code 0 with the verdict in words; the same two the other way round are 1, with a report as JSON."""
    passed = run("gate", STEADY, RANDOM, *QUICK)
    assert passed.exit_code == 0, passed.output
    assert "accepted: steady_bot against random_bot after " in passed.stdout
    refused = run("gate", RANDOM, STEADY, *QUICK, "--json")
    assert refused.exit_code == 1, refused.output
    report = json.loads(refused.stdout)
    assert (report["verdict"], report["new"], report["old"]) == ("rejected", "random_bot", "steady_bot")
    assert report["llr"] <= report["lower"] < 0 < report["upper"]
    assert sum(map(sum, report["scores"])) == report["sets"] <= report["budget"]
    assert sum(report["terminations"].values()) == report["matches"] >= 2 * report["sets"]
    assert report["broken"] == []


def test_a_budget_that_runs_out_decides_nothing_and_can_be_raised(run: Run) -> None:
    """Exit code 3; with a larger budget the same run goes on and counts the sets that it has."""
    first = run("gate", STEADY, RANDOM, *QUICK, "--sets", "1", "--run", "try", "--json")
    assert first.exit_code == 3, first.output
    assert json.loads(first.stdout)["sets"] == 1
    again = run("gate", STEADY, RANDOM, *QUICK, "--sets", "400", "--run", "try", "--json")
    assert again.exit_code == 0, again.output
    decided = run("resume", "try", "--json")
    assert decided.exit_code == 0
    assert json.loads(decided.stdout) == json.loads(again.stdout)


def test_mistakes(run: Run, complaint_of: Complaint) -> None:
    """A bot that does not start, hypotheses the wrong way round, another test on the same run: exit code 2."""
    assert "elo0 has to be the lower one" in complaint_of(run("gate", STEADY, RANDOM, "--elo1", "-3"))
    broken = run("gate", STEADY, "./nothing", *QUICK)
    assert broken.exit_code == 2
    assert "bot nothing does not start" in broken.stderr
    run("gate", STEADY, RANDOM, *QUICK, "--sets", "1", "--run", "try")
    line = complaint_of(run("gate", STEADY, RANDOM, *QUICK, "--alpha", "0.01", "--run", "try"))
    assert line.startswith("run try cannot go on so: its test is ")
