"""Replay files and running logs with anything in them: judged or refused, in bounded lines, and never a traceback."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing
from hypothesis import given
from hypothesis import strategies as st

from arena.cli.replay_listing import from_replay
from arena.errors import LONGEST, ArenaError, BadReplay
from arena.replay import export_jsonl, pack, read_replay, story, verify
from arena.replay.frames import MAGIC, NO_HEAD, chain, encode, scan
from arena.v1 import replay_pb2
from broken_folders import whole_folder
from fuzzing import budget, changed, changes, messages, stranger_bytes
from memory_arena import memory_arena
from recording import Tape
from restarting import RULES, journal_of, pair

Edit = tuple[int, str, bytes]

edits = st.lists(
    st.tuples(
        st.integers(0, 2**16),
        st.sampled_from(("instead", "before", "gone", "twice", "changed", "merged")),
        st.one_of(messages(replay_pb2.Frame).map(lambda frame: frame.SerializeToString()), st.binary(max_size=9)),
    ),
    min_size=1,
    max_size=4,
)
heads = st.one_of(st.none(), stranger_bytes(replay_pb2.ReplayHeader))


@pytest.fixture(scope="module")
def bodies(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """The frames of a short match with a refused answer in it."""
    tape = Tape(tmp_path_factory.mktemp("honest")).ready().play(actions=9)
    tape.answer(99)
    return [raw.body for raw in scan(tape.play().data())]


def rewritten(bodies: list[bytes], head: bytes | None, done: list[Edit]) -> bytes:
    """The file after these changes, with checksums that fit; a merged frame keeps what the new one does not say."""
    frames = list(bodies)
    if head is not None:
        frames[0] += head  # what is said later counts
    for place, what, new in done:
        at = 1 + place % (len(frames) - 1)
        match what:
            case "instead":
                frames[at] = new
            case "before":
                frames.insert(at, new)
            case "gone" if len(frames) > 2:
                del frames[at]
            case "twice":
                frames.insert(at, frames[at])
            case "changed":
                frames[at] = changed(frames[at], [(place, 0, new[:4])])
            case "merged":
                frames[at] += new
    return MAGIC + b"".join(encode(body) for body in frames if body)


def told(data: bytes) -> list[str]:
    """All that the arena says of a file: lists, verification, story, export. Raises BadReplay, and nothing else."""
    replay = read_replay(data)
    lines = [json.dumps(from_replay(replay).document)]
    for say in (
        lambda: [finding.text for finding in verify(replay, known_hash=bytes(32)).findings],
        lambda: list(story(replay, times=True, notes=True)),
        lambda: list(export_jsonl(replay)),
    ):
        with suppress(BadReplay):
            lines += say()
    return lines


@budget(150, soak=100_000)
@given(head=heads, done=edits, is_packed=st.booleans())
def test_any_file_is_judged_or_refused(
    bodies: list[bytes], head: bytes | None, done: list[Edit], *, is_packed: bool, soak: bool
) -> None:
    """Frames with anything in them, and checksums that fit: every reader judges it in bounded lines, or refuses."""
    data = rewritten(bodies, head, done)
    try:
        lines = told(pack(data) if is_packed else data)
    except BadReplay as refusal:
        lines = [str(refusal)]
    assert all("\n" not in line for line in lines)
    assert max(map(len, lines)) < 40_000  # a name of 3,000 letters, some of them written as escapes


@budget(150, soak=100_000)
@given(head=heads, done=edits)
def test_no_changed_file_is_proved(bodies: list[bytes], head: bytes | None, done: list[Edit], *, soak: bool) -> None:
    """Whoever has the hash of the log finds out about every change, and what fails is told in few words."""
    data, known = rewritten(bodies, head, done), NO_HEAD
    for body in bodies:
        known = chain(known, body)
    same = data == MAGIC + b"".join(map(encode, bodies))
    try:
        report = verify(read_replay(data), known_hash=known)
        is_proved, failures = report.ok, [finding.text for finding in report.failures]
    except BadReplay as refusal:
        is_proved, failures = False, [refusal.what]
    assert is_proved == same
    assert all(len(text) < LONGEST + 200 for text in failures)


@budget(100, soak=100_000)
@given(done=changes, is_packed=st.booleans())
def test_any_bytes_are_judged_or_refused(
    bodies: list[bytes], done: list[tuple[int, int, bytes]], *, is_packed: bool, soak: bool
) -> None:
    """Bytes that are changed somewhere, packed or not: a replay or BadReplay."""
    data = MAGIC + b"".join(map(encode, bodies))
    with suppress(BadReplay):
        told(changed(pack(data) if is_packed else data, done))


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[bytes]]:
    """A data folder with a running match, and the frames of its log."""
    folder = tmp_path_factory.mktemp("running") / "data"
    trio.run(whole_folder, folder, clock=trio.testing.MockClock(autojump_threshold=0))
    return folder, [raw.body for raw in scan(journal_of(folder).read_bytes())]


@budget(40, soak=5_000)
@given(head=heads, done=edits)
def test_any_running_log_is_played_on_or_refused(
    running: tuple[Path, list[bytes]], head: bytes | None, done: list[Edit], *, soak: bool
) -> None:
    """An arena that starts on a changed log refuses it in one line, or plays the match to an end that is proved."""
    folder, frames = running
    _with_log(folder, rewritten(frames, head, done), _play_or_refuse)


def _with_log(whole: Path, log: bytes, do: Callable[[Path], Any]) -> None:
    with tempfile.TemporaryDirectory() as place:
        data = Path(place) / "data"
        _copy(whole, data)
        journal_of(data).write_bytes(log)
        trio.run(do, data, clock=trio.testing.MockClock(autojump_threshold=0))


def _copy(whole: Path, data: Path) -> None:
    for path in sorted(whole.rglob("*")):
        copy = data / path.relative_to(whole)
        copy.parent.mkdir(parents=True, exist_ok=True)
        if path.is_file():
            copy.write_bytes(path.read_bytes())


async def _play_or_refuse(data: Path) -> None:
    try:
        async with memory_arena(data, matches=2, **RULES) as arena:
            results = await arena.play(*pair())
            assert [result.number for result in results if not result.termination.void] == [1, 2]
            for result in results:
                report = verify(read_replay(arena.store.replay(result)), known_hash=result.log_hash)
                assert not report.failures, report.failures
    except* ArenaError as refusals:
        (refusal,) = refusals.exceptions
        while isinstance(refusal, BaseExceptionGroup):
            (refusal,) = refusal.exceptions
        assert len(str(refusal).splitlines()) == 1
