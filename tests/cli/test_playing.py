"""`arena match`, `demo` and `serve` with real bots: what they print, how they stop, what they refuse."""

from __future__ import annotations

import json
import re
import shlex
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import Result

from arena.cli.demo_run import demo_bots
from arena.store import Store
from engine.games import find

Run = Callable[..., Result]
Spawn = Callable[..., "subprocess.Popen[str]"]
Complaint = Callable[[Result], str]

RANDOM = f"{shlex.quote(sys.executable)} -m sample_bots.python.random_bot"
STEADY = f"{shlex.quote(sys.executable)} -m sample_bots.python.steady_bot"
BROKEN = f"{shlex.quote(sys.executable)} broken.py"
BROKEN_LINE = (
    "bot broken ended by itself with exit code 1; all it said is in arena-data/logs/match-1/broken.stderr: "
    "ModuleNotFoundError: No module named 'no_such_module'"
)
SHORT = ("--option", "max_deals=1", "--option", "target=9999")


def _lines(process: subprocess.Popen[str], until: str) -> list[str]:
    """What a process prints, up to the line that holds `until`."""
    assert process.stdout is not None
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line.rstrip("\n"))
        if until in line:
            return lines
    raise AssertionError(f"no {until!r} in {lines}, {process.stderr and process.stderr.read()}")


# -- match


def test_match_plays_and_prints_the_result(run: Run) -> None:
    """Both bots are started, play, and are stopped; the result is a table with ratings, endings and where to look."""
    result = run("match", STEADY, RANDOM, "--matches", "2", "--seed", "1", *SHORT)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert re.fullmatch(r"1 of 2 matches: steady_bot \d, random_bot \d(, drawn \d)?", lines[0])
    assert lines[2] == "run match-1: draw-bridge, preset match, target=9999, max_deals=1"
    assert lines[3].split() == ["bot", "won", "drawn", "lost", "points", "elo", "before", "elo", "after"]
    assert [line.split()[0] for line in lines[4:6]] == ["steady_bot", "random_bot"]
    assert lines[7].split() == ["deal_limit", "2"]
    assert " replay show match-1/s1-draw-bridge-00000" in lines[8]
    assert Path("arena-data/logs/match-1/steady_bot.stderr").exists()
    verified = run("replay", "verify", "--run", "match-1")
    assert verified.stdout == "run match-1: 2 matches, 2 proved, 0 failed\n"


def test_bots_of_one_name_are_told_apart_and_keep_their_names(run: Run) -> None:
    """Today's bot and yesterday's are called by their folders; in a run of an earlier arena they stay numbered."""
    for folder in (Path(), Path("old")):
        folder.mkdir(exist_ok=True)
        code = "import runpy; runpy.run_module('sample_bots.python.random_bot', run_name='__main__')"
        (folder / "my_bot.py").write_text(code)
    line = ["match", *(f"{shlex.quote(sys.executable)} {path}" for path in ("my_bot.py", "old/my_bot.py")), *SHORT]
    first = json.loads(run(*line, "--run", "night", "--json").stdout)
    assert [bot["bot"] for bot in first["bots"]] == ["my_bot", "old-my_bot"]
    with Store.open(Path("arena-data"), hold=True) as store:
        settings = store.run("night").settings.replace("old-my_bot", "my_bot-2")
        store.open_run("earlier", "match", seeded=False, created_ms=1, settings=settings)
    again = json.loads(run(*line, "--run", "earlier", "--matches", "2", "--json").stdout)
    assert [bot["bot"] for bot in again["bots"]] == ["my_bot", "my_bot-2"]
    assert again["matches"] == 2
    with Store.open(Path("arena-data"), hold=False) as store:
        assert json.loads(store.run("earlier").settings)["bots"] == json.loads(settings)["bots"]


def test_a_run_goes_on_under_its_name(run: Run, complaint_of: Complaint) -> None:
    """--run with more matches plays those that are missing; with all played it plays none; other bots are refused."""
    first = json.loads(run("match", RANDOM, RANDOM, "--run", "night", *SHORT, "--json").stdout)
    assert (first["run"], first["matches"], first["planned"], first["due"]) == ("night", 1, 1, 0)
    second = json.loads(run("match", RANDOM, RANDOM, "--run", "night", "--matches", "3", *SHORT, "--json").stdout)
    assert (second["matches"], second["due"]) == (3, 0)
    assert sum(bot["won"] + bot["drawn"] / 2 for bot in second["bots"]) == 3
    assert [bot["bot"] for bot in second["bots"]] == ["random_bot", "random_bot-2"]
    assert sum(second["terminations"].values()) == 3
    again = json.loads(run("match", RANDOM, RANDOM, "--run", "night", "--matches", "3", *SHORT, "--json").stdout)
    assert again["bots"][0]["elo_before"] == again["bots"][0]["elo_after"] == second["bots"][0]["elo_after"]
    assert complaint_of(run("match", STEADY, RANDOM, "--run", "night", *SHORT)) == (
        "run night cannot go on so: its bots are random_bot, random_bot-2, not steady_bot, random_bot; "
        "give the same, or another --run"
    )
    line = complaint_of(run("match", RANDOM, f"{RANDOM} --verbose", "--run", "night"))
    assert "bot random_bot-2 is started by '" in line
    assert "; its option target is 9999, not 300; its option max_deals is 1, not 100; " in line
    assert line.endswith("give the same, or another --run")


@pytest.mark.parametrize(
    ("bot", "line"),
    [
        ("no-such-program", "bot no-such-program does not start: there is no program 'no-such-program'"),
        (BROKEN, BROKEN_LINE),
        ("'", 'the bot command "\'" cannot be read: No closing quotation'),
        ("", "a bot command is empty: give the words that start a bot, such as 'python my_bot.py'"),
    ],
)
def test_a_bot_that_does_not_start_gets_one_line(run: Run, complaint_of: Complaint, bot: str, line: str) -> None:
    """A bot command that does not work is named, with the last thing that it printed and where the rest is."""
    Path("broken.py").write_text("import no_such_module\n")
    assert complaint_of(run("match", RANDOM, bot, *SHORT)) == line


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (["a"], "draw-bridge is played by 2 bots, not 1: a command each, quoted if it has several words (see "),
        (["a", "b", "c"], "draw-bridge is played by 2 bots, not 3: a command each"),
        (["a", "b", "--concurrency", "65"], "--concurrency 65 is too much: bots have lanes for 64 matches of draw-"),
        (["a", "b", "--matches", "0"], "--matches: '0' will not do: write a whole number, 1 or more"),
        (["a", "b", "--mathces", "5"], "there is no option --mathces; did you mean --matches?"),
        (["a", "b", "--option", "target"], "--option: 'target' will not do: write NAME=VALUE, such as target=200"),
        (["a", "b", "--option", "target=x"], "target = x is not possible: it is 1 or more (DB-2.2)"),
        (["a", "b", "--game", "draw-brigde"], "--game: there is no game draw-brigde: there are "),
        (["a", "b", "--preset", "mach"], "draw-bridge has no preset mach: it has seed, match; did you mean match?"),
        (["a", "b", "--time-control", "5m"], "--time-control: '5m' is no time control: write BANK+INCREMENT/CAP"),
        (["a", "b", "--seed", "x"], "--seed: 'x' will not do: write a whole number, 0 or more"),
        (["a", "b", "--run", "a/b"], "--run: 'a/b' will not do: write 1 to 32 letters, digits, '_' or '-'"),
        (["a", "b", "--concurrency", "many"], "--concurrency: 'many' will not do: write a whole number, 1 or more"),
    ],
)
def test_a_wrong_option_gets_one_line(run: Run, complaint_of: Complaint, args: list[str], line: str) -> None:
    """Each wrong value is named with what would be right, and nothing is begun."""
    assert complaint_of(run("match", *args)).startswith(line)
    assert not Path("arena-data").exists()


def test_the_nearest_option_of_the_rules_is_named(run: Run, complaint_of: Complaint) -> None:
    """An unknown option of the rules is answered with all there are, and the one most like it."""
    line = complaint_of(run("match", "a", "b", "--option", "targt=3"))
    assert line.startswith("draw-bridge has no option targt: it has target, reveal, ")
    assert line.endswith("; did you mean target?")


@pytest.mark.parametrize("command", [["match", "a", "b"], ["demo"], ["serve", "--open"], ["ratings", "--rebuild"]])
def test_a_data_folder_has_one_arena(run: Run, complaint_of: Complaint, command: list[str]) -> None:
    """A folder that another arena holds is refused, with that arena's process; reading goes on beside it."""
    with Store.open(Path("arena-data"), hold=True):
        line = complaint_of(run(*command))
        assert line.startswith("data folder arena-data is in use by another arena (process ")
        assert run("replay", "list").stdout == "no matches\n"


@pytest.mark.parametrize(
    "command", [["match", "a", "b"], ["demo"], ["serve", "--open"], ["ratings"], ["replay", "list"]]
)
def test_a_data_folder_of_a_newer_arena_is_refused(run: Run, complaint_of: Complaint, command: list[str]) -> None:
    """Nobody touches a data folder that a later version wrote."""
    Store.open(Path("arena-data"), hold=True).close()
    with sqlite3.connect("arena-data/arena.db") as database:
        database.execute("UPDATE meta SET value = '99' WHERE name = 'version'")
    database.close()
    line = complaint_of(run(*command))
    assert re.fullmatch(
        r"data folder arena-data is of version 99, this arena knows versions up to \d+: use a newer arena", line
    )


def test_the_first_interrupt_drains_and_says_how_to_go_on(spawn: Spawn) -> None:
    """Ctrl-C in a run: running matches end, none begins, the result so far is printed, and the command to go on."""
    process = spawn("match", RANDOM, STEADY, "--matches", "60", "--concurrency", "1", *SHORT)
    _lines(process, "3 of 60 matches")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == 130
    assert "run match-1: draw-bridge" in out
    stopping, go_on = err.splitlines()
    assert stopping.startswith("arena: stopping: no match begins any more")
    due = re.fullmatch(r"arena: (\d+) matches of 60 still to play; go on with: .* match .* --run match-1", go_on)
    assert due is not None
    assert 0 < int(due[1]) <= 57


THINKER = """
import os, threading
from pathlib import Path
from arena.bot import run

def choose(decision):
    Path("thinking").touch()
    while not Path("go").exists():
        threading.Event().wait(0.02)
    return decision.legal[0]

run(choose)
"""


def test_the_second_interrupt_stops_at_once_and_the_match_goes_on_later(spawn: Spawn, tmp_path: Path) -> None:
    """Ctrl-C twice ends the run in the middle of a match; the command that it prints plays that match to its end."""
    (tmp_path / "thinker.py").write_text(THINKER)
    process = spawn("match", RANDOM, f"{shlex.quote(sys.executable)} thinker.py", *SHORT)
    assert process.stderr is not None
    while not (tmp_path / "thinking").exists():
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.05)
            raise AssertionError(process.stderr.read())
    process.send_signal(signal.SIGINT)
    assert "1 match is played out; Ctrl-C again stops at once" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    stopped = process.stderr.readline()
    _, go_on = process.communicate()
    assert process.returncode == 130
    assert stopped == "arena: stopped at once; 1 match in the middle of play can go on\n"
    assert go_on.startswith("arena: 1 match of 1 still to play; go on with: ")
    (journal,) = (tmp_path / "arena-data" / "running").glob("match-1.*.arp")
    (tmp_path / "go").touch()
    again = spawn(*shlex.split(go_on.partition(" -m arena.cli ")[2]), "--json")
    out, err = again.communicate()
    assert again.returncode == 0, err
    assert json.loads(out)["matches"] == 1
    assert not journal.exists()
    with Store.open(tmp_path / "arena-data", hold=False) as store:
        assert store.match("match-1", journal.name.split(".")[1]) is not None


# -- demo


def test_demo_shows_a_match_and_how_to_look_at_it(run: Run) -> None:
    """A line for each deal, the result, both ratings before and after, and commands that work as printed."""
    result = run("demo", "--option", "max_deals=2", "--option", "target=9999")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0].startswith("deal 0 | ")
    assert lines[1].startswith("deal 1 | ")
    assert lines[2].endswith(", at the limit of deals.")
    assert {line.split()[0]: line.split()[5] for line in lines[5:7]} == {
        "steady-1": "1500.0",
        "steady-2": "1500.0",
    }
    assert re.fullmatch(r"match demo/\w+: proved; \d things that it cannot prove", lines[-5])
    path = Path(lines[-4].removeprefix("written out to ").partition(",")[0])
    assert [json.loads(line)["type"] for line in path.read_text().splitlines()][:2] == ["match", "deal"]
    for command in lines[-2:]:
        words = shlex.split(command)
        assert "replay" in words
        assert run(*words[words.index("replay") :]).exit_code == 0
    ratings = json.loads(run("ratings", "--json").stdout)
    assert {rating["bot"]: f"{rating['live_elo']:.1f}?" for rating in ratings} == {
        line.split()[0]: line.split()[6] for line in lines[5:7]
    }


def test_the_help_page_names_the_bots_that_play(run: Run) -> None:
    """`arena demo --help` says who plays whom."""
    page = run("demo", "--help").stdout
    for name in ("draw-bridge", "smear"):
        assert all(re.search(rf"\b{bot.name}\b", page) for bot in demo_bots(find(name).sides))


def test_demos_are_one_run(run: Run) -> None:
    """The ratings of a demo go on from the demo before; as JSON a demo names its match."""
    first, second = (json.loads(run("demo", *SHORT, "--json").stdout) for _ in range(2))
    assert first["run"] == second["run"] == "demo"
    assert first["match_id"] != second["match_id"]
    assert [bot["elo_before"] for bot in second["bots"]] == [bot["elo_after"] for bot in first["bots"]]
    assert sum(bot["won"] + bot["lost"] + bot["drawn"] for bot in second["bots"]) == 2


# -- serve


def test_serve_pairs_bots_until_it_is_stopped(spawn: Spawn, process: Callable[..., object]) -> None:
    """Bots that connect by name play each other; SIGTERM lets running matches end; the port is said at the start."""
    del process
    serve = spawn("serve", "--open", "--game", "draw-bridge", "--listen", "127.0.0.1:0", *SHORT)
    greeting = _lines(serve, "listening on ")
    assert greeting[0] == "playing draw-bridge, preset match, target=9999, max_deals=1, time 60+0.5/10, run ladder"
    address = greeting[-1].removeprefix("listening on ").partition(";")[0]
    bots = [
        subprocess.Popen(
            [sys.executable, "-m", "sample_bots.python.random_bot", "--server", address, "--name", name],
            cwd=Path(__file__).parents[2],
            stderr=subprocess.DEVNULL,
        )
        for name in ("ann", "bob")
    ]
    try:
        told = _lines(serve, "ladder/")[-1]
        assert re.fullmatch(r"ladder/[0-9a-f]{16}: (ann - bob|bob - ann): .*at .*limit of deals\.", told)
        serve.send_signal(signal.SIGTERM)
        _, err = serve.communicate()
    finally:
        for bot in bots:
            bot.kill()
            bot.wait()
    assert serve.returncode == 0
    assert err.splitlines()[-1].startswith("arena: all of it is in arena-data; go on with: ")


def test_serve_refuses_a_port_that_is_taken(run: Run, complaint_of: Complaint) -> None:
    """A port in use is one line with the address."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        line = complaint_of(run("serve", "--open", "--listen", f"127.0.0.1:{port}"))
    assert line == f"cannot listen on 127.0.0.1:{port}: address already in use"


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (["--listen", "0.0.0.0:7878"], "tokens would go to 0.0.0.0:7878 in plain text: give --tls-cert and"),
        (["--listen", "arena.example:7878"], "tokens would go to arena.example:7878 in plain text: give --tls-"),
        (
            ["--open", "--listen", "0.0.0.0:7878"],
            "--open believes every name, so it wants a loopback address",
        ),
        (
            ["--open", "--listen", "[::]:7878"],
            "--open believes every name, so it wants a loopback address",
        ),
        (["--open", "--listen", "127.0.0.1:x"], "cannot listen on 127.0.0.1:x: write HOST:PORT"),
        (["--open", "--option", "colour=red"], "draw-bridge has no option colour: it has target, "),
    ],
)
def test_serve_refuses_what_would_be_unsafe_or_useless(
    run: Run, complaint_of: Complaint, args: list[str], line: str
) -> None:
    """Names are believed on loopback only, and an arena that nobody could enter is not begun."""
    assert complaint_of(run("serve", *args)).startswith(line)
