"""How a test bot is started: the launch contract (proto/README.md, "Getting in"), its lanes, its exit code.

On gRPC and the stubs alone: the SDK would put right much of what the bots here do wrong. A start costs 0.1 s of
processor time, nearly all of it for importing gRPC and protobuf, and the conformance kit starts a bot some 60 times; so
nothing else is imported that those two do not import themselves.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import NamedTuple, NoReturn, Protocol

import grpc


class WrongEnvironment(ValueError):
    """A variable of the launch contract is missing or wrong; the text names it."""


class Launch(NamedTuple):
    """What the environment says. `trusted` is PEM, empty for plain text, None for what browsers trust."""

    server: str
    token: str
    trusted: bytes | None
    games: tuple[str, ...]
    lanes: int
    name: str
    patience: float

    def dial(self) -> grpc.Channel:
        """A connection of its own: no other lane's attempts make this one wait."""
        options = (
            ("grpc.use_local_subchannel_pool", 1),
            ("grpc.enable_http_proxy", 0),  # these bots only ever play on this machine
            ("grpc.min_reconnect_backoff_ms", 5000),  # how long one attempt to connect may take
            ("grpc.keepalive_time_ms", 10_000),
            ("grpc.keepalive_timeout_ms", 10_000),
            ("grpc.http2.max_pings_without_data", 0),
        )
        if self.trusted == b"":
            return grpc.insecure_channel(self.server, options)
        return grpc.secure_channel(self.server, grpc.ssl_channel_credentials(self.trusted), options)

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """What goes with a call: who the bot is."""
        return (("authorization", f"Bearer {self.token}"),) if self.token else ()


class Lane(Protocol):
    """A bot on one of its lanes."""

    def stay(self) -> int:
        """Play until there is nothing to come back for; the exit code."""

    def leave(self) -> None:
        """Finish the match in hand, then end. Called from another thread."""


def read(environment: Mapping[str, str]) -> Launch:
    """The launch contract. Raises WrongEnvironment."""
    server, token, ca = (environment.get(f"ARENA_{name}", "") for name in ("SERVER", "TOKEN", "CA"))
    if not server.rpartition(":")[0] or not server.rpartition(":")[2].isdecimal():
        raise WrongEnvironment(f"ARENA_SERVER is {server!r}: it says where the arena is, such as 127.0.0.1:7878")
    if token and not ca:
        from arena.loopback import is_loopback  # noqa: PLC0415 - it takes as long to import as Python to start

        if not is_loopback(server):
            raise WrongEnvironment(f"the token would go to {server} in plain text: set ARENA_CA")
    game = environment.get("ARENA_GAME", "")
    return Launch(
        server=server,
        token=token,
        trusted=None if ca == "public" else _certificates(ca) if ca else b"",
        games=(game,) if game else (),
        lanes=int(_number(environment, "ARENA_LANES", "1", int, least=1)),
        name=environment.get("ARENA_NAME", ""),
        patience=_number(environment, "ARENA_PATIENCE", "300", float, least=0),
    )


def run(kind: Callable[[Launch, int], Lane]) -> NoReturn:
    """Play on all lanes, each in a thread, then end the program. One that fails makes the others leave."""
    try:
        launch = read(os.environ)
    except WrongEnvironment as wrong:
        say(str(wrong))
        sys.exit(2)
    lanes = [kind(launch, number) for number in range(launch.lanes)]
    news: SimpleQueue[int | None] = SimpleQueue()  # the exit code of a lane that has ended; None: leave
    signal.signal(signal.SIGTERM, lambda _number, _frame: news.put(None))
    for lane in lanes:
        threading.Thread(target=_live, args=(lane, news), daemon=True).start()
    playing, status = len(lanes), 0
    while playing:
        try:
            # Python hears of a signal that comes just before a wait begins only when the wait has ended.
            ended = news.get(timeout=0.5)
        except Empty:
            continue
        if ended is not None:
            playing -= 1
            status = max(status, ended)
        if ended is None or status:
            for lane in lanes:
                lane.leave()
    os._exit(status)  # the streams have ended; nothing waits for threads of gRPC


def say(text: str) -> None:
    """A line on stderr."""
    with suppress(OSError):  # nobody may be there to read it
        os.write(2, f"{text}\n".encode())


def _live(lane: Lane, news: SimpleQueue[int | None]) -> None:
    """The thread of a lane."""
    try:
        news.put(lane.stay())
    except BaseException:  # noqa: BLE001 - whatever ends the thread, the main thread must hear of it
        say(traceback.format_exc().rstrip())
        news.put(1)


def _number(
    environment: Mapping[str, str], name: str, default: str, kind: Callable[[str], float], *, least: int
) -> float:
    text = environment.get(name) or default
    with suppress(ValueError):
        if least <= (value := kind(text)) < float("inf"):
            return value
    raise WrongEnvironment(f"{name} is {text!r}: it is a number, {least} or more")


def _certificates(path: str) -> bytes:
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - pathlib would have to be imported
            pem = file.read()
    except OSError as error:
        raise WrongEnvironment(f"ARENA_CA: {path} cannot be read: {error.strerror}") from None
    if b"-----BEGIN CERTIFICATE-----" not in pem:
        raise WrongEnvironment(f"ARENA_CA: {path} holds no certificate in PEM form")
    return pem
