"""A killed arena loses nothing: real processes, a real SIGKILL."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from real_arena import Process, arena, bot, run_arena

WITNESS = Path(__file__).parent / "witness_bot.py"


def serve(data: Path, listen: str) -> tuple[Process, str]:
    """An open arena, and where it listens."""
    served = arena("serve", "--open", "--listen", listen, "--data", str(data), "--game", "draw-bridge")
    return served, served.wait_line("listening on").split()[2].rstrip(";")


def acknowledged(witness: Process, match_id: str) -> list[str]:
    """What the arena has told a bot of its own actions in a match, oldest first."""
    begun = next(i for i, line in enumerate(witness.seen) if line == f"started {match_id}")
    return [line.removeprefix("acknowledged ") for line in witness.seen[begun:] if line.startswith("acknowledged ")]


def logged(data: Path, match_id: str, seat: int) -> list[str]:
    """The plays and calls of a seat in the log, oldest first."""
    lines = map(json.loads, run_arena("replay", "export", match_id, "--data", str(data)).splitlines())
    return [
        f"{line['type']} {line.get('card') or line.get('call')}"
        for line in lines
        if line["type"] in ("play", "call") and line["seat"] == seat
    ]


@pytest.mark.parametrize("stop", [signal.SIGKILL, signal.SIGTERM])
def test_a_match_goes_on_after_the_arena_was_killed(tmp_path: Path, stop: signal.Signals) -> None:
    """SIGKILL in the middle of a match, then a restart: the bots come back, the match ends, no action is lost.

    With SIGTERM twice, which is the second Ctrl-C, it is the same.
    """
    data = tmp_path / "data"
    first, server = serve(data, "127.0.0.1:0")
    with first, bot(WITNESS, server, "a") as a, bot(WITNESS, server, "b") as b:
        match_id = a.wait_line("started").split()[1]
        a.wait_line("deep in the match")
        first.signal(stop)
        if stop is signal.SIGTERM:
            first.wait_line("stopping")
            first.signal(stop)
        first.wait()
        (journal,) = (data / "running").iterdir()
        assert match_id in journal.name
        again, _ = serve(data, server)
        with again:
            assert any("goes on" in line for line in again.seen)
            ends = [witness.wait_line(f"ended {match_id}").split() for witness in (a, b)]
        starts = [sum(line == f"started {match_id}" for line in witness.seen) for witness in (a, b)]
    assert starts == [1, 1]  # one start of the match for each bot, whatever happened to its streams
    assert ends[0] == ends[1]
    verified = run_arena("replay", "verify", match_id, "--data", str(data))
    assert ends[0][3] in verified
    header = json.loads(run_arena("replay", "export", match_id, "--data", str(data)).splitlines()[0])
    for witness, name in ((a, "a"), (b, "b")):
        told = acknowledged(witness, match_id)
        assert told
        assert told == logged(data, match_id, header["seats"].index(name))[: len(told)]
