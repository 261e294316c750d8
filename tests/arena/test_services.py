"""The methods of a running arena over a real socket: games, matches, ratings, replays, watching, health, reflection."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import grpc
import pytest
import trio
from google.protobuf.message import Message
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2

from arena.config import ArenaConfig
from arena.identity import Doorkeeper
from arena.matchmaking import PlannedMatches
from arena.replay import read_replay, unpack
from arena.schedule import Pairing, series
from arena.server import Arena
from arena.store import Player, Result, Store
from arena.v1 import arena_pb2, match_pb2, play_pb2
from arena.wire import rules_to_text
from engine.game import complete_rules
from engine.games import find, registered
from loopback import Client, in_thread, timely_nursery
from memory_arena import MemoryBot, same_choice

GAME = find("draw-bridge")
RULES = complete_rules(GAME, "match", {"max_deals": 1, "target": 10_000})
Answer = TypeVar("Answer", bound=Message)
SERVICES = ("", "arena.v1.ArenaService")


@dataclass
class Served:
    """An arena that serves on loopback, and a client of it. Its bots play on streams in memory."""

    arena: Arena
    client: Client
    nursery: trio.Nursery
    ended: trio.Event = field(default_factory=trio.Event)

    async def ask(self, method: str, request: Message, answer: type[Answer]) -> Answer:
        """Call a method with one message each way."""
        data = await in_thread(self.client.unary, f"/arena.v1.ArenaService/{method}", request.SerializeToString())
        return answer.FromString(data)

    async def refusal(self, method: str, request: Message) -> tuple[grpc.StatusCode, str]:
        """How a call is refused."""
        with pytest.raises(grpc.RpcError) as caught:
            await self.ask(method, request, arena_pb2.ListGamesResponse)
        error: Any = caught.value
        return error.code(), error.details()

    def join(self) -> dict[str, MemoryBot]:
        """Let the two bots come and play."""
        bots = {name: MemoryBot(name, same_choice(name)) for name in "ab"}
        for bot in bots.values():
            self.nursery.start_soon(bot.play, self.arena.lobby)
        return bots

    async def played(self) -> list[Result]:
        """Let the bots play all matches; the results, newest first."""
        self.join()
        await self.ended.wait()
        return self.arena.store.matches()


class Gate:
    """Holds the bots' match with that number at the first decision from `at` on, until it is opened."""

    def __init__(self, bots: dict[str, MemoryBot], match: int, at: int) -> None:
        self.reached = trio.Event()
        self._held: tuple[MemoryBot, play_pb2.Choose | None] | None = None
        for bot in bots.values():
            self._guard(bot, match, at)

    def _guard(self, bot: MemoryBot, match: int, at: int) -> None:
        answer = bot.choose

        def choose(decision: play_pb2.Decision) -> play_pb2.Choose | None:
            if self._held is None and len(bot.of("match_offered")) == match and decision.decision_id >= at:
                self._held = (bot, answer(decision))
                self.reached.set()
                return None
            return answer(decision)

        bot.choose = choose

    def open(self) -> None:
        """Let the match go on."""
        assert self._held is not None
        bot, answer = self._held
        bot.call.say(choose=answer)


@asynccontextmanager
async def serving(folder: Path, matches: int = 3) -> AsyncIterator[Served]:
    """An arena on a free port that plays so many matches between a and b, and goes on waiting for c and d."""
    config = ArenaConfig(folder, "ladder", {GAME.name: RULES}, open=True)
    never = Pairing(matches + 1, GAME.name, ("c", "d"))
    plan = PlannedMatches(chain(series(GAME.name, GAME.sides, ("a", "b"), matches), [never]))
    with Store.open(folder, hold=True) as store:
        store.open_run("ladder", "ladder", seeded=False, created_ms=0)
        arena = Arena(config, store, plan, Doorkeeper(is_open=True))
        async with timely_nursery() as nursery:
            await nursery.start(arena.serve)
            served = Served(arena, Client(arena.address), nursery)

            def count(director: Any, _finish: object) -> None:
                if director.header.number == matches:
                    served.ended.set()

            arena.lobby.on_ended.append(count)
            yield served
            served.client.close()
            arena.abort()
            nursery.cancel_scope.cancel()


async def test_list_games_tells_rules_and_options(tmp_path: Path) -> None:
    """Every installed game is listed with its options; the rules are those that are played here, else empty."""
    async with serving(tmp_path) as served:
        answer = await served.ask("ListGames", arena_pb2.ListGamesRequest(), arena_pb2.ListGamesResponse)
    assert [game.name for game in answer.games] == list(registered())
    listed = next(game for game in answer.games if game.name == GAME.name)
    assert (listed.title, listed.rules_version, tuple(listed.sides)) == (GAME.title, GAME.rules_version, GAME.sides)
    assert [option.name for option in listed.options] == [option.name for option in GAME.options]
    assert dict(listed.rules) == rules_to_text(RULES)
    assert all(not game.rules for game in answer.games if game.name != GAME.name)


async def test_list_matches_pages_from_the_newest(tmp_path: Path) -> None:
    """Ended matches come newest first, page by page, each once; the last page names no next one."""
    async with serving(tmp_path, matches=5) as served:
        results = await served.played()
        pages: list[list[int]] = []
        request = arena_pb2.ListMatchesRequest(run="ladder", bot="a", limit=2)
        while True:
            answer = await served.ask("ListMatches", request, arena_pb2.ListMatchesResponse)
            pages.append([match.number for match in answer.matches])
            if not answer.next_page_token:
                break
            request.page_token = answer.next_page_token
        assert pages == [[5, 4], [3, 2], [1]]
        answer = await served.ask("ListMatches", arena_pb2.ListMatchesRequest(), arena_pb2.ListMatchesResponse)
    for match, result in zip(answer.matches, results, strict=True):
        assert (match.match_id, match.run, match.game) == (result.match_id, "ladder", GAME.name)
        assert (tuple(match.bots), tuple(match.totals)) == (result.bots, result.totals)
        assert match.termination == match_pb2.TERMINATION_DEAL_LIMIT
        assert (match.winner if match.HasField("winner") else None) == result.winner
        assert match.offered_unix_ms == result.offered_ms


async def test_list_matches_of_others_is_empty(tmp_path: Path) -> None:
    """A run or a bot that played nothing has no matches."""
    async with serving(tmp_path, matches=1) as served:
        await served.played()
        for request in (arena_pb2.ListMatchesRequest(run="other"), arena_pb2.ListMatchesRequest(bot="nobody")):
            assert not (await served.ask("ListMatches", request, arena_pb2.ListMatchesResponse)).matches


@pytest.mark.parametrize("token", ["x", "-1", "1.5", "9" * 30, "²"])
async def test_a_page_token_of_ones_own_making_is_refused(tmp_path: Path, token: str) -> None:
    """A page token that the arena did not give out gets INVALID_ARGUMENT."""
    async with serving(tmp_path) as served:
        code, text = await served.refusal("ListMatches", arena_pb2.ListMatchesRequest(page_token=token))
    assert code is grpc.StatusCode.INVALID_ARGUMENT
    assert text == f"page_token {token!r} is none that this arena gave out"


async def test_ratings_are_those_of_the_record(tmp_path: Path) -> None:
    """ListRatings gives the live ratings of the running run, best first, those of pairs and of single bots apart, and
    nothing for a game that nobody played.
    """
    async with serving(tmp_path) as served:
        ended = (await served.played())[0]
        for number, bots in enumerate(("abab", "cadb"), 100):
            players = tuple(Player(bot, side) for bot, side in zip(bots, (0, 1, 0, 1), strict=True))
            other = {"match_id": bots, "set_id": bots, "number": number, "game": "smear", "players": players}
            served.arena.store.close_match(replace(ended, **other, seq=0), b"")
        answer = await served.ask("ListRatings", arena_pb2.ListRatingsRequest(), arena_pb2.ListRatingsResponse)
        standings = served.arena.store.ratings("ladder")
        for request in (arena_pb2.ListRatingsRequest(game="other"), arena_pb2.ListRatingsRequest(run="other")):
            assert not (await served.ask("ListRatings", request, arena_pb2.ListRatingsResponse)).ratings
    assert [(r.game, r.kind, r.bot, r.elo_milli, r.matches, r.provisional) for r in answer.ratings] == [
        (s.ladder.game, s.ladder.kind, s.bot, s.rating.milli, s.rating.matches, s.rating.provisional) for s in standings
    ]
    ladders = [(rating.game, rating.kind) for rating in answer.ratings]
    assert ladders == [(GAME.name, "individual")] * 2 + [("smear", "individual")] * 4 + [("smear", "pair")] * 2
    assert answer.ratings[0].elo_milli >= answer.ratings[1].elo_milli


async def test_a_replay_is_the_stored_log(tmp_path: Path) -> None:
    """GetReplay gives the unpacked file of an ended match, with its run named or not."""
    async with serving(tmp_path, matches=1) as served:
        (result,) = await served.played()
        stored = unpack(served.arena.store.replay(result))
        for run in ("", "ladder"):
            request = arena_pb2.GetReplayRequest(match_id=result.match_id, run=run)
            assert (await served.ask("GetReplay", request, arena_pb2.GetReplayResponse)).replay == stored
    assert read_replay(stored).head == result.log_hash


async def test_a_replay_of_another_run_is_found_by_its_id_alone(tmp_path: Path) -> None:
    """Without a run the id is enough where it says which match is meant; where it does not, the runs are named."""
    async with serving(tmp_path, matches=1) as served:
        (result,) = await served.played()
        store = served.arena.store
        packed = store.replay(result)
        for number, (run, match_id) in enumerate((("old", "unique"), ("old", "twice"), ("older", "twice"))):
            store.open_run(run, "ladder", seeded=False, created_ms=0)
            other = replace(result, run=run, match_id=match_id, set_id=match_id, number=number)
            store.close_match(other, packed)
        request = arena_pb2.GetReplayRequest(match_id="unique")
        assert (await served.ask("GetReplay", request, arena_pb2.GetReplayResponse)).replay == unpack(packed)
        assert await served.refusal("GetReplay", arena_pb2.GetReplayRequest(match_id="twice")) == (
            grpc.StatusCode.INVALID_ARGUMENT,
            "say which run: old/twice, older/twice",
        )
        code, _ = await served.refusal("GetReplay", arena_pb2.GetReplayRequest(match_id="uniq"))
        assert code is grpc.StatusCode.NOT_FOUND  # the beginning of an id is none


@pytest.mark.parametrize(
    ("match_id", "run", "text"),
    [
        ("nothing", "", "no closed match 'nothing': a replay opens with the end of its set"),
        ("nothing", "ladder", "no closed match 'nothing' in run 'ladder': a replay opens with the end of its set"),
        ("x" * 50_000, "y" * 9_000, None),
    ],
)
async def test_a_replay_that_is_not_there_is_not_found(
    tmp_path: Path, match_id: str, run: str, text: str | None
) -> None:
    """GetReplay of no match says so in one line, however long the id."""
    async with serving(tmp_path) as served:
        code, said = await served.refusal("GetReplay", arena_pb2.GetReplayRequest(match_id=match_id, run=run))
    assert code is grpc.StatusCode.NOT_FOUND
    assert said == text if text else len(said) < 200


async def test_the_replay_of_a_running_match_stays_closed(tmp_path: Path) -> None:
    """While a match runs its log, with the seed in it, is given to nobody; it is listed before those that ended."""
    async with serving(tmp_path, matches=2) as served:
        gate = Gate(served.join(), match=2, at=20)
        await gate.reached.wait()
        (match_id,) = served.arena.lobby.directors
        code, _ = await served.refusal("GetReplay", arena_pb2.GetReplayRequest(match_id=match_id))
        assert code is grpc.StatusCode.NOT_FOUND
        answer = await served.ask("ListMatches", arena_pb2.ListMatchesRequest(limit=1), arena_pb2.ListMatchesResponse)
        running, ended = answer.matches
        assert (running.match_id, running.number, running.termination) == (match_id, 2, 0)
        assert (list(running.bots), running.HasField("winner")) == (["b", "a"], False)
        assert (ended.number, ended.termination) == (1, match_pb2.TERMINATION_DEAL_LIMIT)


async def soon(condition: Callable[[], bool]) -> None:
    """Wait until something has come about."""
    for _ in range(500):
        if condition():
            return
        await trio.sleep(0.01)
    raise AssertionError("it did not come about")


async def heard(client: Client, match_id: str) -> list[list[play_pb2.Event]]:
    """All messages that a spectator of a match gets until its end."""

    def watch() -> list[list[play_pb2.Event]]:
        request = arena_pb2.WatchMatchRequest(match_id=match_id).SerializeToString()
        stream = client.channel.unary_stream("/arena.v1.ArenaService/WatchMatch")(request, timeout=8)
        return [list(arena_pb2.WatchMatchResponse.FromString(data).events) for data in stream]

    return await in_thread(watch)


async def test_a_spectator_sees_what_is_public_to_the_end(tmp_path: Path) -> None:
    """WatchMatch tells the offer and the deal so far, then all that happens, hidden cards hidden, up to MatchEnded."""
    async with serving(tmp_path, matches=1) as served:
        gate = Gate(served.join(), match=1, at=15)
        await gate.reached.wait()
        (director,) = served.arena.lobby.directors.values()
        so_far = director.table.seq
        messages: list[list[play_pb2.Event]] = []

        async def watch() -> None:
            messages.extend(await heard(served.client, director.header.match_id))

        async with trio.open_nursery() as watching:
            watching.start_soon(watch)
            await soon(lambda: bool(director.watchers))
            gate.open()
        (result,) = served.arena.store.matches()
        replay = read_replay(served.arena.store.replay(result))
    (offer, *events) = [event for message in messages for event in message]
    assert offer.match_offered.match_id == result.match_id
    assert [event.seq for event in messages[0]] == list(range(so_far + 1))
    assert [event.seq for event in events] == list(range(1, events[-1].seq + 1))
    assert events[-1].match_ended.log_hash == result.log_hash
    assert events[-1].match_ended.reveal.server_seed == replay.header.server_seed
    played = [event.card_played.card for event in events if event.HasField("card_played")]
    assert 0 not in played
    assert len(played) == 52
    hidden = [card for event in events if event.HasField("hand_dealt") for card in event.hand_dealt.cards]
    hidden += [event.card_drawn.card for event in events if event.HasField("card_drawn")]
    assert hidden == [0] * 52


async def test_a_spectator_who_leaves_is_forgotten(tmp_path: Path) -> None:
    """A spectator's stream that ends leaves nothing behind at the table, and the match goes on."""
    async with serving(tmp_path, matches=1) as served:
        gate = Gate(served.join(), match=1, at=15)
        await gate.reached.wait()
        (director,) = served.arena.lobby.directors.values()
        other = Client(served.arena.address)
        request = arena_pb2.WatchMatchRequest(match_id=director.header.match_id).SerializeToString()
        stream = other.channel.unary_stream("/arena.v1.ArenaService/WatchMatch")(request)
        await in_thread(next, stream)
        assert len(director.watchers) == 1
        other.close()
        await soon(lambda: not director.watchers)
        gate.open()
        await served.ended.wait()


async def test_only_running_matches_can_be_watched(tmp_path: Path) -> None:
    """WatchMatch of a match that is over, or never was, gets NOT_FOUND with where to look."""
    async with serving(tmp_path, matches=1) as served:
        (result,) = await served.played()
        for match_id in (result.match_id, "", "x" * 60_000):
            with pytest.raises(grpc.RpcError) as caught:
                await heard(served.client, match_id)
            error: Any = caught.value
            assert error.code() is grpc.StatusCode.NOT_FOUND
            assert error.details() == f"no match {match_id[:40]!r} is running: ListMatches shows those that are"


async def test_a_request_that_is_none_is_refused(tmp_path: Path) -> None:
    """Bytes that are no request get INVALID_ARGUMENT with the name of the message that was wanted."""
    async with serving(tmp_path) as served:
        for method in ("ListGames", "ListMatches", "ListRatings", "GetReplay"):
            with pytest.raises(grpc.RpcError) as caught:
                await in_thread(served.client.unary, f"/arena.v1.ArenaService/{method}", b"\xff")
            error: Any = caught.value
            assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
            assert error.details() == f"1 bytes that are no arena.v1.{method}Request"


async def test_the_arena_is_well_and_describes_itself(tmp_path: Path) -> None:
    """grpc.health.v1 says SERVING for the server and for the service; reflection lists the service."""
    async with serving(tmp_path) as served:
        for name in SERVICES:
            request = health_pb2.HealthCheckRequest(service=name).SerializeToString()
            data = await in_thread(served.client.unary, "/grpc.health.v1.Health/Check", request)
            assert health_pb2.HealthCheckResponse.FromString(data).status == health_pb2.HealthCheckResponse.SERVING
        stream = served.client.open("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo")
        stream.send(reflection_pb2.ServerReflectionRequest(list_services="").SerializeToString())
        answer = reflection_pb2.ServerReflectionResponse.FromString(await in_thread(stream.receive))
        stream.half_close()
    assert "arena.v1.ArenaService" in [service.name for service in answer.list_services_response.service]


async def test_an_arena_that_begins_no_more_matches_is_not_serving(tmp_path: Path) -> None:
    """While it drains, grpc.health.v1 says NOT_SERVING, as the HTTP port says 503; whoever watches is told."""
    async with serving(tmp_path) as served:
        gate = Gate(served.join(), match=1, at=15)
        await gate.reached.wait()
        watches = [served.client.open("/grpc.health.v1.Health/Watch") for _ in SERVICES]
        for service, watch in zip(SERVICES, watches, strict=True):
            watch.send(health_pb2.HealthCheckRequest(service=service).SerializeToString())
            assert await told(watch.receive) == health_pb2.HealthCheckResponse.SERVING
        served.arena.drain()
        for service, watch in zip(SERVICES, watches, strict=True):
            assert await told(watch.receive) == health_pb2.HealthCheckResponse.NOT_SERVING
            request = health_pb2.HealthCheckRequest(service=service).SerializeToString()
            check = partial(served.client.unary, "/grpc.health.v1.Health/Check", request)
            assert await told(check) == health_pb2.HealthCheckResponse.NOT_SERVING
            watch.half_close()
        gate.open()
        await served.arena.lobby.quiet.wait()


async def told(ask: Callable[[], bytes]) -> int:
    """The health in an answer."""
    status: int = health_pb2.HealthCheckResponse.FromString(await in_thread(ask)).status
    return status
