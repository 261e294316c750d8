"""An arena that is killed again and again under bots that play on: real processes, real signals, nothing lost."""

from __future__ import annotations

import signal
import sys
import time
import zlib
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from arena.replay import read_replay, verify
from arena.store import Result, Store
from arena.wire import event_to_proto
from engine.clock import SECOND
from engine.event import redact
from engine.game import Game
from engine.games import registered
from engine.states import Termination
from faults.judge import events_of_log
from real_arena import Process, arena, run_arena

CROWD = Path(__file__).parent / "crowd.py"
STREAMS = 32
ROUNDS = 3
FULL = 200
"""Rounds of SIGKILL, at full size, over all games."""


def serve(data: Path, game: Game, listen: str, *words: str) -> Process:
    """An open arena that plays short matches of one game."""
    short = [
        word for option in game.options if option.name.startswith("max_") for word in ("--option", f"{option.name}=1")
    ]
    return arena("serve", "--open", "--listen", listen, "--data", str(data), "--game", game.name, *short, *words)


def address(served: Process) -> str:
    """Where an arena listens, once it does."""
    return served.wait_line("listening on").split()[2].rstrip(";")


@contextmanager
def crowd(server: str, notes: Path, game: Game, streams: int, *words: str) -> Iterator[Process]:
    """Bots on so many streams, in a process of their own."""
    names = [f"bot-{number}" for number in range(len(game.sides))]
    lanes = str(streams // len(names))
    with Process([sys.executable, str(CROWD), server, str(notes), *names, "--lanes", lanes, *words]) as bots:
        yield bots
        bots.signal(signal.SIGTERM)
        assert bots.wait() == 0, bots.seen


def drain(served: Process) -> None:
    """Let the running matches end, and the arena with them."""
    served.signal(signal.SIGTERM)
    assert served.wait() == 0, served.seen


def check(data: Path, notes: Path) -> list[Result]:
    """Nothing that was told is missing, every match has ended once, and ratings are those of the record."""
    told: dict[tuple[str, int], dict[int, int]] = defaultdict(dict)
    ends: dict[str, set[str]] = defaultdict(set)
    for match_id, *rest in map(str.split, notes.read_text().splitlines()):
        if match_id == "end":
            ends[rest[0]].add(rest[2])
        else:
            seat, seq, crc = map(int, rest)
            assert told[match_id, seat].setdefault(seq, crc) == crc, f"match {match_id} told twice, differently"
    with Store.open(data, hold=False) as store:
        results = store.matches(limit=10**6)[::-1]
        before = store.ratings()
        for result in results:
            replay = read_replay(store.replay(result))
            assert not verify(replay, known_hash=result.log_hash).failures
            happened = list(events_of_log(replay, replay))
            for seat in range(len(result.players)):
                for seq, crc in told.pop((result.match_id, seat), {}).items():
                    event = event_to_proto(redact(happened[seq - 1], seat))
                    event.seq = seq
                    assert zlib.crc32(event.SerializeToString(deterministic=True)) == crc, (result.match_id, seq)
            assert ends[result.match_id] <= {result.log_hash.hex()}
    assert not told, f"matches that were told of and have no result: {sorted(told)}"
    assert [result.number for result in results] == list({result.number: 0 for result in results})
    assert sorted(result.number for result in results) == list(range(1, len(results) + 1))
    assert not list((data / "running").iterdir())
    run_arena("ratings", "--rebuild", "--data", str(data))
    with Store.open(data, hold=False) as store:
        assert store.ratings() == before
    return results


def kill_and_go_on(folder: Path, game: Game, rounds: int) -> list[Result]:
    """So many rounds of SIGKILL at a moment that dice choose; then the arena is let go on, and drained."""
    dice, data, notes = Random(game.name), folder / "data", folder / "notes"
    folder.mkdir()
    running = serve(data, game, "127.0.0.1:0")
    server = address(running)
    with crowd(server, notes, game, STREAMS):
        for number in range(rounds):
            with running:
                if number % 4 != 1:  # else it is killed while it starts
                    running.wait_line("listening on") if number else None
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
    """P30, P60: SIGKILL at any moment under 32 bots, again and again: what was told is kept, all matches end, once."""
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
        crowd(address(running), notes, game, 4, "--think", "0.02") as bots,
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
