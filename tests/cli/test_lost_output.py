"""Readers who leave, output that cannot be written, displays that fail: an answer ends there, a run does not."""

from __future__ import annotations

import logging
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import Result

from arena.cli.listening import harmless
from arena.cli.outlet import Outlet, OutputLostError
from arena.store import Store
from real_arena import ROOT, bot

Run = Callable[..., Result]
Spawn = Callable[..., "subprocess.Popen[str]"]

RANDOM = f"{shlex.quote(sys.executable)} -m sample_bots.python.random_bot"
SHORT = ("--option", "max_deals=1", "--option", "target=9999")
MATCHES = ("match", RANDOM, RANDOM, "--matches", "4", *SHORT)
WITNESS = ROOT / "tests" / "cases" / "witness_bot.py"


@contextmanager
def left_pipe() -> Iterator[int]:
    """The end of a pipe to write to, whose reader has left."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        yield writer
    finally:
        os.close(writer)


@contextmanager
def not_writable() -> Iterator[int]:
    """A file descriptor that nothing can be written to."""
    descriptor = os.open(os.devnull, os.O_RDONLY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def arena(folder: Path, output: int, *args: str, before: tuple[str, ...] = ()) -> tuple[int, str]:
    """Run `arena ARGS...` in a folder, with that output; gives its exit code and what it says on standard error."""
    done = subprocess.run(
        [*before, sys.executable, "-m", "arena.cli", *args],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"]},
        stdout=output,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=100,
    )
    return done.returncode, done.stderr


def played(folder: Path) -> int:
    """How many matches a data folder has. None may be left running."""
    assert list((folder / "arena-data" / "running").iterdir()) == []
    with Store.open(folder / "arena-data", hold=False) as store:
        return len(store.matches(limit=100))


# -- answers


@pytest.mark.parametrize(
    "args",
    [
        "",
        "--help",
        "games --json",
        "replay show 9c",
        "replay verify 9c",
        "replay export 9c",
        "replay verify --run demo",
    ],
)
def test_an_answer_ends_with_its_reader(tmp_path: Path, recorded: Path, args: str) -> None:
    """`arena ... | head` ends without a word, with the exit code that shells give to it."""
    words = [*shlex.split(args), *(["--data", str(recorded)] if args.startswith("replay") else [])]
    with left_pipe() as output:
        assert arena(tmp_path, output, *words) == (141, "")


def test_an_answer_that_cannot_be_written_is_a_mistake(tmp_path: Path) -> None:
    """A full disk under a redirected output is said in one line."""
    with not_writable() as output:
        code, said = arena(tmp_path, output, "games")
    assert (code, said) == (2, "arena: cannot write to standard output: bad file descriptor\n")


# -- runs


@pytest.mark.parametrize(("args", "matches"), [(MATCHES, 4), (("demo", *SHORT), 1)])
def test_a_run_goes_on_without_its_reader(spawn: Spawn, tmp_path: Path, args: tuple[str, ...], matches: int) -> None:
    """`arena match ... | head -1`: all matches are played to their end, without a word."""
    process = spawn(*args)
    assert process.stdout is not None
    assert process.stdout.readline()
    process.stdout.close()
    _, said = process.communicate()
    assert (process.returncode, said) == (0, "")
    assert played(tmp_path) == matches


def test_a_run_whose_result_cannot_be_written_is_played_and_says_so(tmp_path: Path) -> None:
    """Where the output is lost, but not because its reader left, the run goes on to its end and fails then."""
    with not_writable() as output:
        code, said = arena(tmp_path, output, *MATCHES, "--json")
    assert (code, said) == (2, "arena: cannot write to standard output: bad file descriptor\n")
    assert played(tmp_path) == 4


def test_a_run_needs_no_standard_streams(tmp_path: Path) -> None:
    """Started with all of them closed (`<&- >&- 2>&-`) it plays as always, and no file of its own takes their place."""
    closed = ("sh", "-c", 'exec "$0" "$@" <&- >&- 2>&-')
    with not_writable() as output:
        assert arena(tmp_path, output, *MATCHES, before=closed) == (0, "")
    assert played(tmp_path) == 4


def test_an_arena_serves_on_without_its_reader(spawn: Spawn, tmp_path: Path) -> None:
    """Matches end, and new ones begin, after nobody reads what `arena serve` says of them; it stops as always."""
    serve = spawn("serve", "--open", "--game", "draw-bridge", "--listen", "127.0.0.1:0", *SHORT)
    assert serve.stdout is not None
    address = next(found[1] for line in serve.stdout if (found := re.match(r"listening on (\S+);", line)))
    serve.stdout.close()
    with bot(WITNESS, address, "ann") as ann, bot(WITNESS, address, "bob"):
        for _ in range(3):
            ann.wait_line("ended ")
        serve.send_signal(signal.SIGTERM)
        _, said = serve.communicate()
    assert serve.returncode == 0
    assert all(line.startswith("arena: ") for line in said.splitlines()), said
    assert played(tmp_path) >= 3


def test_an_outlet_that_is_lost_takes_everything() -> None:
    """The first write that fails raises, if the outlet is not dispensable; after it all is taken and dropped."""
    with left_pipe() as lost:
        needed, dispensable = Outlet(lost, dispensable=False), Outlet(lost, dispensable=True)
        with pytest.raises(OutputLostError, match="broken pipe"):
            needed.write(b"one")
        assert needed.write(b"two") == 3
        assert dispensable.write(b"one") == 3
        assert dispensable.lost is not None
        assert dispensable.lost.reader_left


# -- displays


def test_a_listener_that_fails_is_logged_and_no_more(caplog: pytest.LogCaptureFixture) -> None:
    """What a listener raises stays with it."""
    heard = []

    @harmless
    def hear(name: str) -> None:
        heard.append(name)
        raise KeyError(name)

    with caplog.at_level(logging.ERROR):
        hear("one")
        hear("two")
    assert heard == ["one", "two"]
    assert [record.exc_info is not None for record in caplog.records] == [True, True]


@pytest.mark.parametrize(
    ("part", "args"),
    [
        ("arena.cli.progress.Progress.ended", MATCHES),
        ("arena.cli.live.LiveBoard._new_board", ("demo", *SHORT)),
        ("arena.cli.live._line", ("demo", *SHORT)),
    ],
)
def test_a_display_that_fails_harms_no_match(
    run: Run, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, part: str, args: tuple[str, ...]
) -> None:
    """A fault in what shows a match is logged; every match is played to its end, and the result is printed."""
    monkeypatch.setattr(part, lambda *_: 1 // 0)
    result = run(*args)
    assert result.exit_code == 0, result.output
    assert "ZeroDivisionError" in caplog.text
    assert re.search(r"^deal_limit +[14]$", result.stdout, re.MULTILINE)
    assert played(Path()) == (4 if args == MATCHES else 1)
