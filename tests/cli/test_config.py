"""`arena config show` and the file `arena.toml`: what is in force, where it comes from, and mistakes in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from arena.cli.configured import keys_of, limits_of
from arena.cli.serve import serve
from arena.config.settings import SETTINGS
from engine.games import registered

Run = Callable[..., Result]
Complaint = Callable[[Result], str]
GAMES = ", ".join(registered())


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str], Path]:
    """Writes a file `a.toml` beside the data folder."""

    def write(text: str) -> Path:
        path = tmp_path / "a.toml"
        path.write_text(text, "utf-8")
        return Path(path.name)

    return write


def shown(result: Result, setting: str) -> tuple[Any, str]:
    """Value and origin of a setting, from the JSON form."""
    assert result.exit_code == 0, result.output
    row = json.loads(result.stdout)[setting]
    return row["value"], row["from"]


def test_every_setting_is_shown_with_its_default(run: Run) -> None:
    """Without file, variables and options everything stands at its default, and nothing is left out."""
    document = json.loads(run("config", "show", "--json").stdout)
    assert set(document) == {*SETTINGS, *(f"serve.{key}" for key in keys_of(serve))}
    assert {row["from"] for row in document.values()} == {"default"}
    assert {path: document[path]["value"] for path in SETTINGS} == {
        path: setting.default for path, setting in SETTINGS.items()
    }


def test_the_table_has_a_line_for_each(run: Run) -> None:
    """For people it is one line a setting: value, unit, where from, and what it means."""
    head, *lines = run("config", "show", "--set", "limits.lanes=8").stdout.splitlines()
    assert head.split() == ["setting", "value", "unit", "from", "meaning"]
    assert [line.split()[0] for line in lines] == [*(f"serve.{key}" for key in keys_of(serve)), *SETTINGS]
    (lanes,) = [line for line in lines if line.startswith("limits.lanes ")]
    assert lanes.split(maxsplit=3) == ["limits.lanes", "8", "--set", "lanes of one bot"]


def test_the_later_source_goes_before_the_earlier(
    run: Run, file: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Default, file, environment, command line: each is taken over by the next, for limits and for options."""
    path = file('[serve]\nlisten = "127.0.0.1:1"\n\n[limits]\nlanes = 5\n')
    words = ["config", "show", "--json", "--config", path]
    assert shown(run(*words), "limits.lanes") == (5, "a.toml:5")
    assert shown(run(*words), "serve.listen") == ("127.0.0.1:1", "a.toml:2")
    assert shown(run(*words), "limits.streams") == (64, "default")
    monkeypatch.setenv("ARENA_LIMITS_LANES", "6")
    monkeypatch.setenv("ARENA_SERVE_LISTEN", "127.0.0.1:2")
    assert shown(run(*words), "limits.lanes") == (6, "ARENA_LIMITS_LANES")
    assert shown(run(*words), "serve.listen") == ("127.0.0.1:2", "ARENA_SERVE_LISTEN")
    words += ["--set", "limits.lanes=7", "--listen", "127.0.0.1:3"]
    assert shown(run(*words), "limits.lanes") == (7, "--set")
    assert shown(run(*words), "serve.listen") == ("127.0.0.1:3", "--listen")


def test_the_file_is_named_by_option_or_variable_or_lies_in_the_data_folder(
    run: Run, file: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`arena.toml` of the data folder is read unless another file is named."""
    (tmp_path / "arena-data").mkdir()
    (tmp_path / "arena-data" / "arena.toml").write_text("limits.lanes = 3\n")
    assert shown(run("config", "show", "--json"), "limits.lanes") == (3, "arena-data/arena.toml:1")
    assert shown(run("config", "show", "--json", "--data", "other"), "limits.lanes") == (64, "default")
    monkeypatch.setenv("ARENA_CONFIG", str(file("[limits]\nlanes = 4\n")))
    assert shown(run("config", "show", "--json"), "limits.lanes") == (4, "a.toml:2")


def test_matches_that_the_arena_starts_obey_the_same_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`arena match` and `demo` take the limits of the file in their data folder, and of the environment."""
    (tmp_path / "arena.toml").write_text('[serve]\nrun = "x"\n[time]\nmissing_seconds = 3.5\n')
    monkeypatch.setenv("ARENA_LIMITS_LANES", "2")
    limits = limits_of(tmp_path)
    assert (limits.missing_seconds, limits.lanes, limits.streams) == (3.5, 2, 64)


def test_options_of_every_kind_can_stand_in_the_file(run: Run, file: Callable[[str], Path]) -> None:
    """A text, a flag, a list, a time control."""
    path = file(
        '[serve]\nopen = true\ngame = ["german-whist"]\noption = ["target=5"]\ntime_control = "30+0/5"\nrun = "night"\n'
    )
    result = run("config", "show", "--json", "--config", path)
    found = [shown(result, f"serve.{key}")[0] for key in ("open", "game", "option", "time_control", "run")]
    assert found == [True, ["german-whist"], ["target=5"], "30+0/5", "night"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[limts]\n", "a.toml:1: there is no table [limts]; did you mean limits?"),
        ("[x]\n", "a.toml:1: there is no table [x]: there are [serve], [limits], [time], [http]"),
        ("x = 1\n", "a.toml:1: x is in no table: there are [serve], [limits], [time], [http]"),
        ("lanes = 1\n", "a.toml:1: lanes is in no table; it stands in [limits]"),
        ("limits = 1\n", "a.toml:1: limits is a table: write [limits] and its keys below"),
        ("[limits]\n\nlains = 1\n", "a.toml:3: there is no key lains in [limits]; did you mean lanes?"),
        ("[limits]\naway_seconds = 1\n", "a.toml:2: there is no key away_seconds in [limits]; it stands in [time]"),
        ("[limits]\nlanes = 'x'\n", "a.toml:2: limits.lanes is a whole number from 1 to 10000, not 'x'"),
        ("[limits]\nlanes = 0\n", "a.toml:2: limits.lanes is a whole number from 1 to 10000, not 0"),
        ("[limits]\nlanes = true\n", "a.toml:2: limits.lanes is a whole number from 1 to 10000, not True"),
        (
            "[limits]\nmessage_bytes = 1.5\n",
            "a.toml:2: limits.message_bytes is a whole number from 1024 to 16777216 (bytes), not 1.5",
        ),
        ("[time]\naway_seconds = nan\n", "a.toml:2: time.away_seconds is a number from 0.1 to 86400 (s), not nan"),
        ("[serve]\nlistn = 'x'\n", "a.toml:2: there is no key listn in [serve]; did you mean listen?"),
        ("[serve]\nlisten = true\n", "a.toml:2: serve.listen is a text, not True"),
        ("[serve]\nopen = 'yes'\n", "a.toml:2: serve.open is true or false, not 'yes'"),
        ("[serve]\ngame = 'x'\n", "a.toml:2: serve.game is a list of texts, not 'x'"),
        (
            "[serve]\ngame = ['gman-whist']\n",
            f"a.toml:2: serve.game: there is no game gman-whist: there are {GAMES}; did you mean german-whist?",
        ),
        ("[serve]\ndata = 'x'\n", "a.toml:2: there is no key data in [serve]"),
        ("[serve]\nrun = 'a.b'\n", "a.toml:2: serve.run: 'a.b' will not do: write 1 to 32 letters, digits, '_' or '-'"),
        ("[serve\n", "a.toml: is no TOML: expected ']' at the end of a table declaration (at line 1, column 7)"),
    ],
)
def test_a_mistake_in_the_file_is_one_line(
    run: Run, complaint_of: Complaint, file: Callable[[str], Path], text: str, complaint: str
) -> None:
    """It says file, line, what was wrong and what would be right; `serve` says it before it starts anything."""
    for command in (["config", "show"], ["serve"]):
        assert complaint_of(run(*command, "--config", file(text))) == complaint


@pytest.mark.parametrize(
    ("words", "variable", "said"),
    [
        (["--set", "lanes"], None, "--set: 'lanes' will not do: write TABLE.KEY=VALUE, such as limits.lanes=8"),
        (["--set", "limits.lans=1"], None, "--set: there is no setting limits.lans; did you mean limits.lanes?"),
        (["--set", "lanes=1"], None, "--set: there is no setting lanes; did you mean limits.lanes?"),
        (["--set", "limits.lanes=x"], None, "--set: limits.lanes is a whole number from 1 to 10000, not 'x'"),
        ([], "ARENA_LIMITS_LANS", "ARENA_LIMITS_LANS: there is no such setting; did you mean ARENA_LIMITS_LANES?"),
        ([], "ARENA_TIME_AWAY_SECONDS", "time.away_seconds is a number from 0.1 to 86400 (s), not 'x'"),
        ([], "ARENA_SERVE_TIME_CONTROL", "ARENA_SERVE_TIME_CONTROL: serve.time_control: 'x' is no time control"),
        (["--config", "none.toml"], None, "none.toml: cannot be read: no such file or directory"),
    ],
)
def test_a_mistake_elsewhere_names_variable_or_option(
    request: pytest.FixtureRequest, complaint_of: Complaint, words: list[str], variable: str | None, said: str
) -> None:
    """What is wrong in the environment or on the command line is said as plainly."""
    run: Run = request.getfixturevalue("run")
    if variable is not None:
        request.getfixturevalue("monkeypatch").setenv(variable, "x")
    assert said in complaint_of(run("config", "show", *words))


def test_the_example_in_the_readme_is_taken(run: Run, file: Callable[[str], Path]) -> None:
    """What people copy works, and says what it sets."""
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    example = readme.split("```toml\n")[1].split("```")[0]
    result = run("config", "show", "--json", "--config", file(example))
    assert shown(result, "limits.lanes") == (16, "a.toml:7")
    assert shown(result, "time.away_seconds")[0] == 120
    assert shown(result, "serve.log_format")[0] == "json"


def test_a_file_that_is_no_text_is_refused(run: Run, complaint_of: Complaint, tmp_path: Path) -> None:
    """Bytes that are no UTF-8 get their line too."""
    (tmp_path / "a.toml").write_bytes(b"\xff\xfe")
    assert complaint_of(run("config", "show", "--config", "a.toml")) == "a.toml: is no text in UTF-8"
