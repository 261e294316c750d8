"""The unary methods: games, matches, ratings and replays of a running arena."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

import trio

from arena.errors import Ambiguous, NotFound
from arena.lobby import Lobby
from arena.replay import unpack
from arena.store import Result, Store
from arena.transport import Call, RpcError, Status, parse
from arena.v1 import arena_pb2
from arena.wire import rules_to_text, termination_to_proto
from engine.games import registered

T = TypeVar("T")

LONGEST_PAGE = 1000
THREADS = 2
"""Requests that read the database at the same time; more would keep the loop from running."""


class Queries:
    """Answers from the database, and from the lobby for what runs now."""

    def __init__(self, lobby: Lobby, store: Store) -> None:
        self._lobby = lobby
        self._store = store
        self._threads = trio.CapacityLimiter(THREADS)

    async def list_games(self, data: bytes, _call: Call) -> bytes:
        """ListGames: every installed game, with the rules of those that are played here."""
        parse(arena_pb2.ListGamesRequest, data)
        games = [
            arena_pb2.Game(
                name=game.name,
                title=game.title,
                rules_version=game.rules_version,
                sides=game.sides,
                options=[
                    arena_pb2.RuleOption(name=option.name, clause=option.clause, allowed=option.allowed)
                    for option in game.options
                ],
                rules=rules_to_text(self._lobby.config.rules.get(game.name, {})),
            )
            for game in registered().values()
        ]
        return arena_pb2.ListGamesResponse(games=games).SerializeToString(deterministic=True)

    async def list_matches(self, data: bytes, _call: Call) -> bytes:
        """ListMatches: running ones on the first page, then ended ones, newest first."""
        request = parse(arena_pb2.ListMatchesRequest, data)
        limit = min(request.limit or 100, LONGEST_PAGE)
        before = _place(request.page_token)
        running = [] if before is not None else list(self._running(request))

        def read() -> bytes:
            found = self._store.matches(run=request.run or None, bot=request.bot or None, before=before, limit=limit)
            return arena_pb2.ListMatchesResponse(
                matches=[*running, *map(_summary, found)],
                next_page_token=str(found[-1].seq) if len(found) == limit else "",
            ).SerializeToString()

        return await self._off_loop(read)

    async def _off_loop(self, read: Callable[[], T]) -> T:
        return await trio.to_thread.run_sync(read, limiter=self._threads)

    def _running(self, request: arena_pb2.ListMatchesRequest) -> Iterator[arena_pb2.MatchSummary]:
        for director in self._lobby.directors.values():
            header = director.header
            bots = [seat.bot for seat in header.seats]
            if request.run in ("", header.run) and (not request.bot or request.bot in bots):
                yield arena_pb2.MatchSummary(
                    match_id=header.match_id,
                    run=header.run,
                    number=header.number,
                    game=header.game,
                    bots=bots,
                    totals=director.table.totals,
                    offered_unix_ms=header.offered_unix_ms,
                )

    async def list_ratings(self, data: bytes, _call: Call) -> bytes:
        """ListRatings: the live ratings of a run, of the one that is running by default."""
        request = parse(arena_pb2.ListRatingsRequest, data)
        run = request.run or self._lobby.config.run
        found = await self._off_loop(lambda: self._store.ratings(run, request.game or None))
        ratings = [
            arena_pb2.Rating(
                game=standing.ladder.game,
                bot=standing.bot,
                elo_milli=standing.rating.milli,
                matches=standing.rating.matches,
                provisional=standing.rating.provisional,
                kind=standing.ladder.kind,
            )
            for standing in found
        ]
        return arena_pb2.ListRatingsResponse(ratings=ratings).SerializeToString()

    async def get_replay(self, data: bytes, _call: Call) -> bytes:
        """GetReplay: the log of an ended match whose set is closed."""
        request = parse(arena_pb2.GetReplayRequest, data)

        def read() -> bytes | None:
            result = self._find(request.match_id, request.run)
            if result is None or not self._store.is_closed(result):
                return None
            return unpack(self._store.replay(result))

        replay = await self._off_loop(read)
        if replay is None:
            where = f" in run {request.run[:40]!r}" if request.run else ""
            text = f"no closed match {request.match_id[:40]!r}{where}: a replay opens with the end of its set"
            raise RpcError(Status.NOT_FOUND, text)
        return arena_pb2.GetReplayResponse(replay=replay).SerializeToString()

    def _find(self, match_id: str, run: str) -> Result | None:
        """The match of that id; without a run that of the running one, or the only one there is."""
        found = self._store.match(run or self._lobby.config.run, match_id)
        if found is not None or run:
            return found
        try:
            found = self._store.find(match_id)
        except NotFound:
            return None
        except Ambiguous as error:
            names = [name for name in error.choices if name.rpartition("/")[2] == match_id]
            if names:
                raise RpcError(Status.INVALID_ARGUMENT, f"say which run: {', '.join(names[:8])}") from None
            return None
        return found if found.match_id == match_id else None


def _place(token: str) -> int | None:
    if not token:
        return None
    if not (token.isascii() and token.isdigit() and len(token) < 19):
        raise RpcError(Status.INVALID_ARGUMENT, f"page_token {token[:40]!r} is none that this arena gave out")
    return int(token)


def _summary(result: Result) -> arena_pb2.MatchSummary:
    return arena_pb2.MatchSummary(
        match_id=result.match_id,
        run=result.run,
        number=result.number,
        game=result.game,
        bots=result.bots,
        totals=result.totals,
        termination=termination_to_proto(result.termination),
        winner=result.winner,
        offered_unix_ms=result.offered_ms,
    )
