"""A replay as a value: the header, every entry of the log with its place in the file, the heads of its hash chain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import zstandard
from google.protobuf.message import DecodeError

from arena.errors import BadReplay
from arena.replay.frames import MAGIC, NO_HEAD, RawFrame, chain, count, place, scan
from arena.v1 import replay_pb2

SCHEMA: Final = 1
"""The version of the format that this arena writes and reads."""

# A match stops after 1,000 deals of at most 185 actions, each asked and answered, with a note of at most 512 bytes.
MAX_BYTES: Final = 128 * 1024 * 1024
"""The longest unpacked file."""
MAX_FRAMES: Final = 500_000
"""The most frames of a file."""
PACKING: Final = 128
"""The most bytes of a file that one packed byte stands for, beside 64 KiB.

A bomb unpacks to thousands; the longest frames that a match writes, each with a note of 512 bytes, to some 20, because
nothing packs the checksum of a frame. For the same reason a packed file has more than four bytes for every frame.
"""
_PACKED_FRAME: Final = 4
_SLACK_BYTES: Final = 64 * 1024
_SLACK_FRAMES: Final = 1000

_ZSTD: Final = b"\x28\xb5\x2f\xfd"
_WINDOW: Final = 8 * 1024 * 1024
_LEVEL: Final = 12


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the log: its frame's number and offset in the file, its bytes, the head of the chain before it.

    `kind` is the name of what it tells, as in replay.proto: `asked`, `action`, ...
    """

    number: int
    offset: int
    kind: str
    body: bytes
    before: bytes

    @property
    def frame(self) -> replay_pb2.Frame:
        """What it tells, parsed anew: a parsed frame is ten times as large as its bytes, and a file has many."""
        return replay_pb2.Frame.FromString(self.body)

    @property
    def where(self) -> str:
        """Where it stands, for people."""
        return place(self.number, self.offset)


@dataclass(frozen=True, slots=True)
class Replay:
    """A whole log. `head` is the head of its hash chain: what the result and the bots keep of it."""

    header: replay_pb2.ReplayHeader
    entries: tuple[Entry, ...]
    head: bytes

    @property
    def frames(self) -> tuple[replay_pb2.Frame, ...]:
        """The entries alone, in order."""
        return tuple(entry.frame for entry in self.entries)

    @property
    def ended(self) -> replay_pb2.LoggedEnd | None:
        """The end of the match, None while it is not there."""
        if self.entries and self.entries[-1].kind == "ended":
            return self.entries[-1].frame.ended
        return None

    @property
    def name(self) -> str:
        """The match as lists and commands name it: `RUN/MATCH`."""
        return f"{self.header.run}/{self.header.match_id}"


def read_replay(data: bytes) -> Replay:
    """The replay in `data`, packed or not.

    Raises BadReplay, and nothing else, with the place and the fault when it is none. Memory is bounded.
    """
    collector = Collector()
    for raw in scan(unpack(data)):
        collector.take(raw)
    return collector.replay()


class Collector:
    """Makes a replay of frames as they come."""

    def __init__(self) -> None:
        self._header: replay_pb2.ReplayHeader | None = None
        self._entries: list[Entry] = []
        self._head = NO_HEAD

    def take(self, raw: RawFrame) -> None:
        """Add the next frame of the file."""
        if raw.number >= MAX_FRAMES:
            raise BadReplay(raw.where, f"a match has no more than {MAX_FRAMES} frames")
        if self._header is None:
            self._header = parse_header(raw)
        else:
            self._entries.append(Entry(raw.number, raw.offset, _kind_of(raw), raw.body, self._head))
        self._head = chain(self._head, raw.body)

    def replay(self) -> Replay:
        """What has been taken."""
        if self._header is None:
            raise BadReplay(place(0, len(MAGIC)), "the file ends before its header")
        return Replay(self._header, tuple(self._entries), self._head)


def parse_header(raw: RawFrame) -> replay_pb2.ReplayHeader:
    """The header in the first frame; BadReplay when it is none, or one of another schema."""
    header = replay_pb2.ReplayHeader()
    try:
        header.ParseFromString(raw.body)
    except DecodeError:
        raise BadReplay(raw.where, "this is no header of a replay") from None
    if header.schema != SCHEMA:
        wanted = f"schema {header.schema}" if header.schema else "a schema that it does not name"
        by = f", which arena {header.arena_version[:40]} wrote" if header.arena_version else ""
        raise BadReplay(raw.where, f"it needs an arena that reads {wanted}{by}; this one reads schema {SCHEMA}")
    return header


def _kind_of(raw: RawFrame) -> str:
    frame = replay_pb2.Frame()
    try:
        frame.ParseFromString(raw.body)
    except DecodeError:
        raise BadReplay(raw.where, "this is no entry of a log") from None
    kind = frame.WhichOneof("entry")
    if kind is None:
        raise BadReplay(raw.where, "it holds no entry that this arena knows: it needs a newer one")
    return kind


def pack(data: bytes) -> bytes:
    """The file, compressed for rest with zstd."""
    return zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True).compress(data)


def unpack(data: bytes) -> bytes:
    """The file as it was written. BadReplay when it is packed badly, or would become longer than such a file can be."""
    if data[:4] != _ZSTD:
        return _bounded(data)
    most = min(MAX_BYTES, _SLACK_BYTES + PACKING * len(data))
    try:
        size = zstandard.frame_content_size(data)
        if size > most:
            raise BadReplay("start of file", f"it would unpack to {size} bytes: a replay so packed has at most {most}")
        inflate = zstandard.ZstdDecompressor(max_window_size=_WINDOW)
        file = _bounded(inflate.decompress(data, max_output_size=most, allow_extra_data=False))
    except zstandard.ZstdError as error:
        raise BadReplay("packed file", f"it does not unpack: {error}") from None
    frames = _SLACK_FRAMES + len(data) // _PACKED_FRAME
    if count(file, frames + 1) > frames:
        raise BadReplay(
            "packed file", f"it holds more than {frames} frames: nobody can pack that many into {len(data)} bytes"
        )
    return file


def _bounded(data: bytes) -> bytes:
    if len(data) > MAX_BYTES:
        raise BadReplay("end of file", f"it has {len(data)} bytes: a replay has at most {MAX_BYTES}")
    return data
