"""The checks of the project find what they are there for."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUF = Path(sys.executable).parent / "buf"

BREAKING = {
    "a field is given another type": ("play.proto", "uint64 decision_id = 1;", "uint32 decision_id = 1;"),
    "a field goes away": ("view.proto", "  // How many cards are left in the stock.\n  uint32 stock_count = 10;\n", ""),
    "a field is renumbered": ("event.proto", "uint32 dealer = 2;", "uint32 dealer = 3;"),
    "an enum value goes away": ("card.proto", "  // The ace of spades.\n  CARD_SA = 78;\n", ""),
    "a call gets another answer": ("arena.proto", "returns (GetReplayResponse)", "returns (ListGamesResponse)"),
}


def buf(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run buf."""
    return subprocess.run([BUF, *arguments], cwd=cwd, capture_output=True, text=True, check=False)


@pytest.fixture
def proto(tmp_path: Path) -> Path:
    """A copy of the protocol, with the image of the landed one."""
    return shutil.copytree(ROOT / "proto", tmp_path / "proto")


@pytest.mark.parametrize("change", BREAKING)
def test_breaking_change_is_caught(proto: Path, change: str) -> None:
    """What would break a bot is a complaint of buf breaking, where the protocol as it is has none."""
    name, old, new = BREAKING[change]
    assert buf("breaking", "--against", "landed.binpb", cwd=proto).returncode == 0
    path = proto / "arena" / "v1" / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    done = buf("breaking", "--against", "landed.binpb", cwd=proto)
    assert done.returncode == 100
    assert f"arena/v1/{name}" in done.stdout


def test_addition_breaks_nothing(proto: Path) -> None:
    """A new field is no complaint."""
    path = proto / "arena" / "v1" / "play.proto"
    path.write_text(
        path.read_text().replace("  Clock clock = 4;", "  Clock clock = 4;\n  // New.\n  uint32 hint = 9;", 1)
    )
    assert buf("breaking", "--against", "landed.binpb", cwd=proto).returncode == 0


def test_landed_image_is_the_protocol_as_it_is(proto: Path) -> None:
    """No change of the protocol lands without its image, so the next change is held against it (make freeze-proto)."""
    done = buf("build", "--exclude-source-info", "-o", "now.binpb", cwd=proto)
    assert done.returncode == 0, done.stderr
    assert (proto / "now.binpb").read_bytes() == (proto / "landed.binpb").read_bytes()


def run_pytest(folder: Path, tests: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run tests with the project's conftest, in an environment in which only what is given is set."""
    shutil.copy(ROOT / "tests" / "conftest.py", folder)
    (folder / "test_sample.py").write_text(tests)
    # Without its caches pytest takes seconds to load.
    foreign = ("CI", "ARENA_SOAK", "PYTHONDONTWRITEBYTECODE")
    inherited = {name: value for name, value in os.environ.items() if name not in foreign}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", folder],
        env={**inherited, **environment},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(("environment", "status"), [({"CI": "true"}, 1), ({}, 0)])
def test_skip_fails_only_in_continuous_integration(tmp_path: Path, environment: dict[str, str], status: int) -> None:
    """A skipped test fails the run under CI=true, and only there."""
    tests = "import pytest\n\ndef test_this():\n    pass\n\ndef test_that():\n    pytest.skip('no tool')\n"
    done = run_pytest(tmp_path, tests, **environment)
    assert "1 passed, 1 skipped" in done.stdout
    assert done.returncode == status


def test_soak_runs_only_tests_with_a_full_size(tmp_path: Path) -> None:
    """Under `make soak` a test that does not ask for its size is left out."""
    tests = "def test_small():\n    pass\n\ndef test_large(soak):\n    assert soak\n"
    done = run_pytest(tmp_path, tests, ARENA_SOAK="1")
    assert "1 passed, 1 deselected" in done.stdout
