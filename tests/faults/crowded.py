"""A real arena, many real bots that answer at once, and what must be true of what they leave behind."""

from __future__ import annotations

import signal
import sys
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from arena.replay import read_replay, verify
from arena.store import Result, Store
from arena.wire import event_to_proto
from engine.event import redact
from engine.game import Game
from faults.judge import events_of_log
from real_arena import Process, arena, run_arena

CROWD = Path(__file__).parent / "crowd.py"


def serve(data: Path, game: Game, listen: str, *words: str) -> Process:
    """An open arena that plays short matches of one game."""
    short = [
        word for option in game.options if option.name.startswith("max_") for word in ("--option", f"{option.name}=1")
    ]
    return arena("serve", "--open", "--listen", listen, "--data", str(data), "--game", game.name, *short, *words)


def address(served: Process) -> str:
    """Where an arena listens, once it does."""
    return served.wait_line("listening on").split()[2].rstrip(";")


def names_for(game: Game) -> list[str]:
    """A bot for each seat."""
    return [f"bot-{number}" for number in range(len(game.sides))]


def start_crowd(server: str, notes: Path, names: Sequence[str], lanes: int, *words: str) -> Process:
    """These bots, each on so many lanes, all in a process of their own."""
    return Process([sys.executable, str(CROWD), server, str(notes), *names, "--lanes", str(lanes), *words])


@contextmanager
def crowd(server: str, notes: Path, names: Sequence[str], lanes: int, *words: str) -> Iterator[Process]:
    """The same, and in the end they are told to leave."""
    with start_crowd(server, notes, names, lanes, *words) as bots:
        yield bots
        bots.signal(signal.SIGTERM)
        assert bots.wait() == 0, bots.seen


def drain(served: Process) -> None:
    """Let the running matches end, and the arena with them."""
    served.signal(signal.SIGTERM)
    assert served.wait() == 0, served.seen


def check(data: Path, *notes: Path) -> list[Result]:
    """Nothing that was told is missing, every match has ended once, and ratings are those of the record."""
    told: dict[tuple[str, int], dict[int, int]] = defaultdict(dict)
    ends: dict[str, set[str]] = defaultdict(set)
    for match_id, *rest in (line.split() for path in notes for line in path.read_text().splitlines()):
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
