"""Sets: two legs on the same decks with the seats changed, closed together, voided together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import trio

from arena.replay import Replay, read_replay, verify
from arena.store import Result
from arena.v1 import play_pb2
from engine.states import Termination
from memory_arena import MemoryArena, MemoryBot, memory_arena, same_choice

RULES: Any = {"max_deals": 2, "target": 10_000}


def pair(game_bots: str = "ab") -> list[MemoryBot]:
    """Bots that give the same answer to the same question in any arena."""
    return [MemoryBot(name, same_choice(name)) for name in game_bots]


def replays(arena: MemoryArena) -> dict[str, Replay]:
    """All logs by match."""
    return {result.match_id: read_replay(arena.store.replay(result)) for result in arena.results()}


def decks_and_seats(arena: MemoryArena, result: Result) -> tuple[bytes, str, tuple[str, ...]]:
    """What settles the cards of a match, and who sat where."""
    header = read_replay(arena.store.replay(result)).header
    return header.server_seed, header.set_id, result.bots


@pytest.mark.parametrize("seed", [None, 5])
async def test_both_legs_are_played_on_the_same_decks(
    tmp_path: Path, seed: int | None, autojump_clock: trio.testing.MockClock
) -> None:
    """The legs of a set share seed, nonces and so decks, with the bots' seats changed; each log proves it."""
    async with memory_arena(tmp_path, matches=8, legs=2, seed=seed, **RULES) as arena:
        await arena.play(*pair())
        results = {result.number: result for result in arena.results()}
        logs = replays(arena)
        assert sorted(results) == list(range(1, 9))
        for first in range(1, 9, 2):
            one, other = results[first], results[first + 1]
            assert (one.set_id, one.leg, one.legs) == (one.match_id, 1, 2)
            assert (other.set_id, other.leg, other.legs) == (one.match_id, 2, 2)
            assert other.bots == one.bots[::-1]
            for result in (one, other):
                report = verify(logs[result.match_id], known_hash=result.log_hash, first_leg=logs[one.match_id])
                assert not report.failures, report.failures
        seeds = {logs[result.match_id].header.server_seed for result in results.values()}
        assert len(seeds) == 4


async def test_the_secret_of_a_set_opens_with_its_last_leg(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """The first leg's end tells no seed; the last one's brings it with the nonces that the seats gave in the first."""
    bots = pair()
    async with memory_arena(tmp_path, matches=2, legs=2, seed=None, **RULES) as arena:
        await arena.play(*bots)
        one, other = arena.results()
        for bot in bots:
            first, last = [event.match_ended for event in bot.of("match_ended")]
            assert (first.match_id, first.HasField("reveal")) == (one.match_id, False)
            said, again = [event.match_started for event in bot.of("match_started")]
            assert last.reveal.set_id == one.match_id
            assert last.reveal.server_seed == read_replay(arena.store.replay(one)).header.server_seed
            assert list(last.reveal.nonces) == list(said.nonces)
            assert list(said.nonces) != list(again.nonces)
            assert len(last.reveal.ratings) == 2
        assert arena.store.is_closed(one)
        assert arena.store.is_closed(other)


async def test_nobody_is_told_which_leg_he_plays(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    """An offer of a second leg differs from one of a first in nothing but ids, names and the commitment."""
    bots = pair()
    async with memory_arena(tmp_path, matches=2, legs=2, seed=None, **RULES) as arena:
        await arena.play(*bots)
    first, second = [event.match_offered for event in bots[0].of("match_offered")]
    for offer in (first, second):
        for name in ("match_id", "names", "commitment", "seat"):
            offer.ClearField(name)  # type: ignore[arg-type]
    assert first == second


async def test_a_set_is_rated_as_one(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    """Ratings change once a set, with its last leg, and are the same when they are computed again."""
    async with memory_arena(tmp_path, matches=6, legs=2, **RULES) as arena:
        await arena.play(*pair())
        for result in arena.results():
            assert bool(arena.store.changes(result)) == (result.leg == 2)
        before = arena.store.ratings()
        assert arena.store.rebuild_ratings() == 3
        assert arena.store.ratings() == before
        assert {standing.rating.matches for standing in before} == {6}


class Absent(MemoryBot):
    """Takes no offer of a match that is in `shunned`, counted from 1."""

    shunned: tuple[int, ...] = ()
    offers: int = 0

    async def answer(self, event: play_pb2.Event) -> None:
        """Leave the offers that it shuns."""
        if event.WhichOneof("kind") == "match_offered":
            self.offers += 1
            if self.offers in self.shunned:
                return
        await super().answer(event)


@pytest.mark.parametrize(
    ("shunned", "numbers"), [((1,), [1, 1, 2]), ((2,), [1, 2, 1, 2]), ((2, 4), [1, 2, 1, 2, 1, 2])]
)
async def test_a_void_leg_voids_its_set(
    tmp_path: Path, shunned: tuple[int, ...], numbers: list[int], autojump_clock: trio.testing.MockClock
) -> None:
    """P60: with a void leg the set is played again on other decks; nothing of the void attempt counts."""
    lazy = Absent("b", same_choice("b"))
    lazy.shunned = shunned
    async with memory_arena(tmp_path, matches=2, legs=2, seed=None, **RULES) as arena:
        await arena.play(MemoryBot("a", same_choice("a")), lazy)
        results = arena.results()
        assert [result.number for result in results] == numbers
        *_, one, other = results
        assert (one.leg, other.leg, one.attempt, other.attempt) == (1, 2, len(shunned), len(shunned))
        assert other.set_id == one.match_id
        seeds = {(result.attempt, decks_and_seats(arena, result)[0]) for result in results}
        assert len(seeds) == 1 + len(shunned)
        assert sum(bool(arena.store.changes(result)) for result in results) == 1
        for tally in arena.store.tally("match-1"):
            assert tally.won + tally.drawn + tally.lost == 2
            assert tally.void == len(numbers) - 2
        assert arena.store.due("match-1", 2, 2).open == 0


async def test_a_set_that_is_void_again_and_again_is_given_up(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """After five attempts at its first leg the second is not waited for, and the run ends."""
    lazy = Absent("b", same_choice("b"))
    lazy.shunned = tuple(range(1, 6))
    async with memory_arena(tmp_path, matches=4, legs=2, **RULES) as arena:
        await arena.play(MemoryBot("a", same_choice("a")), lazy)
        results = arena.results()
    assert [result.termination for result in results].count(Termination.VOID_NOT_READY) == 5
    assert len(results) == 7


async def test_an_interrupted_set_is_finished_on_the_same_decks(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """P55: killed between the legs or in the second, a set goes on with the seed and the nonces of its first leg."""
    cut: list[Path] = []

    def look(arena: MemoryArena, bot: MemoryBot) -> None:
        answer = bot.choose

        def choose(decision: play_pb2.Decision) -> play_pb2.Choose | None:
            if len(arena.results()) == 1 and decision.decision_id >= 30 * len(cut) and len(cut) < 2:
                cut.append(tmp_path / f"cut-{decision.decision_id}")
                arena.snapshot(cut[-1])
            return answer(decision)

        bot.choose = choose

    bots = pair()
    async with memory_arena(tmp_path / "whole", matches=2, legs=2, seed=None, **RULES) as arena:
        look(arena, bots[0])
        await arena.play(*bots)
        whole = replays(arena)
    between = tmp_path / "between"
    cut.append(between)
    bots = pair()
    async with memory_arena(between, matches=2, legs=2, seed=None, **RULES) as arena:
        arena.lobby.on_ended.append(lambda *_: arena.lobby.drain())
        await arena.play(*bots)
        assert len(arena.results()) == 1
    assert len(cut) == 3
    for folder in cut:
        async with memory_arena(folder, matches=2, legs=2, seed=None, **RULES) as arena:
            one, other = await arena.play(*pair())
            logs = replays(arena)
            assert other.set_id == one.match_id
            report = verify(logs[other.match_id], known_hash=other.log_hash, first_leg=logs[one.match_id])
            assert not report.failures, (folder, report.failures)
            if folder != between:
                assert logs.keys() == whole.keys()
