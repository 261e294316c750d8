"""Those who only ask or watch: anybody may, so all together they may cost the bots little."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import trio

from arena.crowd import Crowd
from arena.lobby import Lobby
from arena.pace import Pace
from arena.transport import Call, Handler, address_of

AT_ONCE = 4.0
"""Seconds' worth of requests that one address may make at once."""


class Guests:
    """Bounds the calls of guests by their number, in all and from each address, and requests by their rate too."""

    def __init__(self, lobby: Lobby) -> None:
        limits, gate = lobby.limits, lobby.gate
        self._gate = gate
        self._rate = limits.requests_per_second
        self._pace = Pace(self._rate, max(1.0, AT_ONCE * self._rate))
        self._requests = Crowd(
            gate, "requests", "requests", most=limits.requests, each=("address", limits.requests_per_address)
        )
        self._watchers = Crowd(
            gate, "watchers", "watchers", most=limits.watchers, each=("address", limits.watchers_per_address)
        )
        self._at_match = Crowd(
            gate, "watchers", "watchers", most=limits.watchers, each=("match", limits.watchers_per_match)
        )

    def asking(self, handler: Handler) -> Handler:
        """The handler of a request, for as many as there is room and time for."""

        async def handle(call: Call) -> None:
            self.admit(call)
            peer = call.peer()
            with self._requests.entered(address_of(peer), peer):
                await handler(call)

        return handle

    def admit(self, call: Call) -> None:
        """One more request, whether a call of its own or a question on a stream. Raises RpcError for one too many."""
        peer = call.peer()
        if not self._pace.admits(address_of(peer), trio.current_time()):
            text = f"too many requests from your address: no more than {self._rate:g} a second for long"
            raise self._gate.refusal("address_rate", text, peer)

    def watching(self, handler: Handler) -> Handler:
        """The handler of a stream that stays, such as one that watches, for as many as there is room for."""

        async def handle(call: Call) -> None:
            peer = call.peer()
            with self._watchers.entered(address_of(peer), peer):
                await handler(call)

        return handle

    @contextmanager
    def at_match(self, call: Call, match_id: str) -> Iterator[None]:
        """Watch that match. Raises RpcError when too many do."""
        with self._at_match.entered(match_id, call.peer()):
            yield
