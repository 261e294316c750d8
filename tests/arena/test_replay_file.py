"""The file format: whole files read, everything else is one BadReplay that says what and where."""

from __future__ import annotations

import zlib
from contextlib import suppress

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import ArenaError, BadReplay
from arena.replay import pack, read_replay, unpack
from arena.replay import read as reading
from arena.replay.frames import MAGIC, MAX_BODY, NO_HEAD, chain, encode, scan
from arena.v1 import match_pb2, replay_pb2

HEADER = replay_pb2.ReplayHeader(schema=1, match_id="m1", run="demo", arena_version="0.1.0")
FRAMES = [
    replay_pb2.Frame(at_us=10, ready=replay_pb2.LoggedReady(seat=0, nonce=b"n" * 16)),
    replay_pb2.Frame(at_us=20, started=replay_pb2.LoggedStart(first_dealer=1)),
    replay_pb2.Frame(
        at_us=30, ended=replay_pb2.LoggedEnd(termination=match_pb2.TERMINATION_RESIGN, at_fault=0, winner=1)
    ),
]
BODIES = [HEADER.SerializeToString(), *(frame.SerializeToString() for frame in FRAMES)]
FILE = MAGIC + b"".join(map(encode, BODIES))


def fault(data: bytes) -> str:
    """What `read_replay` says of `data`."""
    with pytest.raises(BadReplay) as caught:
        read_replay(data)
    return str(caught.value)


def test_layout_is_the_documented_one() -> None:
    """A frame is u32be length, u32be CRC-32 of the body, the body; nothing else stands in the file."""
    body = BODIES[1]
    raw = bytes([0, 0, 0, len(body)]) + zlib.crc32(body).to_bytes(4, "big") + body
    assert encode(body) == raw
    assert FILE.startswith(b"ARENARP1")
    assert [frame.body for frame in scan(FILE)] == BODIES


def test_whole_file_is_read() -> None:
    """Header, entries, places, heads and the final head come back from a file as it was written."""
    replay = read_replay(FILE)
    heads = [NO_HEAD]
    for body in BODIES:
        heads.append(chain(heads[-1], body))
    assert replay.header == HEADER
    assert [entry.frame for entry in replay.entries] == FRAMES
    assert [entry.before for entry in replay.entries] == heads[1:-1]
    assert replay.head == heads[-1]
    assert [entry.kind for entry in replay.entries] == ["ready", "started", "ended"]
    assert replay.entries[0].where == f"frame 1 at byte {8 + 8 + len(BODIES[0])}"
    assert replay.ended == FRAMES[-1].ended
    assert replay.name == "demo/m1"


def test_end_is_none_while_the_match_runs() -> None:
    """A log without its end is readable, and says that it has none."""
    assert read_replay(FILE[: -8 - len(BODIES[-1])]).ended is None
    assert read_replay(MAGIC + encode(BODIES[0])).ended is None


def test_packed_file_reads_the_same() -> None:
    """A file packed with zstd gives the same replay, also when its length is not written in front."""
    assert unpack(pack(FILE)) == FILE
    streaming = zstandard.ZstdCompressor().compressobj()
    for packed in (pack(FILE), streaming.compress(FILE) + streaming.flush()):
        assert read_replay(packed).head == read_replay(FILE).head


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "start of file: this is no replay: it does not begin with ARENARP1"),
        (b"ARENARP", "start of file: this is no replay: it does not begin with ARENARP1"),
        (b"ARENARP2" + FILE[8:], "start of file: this is no replay: it does not begin with ARENARP1"),
        (MAGIC, "frame 0 at byte 8: the file ends before its header"),
        (FILE[:-1], f"frame 3 at byte {len(FILE) - 8 - len(BODIES[-1])}: the file ends in the middle of it"),
        (FILE + b"\0", f"frame 4 at byte {len(FILE)}: the file ends in the middle of it"),
        (FILE + bytes(8), f"frame 4 at byte {len(FILE)}: a length of 0 bytes is not possible: it is 1 to 65536"),
        (FILE + b"\xff" * 8, f"frame 4 at byte {len(FILE)}: a length of 4294967295 bytes is not possible"),
        (MAGIC + encode(b"\xff\xff"), "frame 0 at byte 8: this is no header of a replay"),
        (FILE + encode(b"\xff\xff"), f"frame 4 at byte {len(FILE)}: this is no entry of a log"),
        (FILE + encode(b"\x08\x01"), f"frame 4 at byte {len(FILE)}: it holds no entry that this arena knows"),
        (pack(FILE)[:-1], "packed file: it does not unpack"),
        (pack(FILE) + b"x", "packed file: it does not unpack"),
        (pack(FILE)[:4], "packed file: it does not unpack"),
    ],
)
def test_fault_is_named_with_its_place(data: bytes, says: str) -> None:
    """What is wrong with a file, and where, is said in one line."""
    told = fault(data)
    assert told.startswith(says)
    assert "\n" not in told


def test_error_is_one_for_people() -> None:
    """A bad replay is an ArenaError with exit code 2 that keeps place and fault apart."""
    with pytest.raises(ArenaError) as caught:
        read_replay(FILE[:-1])
    assert caught.value.exit_code == 2
    assert isinstance(caught.value, BadReplay)
    assert caught.value.where.startswith("frame 3 at byte")


def test_every_changed_byte_is_noticed() -> None:
    """No byte of a file can be changed without the reader noticing."""
    for position in range(len(FILE)):
        for flip in (0x01, 0x80, 0xFF):
            changed = bytearray(FILE)
            changed[position] ^= flip
            assert fault(bytes(changed))


@pytest.mark.parametrize("schema", [0, 2, 9])
def test_other_schema_names_what_is_needed(schema: int) -> None:
    """P66: a replay of another schema is refused with the version that it needs and that of who wrote it."""
    header = replay_pb2.ReplayHeader(schema=schema, arena_version="7.1")
    wanted = f"schema {schema}" if schema else "a schema that it does not name"
    assert fault(MAGIC + encode(header.SerializeToString())) == (
        f"frame 0 at byte 8: it needs an arena that reads {wanted}, which arena 7.1 wrote; this one reads schema 1"
    )


def test_unpacking_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that would unpack to more than the limit is refused, whether it says so in front or not."""
    monkeypatch.setattr(reading, "MAX_BYTES", 1000)
    streaming = zstandard.ZstdCompressor().compressobj()
    hidden = streaming.compress(MAGIC + bytes(100_000)) + streaming.flush()
    assert fault(pack(MAGIC + bytes(100_000))).startswith("start of file: it would unpack to 100008 bytes")
    assert fault(hidden).startswith("packed file: it does not unpack")
    assert fault(MAGIC + bytes(1000)) == "end of file: it has 1008 bytes: a replay has at most 1000"


def test_number_of_frames_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file with more frames than a match can have is refused."""
    monkeypatch.setattr(reading, "MAX_FRAMES", 3)
    assert "no more than 3 frames" in fault(FILE)


def test_longest_frame_is_read() -> None:
    """A body of exactly the limit is read, one byte more is not."""
    frame = replay_pb2.Frame(at_us=1, rejected=replay_pb2.LoggedRejection(text=""))
    frame.rejected.text = "x" * (MAX_BODY - frame.ByteSize() - 6)
    body = frame.SerializeToString()
    assert len(body) == MAX_BODY
    assert read_replay(FILE + encode(body)).entries[-1].frame == frame
    frame.rejected.text += "x"
    assert "is not possible" in fault(FILE + encode(frame.SerializeToString()))


@given(data=st.binary(max_size=300), start=st.sampled_from([b"", MAGIC, FILE, FILE[:60], b"\x28\xb5\x2f\xfd"]))
def test_garbage_gives_bad_replay_only(data: bytes, start: bytes) -> None:
    """Whatever the bytes are, they are a replay or a BadReplay, never another exception."""
    with suppress(BadReplay):
        assert read_replay(start + data).head


@given(
    bodies=st.lists(st.binary(min_size=1, max_size=40), max_size=6),
    packed=st.booleans(),
    cut=st.integers(0, 40),
)
def test_garbage_in_good_frames_gives_bad_replay_only(bodies: list[bytes], cut: int, *, packed: bool) -> None:
    """Frames whose checksums fit but whose bodies are garbage are a replay or a BadReplay, never another exception."""
    data = MAGIC + encode(BODIES[0]) + b"".join(map(encode, bodies))
    data = pack(data) if packed else data
    with suppress(BadReplay):
        assert read_replay(data[: len(data) - cut]).head
