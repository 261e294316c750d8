"""`arena ratings` and `arena games`, and how tables, JSON and rules are printed."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from click.testing import Result

from arena.cli.games import rules_in_words
from arena.cli.printing import Column, clean, print_table
from arena.store import Store
from engine.games import registered

Run = Callable[..., Result]
Complaint = Callable[[Result], str]
Golden = Callable[[str, Iterable[str]], None]


def test_ratings_show_the_newest_run(run: Run, recorded: Path, golden: Golden) -> None:
    """A person sees one ladder, best first, provisional ratings marked; --all shows every run."""
    newest = run("ratings", "--data", recorded).stdout
    assert newest.startswith("run night: ")
    every = run("ratings", "--data", recorded, "--all").stdout
    assert newest.splitlines()[0] in every
    golden("cli-ratings.txt", every.splitlines())


def test_ratings_as_json_name_run_and_bot(run: Run, recorded: Path) -> None:
    """`--json` prints one array of objects, best first in each ladder."""
    ratings = json.loads(run("ratings", "--data", recorded, "--run", "demo", "--json").stdout)
    assert [(rating["run"], rating["bot"], rating["rank"]) for rating in ratings] == [
        ("demo", "steady", 1),
        ("demo", "random", 2),
    ]
    assert sum(rating["live_elo"] for rating in ratings) == 3000
    assert sum(rating["elo"] for rating in ratings) == pytest.approx(3000)
    assert all(rating["elo_low"] < rating["elo"] < rating["elo_high"] for rating in ratings)
    assert all(1 <= rating["best_rank"] <= rating["rank"] <= rating["worst_rank"] <= 2 for rating in ratings)
    assert ratings[0]["superiority"]["random"] + ratings[1]["superiority"]["steady"] == pytest.approx(1)
    assert {rating["matches"] for rating in ratings} == {3}
    assert ratings[0]["provisional"] is True
    assert ratings[0]["rules"]["max_deals"] == "2"


def test_ratings_can_be_computed_again(run: Run, recorded: Path, tmp_path: Path) -> None:
    """--rebuild gives byte-identical ratings, and says if somebody had changed them."""
    data = tmp_path / "copy"
    shutil.copytree(recorded, data)
    before = run("ratings", "--data", data, "--all", "--json").stdout
    rebuilt = run("ratings", "--data", data, "--all", "--json", "--rebuild")
    assert rebuilt.stdout == before
    assert rebuilt.stderr == "arena: ratings computed again from 4 rated sets: unchanged\n"
    with sqlite3.connect(data / "arena.db") as database:
        database.execute("UPDATE ratings SET milli = milli + 1 WHERE bot = 'random'")
    database.close()
    assert run("ratings", "--data", data, "--all", "--json").stdout != before
    rebuilt = run("ratings", "--data", data, "--all", "--json", "--rebuild")
    assert rebuilt.stdout == before
    assert rebuilt.stderr == "arena: ratings computed again from 4 rated sets: they were different before\n"


def test_an_anchor_stands_at_1500(run: Run, recorded: Path, complaint_of: Complaint) -> None:
    """With an anchor the others are placed around it; one that is not there is named, with the most similar."""
    ratings = json.loads(run("ratings", "--data", recorded, "--anchor", "steady", "--json").stdout)
    assert {rating["elo"] for rating in ratings if rating["bot"] == "steady"} == {1500}
    line = complaint_of(run("ratings", "--data", recorded, "--anchor", "stedy"))
    assert line == "no bot stedy has ratings here; did you mean steady?"
    shown = run("ratings", "--data", recorded, "--superiority").stdout
    assert shown.splitlines()[4].startswith("stronger than")


def test_a_run_without_ratings_is_empty_not_wrong(run: Run) -> None:
    """A data folder in which nothing has been rated has an empty table."""
    Store.open(Path("arena-data"), hold=True).close()
    assert run("ratings").stdout == "no rated matches yet\n"
    assert json.loads(run("ratings", "--json").stdout) == []


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (["ratings", "--run", "nigth"], "no run nigth in {data}; did you mean night?"),
        (["ratings", "--game", "whist"], "--game: there is no game whist: there are "),
        (["ratings", "--data", "nowhere"], "no arena has played in nowhere: give the folder of one with --data"),
        (["ratings", "--data", "nowhere", "--rebuild"], "no arena has played in nowhere: give the folder"),
        (["games", "whist"], "GAME: there is no game whist: there are draw-bridge"),
    ],
)
def test_a_wrong_name_gets_one_line(
    run: Run, complaint_of: Complaint, recorded: Path, args: list[str], line: str
) -> None:
    """A run, a game or a folder that is not there is named with those that are, and none is made."""
    if args[0] == "ratings" and "--data" not in args:
        args = [*args, "--data", str(recorded)]
    assert complaint_of(run(*args)).startswith(line.format(data=recorded))
    assert not Path("nowhere").exists()


def test_games_list_every_option(run: Run) -> None:
    """Every option of every game is there, with its values, what presets set, its clause and its meaning."""
    page = run("games").stdout
    for game in registered().values():
        assert f"{game.title} ({game.name}): {len(game.sides)} seats, rules version {game.rules_version}" in page
        for option in game.options:
            (line,) = (each for each in run("games", game.name).stdout.splitlines() if each.startswith(option.name))
            for text in (option.allowed, str(game.presets["match"][option.name]), option.clause, option.help):
                assert text in line


def test_games_stand_by_their_ranks(run: Run) -> None:
    """Which game is the first, and so the one that is played when nobody says which, is settled and no accident."""
    assert list(registered()) == ["draw-bridge", "smear", "german-whist"]
    assert "[default: draw-bridge]" in run("match", "--help").stdout


def test_partners_are_said(run: Run) -> None:
    """Where a side has several seats the list of games says who plays with whom."""
    assert run("games", "smear").stdout.splitlines()[0].endswith("4 seats, rules version 1, 0 and 2 against 1 and 3")
    assert "against" not in run("games", "draw-bridge").stdout.splitlines()[0]


def test_games_as_json_are_complete(run: Run) -> None:
    """`--json` has every game with its presets in full."""
    games = {game["game"]: game for game in json.loads(run("games", "--json").stdout)}
    assert list(games) == list(registered())
    for name, game in registered().items():
        assert games[name]["presets"] == {preset: dict(rules) for preset, rules in game.presets.items()}
        assert [option["name"] for option in games[name]["options"]] == [option.name for option in game.options]


def test_rules_are_said_in_the_fewest_words() -> None:
    """The nearest preset and what differs from it; all options when the game is not installed."""
    name, game = next(iter(registered().items()))
    rules = {option: str(value) for option, value in game.presets["match"].items()}
    version = game.rules_version
    assert rules_in_words(name, version, rules) == "preset match"
    assert rules_in_words(name, version, {**rules, "target": "77"}) == "preset match, target=77"
    seed = {option: str(value) for option, value in game.presets["seed"].items()}
    assert rules_in_words(name, version, seed) == "preset seed"
    assert rules_in_words(name, version + 1, {"target": "5"}) == f"rules version {version + 1} target=5"
    assert rules_in_words("chess", 1, {"target": "5"}) == "rules version 1 target=5"


def test_a_table_is_aligned_and_clean(capsys: pytest.CaptureFixture[str]) -> None:
    """Columns stand under their heads, numbers to the right, and no cell can steer the terminal."""
    print_table([Column("bot"), Column("won", right=True)], [["a\x1b[2J", "5"], ["long-name", "10"]], "a title")
    assert capsys.readouterr().out == "a title\nbot        won\na\\x1b[2J     5\nlong-name   10\n"


@pytest.mark.parametrize(
    ("text", "shown"), [("plain é 漢", "plain é 漢"), ("a\nb", "a\\nb"), ("\x07", "\\x07"), ("\u202ex", "\\u202ex")]
)
def test_what_is_not_printable_is_written_out(text: str, shown: str) -> None:
    """Control characters, and those that turn writing around, are shown as escapes."""
    assert clean(text) == shown
