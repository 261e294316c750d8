"""What a decision costs through the line bridge, beside the same bot on the Python SDK, in matches of one run.

Each match is one of `arena match` in which the policy of `random_bot` sits on one side as itself, on the other as a
program behind the bridge: in Python on JSON, and as the sample bot in awk on plain text. The times are those that the
arena has put on the clocks of both, out of the replays: from the question to the answer, with the link.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from statistics import median

from arena.replay import read_replay, unpack
from arena.store import Store

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}  # so that it runs from a checkout that is not installed too
RUN = "bench"
GOAL_MS = 1.0
PROGRAM = """\
import json, sys
for line in sys.stdin:
    told = json.loads(line)
    if told["kind"] == "decision":
        print(told["dice"] % len(told["legal"]), flush=True)
"""
SDK = f"{shlex.quote(sys.executable)} -m sample_bots.python.random_bot"
BRIDGE = f"{shlex.quote(sys.executable)} -m arena.bot.bridge"


def programs(folder: Path) -> dict[str, str]:
    """The commands to measure, by name."""
    program = folder / "program.py"
    program.write_text(PROGRAM)
    awk = ROOT / "sample_bots" / "awk" / "awk_bot.awk"
    return {
        "JSON, Python": f"{BRIDGE} -- {shlex.join([sys.executable, str(program)])}",
        "text, awk": f"{BRIDGE} --text -- awk -W interactive -f {shlex.quote(str(awk))}",
    }


def play(data: Path, command: str, matches: int, game: str) -> None:
    """Let the program play the SDK's bot."""
    what = [
        "--matches",
        str(matches),
        "--game",
        game,
        "--seed",
        "1",
        "--run",
        RUN,
        "--concurrency",
        "1",
        "--data",
        str(data),
    ]
    words = ["match", command, SDK, *what]
    done = subprocess.run(
        [sys.executable, "-m", "arena.cli", *words], env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"the match failed: {done.stderr[-2000:]}")


def times(data: Path) -> dict[str, list[float]]:
    """Milliseconds of all decisions, by bot."""
    found: dict[str, list[float]] = defaultdict(list)
    with Store.open(data, hold=False) as store:
        for result in store.results(RUN):
            replay = read_replay(unpack(store.replay(result)))
            for frame in replay.frames:
                if frame.HasField("action") and not frame.action.auto:
                    is_sdk = replay.header.seats[frame.action.seat].bot == "random_bot"
                    found["sdk" if is_sdk else "bridge"].append(frame.action.bill.elapsed_us / 1000)
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--matches", type=int, default=10, help="matches of each program (default 10)")
    parser.add_argument("--game", default="draw-bridge")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as name:
        for number, (what, command) in enumerate(programs(Path(name)).items()):
            data = Path(name) / str(number)
            play(data, command, options.matches, options.game)
            found = times(data)
            bridge, sdk = median(found["bridge"]), median(found["sdk"])
            verdict = "met" if bridge - sdk < GOAL_MS else "missed"
            sys.stdout.write(
                f"bridge, {what:<13} {bridge:6.3f} ms a decision (median of {len(found['bridge'])}), "
                f"Python SDK {sdk:6.3f} ms: {bridge - sdk:+.3f} ms   goal {GOAL_MS:g} ms more: {verdict}\n"
            )


if __name__ == "__main__":
    main()
