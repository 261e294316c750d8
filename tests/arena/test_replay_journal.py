"""The journal: appended in one write, whole after a crash or on a full disk, never overwritten."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import BadReplay, JournalBroken
from arena.replay import Journal, read_replay
from arena.replay.frames import MAX_BODY
from arena.v1 import match_pb2, replay_pb2


def header() -> replay_pb2.ReplayHeader:
    """A header with a secret in it."""
    return replay_pb2.ReplayHeader(match_id="m1", run="demo", server_seed=bytes(32))


def asked(decision: int) -> replay_pb2.Frame:
    """A frame of the kind that a match has most of."""
    return replay_pb2.Frame(
        at_us=decision * 1000, asked=replay_pb2.LoggedAsk(seat=decision % 2, decision_id=decision, bank_us=60_000_000)
    )


def written(path: Path, frames: int = 5) -> bytes:
    """The bytes of a closed journal with so many frames."""
    journal = Journal.create(path, header())
    for decision in range(frames):
        journal.append([asked(decision)])
    journal.close()
    return path.read_bytes()


def test_journal_is_a_replay(tmp_path: Path) -> None:
    """What was appended is read back from the file, and the head and size agree with it at every moment."""
    path = tmp_path / "demo.m1.arp"
    journal = Journal.create(path, header())
    for batch in ([asked(0)], [asked(1), asked(2)], []):
        journal.append(batch)
        replay = read_replay(path.read_bytes())
        assert replay.head == journal.head
        assert journal.size == path.stat().st_size
    assert replay.header.schema == 1
    assert [entry.frame for entry in replay.entries] == [asked(0), asked(1), asked(2)]
    journal.sync()
    journal.close()
    journal.close()


def test_journal_is_its_owners_alone(tmp_path: Path) -> None:
    """The file holds the server seed, so nobody else may read it."""
    path = tmp_path / "m"
    written(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_batch_is_one_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames appended together reach the file in one system call."""
    journal = Journal.create(tmp_path / "m", header())
    calls: list[int] = []
    real = os.write

    def counted(descriptor: int, data: bytes) -> int:
        calls.append(len(data))
        return real(descriptor, data)

    monkeypatch.setattr(os, "write", counted)
    journal.append([asked(n) for n in range(50)])
    assert len(calls) == 1
    journal.close()


def test_log_hash_of_a_deal_and_of_the_end_is_filled_in(tmp_path: Path) -> None:
    """LoggedDeal and LoggedEnd hold the head before themselves, also in the midst of a batch."""
    path = tmp_path / "m"
    journal = Journal.create(path, header())
    deal = replay_pb2.Frame(deal=replay_pb2.LoggedDeal(deal_no=0, points=[0, 20], totals=[0, 20]))
    end = replay_pb2.Frame(
        ended=replay_pb2.LoggedEnd(termination=match_pb2.TERMINATION_SCORE, winner=1, totals=[0, 20], deals_complete=1)
    )
    journal.append([asked(0), deal, asked(1), end])
    journal.close()
    entries = read_replay(path.read_bytes()).entries
    assert entries[1].frame.deal.log_hash == entries[1].before
    assert entries[3].frame.ended.log_hash == entries[3].before


def test_existing_file_is_never_overwritten(tmp_path: Path) -> None:
    """A journal is not created where a file is."""
    path = tmp_path / "m"
    before = written(path)
    with pytest.raises(FileExistsError):
        Journal.create(path, header())
    assert path.read_bytes() == before


def test_missing_folder_is_said(tmp_path: Path) -> None:
    """A journal that cannot be made is a JournalBroken with path and reason."""
    with pytest.raises(JournalBroken, match=r"cannot write .*/gone/m: no such file or directory"):
        Journal.create(tmp_path / "gone" / "m", header())


def test_reopened_journal_goes_on(tmp_path: Path) -> None:
    """After a restart the same chain goes on in the same file."""
    path = tmp_path / "m"
    written(path)
    reopened = Journal.reopen(path)
    assert reopened.note is None
    assert reopened.journal.head == reopened.replay.head
    assert [entry.frame for entry in reopened.replay.entries] == [asked(n) for n in range(5)]
    reopened.journal.append([asked(5)])
    reopened.journal.close()
    replay = read_replay(path.read_bytes())
    assert len(replay.entries) == 6
    assert replay.head == reopened.journal.head


def test_torn_end_is_cut_off(tmp_path: Path) -> None:
    """A last frame that is there in part, whichever part, is cut off and said; all before it stays."""
    path = tmp_path / "m"
    whole = written(path)
    start = read_replay(whole).entries[-1].offset
    for end in range(start + 1, len(whole)):
        path.write_bytes(whole[:end])
        reopened = Journal.reopen(path)
        assert path.read_bytes() == whole[:start]
        assert reopened.note == (
            f"cut {end - start} bytes of a half-written frame off its end (frame 5 at byte {start})"
        )
        reopened.journal.append([asked(4)])
        reopened.journal.close()
        assert path.read_bytes() == whole


@pytest.mark.parametrize("tail", [bytes(4096), bytes(7), b"\0\0\0\x20garbage that never was a frame, of any kind"])
def test_end_that_the_disk_never_got_is_cut_off(tmp_path: Path, tail: bytes) -> None:
    """Zeros or garbage where a power cut left the file longer than its data are cut off too."""
    path = tmp_path / "m"
    whole = written(path)
    path.write_bytes(whole + tail)
    reopened = Journal.reopen(path)
    reopened.journal.close()
    assert reopened.note is not None
    assert path.read_bytes() == whole


def test_damage_before_the_last_frame_is_refused(tmp_path: Path) -> None:
    """A changed byte with whole frames behind it is refused with the frame's place, and the file left as it is."""
    path = tmp_path / "m"
    whole = written(path)
    entries = read_replay(whole).entries
    for position in range(entries[0].offset, entries[-1].offset):
        changed = bytearray(whole)
        changed[position] ^= 0xFF
        path.write_bytes(changed)
        hit = max(entry.number for entry in entries if entry.offset <= position)
        with pytest.raises(BadReplay, match=rf"^frame {hit} at byte \d+: "):
            Journal.reopen(path)
        assert path.read_bytes() == changed


def test_damaged_header_is_refused(tmp_path: Path) -> None:
    """A journal without a whole header is no match to go on with."""
    path = tmp_path / "m"
    whole = written(path, frames=0)
    path.write_bytes(whole[:-1])
    with pytest.raises(BadReplay, match="frame 0 at byte 8: the file ends in the middle of it"):
        Journal.reopen(path)


@pytest.mark.parametrize("room", [0, 1, 20])
def test_full_disk_leaves_the_file_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int) -> None:
    """When the disk takes only part of a write, that part is cut back, the error says so, and the journal can go on."""
    path = tmp_path / "m"
    journal = Journal.create(path, header())
    journal.append([asked(0)])
    before, head = path.read_bytes(), journal.head
    real = os.write
    left = [room]

    def short(descriptor: int, data: bytes) -> int:
        if not left[0]:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        count = real(descriptor, data[: left[0]])
        left[0] -= count
        return count

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", short)
        with pytest.raises(JournalBroken, match=r"cannot write .*/m: no space left on device"):
            journal.append([asked(1), asked(2)])
    assert path.read_bytes() == before
    assert journal.head == head
    journal.append([asked(1)])
    journal.close()
    assert len(read_replay(path.read_bytes()).entries) == 2


def test_full_disk_at_the_start_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A journal whose header does not fit on the disk is not left behind."""

    def full(*_: Any) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(JournalBroken, match="no space left"):
        Journal.create(tmp_path / "m", header())
    assert not list(tmp_path.iterdir())


def test_journal_that_cannot_be_cut_back_takes_nothing_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If half a frame stays in the file, nothing is ever written behind it, so that a restart can cut it off."""
    path = tmp_path / "m"
    journal = Journal.create(path, header())
    real = os.write
    calls: list[int] = []

    def fail(*_: Any) -> Any:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    def once(descriptor: int, data: bytes) -> int:
        if calls:
            fail()
        calls.append(1)
        return real(descriptor, data[:5])

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", once)
        patch.setattr(os, "ftruncate", fail)
        with pytest.raises(JournalBroken):
            journal.append([asked(0)])
    with pytest.raises(JournalBroken):
        journal.append([asked(1)])
    reopened = Journal.reopen(path)
    reopened.journal.close()
    assert not reopened.replay.entries


def test_failing_sync_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that does not take the data is a JournalBroken, not an OSError."""
    journal = Journal.create(tmp_path / "m", header())

    def fail(_: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, "fdatasync", fail)
    with pytest.raises(JournalBroken, match="input/output error"):
        journal.sync()
    journal.close()


def test_frame_over_the_limit_is_not_written(tmp_path: Path) -> None:
    """What could not be read back is not written: that is a fault of the arena's own, and a ValueError."""
    path = tmp_path / "m"
    journal = Journal.create(path, header())
    before = path.read_bytes()
    long = replay_pb2.Frame(rejected=replay_pb2.LoggedRejection(text="x" * MAX_BODY))
    with pytest.raises(ValueError, match="the limit is 65536"):
        journal.append([asked(0), long])
    assert path.read_bytes() == before
    journal.close()


@given(batches=st.lists(st.integers(0, 4), min_size=1, max_size=6), cut=st.integers(0, 400))
def test_prefix_of_a_journal_reopens_or_is_refused(
    tmp_path_factory: pytest.TempPathFactory, batches: list[int], cut: int
) -> None:
    """Whatever is cut off the end, what is left of the frames is read back, or the header is damaged and refused."""
    path = tmp_path_factory.mktemp("journal") / "m"
    journal = Journal.create(path, header())
    body = journal.size
    frames = [asked(n) for n in range(sum(batches))]
    for count in batches:
        journal.append([frames.pop(0) for _ in range(count)])
    journal.close()
    whole = read_replay(path.read_bytes()).entries
    data = path.read_bytes()[: max(0, journal.size - cut)]
    path.write_bytes(data)
    if len(data) < body:
        with pytest.raises(BadReplay):
            Journal.reopen(path)
        return
    reopened = Journal.reopen(path)
    reopened.journal.close()
    kept = len(reopened.replay.entries)
    assert reopened.replay.entries == whole[:kept]
    assert kept == len(whole) or whole[kept].offset <= len(data)
