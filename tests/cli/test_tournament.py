"""`arena tournament` and `arena resume`: many bots, their standings, going on from the data folder alone."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from arena.cli.tournament_file import from_file
from arena.errors import ArenaError
from arena.replay import read_replay
from arena.standings import Standings
from arena.store import Store

Run = Callable[..., Result]
Complaint = Callable[[Result], str]
Spawn = Callable[..., "subprocess.Popen[str]"]

RANDOM = f"{shlex.quote(sys.executable)} -m sample_bots.python.random_bot"
SHORT = ("--option", "max_deals=1", "--option", "target=9999")
FILE = """
form = "round-robin"
sets = 2
seed = 1
concurrency = 2
[options]
max_deals = 1
target = 9999
[[bot]]
name = "ann"
command = "{0}"
[[bot]]
name = "bob"
command = "{0}"
environment = {{ DEPTH = "3" }}
"""


def written(folder: Path, text: str = FILE) -> str:
    """A tournament file."""
    (folder / "league.toml").write_text(text.format(RANDOM.replace("'", '"')))
    return "league.toml"


def test_everybody_meets_everybody_in_sets(run: Run, tmp_path: Path) -> None:
    """The standings name every bot once, sets and matches add up, and each deck was played from both sides."""
    told = json.loads(run("tournament", RANDOM, RANDOM, RANDOM, "--sets", "1", "--seed", "3", *SHORT, "--json").stdout)
    assert (told["run"], told["planned"], told["due"], told["matches"]) == ("tournament-1", 6, 0, 6)
    assert [each["bot"] for each in told["standings"]] == sorted(
        (each["bot"] for each in told["standings"]),
        key=lambda bot: next(-each["elo"] for each in told["standings"] if each["bot"] == bot),
    )
    assert sum(each["score"] for each in told["standings"]) == 3
    assert [each["sets"] for each in told["standings"]] == [2, 2, 2]
    assert all(each["actions"] > 0 == each["rejected"] for each in told["standings"])
    with Store.open(tmp_path / "arena-data", hold=False) as store:
        legs: dict[str, list[bytes]] = {}
        for result in store.results("tournament-1"):
            legs.setdefault(result.set_id, []).append(read_replay(store.replay(result)).header.server_seed)
    assert [len(set(seeds)) for seeds in legs.values()] == [1, 1, 1]


def test_a_bot_that_does_not_start_is_named_and_the_rest_plays(run: Run, tmp_path: Path) -> None:
    """Its matches stay due; once it is there `arena resume` plays them and nothing else."""
    command = ["tournament", RANDOM, RANDOM, "./late.sh", "--sets", "1", "--seed", "3", *SHORT]
    first = run(*command)
    assert first.exit_code == 2
    due, named = first.stderr.splitlines()
    assert due.startswith("arena: 4 matches of 6 still to play; go on with: ")
    assert due.endswith(" resume tournament-1")
    assert named == "arena: bot late does not start: there is no program './late.sh'"
    (tmp_path / "late.sh").write_text(f"#!/bin/sh\nexec {RANDOM}\n")
    (tmp_path / "late.sh").chmod(0o755)
    again = json.loads(run("resume", "--json").stdout)
    assert (again["run"], again["due"], again["matches"]) == ("tournament-1", 0, 6)


def test_a_tournament_in_a_file(run: Run, tmp_path: Path) -> None:
    """A file says all that options can, and the environment of a bot; the tables say who won against whom."""
    result = run("tournament", written(tmp_path))
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    head = lines.index("run tournament-1: draw-bridge, round-robin")
    assert lines[head + 1].split() == ["rank", "bot", "elo", "95", "%", "sets", "score", "won", "drawn", "lost", "void"]
    assert {line.split()[1] for line in lines[head + 2 : head + 4]} == {"ann", "bob"}
    assert lines[-2].split() == ["all", "4"]
    assert (
        "started by" in run("tournament", written(tmp_path, FILE.replace('"3"', '"4"')), "--run", "tournament-1").output
    )


def test_a_knockout_ends_with_its_winner(run: Run, complaint_of: Complaint) -> None:
    """Three bots play two tables, one after the other; the winner is said, and nothing is left to go on with."""
    result = run("tournament", RANDOM, RANDOM, RANDOM, "--form", "knockout", "--seed", "3", *SHORT)
    assert result.exit_code == 0, result.output
    (said,) = [line for line in result.stdout.splitlines() if line.endswith(" has won")]
    told = json.loads(
        run(
            "tournament",
            RANDOM,
            RANDOM,
            RANDOM,
            "--form",
            "knockout",
            "--seed",
            "3",
            *SHORT,
            "--run",
            "tournament-1",
            "--json",
        ).stdout
    )
    assert (told["due"], told["matches"], told["winner"]) == (0, told["planned"], said.removesuffix(" has won"))
    assert told["planned"] >= 4
    assert "is played to its end" in complaint_of(run("resume"))


def test_limits_of_bots_in_a_file(tmp_path: Path) -> None:
    """A limit before the first bot is for all that have none of their own."""
    own = FILE.replace("seed = 1", "seed = 1\nmemory_mib = 300\nstart_seconds = 9")
    written(tmp_path, own.replace('name = "bob"', 'name = "bob"\nmemory_mib = 200'))
    ann, bob = from_file(tmp_path / "league.toml").bots
    assert (ann.memory_mib, ann.start_seconds, bob.memory_mib, bob.start_seconds) == (300, 9, 200, 9)


@pytest.mark.parametrize("command", ["match", "tournament", "gate"])
def test_limits_of_bots_on_the_command_line(run: Run, complaint_of: Complaint, command: str) -> None:
    """They are for every bot of the run, kept with it, and who breaks one is named."""
    slow = f"{shlex.quote(sys.executable)} -c 'import time; time.sleep(60)' slow"
    done = run(command, slow, RANDOM, "--start-seconds", "1", "--memory", "3000")
    assert done.exit_code == 2
    assert " has not connected within 1 s of its start" in done.stderr
    with Store.open(Path("arena-data"), hold=False) as store:
        kept = json.loads(store.run(f"{command}-1").settings)["bots"]
    assert [(bot["memory_mib"], bot["start_seconds"]) for bot in kept] == [(3000, 1)] * 2
    assert "whole number, 1 or more" in complaint_of(run(command, slow, RANDOM, "--memory", "0"))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("sets = 2", "sest = 2"), "league.toml: there is no setting sest; did you mean sets?"),
        (("sets = 2", 'sets = "2"'), "league.toml: sets is a whole number, not '2'"),
        (("sets = 2", "sets = 0"), "league.toml: sets is 1 or more, not 0"),
        (("sets = 2", "legs = 3"), "league.toml: legs is 1 or 2, not 3"),
        (("sets = 2", "sets = = 2"), "league.toml is no TOML: "),
        (("max_deals = 1", "max_deal = 1"), "league.toml: draw-bridge has no option max_deal: it has "),
        (("round-robin", "ladder"), "league.toml: form is one of series, round-robin, gauntlet, swiss, knockout"),
        (('name = "bob"', 'name = "ann"'), "league.toml: two bots are called ann: give each a name of its own"),
        (('name = "bob"', 'name = "b b"'), "league.toml: bot 2: 'b b' is no bot name: it has "),
        (('name = "bob"\n', ""), "league.toml: bot 2: it has no name"),
        (('name = "bob"', 'name = "bob"\ncolour = "red"'), "league.toml: bot 2: there is no setting colour"),
        (("seed = 1", 'seed = 1\nrestart = "often"'), "league.toml: restart is one of never, match, leg"),
        (("seed = 1", "seed = 1\nmemory_mib = 0"), "league.toml: memory_mib is 1 or more, not 0"),
        (('name = "bob"', 'name = "bob"\nstart_seconds = 0'), "league.toml: bot 2: start_seconds is 1 or more, not 0"),
        (("seed = 1", 'seed = 1\ntime_control = "fast"'), "league.toml: 'fast' is no time control: "),
    ],
)
def test_a_mistake_in_a_file_is_one_line(
    run: Run, complaint_of: Complaint, tmp_path: Path, change: tuple[str, str], complaint: str
) -> None:
    """The file, the key, what is wrong, and what would be right."""
    assert complaint_of(run("tournament", written(tmp_path, FILE.replace(*change)))).startswith(complaint)


def test_mistakes_on_the_command_line(run: Run, complaint_of: Complaint, tmp_path: Path) -> None:
    """Too few bots, a file beside options, a file that is not there, nothing to go on with: a line each."""
    assert complaint_of(run("tournament", RANDOM)) == "a round-robin like this has 2 bots or more, not 1"
    assert complaint_of(run("tournament", RANDOM, RANDOM, "--form", "gauntlet", "--challengers", "2")) == (
        "a gauntlet like this has 3 bots or more, not 2"
    )
    written(tmp_path)
    for option in ("--sets", "--memory", "--start-seconds"):
        said = complaint_of(run("tournament", "league.toml", option, "3"))
        assert f"{option} and a file: say it in league.toml" in said
    assert complaint_of(run("tournament", "no.toml")) == "cannot read no.toml: no such file or directory"
    assert "no data folder" in complaint_of(run("resume")) or "arena-data" in complaint_of(run("resume"))


def schedule_of(data: Path) -> list[object]:
    """All that counts of a run, in the order of its schedule: decks, actions, scores, endings, ratings."""
    with Store.open(data, hold=False) as store:
        results = sorted(store.results("tournament-1"), key=lambda result: (result.number, result.attempt))
        standings = Standings()
        standings.take_all(results)
        played: list[object] = [standings.ladder().standings]
        for result in results:
            replay = read_replay(store.replay(result))
            actions = [frame.action for frame in replay.frames if frame.HasField("action")]
            done = [(action.seat, action.action.SerializeToString()) for action in actions]
            played += [result.number, result.attempt, result.bots, replay.header.server_seed, result.set_id, done]
            played += [result.totals, result.winner, result.termination]
    return played


def test_an_interrupted_tournament_is_the_same_tournament(spawn: Spawn, tmp_path: Path, *, soak: bool) -> None:
    """P54, P55: stopped by Ctrl-C and by SIGKILL at any moment and resumed, all results are those of one run."""
    bots, sets, stops = (6, "20", 10) if soak else (3, "3", 2)
    command = ["tournament", *[RANDOM] * bots, "--sets", sets, "--seed", "1", "--concurrency", "2", "--json"]
    whole = spawn(*command, "--data", "whole")
    out, err = whole.communicate()
    assert whole.returncode == 0, err
    planned = json.loads(out)["planned"]
    cut = tmp_path / "cut"
    for number in range(stops + 1):
        process = spawn(*(command if number == 0 else ["resume", "--json"]), "--data", "cut")
        if number == stops:
            break
        wanted = planned * (number + 1) // (stops + 2)
        while process.poll() is None and ended(cut) < wanted:
            _wait(process, 0.05)
        process.send_signal(signal.SIGKILL if number % 2 else signal.SIGINT)
        process.communicate()
    out, err = process.communicate()
    assert process.returncode == 0, err
    assert json.loads(out)["due"] == 0
    assert schedule_of(cut) == schedule_of(tmp_path / "whole")


def ended(data: Path) -> int:
    """How many matches a data folder has."""
    try:
        with Store.open(data, hold=False) as store:
            return store.terminations().total()
    except ArenaError:  # it is just being made
        return 0


def _wait(process: subprocess.Popen[str], seconds: float) -> None:
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return
