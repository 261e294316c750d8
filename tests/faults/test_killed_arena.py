"""An arena that is killed again and again, or paused, under bots that play on: real processes, real signals."""

from __future__ import annotations

import signal
import time
from pathlib import Path
from random import Random

from arena.replay import read_replay
from arena.store import Result, Store
from engine.clock import SECOND
from engine.game import Game
from engine.games import registered
from engine.states import Termination
from faults.crowded import address, check, crowd, drain, names_for, serve

STREAMS = 32
ROUNDS = 3
FULL = 200
"""Rounds of SIGKILL, at full size, over all games."""


def kill_and_go_on(folder: Path, game: Game, rounds: int) -> list[Result]:
    """So many rounds of SIGKILL at a moment that dice choose; then the arena is let go on, and drained."""
    dice, data, notes = Random(game.name), folder / "data", folder / "notes"
    folder.mkdir()
    running = serve(data, game, "127.0.0.1:0")
    server = address(running)
    with crowd(server, notes, names_for(game), STREAMS // len(game.sides)):
        for number in range(rounds):
            with running:
                if number % 4 != 1:  # else it is killed while it starts
                    running.wait_line("listening on") if number else None
                    with Store.open(data, hold=False) as store:  # whoever looks in takes nothing away
                        store.runs()
                time.sleep(dice.uniform(0.1, 1.5))  # any moment
                running.signal(signal.SIGKILL)
                running.wait()
            running = serve(data, game, server)
        with running:
            running.wait_line("listening on")
            running.wait_line("bot-")  # a match has ended
            drain(running)
    return check(data, notes)


def test_a_killed_arena_loses_nothing(tmp_path: Path, *, soak: bool) -> None:
    """P30, P60: SIGKILL at any moment under 32 bots, again and again, beside others who look in: what was told is kept,
    all matches end, once.
    """
    games = sorted(registered().values(), key=lambda game: -len(game.sides))
    for game in games if soak else games[:1]:
        rounds = FULL // len(games) + 1 if soak else ROUNDS
        results = kill_and_go_on(tmp_path / game.name, game, rounds)
        print(f"{game.name}: {rounds} rounds, {len(results)} matches")  # noqa: T201 # for whoever runs it at full size
        ends = {result.termination for result in results}
        assert ends <= {Termination.SCORE, Termination.DEAL_LIMIT, Termination.VOID_ARENA}
        assert sum(not result.termination.void for result in results) > rounds


def test_a_paused_arena_charges_nobody(tmp_path: Path) -> None:
    """P20: an arena that stands still for longer than a decision may take costs no bot a match; nor does a short pause
    of the bots themselves.
    """
    data, notes, game = tmp_path / "data", tmp_path / "notes", next(iter(registered().values()))
    with (
        serve(data, game, "127.0.0.1:0", "--time-control", "60+0/2") as running,
        crowd(address(running), notes, names_for(game), 2, "--think", "0.02") as bots,
    ):
        for paused, seconds in ((running, 2.5), (bots, 0.5), (running, 2.5)):
            bots.wait_line("playing")
            paused.signal(signal.SIGSTOP)
            time.sleep(seconds)
            paused.signal(signal.SIGCONT)
        bots.wait_line("playing")
        drain(running)
    results = check(data, notes)
    assert {result.termination for result in results} <= {Termination.SCORE, Termination.DEAL_LIMIT}
    with Store.open(data, hold=False) as store:
        frames = [frame for result in results for frame in read_replay(store.replay(result)).frames]
    assert max(frame.action.bill.lag_us for frame in frames) > 2 * SECOND
    assert sum(frame.HasField("lost") for frame in frames) == 0
