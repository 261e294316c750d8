"""The file format of a log, as proto/arena/v1/replay.proto describes it: framing, checksums, the hash chain.

This layer knows bytes only. It is pure, and it never trusts a length that it has read.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from arena.errors import BadReplay

MAGIC: Final = b"ARENARP1"
"""The first eight bytes of a file: the format and its version."""
PREFIX: Final = 8
"""Bytes before a frame's body: u32be length, u32be CRC-32."""
MAX_BODY: Final = 64 * 1024
"""The longest body. The longest real ones, an action with a note and a header, stay under 4 KiB."""
NO_HEAD: Final = bytes(32)
"""The head of the hash chain before the first frame."""


@dataclass(frozen=True, slots=True)
class RawFrame:
    """A frame in a file: its number (the header is 0), the offset of its first byte, its body."""

    number: int
    offset: int
    body: bytes

    @property
    def where(self) -> str:
        """Where it stands, for people."""
        return place(self.number, self.offset)


class Damaged(BadReplay):
    """A frame that does not fit. `offset` is that of its first byte, so all before it is whole."""

    def __init__(self, number: int, offset: int, what: str) -> None:
        super().__init__(place(number, offset), what)
        self.number = number
        self.offset = offset


def place(number: int, offset: int) -> str:
    """How a frame is named to people: `frame 57 at byte 3121`."""
    return f"frame {number} at byte {offset}"


def encode(body: bytes) -> bytes:
    """The frame that holds `body`."""
    return len(body).to_bytes(4, "big") + zlib.crc32(body).to_bytes(4, "big") + body


def chain(head: bytes, body: bytes) -> bytes:
    """The head of the hash chain after a frame with this body."""
    return sha256(b"arena-log-1" + head + len(body).to_bytes(4, "big") + body).digest()


def scan(data: bytes) -> Iterator[RawFrame]:
    """The frames of an unpacked file, in order. Raises BadReplay at the first thing that does not fit."""
    if data[: len(MAGIC)] != MAGIC:
        raise BadReplay("start of file", f"this is no replay: it does not begin with {MAGIC.decode()}")
    number, offset = 0, len(MAGIC)
    while offset < len(data):
        body = _body(data, number, offset)
        yield RawFrame(number, offset, body)
        number += 1
        offset += PREFIX + len(body)


def count(data: bytes, most: int) -> int:
    """How many frames the lengths in an unpacked file make, at most `most`; nothing else of them is looked at."""
    number, offset = 0, len(MAGIC)
    while number < most and offset < len(data):
        number += 1
        offset += PREFIX + int.from_bytes(data[offset : offset + 4], "big")
    return number


def _body(data: bytes, number: int, offset: int) -> bytes:
    length = int.from_bytes(data[offset : offset + 4], "big")
    if len(data) - offset >= 4 and not 0 < length <= MAX_BODY:
        raise Damaged(number, offset, f"a length of {length} bytes is not possible: it is 1 to {MAX_BODY}")
    body = data[offset + PREFIX : offset + PREFIX + length]
    if len(data) - offset < PREFIX or len(body) < length:
        raise Damaged(number, offset, "the file ends in the middle of it")
    if zlib.crc32(body) != int.from_bytes(data[offset + 4 : offset + PREFIX], "big"):
        raise Damaged(number, offset, "checksum does not fit")
    return body


def is_torn(data: bytes, damage: Damaged) -> bool:
    """True if the damage is the torn end of a file: no whole frame stands anywhere behind it.

    A write that a crash cut short leaves one such place, at the end. Anything else was damaged later, and cutting the
    file there would lose actions that were taken.
    """
    for start in range(damage.offset + 1, len(data) - PREFIX):
        length = int.from_bytes(data[start : start + 4], "big")
        end = start + PREFIX + length
        if 0 < length <= MAX_BODY and end <= len(data):
            checksum = int.from_bytes(data[start + 4 : start + PREFIX], "big")
            if zlib.crc32(data[start + PREFIX : end]) == checksum:
                return False
    return True
