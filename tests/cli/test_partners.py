"""Four seats on the command line: pairs and single bots, started, watched, listed, told and rated."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import Final

import pytest
from click.testing import Result

from arena.replay import pack
from arena.store import Result as MatchResult
from arena.store import Store
from recording import Tape

Run = Callable[..., Result]
Complaint = Callable[[Result], str]
Golden = Callable[[str, Iterable[str]], None]

RANDOM: Final = f"{shlex.quote(sys.executable)} -m sample_bots.python.random_bot"
STEADY: Final = f"{shlex.quote(sys.executable)} -m sample_bots.python.steady_bot"
SHORT: Final = ("--game", "smear", "--option", "max_hands=2", "--option", "target=99")


@pytest.fixture(scope="module")
def partners(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with matches of pairs, of single bots, and of a pair against single bots; read it only."""
    folder = tmp_path_factory.mktemp("partners")
    tables = ("abab", "abcd", "cbad", "xaxb", "baba")
    with Store.open(folder / "data", hold=True) as store:
        store.open_run("ladder", "ladder", seeded=False, created_ms=1)
        for number, names in enumerate(tables, 1):
            tape = Tape(
                folder,
                game_name="smear",
                match_id=f"{number}f00",
                rules={"max_hands": 2, "target": 99},
                header={"run": "ladder", "number": number},
                names=tuple({"a": "ann", "b": "bob", "c": "cid", "d": "dot", "x": "xen"}[name] for name in names),
            )
            replay = tape.ready().play(Random(number)).replay()
            assert replay.ended is not None
            result = MatchResult.from_log(
                replay.header,
                replay.ended,
                sides=tape.game.sides,
                ended_ms=1_790_000_000_000 + 60_000 * number,
                log_hash=replay.head,
            )
            store.close_match(result, pack(tape.data()))
    return folder / "data"


def test_lists_name_partners_together(run: Run, partners: Path, golden: Golden) -> None:
    """`arena replay list` joins partners, a pair stands for itself, and the winner is a team."""
    golden("cli-partners-list.txt", run("replay", "list", "--data", partners).stdout.splitlines())
    listed = json.loads(run("replay", "list", "--data", partners, "--json").stdout)
    assert [match["bots"] for match in listed][1] == ["xen", "ann", "xen", "bob"]
    assert {tuple(match["sides"]) for match in listed} == {(0, 1, 0, 1)}


def test_ratings_of_pairs_and_of_single_bots_stand_apart(run: Run, partners: Path, golden: Golden) -> None:
    """Two tables for a person, two kinds in JSON, each with its own ranks; a mixed table counts in neither."""
    shown = run("ratings", "--data", partners).stdout
    golden("cli-partners-ratings.txt", shown.splitlines())
    rated = json.loads(run("ratings", "--data", partners, "--json").stdout)
    assert sorted((one["kind"], one["bot"], one["matches"]) for one in rated) == [
        *(("individual", name, 2) for name in ("ann", "bob", "cid", "dot")),
        *(("pair", name, 2) for name in ("ann", "bob")),
    ]
    assert sorted((one["kind"], one["rank"]) for one in rated) == [
        *(("individual", rank) for rank in (1, 1, 3, 3)),  # partners of the same matches have the same evidence
        *(("pair", rank) for rank in (1, 1)),  # both were drawn
    ]
    again = run("ratings", "--data", partners, "--rebuild")
    assert again.stderr == "arena: ratings computed again from 4 rated sets: unchanged\n"
    assert again.stdout == shown


def test_a_match_of_partners_is_exported_and_proved(run: Run, partners: Path) -> None:
    """The export has four seats and nonces, bids by number, discards, and points, totals and winner by side."""
    lines = [json.loads(line) for line in run("replay", "export", "2f00", "--data", partners).stdout.splitlines()]
    head, end = lines[0], lines[-1]
    assert (head["seats"], len(head["nonces"])) == (["ann", "bob", "cid", "dot"], 4)
    calls = {line["call"] for line in lines if line["type"] == "call"}
    assert calls <= {"P", "2", "3", "4"}
    assert calls & {"2", "3", "4"}
    discards = [line for line in lines if line["type"] == "discard"]
    assert discards
    assert {len(line["cards"]) for line in discards} == {3}
    deals = [line for line in lines if line["type"] == "deal_end"]
    assert {len(line[key]) for line in deals for key in ("points", "totals")} == {2}
    assert all(0 <= points <= 4 for line in deals for points in line["points"])
    assert end["winner"] in (0, 1, None)
    assert end["totals"] == deals[-1]["totals"]
    assert run("replay", "verify", "--run", "ladder", "--data", partners).stdout == (
        "run ladder: 5 matches, 5 proved, 0 failed\n"
    )


def test_two_bots_play_as_pairs(run: Run, complaint_of: Complaint) -> None:
    """Each is one program with a lane for each of its seats; sides change from match to match; the run goes on only
    with the same teams.
    """
    pairs = ("match", RANDOM, RANDOM, *SHORT, "--run", "night", "--concurrency", "2")
    done = run(*pairs, "--matches", "2", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["terminations"] == {"deal_limit": 2}
    listed = json.loads(run("replay", "list", "--json").stdout)
    assert {tuple(match["bots"]) for match in listed} == {
        ("random_bot", "random_bot-2") * 2,
        ("random_bot-2", "random_bot") * 2,
    }
    assert {rating["kind"] for rating in json.loads(run("ratings", "--json").stdout)} == {"pair"}
    assert complaint_of(run("match", *[RANDOM] * 4, *SHORT, "--run", "night")) == (
        "run night cannot go on so: its bots are random_bot, random_bot-2, "
        "not random_bot, random_bot-2, random_bot-3, random_bot-4; give the same, or another --run"
    )


def test_four_bots_play_two_against_two(run: Run) -> None:
    """They sit as given, partners across; the progress is the teams', the table has every bot."""
    done = run("match", STEADY, RANDOM, STEADY, RANDOM, *SHORT, "--matches", "2", "--seed", "1")
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    team = r"steady_bot \+ steady_bot-2 \d, random_bot \+ random_bot-2 \d(, drawn \d)?"
    assert re.fullmatch(rf"1 of 2 matches: {team}", lines[0])
    assert [line.split()[0] for line in lines[4:8]] == ["steady_bot", "random_bot", "steady_bot-2", "random_bot-2"]
    seated = {match["number"]: match["bots"] for match in json.loads(run("replay", "list", "--json").stdout)}
    assert seated == {
        1: ["steady_bot", "random_bot", "steady_bot-2", "random_bot-2"],
        2: ["random_bot", "steady_bot", "random_bot-2", "steady_bot-2"],
    }
    assert {rating["kind"] for rating in json.loads(run("ratings", "--json").stdout)} == {"individual"}


def test_the_demo_of_partners(run: Run) -> None:
    """Four programs play a match, live, two sensible against two that play anything; it is proved, and written out."""
    done = run("demo", *SHORT)
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert [line.startswith(f"deal {number} | ") for number, line in enumerate(lines[:2])] == [True, True]
    assert lines[1].split(" | ")[-1].startswith("totals steady-1 + steady-2 ")
    bots = {line.split()[0] for line in lines if line.startswith(("steady-", "random-")) and "win" not in line}
    assert bots == {"steady-1", "steady-2", "random-1", "random-2"}
    assert re.fullmatch(r"match demo-smear/\w+: proved; \d things that it cannot prove", lines[-5])
    for command in lines[-2:]:
        words = shlex.split(command)
        assert run(*words[words.index("replay") :]).exit_code == 0


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (["a", "b", "c", "--game", "smear"], "smear is played by 2 or 4 bots, not 3: a command each, quoted if it"),
        (["a", "--game", "smear"], "smear is played by 2 or 4 bots, not 1: a command each"),
        (
            ["a", "b", "c", "d"],
            "draw-bridge is played by 2 bots, not 4: a command each, quoted if it has several words; 4 can play with -",
        ),
        (
            ["a", "b", "--game", "smear", "--concurrency", "33"],
            "--concurrency 33 is too much: bots have lanes for 32 matches of smear",
        ),
    ],
)
def test_a_wrong_number_of_bots_gets_one_line(run: Run, complaint_of: Complaint, args: list[str], line: str) -> None:
    """How many bots a game is played by is said, and which game would do; nothing is begun."""
    assert complaint_of(run("match", *args)).startswith(line)
    assert not Path("arena-data").exists()
