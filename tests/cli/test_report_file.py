"""A report's file: whole, or as it was before."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arena.cli.report_file import report_file
from arena.errors import ArenaError


def test_what_stood_there_stays_until_the_report_is_whole(tmp_path: Path) -> None:
    """Whoever reads meanwhile finds the old one; afterwards there is the new one and nothing else."""
    place = tmp_path / "x.xml"
    place.write_text("old")
    with report_file(place) as report:
        assert place.read_text() == "old"
        report.write("new")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("x.xml", "new")]


def test_nothing_is_left_of_a_report_that_is_not_written(tmp_path: Path) -> None:
    """An interrupt leaves no empty file where there was none."""
    with pytest.raises(KeyboardInterrupt), report_file(tmp_path / "x.xml"):
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


def test_a_link_stays_one(tmp_path: Path) -> None:
    """The report is written where the link leads."""
    (tmp_path / "real").mkdir()
    (tmp_path / "x.xml").symlink_to(tmp_path / "real" / "y.xml")
    with report_file(tmp_path / "x.xml") as report:
        report.write("new")
    assert (tmp_path / "x.xml").is_symlink()
    assert (tmp_path / "real" / "y.xml").read_text() == "new"


def test_a_device_is_written_where_it_stands() -> None:
    """Nothing can be put in its place."""
    with report_file(Path(os.devnull)) as report:
        report.write("new")
    assert not Path(os.devnull).is_file()


def test_a_place_that_cannot_be_written_is_said_at_once(tmp_path: Path) -> None:
    """In a line, before there is a report."""
    with pytest.raises(ArenaError, match="no such file or directory"), report_file(tmp_path / "no" / "x.xml"):
        raise AssertionError
