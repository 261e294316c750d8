"""The running arena: transport, lobby, log and database together, from the first stream to the last result.

`Arena.serve` runs until all is played or it is stopped. `drain` lets the running matches end and begins no new ones,
`abort` stops at once; both leave the data whole: what was acknowledged is in the log, and the next start on the same
data goes on from it.
"""

from __future__ import annotations

import gc
import logging
import sys
from collections.abc import Callable
from functools import partial

import trio

from arena.admission import Admission
from arena.config import ArenaConfig
from arena.identity import Doorkeeper
from arena.legs import FirstLegs, recorded_first_leg
from arena.lobby import Lobby
from arena.loopback import check_listen
from arena.matchmaking import Matchmaker
from arena.opening import make_running_folder
from arena.pace import Pace
from arena.record import Recorder
from arena.reopening import take_up_running
from arena.services import SERVICE, handlers, report_health
from arena.store import Store
from arena.transport import Tls, TrioServer, server_options
from arena.transport.discovery import Health
from arena.v1 import play_pb2
from engine.clock import SECOND

if sys.platform != "win32":
    import resource

log = logging.getLogger("arena.server")


def allow_connections() -> None:
    """Let this process have as many connections as the system lets it: 1,024, a common default, is soon used up."""
    if sys.platform != "win32":
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


class Arena:
    """One arena on one data folder. `lobby`, `address`, `http_address` and `notes` are there once it serves.

    `notes` are lines for people on the matches that it found running and goes on with. `admission` lets registered bots
    in; without it only those come in whom the doorkeeper knows by itself. Without `tls` all goes in plain text.
    """

    lobby: Lobby
    address: str

    def __init__(
        self,
        config: ArenaConfig,
        store: Store,
        matchmaker: Matchmaker,
        doorkeeper: Doorkeeper,
        *,
        admission: Admission | None = None,
        tls: Tls | None = None,
    ) -> None:
        self.config = config
        self.store = store
        self.matchmaker = matchmaker
        self.doorkeeper = doorkeeper
        self.admission = admission
        self.http_address: str | None = None
        self.tls = tls
        self.notes: list[str] = []
        self.aborted = False
        self._scope = trio.CancelScope()
        self._started = False
        self._goodbye = (play_pb2.GOODBYE_REASON_SHUTDOWN, "the arena stops")

    async def serve(
        self,
        *,
        prepare: Callable[[Lobby], None] = lambda _lobby: None,
        task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """Play until nothing is left to play or the arena is stopped.

        `prepare` may add listeners to the lobby before the first stream. Raises ArenaError when the port is taken
        or not safe, when a log cannot be read, and whatever kept results from being stored.
        """
        check_listen(self.config.listen, is_open=self.config.open, has_tls=self.tls is not None)
        allow_connections()
        make_running_folder(self.config.data)
        with self._scope:
            async with trio.open_nursery() as nursery:
                recorder = Recorder(self.config, self.store)
                self.lobby = Lobby(self.config, self.matchmaker, self.doorkeeper, recorder.close, nursery)
                self.lobby.recall = recorder.recall
                self.lobby.first_legs = FirstLegs(partial(recorded_first_leg, self.store, self.config.run))
                prepare(self.lobby)
                health = Health([SERVICE])
                transport = self._transport(health)
                port = transport.add_port(self.config.listen, self.tls.credentials if self.tls else None)
                self.address = f"{self.config.listen.rpartition(':')[0]}:{port}"
                self.notes = take_up_running(self.lobby, self.config, self.store)
                nursery.start_soon(self.lobby.lag.run)
                nursery.start_soon(report_health, health, self.lobby)
                if self.admission is not None:
                    await nursery.start(self.admission.run, self.lobby)
                if self.config.http is not None:
                    self._open_http(self.config.http, transport, nursery)
                await nursery.start(transport.serve)
                gc.freeze()  # what is here now stays: the collector need not look at it again
                self._started = True
                task_status.started()
                await self.lobby.quiet.wait()
                self.lobby.dismiss(*self._goodbye)
                nursery.cancel_scope.cancel()
        if self.lobby.fault is not None:
            raise self.lobby.fault
        if not self._started:  # stopped before it was open to anybody
            task_status.started()

    def _transport(self, health: Health) -> TrioServer:
        limits, control = self.config.limits, self.config.control
        options = server_options(
            # A bot with one thread answers no ping while it thinks.
            longest_think_us=control.cap_us or control.bank_us,
            message_bytes=limits.message_bytes,
            metadata_bytes=limits.metadata_bytes,
            streams=limits.streams,
            connections=limits.connections,
            idle_us=round(limits.idle_seconds * SECOND),
            handshake_us=round(limits.handshake_seconds * SECOND),
        )
        return TrioServer(
            handlers(self.lobby, self.store, health),
            options,
            max_outbox=limits.outbox_bytes,
            max_calls=limits.calls,
            pace=Pace(limits.calls_per_second, limits.calls_at_once),
            on_refused=self.lobby.gate.note,
        )

    def _open_http(self, address: str, transport: TrioServer, nursery: trio.Nursery) -> None:
        from arena.web import Metrics, Port, app  # noqa: PLC0415 (0.2 s that an arena without it does without)

        port = Port(address, self.config.http_limits)
        self.http_address = port.bound
        nursery.start_soon(port.serve, app(self.lobby, Metrics(self.lobby, transport)))

    def finished(self, text: str) -> None:
        """Let the bots know in the end that all is played, and that they need not come back."""
        self._goodbye = (play_pb2.GOODBYE_REASON_FINISHED, text)

    def drain(self) -> None:
        """Let the running matches end, begin no new ones, then stop."""
        self.lobby.drain()

    def abort(self) -> None:
        """Stop at once. Running matches go on at the next start."""
        self.aborted = True
        if self._started:
            self.lobby.closing.set()  # a result that is being stored now must not make room for another match
        self._scope.cancel()

    @property
    def running(self) -> int:
        """How many matches run."""
        return len(self.lobby.directors)
