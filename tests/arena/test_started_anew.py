"""Bots that are started anew: a program plays one match, and its token and its lanes are its own."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
import trio

from arena.competition import Competition, Restart
from arena.config import ArenaConfig
from arena.identity import Doorkeeper, NotAdmittedError
from arena.launch import BotProgram
from arena.lobby import Lobby
from arena.matchmaking import PlannedMatches
from arena.schedule import Pairing
from arena.series import Series
from arena.session import Lane
from arena.store import Store
from arena.transport import Status
from engine.game import complete_rules
from engine.games import find
from memory_arena import memory_arena
from talking import Talk

ROOT = Path(__file__).parents[2]
WITNESS = """
import os
from pathlib import Path
from arena.bot import Bot, run
class Witness(Bot):
    def match_started(self, offer):
        with Path(os.environ["DIARY"]).open("a") as diary:
            diary.write(f"{os.getpid()} {offer.match_id}\\n")
    def choose(self, decision):
        return decision.dice.choice(decision.legal)
run(Witness)
"""


async def test_a_token_puts_a_program_on_lanes_of_its_own(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """Two programs of a bot both say lane 0, and neither replaces the other; a lane beyond its own is refused."""
    door = Doorkeeper(is_open=False)
    tokens = [door.issue("a", range(first, first + 2)) for first in (0, 2)]
    async with memory_arena(tmp_path, doorkeeper=door) as arena:
        talks = [Talk(arena, (("authorization", f"Bearer {token}"),)) for token in tokens]
        for talk in talks:
            await talk.greet("a")
        assert sorted(arena.lobby.lanes) == [("a", 0), ("a", 2)]
        assert [arena.lobby.streams("a", lanes) for lanes in (range(2), range(2, 4), range(4, 6))] == [1, 1, 0]
        beyond = Talk(arena, (("authorization", f"Bearer {tokens[1]}"),))
        beyond.call.say(hello={"protocol_version": 1, "lane": 2})
        assert await beyond.status() == (
            Status.INVALID_ARGUMENT,
            "lane 2 is out of range: this program has lanes 0 to 1",
        )


def test_a_program_that_has_played_comes_in_no_more() -> None:
    """Its token opens nothing any more; that of the next program on the same lanes does."""
    door = Doorkeeper(is_open=False)
    old, other = door.issue("a", range(1)), door.issue("a", range(1, 2))
    door.withdraw("a", range(1))
    new = door.issue("a", range(1))
    assert len({old, other, new}) == 3
    with pytest.raises(NotAdmittedError):
        door.identify([("authorization", old)], "")
    for token in (other, new):
        assert door.identify([("authorization", token)], "") == "a"


def test_all_seats_of_a_bot_are_one_programs() -> None:
    """A pair is never made of two programs: each would see a hand that is not its own match's alone."""
    waiting = [Lane("a", 1), Lane("a", 2), Lane("b", 0), Lane("b", 1), Lane("a", 3)]
    for lane, program in zip(waiting, (0, 2, 0, 0, 2), strict=True):
        lane.program = program
    chosen = PlannedMatches([Pairing(1, "g", ("a", "b", "a", "b"))]).choose(waiting)
    assert chosen is not None
    assert [lane.number for lane in chosen[1]] == [2, 0, 3, 1]
    assert PlannedMatches([Pairing(1, "g", ("a", "b", "a", "b"))]).choose(waiting[:4]) is None


@pytest.mark.parametrize(("game", "sets"), [("draw-bridge", 3), ("smear", 1)])
async def test_no_program_sees_two_legs_of_a_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, sets: int
) -> None:
    """With `leg` each program plays one match, several at the same time, and all is played that was planned."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    bots = tuple(
        BotProgram(name, (sys.executable, "-c", WITNESS), environment=(("DIARY", str(tmp_path / name)),))
        for name in "ab"
    )
    rules = complete_rules(find(game), "match", {"max_deals" if game == "draw-bridge" else "max_hands": 1})
    competition = Competition("match", game, rules, bots, sets=sets, legs=2, concurrency=2, restart=Restart.LEG)
    config = ArenaConfig(tmp_path / "data", "match-1", {game: rules}, kind="match", one_match=competition.one_match)
    with Store.open(config.data, hold=True) as store:
        store.open_run("match-1", "match", seeded=False, created_ms=0)
        with trio.fail_after(120):
            await Series(config, competition, store).play()
        played = {result.match_id: result.set_id for result in store.results("match-1")}
    assert len(played) == 2 * sets
    for name in "ab":
        diary = {tuple(line.split()) for line in (tmp_path / name).read_text().splitlines()}
        assert {match for _, match in diary} == played.keys()
        assert set(Counter((process, played[match]) for process, match in diary).values()) == {1}
        assert len({process for process, _ in diary}) == 2 * sets


@pytest.mark.parametrize(
    ("game", "restart", "running", "lanes"),
    [
        ("draw-bridge", Restart.NEVER, [], [range(2)]),
        ("draw-bridge", Restart.NEVER, [5], [range(6)]),
        ("draw-bridge", Restart.LEG, [], [range(1), range(1, 2)]),
        ("draw-bridge", Restart.LEG, [2], [range(1), range(1, 2), range(2, 3)]),
        ("smear", Restart.LEG, [5], [range(2), range(2, 4), range(4, 6)]),
    ],
)
def test_what_was_in_play_has_its_lanes_again(
    tmp_path: Path, game: str, restart: Restart, running: list[int], lanes: list[range]
) -> None:
    """A run that goes on with fewer matches at a time still opens the lanes of those that it had begun."""
    rules = complete_rules(find(game))
    bots = tuple(BotProgram(name, (name,)) for name in "ab")
    competition = Competition("match", game, rules, bots, sets=9, legs=2, concurrency=2, restart=restart)
    config = ArenaConfig(tmp_path, "match-1", {game: rules}, kind="match")
    director = SimpleNamespace(lanes=[Lane("a", number) for number in running])
    with Store.open(tmp_path, hold=True) as store:
        store.open_run("match-1", "match", seeded=False, created_ms=0)
        series = Series(config, competition, store)
        series.arena.lobby = cast("Lobby", SimpleNamespace(directors={"m": director}))
        assert series._lanes() == lanes


def test_single_matches_are_no_legs() -> None:
    """`leg` starts nobody anew where matches are no legs; `match` always does."""
    rules = complete_rules(find("smear"))
    for restart, legs, one in (
        (Restart.NEVER, 2, False),
        (Restart.LEG, 1, False),
        (Restart.LEG, 2, True),
        (Restart.MATCH, 1, True),
    ):
        assert Competition("match", "smear", rules, (), legs=legs, restart=restart).one_match is one
