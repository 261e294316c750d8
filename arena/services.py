"""The arena's gRPC methods: who answers what."""

from __future__ import annotations

from collections.abc import Mapping

import trio

from arena.guests import Guests
from arena.lobby import Lobby
from arena.queries import Queries
from arena.store import Store
from arena.transport import Call, Handler, RpcError, Status, parse, unary
from arena.transport.discovery import HEALTH_WATCH, Health, reflection
from arena.transport.rpc import receive_only
from arena.v1 import arena_pb2, play_pb2
from arena.wire import chunk, event_chunk
from engine.event import Event

SERVICE = "arena.v1.ArenaService"


class _Spectator:
    """Passes on what is public to one stream of WatchMatch; `seq` is that of the last event so far."""

    def __init__(self, call: Call, seq: int) -> None:
        self._call = call
        self._seq = seq

    def told(self, _match_id: str, seq: int, event: Event) -> None:
        """Something happened. A WatchMatchResponse has the bytes of a PlayResponse."""
        self._seq = seq
        self._call.send_nowait(event_chunk(event, seq))

    def over(self, _match_id: str, ended: play_pb2.MatchEnded | None) -> None:
        """The match has ended."""
        if ended is not None:
            self._call.send_nowait(chunk(play_pb2.Event(seq=self._seq + 1, match_ended=ended)))
        self._call.end()


async def report_health(health: Health, lobby: Lobby) -> None:
    """Say that nothing is served any more as soon as no match will begin: bots should look elsewhere."""
    await lobby.closing.wait()
    for service in ("", SERVICE):
        health.set(service, serving=False)


def handlers(lobby: Lobby, store: Store, health: Health) -> Mapping[str, Handler]:
    """Every method that this arena serves, by its full name."""
    queries = Queries(lobby, store)
    guests = Guests(lobby)
    within = lobby.limits.hello_seconds

    async def watch(call: Call) -> None:
        request = parse(arena_pb2.WatchMatchRequest, await receive_only(call, within))
        director = lobby.directors.get(request.match_id)
        if director is None:
            text = f"no match {request.match_id[:40]!r} is running: ListMatches shows those that are"
            raise RpcError(Status.NOT_FOUND, text)
        with guests.at_match(call, request.match_id):
            spectator = _Spectator(call, director.table.seq)
            call.send_nowait(director.public())
            director.watchers.append(spectator)
            try:
                await trio.sleep_forever()  # the end of the match, or the spectator's, ends the call
            finally:
                if spectator in director.watchers:
                    director.watchers.remove(spectator)

    asked = {
        f"/{SERVICE}/ListGames": unary(queries.list_games, within),
        f"/{SERVICE}/ListMatches": unary(queries.list_matches, within),
        f"/{SERVICE}/ListRatings": unary(queries.list_ratings, within),
        f"/{SERVICE}/GetReplay": unary(queries.get_replay, within),
        **health.handlers(),
    }
    # Whoever holds a stream open must not take the room of those who ask and go.
    stays = {
        f"/{SERVICE}/WatchMatch": watch,
        HEALTH_WATCH: asked.pop(HEALTH_WATCH),
        **reflection([SERVICE], guests.admit),
    }
    return {
        f"/{SERVICE}/Play": lobby.play,
        **{method: guests.watching(handler) for method, handler in stays.items()},
        **{method: guests.asking(handler) for method, handler in asked.items()},
    }
