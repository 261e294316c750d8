"""Peers that abuse HTTP/2 itself, beside honest bots: these finish their matches, the abuser is closed or bounded."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Empty

import pytest

from raw_http2 import (
    CONTINUATION,
    END_HEADERS,
    GOAWAY,
    HEADERS,
    PING,
    PREFACE,
    RST_STREAM,
    SETTINGS,
    Peer,
    frame,
    head,
)
from real_arena import Process, arena, run_arena

Abuse = Callable[["Abuser"], None]
SHORT = ["time.hello_seconds=1", "time.handshake_seconds=1", "time.idle_seconds=1"]
MATCHES = 2
"""So many matches the honest bots finish while an abuse goes on, 20 under `make soak`."""
MORE = 1.5
"""So many times what it had before may the arena's memory be in the end."""
LAST_SECONDS = 30.0
"""How long an abuser that must be closed is given: many times the limits above, for machines that are busy."""


class Abuser:
    """Somebody who misbehaves, and comes back whenever he is thrown out."""

    def __init__(self, address: str, greeting: bytes) -> None:
        self.address = address
        self.greeting = greeting
        self.peer = Peer(address, greeting)
        self.thrown_out = 0
        self.heard: set[int] = set()

    def say(self, data: bytes) -> None:
        """Send it, on a new connection if the old one is gone or has been given notice."""
        self.peer.say(data)
        self.peer.listen(0)
        self.heard |= set(self.peer.kinds())
        if self.peer.closed or GOAWAY in self.heard:
            self.heard.discard(GOAWAY)
            self.thrown_out += 1
            self.peer.__exit__()
            self.peer = Peer(self.address, self.greeting)
        self.peer.heard.clear()


def bad_preface(abuser: Abuser) -> None:
    """Speak another protocol."""
    abuser.say(b"GET / HTTP/1.1\r\nHost: arena\r\n\r\n")
    abuser.peer.listen(0.05)


class Storm:
    """Open calls and take them back at once, a hundred at a time."""

    def __init__(self) -> None:
        self.stream = 1

    def __call__(self, abuser: Abuser) -> None:
        """Do it once more."""
        before, data = abuser.peer, b""
        for _ in range(100):
            data += frame(HEADERS, END_HEADERS, self.stream, head())
            data += frame(RST_STREAM, 0, self.stream, (8).to_bytes(4, "big"))
            self.stream += 2
        abuser.say(data)
        if abuser.peer is not before:
            self.stream = 1


def ping_storm(abuser: Abuser) -> None:
    """Ask whether the other side is there, a thousand times."""
    abuser.say(frame(PING, 0, 0, bytes(8)) * 1000)


def settings_storm(abuser: Abuser) -> None:
    """Settle a thousand times what is settled."""
    abuser.say(frame(SETTINGS) * 1000)


class EndlessHead:
    """Begin a call whose head never ends."""

    def __init__(self) -> None:
        self.peer: Peer | None = None

    def __call__(self, abuser: Abuser) -> None:
        """Let it go on."""
        if abuser.peer is not self.peer:
            self.peer = abuser.peer
            abuser.say(frame(HEADERS, 0, 1, head()))
        abuser.say(frame(CONTINUATION, 0, 1, head(extra={"x-more": "x" * 8000})))


HELLO = PREFACE + frame(SETTINGS)
ABUSES: dict[str, tuple[bytes, Callable[[], Abuse]]] = {
    "bad preface": (b"", lambda: bad_preface),
    "rapid reset": (HELLO, Storm),
    "pings": (HELLO, lambda: ping_storm),
    "settings": (HELLO, lambda: settings_storm),
    "endless head": (HELLO, EndlessHead),
}


class Bench:
    """An arena where two honest bots play match after match."""

    def __init__(self, process: Process, address: str) -> None:
        self.address = address
        self.process = process

    def ended(self) -> int:
        """How many matches have ended since the last time."""
        count = 0
        while True:
            try:
                line = self.process.lines.get_nowait()
            except Empty:
                return count
            assert line is not None, "\n".join(self.process.seen)
            self.process.seen.append(line)
            count += line.startswith("ladder/")

    def memory(self) -> int:
        """What the arena's process holds in memory, in KiB."""
        pid = self.process._process.pid
        status = Path(f"/proc/{pid}/status")
        if status.exists():
            (held,) = [line.split()[1] for line in status.read_text().splitlines() if line.startswith("VmRSS:")]
        else:
            held = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, check=True).stdout.decode()
        return int(held)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of the arena."""
    return tmp_path_factory.mktemp("abused") / "data"


@pytest.fixture(scope="module")
def bench(data: Path) -> Iterator[Bench]:
    """The arena, at play; in the end every match must have ended by the cards."""
    short = [word for setting in SHORT for word in ("--set", setting)]
    words = ["serve", "--open", "--listen", "127.0.0.1:0", "--game", "draw-bridge", "--option", "max_deals=1"]
    with arena(*words, "--data", str(data), *short) as process:
        address = process.wait_line("listening on ").split()[2].rstrip(";")
        bot = [sys.executable, "-m", "sample_bots.python.random_bot"]
        with Process(bot, ARENA_SERVER=address, ARENA_NAME="a"), Process(bot, ARENA_SERVER=address, ARENA_NAME="b"):
            for _ in range(3):
                process.wait_line("ladder/")
            yield Bench(process, address)
            process.signal(2)
            assert process.wait() == 0
    listed = json.loads(run_arena("replay", "list", "--json", "--data", str(data)))
    assert {match["termination"] for match in listed} <= {"score", "deal_limit"}
    assert not [line for line in process.seen if "Traceback" in line]


@pytest.mark.parametrize("name", ABUSES)
def test_honest_bots_play_on_beside_an_abuser(bench: Bench, name: str, soak: bool) -> None:  # noqa: FBT001 # a fixture
    """While one peer pours out frames, others finish their matches, and the memory does not grow with the abuse."""
    greeting, make = ABUSES[name]
    abuse, abuser = make(), Abuser(bench.address, greeting)
    before, ended, bursts = bench.memory(), 0, 0
    bench.ended()
    while ended < (20 if soak else MATCHES) or bursts < 50:
        abuse(abuser)
        bursts += 1
        ended += bench.ended()
    with abuser.peer as last:
        last.listen(0.1)
    assert bench.memory() < MORE * before, (bench.memory(), before)
    if name == "bad preface":
        assert abuser.thrown_out >= bursts // 2
    if name == "rapid reset":
        assert abuser.thrown_out or RST_STREAM in abuser.heard  # what is too much is refused


SLOW = {
    "preface": (b"", PREFACE),
    "head": (HELLO, frame(HEADERS, END_HEADERS, 1, head())),
}


@pytest.mark.parametrize("name", SLOW)
def test_who_is_too_slow_is_closed(bench: Bench, name: str) -> None:
    """A hundred peers that send the preface, or the head of a call, byte by byte are closed; matches end meanwhile."""
    greeting, drip = SLOW[name]
    peers = [Peer(bench.address, greeting) for _ in range(100)]
    before, place = bench.memory(), 0
    bench.ended()
    silent = 0.0
    while not all(peer.closed for peer in peers):
        assert silent < LAST_SECONDS, f"{sum(not peer.closed for peer in peers)} are still open"
        for peer in peers:
            peer.say(drip[place % (len(drip) - 1) : place % (len(drip) - 1) + 1])
        peers[0].listen(0.05)
        silent += 0.05
        place += 1
    assert place > 5  # they were not refused at once
    while not bench.ended():
        peers[0].listen(0)
    assert bench.memory() < MORE * before
    for peer in peers:
        peer.__exit__()


def test_nothing_is_left_of_the_abusers(bench: Bench) -> None:
    """When the abuse is over the arena soon holds no more sockets than its honest bots need."""
    folder = Path(f"/proc/{bench.process._process.pid}/fd")

    def sockets() -> int:
        names = [str(link.readlink()) for link in folder.iterdir() if link.is_symlink()] if folder.exists() else []
        return sum(name.startswith("socket:") for name in names)

    for _ in range(100):
        if sockets() <= 8:
            break
        bench.process.wait_line("ladder/")
    assert sockets() <= 8
