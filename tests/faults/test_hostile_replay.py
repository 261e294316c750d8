"""Replay files made to hurt the reader: small ones that unpack to much, frames without end, huge lists."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
import zstandard

from arena.errors import BadReplay
from arena.replay import pack, read_replay, unpack, verify
from arena.replay.frames import MAGIC, MAX_BODY, encode, scan
from arena.replay.read import MAX_BYTES
from arena.v1 import action_pb2, card_pb2, replay_pb2
from recording import Tape, any_of

ROOT = Path(__file__).parents[2]
SIZE = 12 * 1024
"""About as long are the files, packed: that of a short match."""
MORE = 1.5
"""So many times the memory that an honest file of the same size costs may a hostile one cost."""
LINE = 1000
"""No line about a file is longer, whatever stands in the file."""


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A packed replay of about SIZE bytes."""
    tape = Tape(tmp_path_factory.mktemp("honest"), rules={"max_deals": 6, "target": 10_000}).ready().play(Random(1))
    packed = pack(tape.data())
    assert SIZE < len(packed) < 2 * SIZE
    return packed


@pytest.fixture(scope="module")
def header(honest: bytes) -> replay_pb2.ReplayHeader:
    """The header of that replay."""
    return read_replay(honest).header


MEASURED = """
import resource, sys
from pathlib import Path
from arena.cli.app import arena
try:
    arena.main(sys.argv[1:])
finally:
    status = Path("/proc/self/status")  # what the system says of children counts the parent of a fork too
    if status.exists():
        (peak,) = [line.split()[1] for line in status.read_text().splitlines() if line.startswith("VmHWM:")]
    else:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print("peak", peak)
"""


def cost(tmp_path: Path, data: bytes) -> tuple[int, int, list[str]]:
    """Peak memory of `arena replay verify` for a file of these bytes, its exit code, what it said."""
    path = tmp_path / "some.arp"
    path.write_bytes(data)
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, "replay", "verify", str(path)],
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    *said, peak = done.stdout.splitlines()
    return int(peak.split()[1]), done.returncode, said + done.stderr.splitlines()


def squeeze(data: bytes, *, sized: bool = True) -> bytes:
    """Packed as tightly as zstd can; without its length in front if not `sized`."""
    if sized:
        return zstandard.ZstdCompressor(level=19).compress(data)
    packer = zstandard.ZstdCompressor(level=19).compressobj()
    return packer.compress(data) + packer.flush()


def bomb(_: replay_pb2.ReplayHeader) -> bytes:
    """Zeros up to the limit of all replays, which are said to be there."""
    return squeeze(MAGIC + bytes(MAX_BYTES - 8))


def hidden_bomb(_: replay_pb2.ReplayHeader) -> bytes:
    """Zeros whose number is not said."""
    return squeeze(MAGIC + bytes(MAX_BYTES - 8), sized=False)


def swarm(header: replay_pb2.ReplayHeader) -> bytes:
    """As many small frames as any replay may have, all the same: each fits, together they cost a gigabyte."""
    asked = replay_pb2.Frame(asked=replay_pb2.LoggedAsk(seat=1))
    return squeeze(MAGIC + encode(header.SerializeToString()) + encode(asked.SerializeToString()) * 499_000)


def lists(header: replay_pb2.ReplayHeader) -> bytes:
    """Frames as long as they may be, each a list of numbers, and an end whose totals are one."""
    cards = action_pb2.Discard(cards=[card_pb2.CARD_C2] * (MAX_BODY - 40))
    action = replay_pb2.LoggedAction(action=action_pb2.Action(discard=cards))
    frames = [replay_pb2.Frame(action=action)] * 16
    frames.append(replay_pb2.Frame(ended=replay_pb2.LoggedEnd(termination=1, totals=[7] * (MAX_BODY - 40))))
    return squeeze(MAGIC + b"".join(encode(part.SerializeToString()) for part in (header, *frames)))


def seats(header: replay_pb2.ReplayHeader) -> bytes:
    """A header with as many seats as it can hold."""
    crowd = replay_pb2.ReplayHeader()
    crowd.CopyFrom(header)
    crowd.seats.extend([replay_pb2.ReplaySeat()] * 30_000)
    return squeeze(MAGIC + encode(crowd.SerializeToString()))


def rules(header: replay_pb2.ReplayHeader) -> bytes:
    """A header with thousands of options, and a game with a name as long as a frame."""
    odd = replay_pb2.ReplayHeader()
    odd.CopyFrom(header)
    odd.rules.update({f"{number:x}": "" for number in range(4000)})
    odd.game = "x" * 20_000
    return squeeze(MAGIC + encode(odd.SerializeToString()))


@pytest.mark.parametrize("make", [bomb, hidden_bomb, swarm, lists, seats, rules])
def test_a_hostile_file_costs_no_more_than_an_honest_one(
    tmp_path: Path,
    honest: bytes,
    header: replay_pb2.ReplayHeader,
    make: Callable[[replay_pb2.ReplayHeader], bytes],
) -> None:
    """A packed file of a few KiB is judged in the memory of an honest one, in short lines and without a traceback."""
    hostile = make(header)
    assert len(hostile) < 2 * SIZE
    memory, code, said = cost(tmp_path, hostile)
    fair, proved, _ = cost(tmp_path, honest)
    assert proved == 0
    assert code in (1, 2), said
    assert memory < MORE * fair, (memory, fair)
    assert "Traceback" not in "".join(said)
    assert max(map(len, said)) < LINE


def test_a_match_of_the_longest_notes_still_unpacks(tmp_path: Path) -> None:
    """No bot can make its match unreadable: notes of 512 equal bytes on every answer stay far below the bounds."""
    tape = Tape(tmp_path, rules={"max_deals": 20, "target": 100_000}, auto_draw=(False, False)).ready()
    choose = any_of(Random(1))
    while tape.finish is None:
        tape.answer(choose(tape.table.playing.legal()), "x" * 512)
    tightest = squeeze(tape.data())
    assert unpack(tightest) == tape.data()
    assert len(tape.data()) < 40 * len(tightest)  # a third of what is allowed
    assert sum(1 for _ in scan(tape.data())) < len(tightest) / 8  # half of what is allowed


@pytest.mark.parametrize("field", ["game", "arena_version"])
def test_a_line_of_a_file_does_not_pass_for_the_arenas(header: replay_pb2.ReplayHeader, field: str) -> None:
    """What a header says with line breaks in it is told in one line, as what it is."""
    lying = replay_pb2.ReplayHeader()
    lying.CopyFrom(header)
    lying.schema = 9 if field == "arena_version" else lying.schema
    setattr(lying, field, "x\narena: all is proved")
    with pytest.raises(BadReplay) as caught:
        verify(read_replay(MAGIC + encode(lying.SerializeToString())), known_hash=None)
    assert "x\\narena: all is proved" in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    "command", [["replay", "list"], ["replay", "verify"], ["replay", "export"], ["replay", "show"]]
)
def test_a_pipe_or_a_device_is_no_replay_file(tmp_path: Path, command: list[str]) -> None:
    """A file that has no end is refused before anything is read of it."""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero")):
        done = subprocess.run(
            [sys.executable, "-m", "arena.cli", *command, str(path), *(["--data", str(tmp_path)])],
            env={"PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert (done.returncode, done.stdout) == (2, "")
        assert len(done.stderr.splitlines()) == 1, done.stderr
        assert f"{path} is no file" in done.stderr
