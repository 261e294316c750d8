"""Ways to run the command line: inside this process, and as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from arena.cli.app import arena as group
from arena.replay import pack
from arena.store import Result as MatchResult
from arena.store import Store
from recording import Tape

ROOT = Path(__file__).parents[2]

Run = Callable[..., Result]
Process = Callable[..., subprocess.CompletedProcess[str]]
Complaint = Callable[[Result], str]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs `arena ARGS...` in an empty folder, as in a pipe; gives exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_DATA", raising=False)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))  # for the bots that the arena starts

    def invoke(*args: str | Path) -> Result:
        return CliRunner().invoke(group, [str(arg) for arg in args], prog_name="arena", catch_exceptions=False)

    return invoke


@pytest.fixture
def process() -> Process:
    """Runs Python with the source tree on its path; the first argument is the code or `-m`."""

    def start(*args: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *map(str, args)],
            cwd=cwd or ROOT,
            env={"PYTHONPATH": str(ROOT), "COLUMNS": "100"},
            capture_output=True,
            text=True,
            check=False,
        )

    return start


@pytest.fixture
def spawn(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts `arena ARGS...` as a process of its own in an empty folder; what is left of them is killed in the end."""
    started: list[subprocess.Popen[str]] = []

    def start(*args: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "arena.cli", *args]
        environment = {"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"], "COLUMNS": "100"}
        started.append(
            subprocess.Popen(
                command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
        )
        return started[-1]

    yield start
    for process in started:
        with process:
            process.kill()


@pytest.fixture
def complaint_of() -> Complaint:
    """Takes the one line that a mistake gets; fails when there is more, or less, or another exit code than 2."""
    return _complaint_of


def _complaint_of(result: Result) -> str:
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert len(lines) == 1, result.stderr
    assert lines[0].startswith("arena: ")
    return lines[0].removeprefix("arena: ")


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with three matches of the run demo and one of the run night; read it only."""
    folder = tmp_path_factory.mktemp("recorded")
    data = folder / "arena-data"
    with Store.open(data, hold=True) as store:
        for run in ("demo", "night"):
            store.open_run(run, run, seeded=False, created_ms=1)
        for number, match_id in enumerate(["3f2a01", "3f2b02", "9c0003", "77aa04"], 1):
            run = "night" if number == 4 else "demo"
            header = {"run": run, "number": 1 if number == 4 else number}
            tape = Tape(folder, match_id=match_id, rules={"max_deals": 2, "target": 9999}, header=header)
            record(store, tape.ready().play(Random(number)), ended_ms=1_790_000_000_000 + 60_000 * number)
    return data


def record(store: Store, tape: Tape, *, ended_ms: int) -> MatchResult:
    """Store a match as the arena does."""
    replay = tape.replay()
    assert replay.ended is not None
    result = MatchResult.from_log(
        replay.header, replay.ended, sides=tape.game.sides, ended_ms=ended_ms, log_hash=replay.head
    )
    store.close_match(result, pack(tape.data()))
    return result
