"""Cases of sister systems, on a whole arena in memory: every match ends, with the right word for it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import trio
import trio.testing

from arena.director import Director
from arena.store import Result
from arena.transport import Status
from arena.v1 import action_pb2, card_pb2, match_pb2, play_pb2
from arena.wire import outcome_to_proto, termination_to_proto
from engine.clock import SECOND, TimeControl
from engine.effect import Finish
from engine.states import Termination
from memory_arena import MemoryBot, memory_arena, random_choice
from misbehaving import misbehave, the_end

SHORT = TimeControl(10 * SECOND, 0, 2 * SECOND)


def late_in(matches: set[int], seed: object) -> MemoryBot:
    """A bot that answers at random, and in the matches with these numbers (from 1) not in time."""
    bot = MemoryBot("a", random_choice(seed))
    plain = bot.choose

    def choose(decision: play_pb2.Decision) -> play_pb2.Choose | None:
        return None if len(bot.of("match_offered")) in matches else plain(decision)

    bot.choose = choose
    return bot


async def test_a_run_with_losses_on_time_ends(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    """P02, P04: a run of eight matches of which two are lost on time ends, and loses just these two."""
    async with memory_arena(tmp_path, matches=8, control=SHORT) as arena:
        results = await arena.play(late_in({3, 6}, 1), MemoryBot("b", random_choice(2)))
    assert [result.number for result in results] == list(range(1, 9))
    late = {result.number for result in results if result.termination is Termination.TIMEOUT}
    assert late == {3, 6}
    assert all(result.bots[1 - (result.winner or 0)] == "a" for result in results if result.number in late)


async def test_a_fault_of_the_arena_is_told_at_once(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """P12, P60: a bug in the middle of a match ends it as void for both at once, and it is played again."""
    bots = MemoryBot("a", random_choice(1)), MemoryBot("b", random_choice(2))
    broken: list[Director] = []
    async with memory_arena(tmp_path, max_deals=2) as arena:

        def break_once(decision: play_pb2.Decision) -> play_pb2.Choose:
            if decision.decision_id > 10 and not broken:
                (director,) = arena.lobby.directors.values()
                monkeypatch.setattr(director.table, "_advance", lambda *_: 1 // 0)
                broken.append(director)
            return random_choice(decision.decision_id)(decision)

        bots[0].choose = bots[1].choose = break_once
        began = trio.current_time()
        results = await arena.play(*bots)
    assert [(result.number, result.attempt, result.termination.void) for result in results] == [
        (1, 0, True),
        (1, 1, False),
    ]
    for bot in bots:
        first = bot.of("match_ended")[0].match_ended
        assert first.termination == match_pb2.TERMINATION_VOID_ARENA
        assert set(first.outcomes) == {match_pb2.OUTCOME_VOID}
    assert trio.current_time() - began < 1


async def test_starts_without_delay_cost_nobody(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, *, soak: bool
) -> None:
    """P25, P35, P48, P59: instant matches by the dozen: no forfeit, one id throughout, all numbers agree."""
    count = 10_000 if soak else 100
    bots = MemoryBot("a", random_choice(1)), MemoryBot("b", random_choice(2))
    async with memory_arena(tmp_path, matches=count, max_deals=2, target=100) as arena:
        results = await arena.play(*bots)
        terminations = arena.store.terminations()
        tallies = arena.store.tally("match-1")
    assert sum(terminations.values()) == len(results) == count
    assert set(terminations) <= {Termination.SCORE, Termination.DEAL_LIMIT}
    for bot in bots:
        offers = [event.match_offered for event in bot.of("match_offered")]
        started = [event.match_started.match_id for event in bot.of("match_started")]
        ends = [event.match_ended for event in bot.of("match_ended")]
        assert [offer.match_id for offer in offers] == started == [end.match_id for end in ends]
        assert started == [result.match_id for result in results]
        for offer, end, result in zip(offers, ends, results, strict=True):
            check_agreement(result, end, offer.seat, bot.name)
    for tally in tallies:
        assert tally.won + tally.drawn + tally.lost + tally.void == count
    assert sum(tally.won for tally in tallies) == sum(tally.lost for tally in tallies)


def check_agreement(result: Result, end: play_pb2.MatchEnded, seat: int, name: str) -> None:
    """P48: what a seat is told, the record and the sentence say the same of a match."""
    assert end.termination == termination_to_proto(result.termination)
    assert tuple(end.totals) == result.totals
    assert end.log_hash == result.log_hash
    finish = Finish(result.termination, result.winner, result.at_fault, result.totals, result.deals)
    assert list(end.outcomes) == [outcome_to_proto(finish, side) for side in (0, 1)]
    best = max(result.totals)
    assert result.winner == (result.totals.index(best) if result.totals.count(best) == 1 else None)
    change = {change.bot: change.after_milli - change.before_milli for change in end.reveal.ratings}
    expected = end.outcomes[seat]
    if result.winner is None:
        assert expected == match_pb2.OUTCOME_DRAWN
    else:
        assert (expected == match_pb2.OUTCOME_WON) == (result.bots[result.winner] == name) == (change[name] > 0)
        assert result.bots[result.winner] in end.text


@pytest.mark.parametrize("kind", ["timeout", "illegal", "malformed", "resign", "disconnect"])
async def test_every_fault_has_a_word_of_its_own(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, kind: str
) -> None:
    """P38, P39, P41: each way to lose is called what it is, told to both seats, and the same in the record."""
    bots = MemoryBot("a", random_choice(1)), MemoryBot("b", random_choice(2))
    misbehave(kind, bots[0])
    long = TimeControl(1000 * SECOND, 0, 0)
    async with memory_arena(tmp_path, control=long if kind == "disconnect" else SHORT) as arena:
        (result,) = await arena.play(*bots)
    assert result.termination == kind
    at_fault = result.at_fault
    assert at_fault is not None
    assert (result.bots[at_fault], result.winner) == ("a", 1 - at_fault)
    for bot in bots[kind == "disconnect" :]:
        end = the_end(bot)
        assert end.termination == termination_to_proto(result.termination)
        assert end.at_fault == at_fault
        assert end.outcomes[at_fault] == match_pb2.OUTCOME_LOST
        assert end.log_hash == result.log_hash


async def test_one_who_was_away_at_the_end_is_told_on_return(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """P38: a bot that lost by being away learns the result with its next stream."""
    bots = MemoryBot("a", random_choice(1)), MemoryBot("b", random_choice(2))
    misbehave("disconnect", bots[0])
    async with memory_arena(tmp_path, control=TimeControl(1000 * SECOND, 0, 0)) as arena:
        again = MemoryBot("a", random_choice(1))
        for bot in bots:
            arena.nursery.start_soon(bot.play, arena.lobby)
        await arena.lobby.quiet.wait()
        arena.nursery.start_soon(again.play, arena.lobby)
        await trio.sleep(1)
        assert the_end(again).termination == match_pb2.TERMINATION_DISCONNECT


NO_ACTIONS = {
    "nothing": play_pb2.Choose(),
    "an index out of range": play_pb2.Choose(index=4_000_000_000),
    "an action of no kind": play_pb2.Choose(action=action_pb2.Action()),
    "no card": play_pb2.Choose(action=action_pb2.Action(play=action_pb2.Play())),
    "a number that is no card": play_pb2.Choose(action=action_pb2.Action(play=action_pb2.Play(card=17))),  # type: ignore[arg-type]
    "a call of no kind": play_pb2.Choose(action=action_pb2.Action(call=action_pb2.Call())),
    "a bid of level 9": play_pb2.Choose(
        action=action_pb2.Action(
            call=action_pb2.Call(kind=action_pb2.CALL_KIND_BID, level=9, strain=card_pb2.STRAIN_CLUBS)
        )
    ),
    "a discard of nothing": play_pb2.Choose(action=action_pb2.Action(discard=action_pb2.Discard())),
}


@pytest.mark.parametrize("what", NO_ACTIONS)
async def test_a_null_action_is_refused_in_every_phase(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, what: str
) -> None:
    """P40, P42: an answer that is no action is refused with words and a strike, in every phase; the question stays."""
    bots = MemoryBot("a", random_choice(1)), MemoryBot("b", random_choice(2))
    seen: set[str] = set()
    plain = bots[0].choose

    def choose(decision: play_pb2.Decision) -> play_pb2.Choose | None:
        if decision.view.phase not in seen:
            seen.add(decision.view.phase)
            wrong = play_pb2.Choose()
            wrong.CopyFrom(NO_ACTIONS[what])
            wrong.decision_id = decision.decision_id
            bots[0].call.say(choose=wrong)
        return plain(decision)

    bots[0].choose = choose
    async with memory_arena(tmp_path, max_deals=4, target=10_000) as arena:
        (result,) = await arena.play(*bots)
    assert result.termination is Termination.DEAL_LIMIT
    rejections = [event.rejected for event in bots[0].of("rejected")]
    assert seen == {"draw", "auction", "play"}
    assert [rejected.strikes_left for rejected in rejections] == [2, 1, 0]
    assert all(rejected.text and rejected.HasField("clock") for rejected in rejections)
    assert bots[1].of("rejected") == []


async def test_garbage_ends_its_own_stream_only(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    """P40: bytes that are no message end that stream with a status in words; the bot may come back and play on."""
    bots = MemoryBot("a", random_choice(1)), MemoryBot("b", random_choice(2))
    plain = bots[0].choose

    def choose(decision: play_pb2.Decision) -> play_pb2.Choose | None:
        if decision.decision_id < 20:
            return plain(decision)
        bots[0].call.say_bytes(b"\xff\xfe not a message")
        return None

    bots[0].choose = choose
    again = MemoryBot("a", random_choice(3))
    async with memory_arena(tmp_path, max_deals=1, target=10_000) as arena:

        async def garbage_then_again() -> None:
            await bots[0].play(arena.lobby)
            await again.play(arena.lobby)

        arena.nursery.start_soon(garbage_then_again)
        (result,) = await arena.play(bots[1])
    assert bots[0].call.status == (Status.INVALID_ARGUMENT, "16 bytes that are no arena.v1.PlayRequest")
    assert result.termination is Termination.DEAL_LIMIT
    assert len(again.of("resumed")) == 1


async def test_counts_of_terminations_add_up(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    """P59: with faults of every kind in one run the counts of terminations are the number of matches."""
    kinds = ["timeout", "illegal", "malformed", "resign"]
    bot = MemoryBot("a", random_choice(1))
    plain = bot.choose

    def choose(decision: play_pb2.Decision) -> play_pb2.Choose | None:
        number = len(bot.of("match_offered"))
        if number % 2 == 0:
            bot.choose = plain
            misbehave(kinds[number // 2 % 4], bot)
            wrong, bot.choose = bot.choose, choose
            return wrong(decision)
        return plain(decision)

    bot.choose = choose
    async with memory_arena(tmp_path, matches=16, control=SHORT, max_deals=2) as arena:
        results = await arena.play(bot, MemoryBot("b", random_choice(2)))
        counted = arena.store.terminations()
    assert sum(counted.values()) == len(results) == 16
    assert Counter(result.termination for result in results) == counted
    assert {kind: counted[Termination(kind)] for kind in kinds} == dict.fromkeys(kinds, 2)


async def test_a_bot_that_loads_too_long_voids_by_name(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    """P26: loading in 95 % of the start-up budget is in time; 105 % voids the match, names the bot, and it rests."""
    slow, quick = MemoryBot("a", random_choice(1), ready_after=19), MemoryBot("b", random_choice(2))
    async with memory_arena(tmp_path, max_deals=1) as arena:
        (result,) = await arena.play(slow, quick)
    assert result.termination in (Termination.SCORE, Termination.DEAL_LIMIT)

    later = MemoryBot("a", random_choice(1), ready_after=21)
    async with memory_arena(tmp_path / "late", max_deals=1) as arena:
        arena.nursery.start_soon(later.play, arena.lobby)
        arena.nursery.start_soon(MemoryBot("b", random_choice(2)).play, arena.lobby)
        await trio.sleep(20.5)
        (void,) = arena.results()
        assert void.termination is Termination.VOID_NOT_READY
        assert void.at_fault is not None
        assert void.bots[void.at_fault] == "a"


class _Breaks:
    """Looks on and fails at the first thing it sees."""

    seen = 0

    def told(self, *_: object) -> None:
        """Fail."""
        self.seen += 1
        raise RuntimeError("not my day")

    over = told


async def test_one_who_looks_on_and_fails_harms_nobody(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    """A spectator or a listener that fails is told no more; matches, results and the arena go on."""
    breaks, heard = _Breaks(), []

    def listen(*_: object) -> None:
        heard.append(1)
        raise RuntimeError("nor mine")

    async with memory_arena(tmp_path, matches=2, max_deals=1) as arena:
        arena.lobby.watchers.append(breaks)
        arena.lobby.on_ended.append(listen)
        results = await arena.play(MemoryBot("a", random_choice(1)), MemoryBot("b", random_choice(2)))
    assert [result.termination.void for result in results] == [False, False]
    assert breaks.seen == 2  # once in each match
    assert len(heard) == 1
