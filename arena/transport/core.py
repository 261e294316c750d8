"""The C core of grpcio, and nothing else of it: the one file that knows `grpc._cython.cygrpc`.

cygrpc is the layer on which grpcio's own servers are written. It is private, so all that is used of it stands here: a
server with one completion queue, and six operations on a call. An operation is started with a tag and comes back out
of the queue as an event that carries the tag; here a tag is the function to call with the event. `Core.due` counts
the operations that are under way. Tags run wherever the queue is emptied, so nothing here needs a lock.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, Protocol, TypeAlias

from arena.transport.errors import Status

_VERBOSITY: Final = "GRPC_VERBOSITY"


@contextmanager
def _quiet() -> Iterator[None]:
    """Load the C core with its own log switched off, unless the environment has a wish of its own.

    It reads its level once, when it is loaded, and would write a line to stderr for every stranger's broken handshake.
    The variable does not stay set, because the programs that an arena starts inherit its environment.
    """
    if _VERBOSITY in os.environ:
        yield
        return
    os.environ[_VERBOSITY] = "NONE"
    try:
        yield
    finally:
        del os.environ[_VERBOSITY]


with _quiet():
    import grpc
    from grpc._cython import cygrpc  # type: ignore[attr-defined]  # private, so the stubs do not have it

Options: TypeAlias = Sequence[tuple[str, int | str]]
"""Channel arguments of the C core, as in `grpc_types.h`."""
Metadata: TypeAlias = tuple[tuple[str, str | bytes], ...]
"""Keys in lower case, in the order in which they came; the values of keys that end in `-bin` are bytes."""
Credentials: TypeAlias = grpc.ServerCredentials
"""What a server needs for TLS."""


class Event(Protocol):
    """Something came out of the completion queue. Which fields are there depends on what was started."""

    tag: Callable[[Event], None]
    success: bool
    batch_operations: tuple[Any, ...]
    call: Any
    call_details: Any
    invocation_metadata: Metadata


Tag: TypeAlias = Callable[[Event], None]


class TlsPair:
    """A certificate chain and its key, both in PEM, with which a server listens; others can take their place.

    What is wrong with them shows only in `listen`.
    """

    def __init__(self, certificate: bytes, key: bytes) -> None:
        self._current = self._given = grpc.ssl_server_certificate_configuration([(key, certificate)])
        self.credentials: Credentials = grpc.dynamic_ssl_server_credentials(
            self._current,
            self._renewed,  # type: ignore[arg-type]  # it may return None, as grpc's own documentation has it
        )

    def exchange(self, certificate: bytes, key: bytes) -> None:
        """Use these for the connections to come."""
        self._current = grpc.ssl_server_certificate_configuration([(key, certificate)])

    def _renewed(self) -> grpc.ServerCertificateConfiguration | None:
        """Asked by the C core, in threads of its own, at every handshake: what to use from now on, None for no news."""
        current = self._current
        if current is self._given:
            return None
        self._given = current
        return current


class Core:
    """A server and its completion queue. Made, given addresses, started, shut down, closed: once, in this order."""

    def __init__(self, options: Options) -> None:
        self._queue = cygrpc.CompletionQueue()
        self._server = cygrpc.Server(tuple(options), False)
        self._server.register_completion_queue(self._queue)
        self.due = 0
        """Operations under way, the acceptance of the next call among them: 0 only when all is over."""

    def listen(self, address: str, credentials: Credentials | None) -> int:
        """The port that was bound; 0 if that failed. The C core says why in its own log alone."""
        if credentials is None:
            return int(self._server.add_http2_port(address.encode()))
        return int(self._server.add_http2_port(address.encode(), credentials._credentials))  # type: ignore[attr-defined]  # noqa: SLF001  # cygrpc wants its own object

    def start(self) -> None:
        """Begin to take connections."""
        self._server.start()

    def accept(self, tag: Tag) -> None:
        """Wait for the next call. The event has no success if the server was shut down instead."""
        self.due += 1
        self._server.request_call(self._queue, self._queue, tag)

    def wait(self) -> Event:
        """The next event. Blocks the thread, for ever if nothing is under way."""
        event: Event = self._queue.poll()
        return event

    def take(self) -> Event | None:
        """The next event if there is one."""
        event = self._queue.poll(0.0)
        return None if event.completion_type == cygrpc.CompletionType.queue_timeout else event

    def shutdown(self, tag: Tag) -> None:
        """Take no more calls and let those that run come to their end; the event says that the last one has."""
        self.due += 1
        self._server.shutdown(self._queue, tag)

    def cancel_calls(self) -> None:
        """End all calls at once."""
        self._server.cancel_all_calls()

    def close(self) -> None:
        """Free what the server holds. Only when nothing is due."""
        self._server.destroy()


class Rpc:
    """The C core's side of one call. A subclass says what happens when something is done.

    Operation objects are single use: the C core frees what they point to.
    """

    def __init__(self, core: Core, event: Event) -> None:
        self._core = core
        self._call = event.call
        self.method: str = event.call_details.method.decode(errors="replace")
        """The full name of the method, such as `/arena.v1.ArenaService/Play`."""
        self.metadata: Metadata = event.invocation_metadata
        """What the peer sent ahead of its first message."""

    def peer(self) -> str:
        """The peer's address, such as `ipv4:127.0.0.1:40123`."""
        address: bytes = self._call.peer()
        return address.decode()

    # What can be started. One read, one write and one finish may be under way at the same time.

    def _open(self) -> None:
        """Answer the call. Done when the call is over for both sides: `_on_closed`."""
        start = cygrpc.SendInitialMetadataOperation((), 0)
        self._begin(self._closed_event, start, cygrpc.ReceiveCloseOnServerOperation(0))

    def _read(self) -> None:
        """Ask for the next message: `_on_message`."""
        self._begin(self._read_event, cygrpc.ReceiveMessageOperation(0))

    def _write(self, data: bytes) -> None:
        """Send a message: `_on_written` when the peer has room for all of it."""
        self._begin(self._written_event, cygrpc.SendMessageOperation(data, 0))

    def _finish(self, code: Status, details: str) -> None:
        """Send the status, which ends the call. No write may be under way."""
        self._begin(_nothing, cygrpc.SendStatusFromServerOperation((), int(code), details.encode(), 0))

    def _kill(self, code: Status, details: str) -> None:
        """End the call at once and drop what is under way; the peer gets the status."""
        self._call.cancel(int(code), details)

    def _begin(self, tag: Tag, *operations: object) -> None:
        self._core.due += 1
        self._call.start_server_batch(operations, tag)

    # What comes back.

    def _read_event(self, event: Event) -> None:
        self._on_message(event.batch_operations[0].message())

    def _written_event(self, _: Event) -> None:
        self._on_written()

    def _closed_event(self, _: Event) -> None:
        self._on_closed()

    def _on_message(self, data: bytes | None) -> None:
        """A message came; None: there will be no more."""
        raise NotImplementedError

    def _on_written(self) -> None:
        """The write is done, or failed because the call is over."""
        raise NotImplementedError

    def _on_closed(self) -> None:
        """The call is over: nothing more may be started."""
        raise NotImplementedError


def _nothing(_: Event) -> None:
    pass
