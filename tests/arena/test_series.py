"""A series of matches between programs that the arena starts: what happens when one lets it down."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
import trio
from trio.testing import MockClock

from arena.competition import Competition, Form
from arena.config import ArenaConfig, Limits
from arena.errors import ArenaError
from arena.launch import BotFailedError, BotProgram, RunningBot
from arena.lobby import Lobby
from arena.output import KEPT
from arena.presence import Presence
from arena.series import Series, stderr_path
from arena.store import Result, Store
from engine.game import complete_rules
from engine.games import find
from memory_arena import MemoryBot, memory_arena, same_choice
from restarting import journal_of

GAME = find("draw-bridge")
RANDOM = BotProgram("random", (sys.executable, "-m", "sample_bots.python.random_bot"))


def sleeper(name: str, last_words: str = "") -> BotProgram:
    """A bot that never comes."""
    return BotProgram(name, (sys.executable, "-c", f"import time; print({last_words!r}, flush=True); time.sleep(60)"))


def plan(folder: Path, *bots: BotProgram, missing_seconds: float = 60.0) -> tuple[ArenaConfig, Competition]:
    """Three short matches between these."""
    rules = complete_rules(GAME, "match", {"max_deals": 1, "target": 10_000})
    limits = Limits(missing_seconds=missing_seconds)
    config = ArenaConfig(folder, "match-1", {GAME.name: rules}, kind="match", seed=1, limits=limits)
    return config, Competition("match", GAME.name, rules, bots, sets=3, seed=1)


async def play(config: ArenaConfig, competition: Competition) -> list[Result]:
    """Play the run; what came of it, first match first."""
    with Store.open(config.data, hold=True) as store:
        store.open_run("match-1", "match", seeded=True, created_ms=0)
        with trio.fail_after(60):
            await Series(config, competition, store).play()
        return store.matches()[::-1]


async def test_a_bot_that_never_comes_ends_the_run(tmp_path: Path) -> None:
    """A program that starts and does not connect is given up with its name, its last words and where they are kept."""
    wanted = plan(tmp_path, sleeper("late", "loading a large model"), sleeper("other"), missing_seconds=0.6)
    with pytest.raises(BotFailedError) as caught:
        await play(*wanted)
    lines = str(caught.value).splitlines()
    assert lines[0].split(";")[0] in {f"bot {name} has not been connected for 0.6 s" for name in ("late", "other")}
    assert str(stderr_path(wanted[0], lines[0].split()[1])) in lines[0]


@pytest.mark.parametrize(
    ("streams", "told"),
    [
        (0, "has not been connected for 60 s"),
        (1, "has opened 1 of 2 streams, one for each of its seats, for 60 s"),
        (2, None),
        (5, None),
    ],
)
async def test_a_bot_with_too_few_streams_for_a_pair_is_not_waited_for(
    tmp_path: Path, autojump_clock: MockClock, streams: int, told: str | None
) -> None:
    """A program that is to have two seats of a match and opens one stream would hold up the run for ever."""
    del autojump_clock
    rules = complete_rules(find("smear"))
    config = ArenaConfig(tmp_path, "match-1", {"smear": rules}, kind="match", seed=1)
    bots = (RANDOM, BotProgram("other", RANDOM.argv))
    process = SimpleNamespace(poll=lambda: None, wait=trio.sleep_forever)
    found = None
    with Store.open(tmp_path, hold=True) as store:
        store.open_run("match-1", "match", seeded=True, created_ms=0)
        series = Series(config, Competition("match", "smear", rules, bots, sets=1, seed=1), store)
        series.arena.lobby = cast("Lobby", SimpleNamespace(streams=lambda _name, _lanes: streams))
        with trio.move_on_after(1000):
            found = await series._let_down(
                cast("RunningBot", SimpleNamespace(program=RANDOM, process=process)), range(2)
            )
    assert found == told


@pytest.mark.parametrize(("start", "missing"), [(7, 60.0), (90, 60.0)])
async def test_a_bot_has_its_own_time_to_start(autojump_clock: MockClock, start: int, missing: float) -> None:
    """The time to connect counts from the start, shorter or longer than what a bot that was there may be missing."""
    del autojump_clock
    presence = Presence(1, Limits(missing_seconds=missing), replace(RANDOM, start_seconds=start))
    assert presence.missed(0, start - 0.1) == ""
    assert presence.missed(0, start) == f"has not connected within {start} s of its start"
    came = Presence(1, Limits(missing_seconds=missing), replace(RANDOM, start_seconds=start))
    assert came.missed(1, start - 0.1) == ""
    assert came.missed(0, start + missing - 1) == ""
    assert came.missed(0, start + missing) == "has not been connected for 60 s"


async def test_a_bot_that_breaks_a_limit_is_named_and_the_rest_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """P64: too much memory, a start that takes too long, and debug text without end: the others lose nothing by it."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    hungry = "import time; print('eating', flush=True); held = b'x' * 200_000_000; time.sleep(60)"
    chatty = "while True: print('x' * 65_000)"
    bots = (
        RANDOM,
        replace(RANDOM, name="twin", memory_mib=1000),
        BotProgram("hungry", (sys.executable, "-c", hungry), memory_mib=100),
        replace(sleeper("late", "loading"), start_seconds=1),
        BotProgram("chatty", (sys.executable, "-c", chatty), start_seconds=3),
    )
    config, competition = plan(tmp_path, *bots)
    round_robin = replace(competition, form=Form.ROUND_ROBIN, sets=1)
    with pytest.raises(BotFailedError) as caught:
        await play(config, round_robin)
    said = str(caught.value)
    assert re.search(r"bot hungry has \d+ MiB in memory, more than its 100, and was stopped; .*\neating", said)
    assert "bot late has not connected within 1 s of its start; all it said is in " in said
    assert "bot chatty has not connected within 3 s of its start" in said
    assert stderr_path(config, "chatty").stat().st_size <= KEPT
    with Store.open(tmp_path, hold=False) as store:
        assert [set(result.bots) for result in store.results("match-1")] == [{"random", "twin"}]


async def test_a_bot_that_ends_by_itself_ends_the_run(tmp_path: Path) -> None:
    """A program that ends before all is played stops the run, with its exit code."""
    wanted = plan(tmp_path, BotProgram("quitter", (sys.executable, "-c", "import sys; sys.exit(3)")), sleeper("other"))
    with pytest.raises(BotFailedError, match="bot quitter ended by itself with exit code 3"):
        await play(*wanted)


async def test_a_series_is_played_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two programs play all matches, and change seats from match to match."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    results = await play(*plan(tmp_path, RANDOM, BotProgram("twin", RANDOM.argv)))
    assert [result.bots for result in results] == [("random", "twin"), ("twin", "random"), ("random", "twin")]


async def test_a_run_goes_on_with_the_bots_that_are_in_it(tmp_path: Path) -> None:
    """A run that was stopped in mid-match refuses other bots, in one line, and the match stays as it is."""
    async with memory_arena(tmp_path, max_deals=1, target=10_000) as arena:
        for name in "ab":
            arena.nursery.start_soon(MemoryBot(name, same_choice(name), think=0.01).play, arena.lobby)
        await trio.sleep(0.2)
    path = journal_of(tmp_path)
    before = path.read_bytes()
    wanted = plan(tmp_path, sleeper("a"), sleeper("c"))
    line = "run match-1 is in the middle of a match of a and b: give the same bots, or another --run"
    with pytest.RaisesGroup(pytest.RaisesExc(ArenaError, match=line), flatten_subgroups=True):
        await play(*wanted)
    assert path.read_bytes().startswith(before)
