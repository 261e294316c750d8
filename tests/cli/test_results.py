"""`arena results` and `arena swings`: what came of a run, for people and for strangers who compute it again."""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import trio
import trio.testing
from click.testing import Result

from arena.ratings import Leg
from arena.stats import Played, rate, sets_of
from arena.store import Store
from engine.states import Termination
from memory_arena import MemoryBot, memory_arena, random_choice, same_choice

Run = Callable[..., Result]
Complaint = Callable[[Result], str]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder in which two bots have played six sets, as the run match-1."""
    folder = tmp_path_factory.mktemp("played")

    async def play() -> None:
        async with memory_arena(folder, ("ann", "bob"), matches=12, legs=2, max_deals=2, target=9999) as arena:
            await arena.play(MemoryBot("ann", same_choice("a")), MemoryBot("bob", random_choice("b")))

    trio.run(play, clock=trio.testing.MockClock(autojump_threshold=0))
    return folder


def test_a_stranger_computes_the_ratings_again(run: Run, played: Path) -> None:
    """From the exported CSV alone follow the ratings that the arena shows, to the last bit."""
    rows = list(csv.DictReader(io.StringIO(run("results", "export", "match-1", "--data", played).stdout)))
    assert [int(row["number"]) for row in rows] == list(range(1, 13))
    log = [
        Played(
            row["set_id"],
            Leg(
                tuple(row["bots"].split()),
                tuple(map(int, row["sides"].split())),
                int(row["winner"]) if row["winner"] else None,
                row["termination"].startswith("void"),
            ),
            legs=int(row["legs"]),
        )
        for row in rows
    ]
    ladder = rate(sets_of(log))
    told = json.loads(run("ratings", "--data", played, "--json").stdout)
    assert [(each["bot"], each["elo"], each["elo_low"]) for each in told] == [
        (standing.bot, standing.elo, standing.low) for standing in ladder.standings
    ]


def test_both_forms_of_an_export_say_the_same(run: Run, played: Path) -> None:
    """A JSON object a match, with the fields of the CSV; log hashes are those of the record."""
    lines = run("results", "export", "match-1", "--data", played, "--format", "jsonl").stdout.splitlines()
    rows = list(csv.DictReader(io.StringIO(run("results", "export", "match-1", "--data", played).stdout)))
    assert [list(json.loads(line)) for line in lines] == [list(row) for row in rows]
    assert [json.loads(line)["log_hash"] for line in lines] == [row["log_hash"] for row in rows]
    with Store.open(played, hold=False) as store:
        assert {row["log_hash"] for row in rows} == {result.log_hash.hex() for result in store.results("match-1")}


def test_counts_of_the_standings_add_up(run: Run, played: Path) -> None:
    """P59: won, drawn, lost and void are all matches of each bot, and terminations are all matches."""
    told = json.loads(run("results", "show", "match-1", "--data", played, "--json").stdout)
    assert sum(told["terminations"].values()) == told["matches"] == 12
    for each in told["standings"]:
        assert each["won"] + each["drawn"] + each["lost"] + each["void"] == 12
        assert sum(each["endings"].values()) == 12
    assert sum(each["score"] for each in told["standings"]) == 6
    assert Counter(each["sets"] for each in told["standings"]) == {6: 2}


def test_swings_are_where_the_legs_part(run: Run, played: Path) -> None:
    """Each swing is one decision of the same seat in both legs, the same until then, the worst first."""
    found = json.loads(run("swings", "match-1", "--data", played, "--json").stdout)
    assert found
    sizes = [abs(each["points"]) for each in found]
    assert sizes == sorted(sizes, reverse=True)
    for each in found:
        moves = [_moves(run, played, choice["match_id"]) for choice in each["choices"]]
        decision = each["decision"]
        assert moves[0][:decision] == moves[1][:decision]
        assert moves[0][decision] != moves[1][decision]
        assert {choice["bot"] for choice in each["choices"]} == {"ann", "bob"}
        for choice, made in zip(each["choices"], moves, strict=True):
            assert choice["action"].split()[-1] in made[decision]
            assert f'"seat":{each["seat"]}' in made[decision]


def test_swings_as_a_table(run: Run, played: Path) -> None:
    """For people: the run, how many sets part, and a line for each with both replays."""
    lines = run("swings", "match-1", "--data", played, "--limit", "2").stdout.splitlines()
    assert lines[0].startswith("run match-1: ")
    assert len(lines) == 4
    assert lines[2].split()[-1] in {result.match_id for result in _results(played)}


@pytest.mark.parametrize("ending", [ending for ending in Termination if ending.void])
def test_a_bot_with_void_matches_alone(run: Run, played: Path, tmp_path: Path, ending: Termination) -> None:
    """Who has played nothing that counts stands with those who have: no set, no match, the rating of a beginner."""
    data = tmp_path / "data"
    shutil.copytree(played, data)
    with Store.open(data, hold=True) as store:
        first = store.matches()[-1]
        players = (first.players[0], first.players[1]._replace(bot="cyd"))
        store.close_match(
            replace(first, match_id="void", set_id="void", number=13, players=players, termination=ending, winner=None),
            store.replay(first),
        )
    told = {each["bot"]: each for each in json.loads(run("ratings", "--data", data, "--json").stdout)}
    assert [told["cyd"][name] for name in ("sets", "matches", "live_elo")] == [0, 0, 1500]
    for words in ("ratings --superiority", "ratings --anchor ann", "results show", "swings", "replay list"):
        assert run(*words.split(), "--data", data).exit_code == 0, words


def test_the_newest_run_is_meant_when_none_is_named(
    run: Run, played: Path, tmp_path: Path, complaint_of: Complaint
) -> None:
    """Without a run it is the one that was played last; where nothing was played, a line says so."""
    assert json.loads(run("results", "show", "--data", played, "--json").stdout)["run"] == "match-1"
    assert run("swings", "--data", played).stdout == run("swings", "match-1", "--data", played).stdout
    assert run("results", "export", "--data", played).stdout.startswith("number,attempt,")
    Store.open(tmp_path / "empty", hold=True).close()
    line = complaint_of(run("results", "show", "--data", tmp_path / "empty"))
    assert line == f"nothing has been played in {tmp_path / 'empty'} yet"


def test_mistakes(run: Run, played: Path, complaint_of: Complaint) -> None:
    """A run that is not there is named, with the most similar, or with those that there are."""
    for command in (["swings"], ["results", "show"], ["results", "export"]):
        line = complaint_of(run(*command, "match-2", "--data", played))
        assert line == f"no run match-2 in {played}; did you mean match-1?"
        line = complaint_of(run(*command, "zzz", "--data", played))
        assert line == f"no run zzz in {played}: there are match-1"


def _moves(run: Run, data: Path, match_id: str) -> list[str]:
    lines = run("replay", "export", match_id, "--data", data).stdout.splitlines()
    kinds = ("draw", "call", "discard", "play")
    moves = [line for line in lines if json.loads(line)["type"] in kinds]
    return [json.dumps({**json.loads(line), "ms": 0}, separators=(",", ":")) for line in moves]


def _results(data: Path) -> list[object]:
    with Store.open(data, hold=False) as store:
        return list(store.results("match-1"))
