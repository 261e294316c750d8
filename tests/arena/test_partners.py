"""Four seats in two partnerships, on a whole arena in memory: pairs and single bots, results, faults, ratings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
import trio
import trio.testing

from arena.lobby import Lobby
from arena.matchmaking import OpenPairing
from arena.replay import Report, read_replay, sentence, unpack, verify
from arena.store import Result
from arena.v1 import match_pb2, play_pb2, replay_pb2
from arena.wire import termination_to_proto
from engine.clock import SECOND, TimeControl
from engine.games import find
from engine.states import Termination
from memory_arena import MemoryArena, MemoryBot, memory_arena, random_choice
from misbehaving import FAULTS, misbehave, the_end
from recording import Tape, first, forge

GAME: Final = find("smear")
SHORT: Final = TimeControl(10 * SECOND, 0, 2 * SECOND)
LONG: Final = TimeControl(1000 * SECOND, 0, 0)
WON, LOST = match_pb2.OUTCOME_WON, match_pb2.OUTCOME_LOST


def bots(*names: str) -> list[MemoryBot]:
    """A bot on one lane for each name; one that is named again has its next lane."""
    return [
        MemoryBot(name, random_choice(f"{name}{place}"), lane=names[:place].count(name))
        for place, name in enumerate(names)
    ]


def proof(arena: MemoryArena, result: Result) -> Report:
    """What `arena replay verify` says of a match."""
    return verify(read_replay(unpack(arena.store.replay(result))), known_hash=result.log_hash)


@pytest.mark.parametrize("names", [("a", "b", "a", "b"), ("a", "b", "c", "d")])
async def test_a_match_of_partners_is_told_to_each_seat(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, names: tuple[str, ...]
) -> None:
    """P48: pairs on two lanes each and single bots play; every seat, both of a pair too, is told where it sits and how
    its side has done; the record, the replay and the sentence say the same.
    """
    players = bots(*names)
    async with memory_arena(tmp_path, dict.fromkeys(names), matches=2, game="smear", max_hands=3, target=99) as arena:
        results = await arena.play(*players)
        proofs = [proof(arena, result) for result in results]
    assert [result.bots for result in results] == [names, (names[1], names[0], names[3], names[2])]
    assert [each.failures for each in proofs] == [(), ()]
    for player in players:
        offers = [event.match_offered for event in player.of("match_offered")]
        ends = [event.match_ended for event in player.of("match_ended")]
        assert len(offers) == len(ends) == 2
        for result, offer, end in zip(results, offers, ends, strict=True):
            assert tuple(offer.names) == result.bots
            assert offer.names[offer.seat] == player.name
            assert tuple(offer.sides) == GAME.sides
            check(result, end)
            assert {decision.view.seat for decision in decisions(player, offer.match_id)} == {offer.seat}
    seats = Counter(
        (event.match_offered.match_id, event.match_offered.seat) for b in players for event in b.of("match_offered")
    )
    assert len(seats) == 8
    assert set(seats.values()) == {1}


def decisions(player: MemoryBot, match_id: str) -> list[play_pb2.Decision]:
    """What a bot was asked in a match."""
    found, here = [], False
    for event in player.told:
        if event.HasField("match_offered"):
            here = event.match_offered.match_id == match_id
        elif event.HasField("decision") and here:
            found.append(event.decision)
    assert found
    return found


def check(result: Result, end: play_pb2.MatchEnded) -> None:
    """What a seat is told of the end is what the record has."""
    assert end.match_id == result.match_id
    assert end.termination == termination_to_proto(result.termination)
    assert tuple(end.totals) == result.totals
    assert len(end.totals) == 2
    assert (end.at_fault if end.HasField("at_fault") else None) == result.at_fault
    assert end.log_hash == result.log_hash
    if result.winner is None:
        assert set(end.outcomes) <= {match_pb2.OUTCOME_DRAWN, match_pb2.OUTCOME_VOID}
    else:
        assert list(end.outcomes) == [WON if side == result.winner else LOST for side in GAME.sides]
    assert end.text == sentence(
        result.termination, result.bots, result.at_fault, result.winner, result.totals, sides=GAME.sides
    )


@pytest.mark.parametrize("kind", FAULTS)
@pytest.mark.parametrize("names", [("a", "b", "a", "b"), ("a", "b", "c", "d")])
async def test_a_team_bears_the_fault_of_its_member(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, kind: str, names: tuple[str, ...]
) -> None:
    """P38, P39, P41: whichever way a seat loses the match, its side loses it; the seat is named, all four are told."""
    players = bots(*names)
    misbehave(kind, players[2])
    control = LONG if kind == "disconnect" else SHORT
    async with memory_arena(tmp_path, dict.fromkeys(names), game="smear", control=control) as arena:
        (result,) = await arena.play(*players)
        assert not proof(arena, result).failures
        ratings = {standing.bot: standing.rating.milli - 1_500_000 for standing in arena.store.ratings()}
    assert (result.termination, result.winner, result.at_fault) == (Termination(kind), 1, result.at_fault)
    assert result.at_fault is not None
    assert GAME.sides[result.at_fault] == 0
    if len(set(names)) == 4:
        assert result.bots[result.at_fault] == "c"
    for player in players:
        if kind != "disconnect" or player is not players[2]:
            check(result, the_end(player))
            assert list(the_end(player).outcomes) == [LOST, WON, LOST, WON]
    assert {bot: gain > 0 for bot, gain in ratings.items()} == {bot: bot in "bd" for bot in names}


def another_discard(frames: list[replay_pb2.Frame]) -> None:
    """The bidder puts away a card that in truth the next seat plays."""
    actions = [frame.action for frame in frames if frame.HasField("action")]
    place = next(place for place, action in enumerate(actions) if action.action.HasField("discard"))
    actions[place].action.discard.cards[0] = actions[place + 2].action.play.card


FORGERIES: Final[dict[str, Callable[[list[replay_pb2.Frame]], object]]] = {
    "another discard": another_discard,
    "the partner plays": lambda frames: setattr(frames[first(frames, "action", 20)].action, "seat", 9),
    "the points change sides": lambda frames: frames[first(frames, "deal")].deal.points.reverse(),
    "the other side wins": lambda frames: setattr(frames[-1].ended, "winner", 1 - frames[-1].ended.winner),
    "a total for each seat": lambda frames: frames[-1].ended.totals.extend([0, 0]),
    "a fault of nobody's": lambda frames: setattr(frames[-1].ended, "at_fault", 4),
}


@pytest.mark.parametrize("what", FORGERIES)
def test_a_forged_match_of_partners_is_found_out(tmp_path: Path, what: str) -> None:
    """Whatever is changed in a log of four seats, with all hashes made to fit, no longer fits the rest of it."""
    tape = Tape(tmp_path, game_name="smear", rules={"max_hands": 3, "target": 99}).ready().play()
    assert not verify(tape.replay(), known_hash=tape.replay().head).failures
    forged = forge(tape.data(), lambda _, frames: FORGERIES[what](frames))
    assert verify(forged, known_hash=forged.head).failures


@pytest.mark.parametrize("ending", [Termination.VOID_OPERATOR, Termination.VOID_ARENA])
async def test_a_void_match_is_void_for_all_four(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, ending: Termination
) -> None:
    """A match that the operator or a failure of the arena ends counts for nobody, and all seats are told."""
    players = bots("a", "b", "c", "d")
    plain = players[3].choose

    def choose(decision: play_pb2.Decision) -> play_pb2.Choose | None:
        if decision.decision_id > 10:
            for director in arena.lobby.directors.values():
                director.void(ending)
        return plain(decision)

    players[3].choose = choose
    async with memory_arena(tmp_path, "abcd", game="smear") as arena:
        for player in players:
            arena.nursery.start_soon(player.play, arena.lobby)
        (result, *_) = await arena.after(1)
        await trio.testing.wait_all_tasks_blocked()
        assert arena.store.ratings() == []
    assert (result.termination, result.winner, result.at_fault) == (ending, None, None)
    for player in players:
        check(result, player.of("match_ended")[0].match_ended)


async def test_one_of_four_that_is_not_ready_voids_for_all(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """P26: the others are told who held them up, and nobody is rated; both lanes of a pair that is late rest."""
    players = bots("a", "b", "a", "b")
    players[2].ready_after = 10_000
    async with memory_arena(tmp_path, "ab", game="smear") as arena:
        for player in players:
            arena.nursery.start_soon(player.play, arena.lobby)
        await trio.sleep(20.5)
        (result,) = arena.results()
        lanes = [lane for lane in arena.lobby.lanes.values() if lane.bot == "a"]
        assert all(lane.rests_until > trio.current_time() for lane in lanes)
        assert not [lane for lane in arena.lobby.lanes.values() if lane.bot == "b" and lane.rests_until]
        assert arena.store.ratings() == []
    assert result.termination is Termination.VOID_NOT_READY
    assert result.at_fault is not None
    assert result.bots[result.at_fault] == "a"
    for player in (players[0], players[1], players[3]):  # the late one has not looked yet
        check(result, player.of("match_ended")[0].match_ended)


async def open_table(folder: Path, players: list[MemoryBot], matches: int) -> list[Result]:
    """The results when so many matches have ended in an arena that seats whoever waits."""
    async with memory_arena(
        folder, matchmaker=OpenPairing({GAME.name: GAME}, 1), seed=None, game="smear", max_hands=1
    ) as arena:
        for player in players:
            arena.nursery.start_soon(player.play, arena.lobby)
            await trio.sleep(0.001)
        return await arena.after(matches)


async def test_pairs_and_single_bots_never_share_ratings(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """What a bot wins as a pair and as a single bot stands on two ladders, also when all is computed again; a mixed
    table is played, says of itself that it is not rated, and changes neither.
    """
    thinking = bots("x", "x", "a", "b", "y", "y")
    for player in thinking:
        player.think = 0.01
    await open_table(tmp_path, thinking, 30)
    async with memory_arena(tmp_path, seed=None, game="smear", matches=0) as arena:
        results = arena.results()
        before = arena.store.ratings()
        assert arena.store.rebuild_ratings() == sum(result.rated and not result.termination.void for result in results)
        assert arena.store.ratings() == before
    kinds = Counter("mixed" if not result.rated else len(set(result.bots)) for result in results)
    assert set(kinds) == {"mixed", 2, 4}
    assert kinds["mixed"] == 1  # the first table: when it began nothing better could be
    ladders = {(standing.ladder.kind, standing.bot): standing.rating.matches for standing in before}
    for kind, size in (("pair", 2), ("individual", 4)):
        played = Counter(bot for result in results if len(set(result.bots)) == size for bot in set(result.bots))
        assert {bot: count for (own, bot), count in ladders.items() if own == kind} == played


async def test_partners_stay_with_their_lanes_when_a_stream_breaks(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """P30: of a pair's two lanes each has its own seat; the one that breaks comes back to it, the other plays on."""
    players = bots("a", "b", "a", "b")
    plain = players[2].choose

    def choose(decision: play_pb2.Decision) -> play_pb2.Choose | None:
        if len(players[2].of("decision")) < 3:
            return plain(decision)
        players[2].call.hang_up()
        return None

    players[2].choose = choose
    again = MemoryBot("a", plain, lane=1)

    async def break_and_return(lobby: Lobby) -> None:
        await players[2].play(lobby)
        await again.play(lobby)

    async with memory_arena(tmp_path, "ab", game="smear", max_hands=3, target=99) as arena:
        arena.nursery.start_soon(break_and_return, arena.lobby)
        (result,) = await arena.play(players[0], players[1], players[3])
        assert not proof(arena, result).failures
    (offer,) = (event.match_offered for event in players[2].of("match_offered"))
    (resumed,) = (event.resumed for event in again.of("resumed"))
    assert resumed.offer == offer
    assert {event.decision.view.seat for event in again.of("decision")} == {offer.seat}
    assert result.termination is Termination.DEAL_LIMIT
    check(result, the_end(again))
