"""Advice that can be typed as it stands."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from arena.cli.advice import advice


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed command that is running, not on the path, in a folder below the present one."""
    monkeypatch.chdir(tmp_path)
    installed = tmp_path / "venv" / "bin" / "arena"
    installed.parent.mkdir(parents=True)
    installed.write_text("#!/bin/sh\n")
    installed.chmod(0o755)
    monkeypatch.setattr(sys, "argv", [str(installed), "demo"])
    monkeypatch.setenv("PATH", os.defpath)
    return installed


def test_a_command_on_the_path_goes_by_its_name(command: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the path finds this very command, its name is enough."""
    monkeypatch.setenv("PATH", str(command.parent))
    assert advice("replay", "show", "a b") == "arena replay show 'a b'"


def test_a_command_off_the_path_goes_by_its_place(command: Path) -> None:
    """Where the path does not find it, advice says where it is."""
    assert advice("demo") == "venv/bin/arena demo"


def test_another_command_of_that_name_is_not_meant(
    command: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another `arena` on the path does not count."""
    other = tmp_path / "other" / "arena"
    other.parent.mkdir()
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    monkeypatch.setenv("PATH", str(other.parent))
    assert advice("demo") == "venv/bin/arena demo"


def test_a_module_goes_by_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """`python -m arena.cli` is advised to those who came that way."""
    monkeypatch.setattr(sys, "argv", ["/somewhere/arena/cli/__main__.py"])
    assert advice("demo").endswith(" -m arena.cli demo")
