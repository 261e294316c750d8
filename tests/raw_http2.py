"""HTTP/2 spoken by hand over a plain socket, for peers that no library would let misbehave like that."""

from __future__ import annotations

import select
import socket
import time
from typing import Final, Self

PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = 0, 1, 3, 4, 6, 7, 8, 9
END_STREAM, END_HEADERS = 1, 4
PLAY: Final = "/arena.v1.ArenaService/Play"


def frame(kind: int, flags: int = 0, stream: int = 0, payload: bytes = b"") -> bytes:
    """A frame: RFC 9113, section 4.1."""
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


def head(path: str = PLAY, extra: dict[str, str] | None = None) -> bytes:
    """The header block of a gRPC call, every field written out: RFC 7541, section 6.2.2."""
    fields = {":method": "POST", ":scheme": "http", ":path": path, ":authority": "arena", "te": "trailers"}
    fields |= {"content-type": "application/grpc", **(extra or {})}
    return b"".join(b"\0" + _text(name) + _text(value) for name, value in fields.items())


def _text(text: str) -> bytes:
    data = text.encode()
    if len(data) < 127:
        return bytes([len(data)]) + data
    rest, number = len(data) - 127, bytearray([127])
    while rest >= 128:
        number.append(rest % 128 + 128)
        rest //= 128
    return bytes([*number, rest]) + data


def message(data: bytes) -> bytes:
    """A gRPC message: not compressed, its length, its bytes."""
    return b"\0" + len(data).to_bytes(4, "big") + data


class Peer:
    """A connection. `closed` once the other side has ended it; `heard` is all that it said."""

    def __init__(self, address: str, greeting: bytes = PREFACE + frame(SETTINGS)) -> None:
        host, _, port = address.rpartition(":")
        self._socket = socket.create_connection((host, int(port)))
        self._socket.setblocking(False)
        self.heard = bytearray()
        self.closed = False
        self.sent = 0
        self.say(greeting)

    def say(self, data: bytes) -> bool:
        """Send as much as the other side takes within a second; False when that is not all."""
        patience = time.monotonic() + 1
        while data and not self.closed and time.monotonic() < patience:
            self.listen(0)
            if select.select([], [self._socket], [], 0.05)[1]:
                try:
                    count = self._socket.send(data)
                except OSError:
                    self.closed = True
                    break
                self.sent += count
                data = data[count:]
        return not data

    def listen(self, seconds: float) -> None:
        """Hear what there is, and what comes within so many seconds, until the other side ends the connection."""
        until = time.monotonic() + seconds
        while not self.closed and select.select([self._socket], [], [], max(0, until - time.monotonic()))[0]:
            try:
                data = self._socket.recv(65536)
            except OSError:
                data = b""
            self.heard += data
            self.closed = not data

    def kinds(self) -> list[int]:
        """The kinds of the frames that were heard whole."""
        found, place = [], 0
        while place + 9 <= len(self.heard):
            end = place + 9 + int.from_bytes(self.heard[place : place + 3], "big")
            if end <= len(self.heard):
                found.append(self.heard[place + 3])
            place = end
        return found

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()
