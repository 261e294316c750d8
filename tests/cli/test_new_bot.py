"""`arena new-bot`: the folder that it writes stands by itself, is built and plays, and nothing is written over."""

from __future__ import annotations

import json
import os
import posixpath
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from click.testing import Result

import other_languages
from arena.cli.fitting import fitted
from arena.cli.languages import LANGUAGES, Language
from arena.cli.new_bot_run import sources_of
from arena.errors import ArenaError
from real_arena import run_arena

Run = Callable[..., Result]
Complaint = Callable[[Result], str]

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "sample_bots"
TOOLS = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
every_language = pytest.mark.parametrize("code", LANGUAGES)


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """`arena` and `python` are on the path, as after `source .venv/bin/activate`."""
    monkeypatch.setenv("PATH", TOOLS)
    monkeypatch.setattr(sys, "argv", ["arena"])


def files_of(code: str, name: str = "heron") -> dict[str, str]:
    """What is written, without writing it."""
    return fitted(LANGUAGES[code], name, *sources_of(LANGUAGES[code], SAMPLES))


def advised(printed: str) -> list[str]:
    """The commands that were printed."""
    return [line.strip() for line in printed.splitlines() if line.startswith("  ")]


def test_it_says_what_to_do_next(run: Run, installed: None, golden: Callable[[str, Iterable[str]], None]) -> None:
    """A line about the folder, then two to four commands."""
    lines = []
    for code in LANGUAGES:
        done = run("new-bot", f"bots/my-{code}", "--language", code)
        assert (done.exit_code, done.stderr) == (0, "")
        assert 2 <= len(advised(done.stdout)) <= 4
        lines += [f"$ arena new-bot bots/my-{code} --language {code}", *done.stdout.splitlines()]
    golden("cli-new-bot.txt", lines)


@every_language
def test_what_it_says_builds_the_bot_and_lets_it_play(run: Run, installed: None, tmp_path: Path, code: str) -> None:
    """In an empty folder, with nothing of a checkout in reach: its match is played by the rules, its own tests pass."""
    done = run("new-bot", "my_bot", "--language", code)
    for language in other_languages.LANGUAGES:
        if language.name == code == "rust":
            # It takes minutes to build the libraries. They are those of the sample bot, to the bit.
            shutil.copytree(other_languages.built(language).folder / "target", tmp_path / "my_bot" / "target")
        elif language.name == code:
            other_languages.require(language)
    own_tests = [LANGUAGES[code].tests.format(python="python")]
    script = "\n".join(
        [*(line.replace("arena match ", "arena match --json ") for line in advised(done.stdout)), *own_tests]
    )
    played = subprocess.run(
        ["sh", "-ec", script], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=400
    )
    assert played.returncode == 0, played.stdout + played.stderr
    outcome = json.loads(played.stdout[played.stdout.index("{\n") : played.stdout.index("\n}\n") + 3])
    assert outcome["terminations"] == {"score": 1}
    assert {bot["bot"] for bot in outcome["bots"]} == {"my_bot", "random_bot"}
    data = tmp_path / "my_bot" / "arena-data"
    assert "1 proved, 0 failed" in run_arena("replay", "verify", "--run", "match-1", "--data", str(data))
    said = "".join(log.read_text() for log in (data / "logs").rglob("my_bot*"))
    assert not re.search(r"refused|Traceback|NOT FAIR", said)


@every_language
def test_the_folder_stands_by_itself(code: str) -> None:
    """Nothing in it leads out of it, nothing goes by the sample bot's name, and every link leads somewhere."""
    files = files_of(code)
    language = LANGUAGES[code]
    assert language.strategy.format(name="heron") in files
    for place, text in files.items():
        # In the protocol's pages links are all that counts.
        if not place.startswith("proto/"):
            assert "../.." not in text, place
            assert language.word not in text + place, place
            assert "sample_bots/" not in text, place
        links = re.findall(r"\]\(([^)\s]+)\)", text) if place.endswith(".md") else []
        for link in (link.partition("#")[0] for link in links if "://" not in link):
            where = posixpath.normpath(posixpath.join(posixpath.dirname(place), link))
            assert not link or where in files or any(other.startswith(f"{where}/") for other in files), (place, link)
    assert "proto/arena/v1/play.proto" in files or code == "python"


@every_language
def test_the_page_says_how_it_is_built_and_changed(code: str) -> None:
    """The README names the file to change, and has the commands; no line is of the checkout's."""
    language, page = LANGUAGES[code], files_of(code)["README.md"]
    assert page.startswith("# heron\n")
    for command in (*language.build, language.tests):
        assert f"    {command.format(name='heron', python='python')}" in page
    assert "## Change the strategy\n" in page
    assert not re.search(r"make bots|checkout", page)
    assert max(map(len, page.splitlines())) <= 120


@every_language
def test_what_building_leaves_is_not_copied(code: str, tmp_path: Path) -> None:
    """Stubs, programs, caches and matches of a sample folder stay where they are, and out of a repository."""
    language = LANGUAGES[code]
    home = tmp_path / "sample_bots" / language.folder
    home.mkdir(parents=True)
    (home / "README.md").touch()
    for name in (*language.made, "arena-data", "__pycache__", ".idea"):
        (home / name).mkdir()
        (home / name / "planted.txt").touch()
    for folder in ("proto", "tests/vectors"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    assert list(sources_of(language, home.parent)[0]) == ["README.md"]
    ignored = (ROOT / ".gitignore").read_text().splitlines()
    for name in language.made:
        assert {f"/sample_bots/{language.folder}/{name}", f"/sample_bots/{language.folder}/{name}/"} & set(ignored)
    known = {line.split("/")[3] for line in ignored if line.startswith(f"/sample_bots/{language.folder}/")}
    assert known == set(language.made)
    own = files_of(code)[".gitignore"].splitlines()
    assert len(own) >= len(language.made) + 1
    assert "/arena-data" in own


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["full"], "DIR: full is there and is not empty: name a new folder, nothing is written over"),
        (["file"], "DIR: file is there and is no folder: name a new one, nothing is written over"),
        (["my bot"], "DIR: 'my bot' is no name for a bot: write 1 to 32 letters, digits, '_' or '-', a letter first"),
        (["bots/7th"], "DIR: '7th' is no name for a bot: write 1 to 32 letters, digits, '_' or '-', a letter first"),
        (["bots/.."], "DIR: '..' is no name for a bot"),
        (["random"], "DIR: random is a word or module of Python's own, or of the arena's: take another name"),
        (["arena"], "DIR: arena is a word or module of Python's own"),
        (["class"], "DIR: class is a word or module of Python's own"),
        (["Lane", "--language", "go"], "DIR: Lane is what something else in the folder is called: take another name"),
        (["dist", "--language", "node"], "DIR: dist is what something else in the folder is called"),
        (["heron", "--language", "typscript"], "--language: there is no folder to start from in typscript: there are "),
        (["file/heron"], "cannot write file/heron/.gitignore: "),
        ([""], "DIR: the name is empty: write that of a new folder"),
        (["heron", "--language", ""], "--language: the name is empty: there are python, go, node (TypeScript), "),
        ([], "DIR is missing (see arena new-bot --help)"),
    ],
)
def test_what_will_not_do_is_said_in_a_line(
    run: Run, complaint_of: Complaint, tmp_path: Path, words: list[str], line: str
) -> None:
    """And nothing is written."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "precious.txt").write_text("mine")
    (tmp_path / "file").touch()
    assert complaint_of(run("new-bot", *words)).startswith(line)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "full", "precious.txt"]


def test_a_language_goes_by_what_people_call_it(run: Run) -> None:
    """Its name in any case will do, and that of its folder."""
    assert run("new-bot", "a", "--language", "TypeScript").exit_code == 0
    assert run("new-bot", "b", "--language", "Go").exit_code == 0
    assert run("new-bot", "c", "--language", "c++").exit_code == 0


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("typscript", "node"),
        ("ts", "node"),
        ("JavaScript", "node"),
        ("js", "node"),
        ("py", "python"),
        ("pearl", "perl"),
    ],
)
def test_the_language_that_was_meant_is_one_of_the_list(
    run: Run, complaint_of: Complaint, word: str, meant: str
) -> None:
    """The list, the hint and the help page name a language in the same words, and the first of them will do."""
    said = complaint_of(run("new-bot", "d", "--language", word)).partition(" (see ")[0]
    listed, hint = re.fullmatch(r".*: there are (.*); did you mean (.*)\?", said).groups()  # type: ignore[union-attr]
    assert hint in listed.split(", ")
    assert hint.split()[0] == meant
    assert [each.split()[0] for each in listed.split(", ")] == list(LANGUAGES)
    assert listed in " ".join(run("new-bot", "--help").stdout.split())


def test_what_the_pages_say_works(run: Run) -> None:
    """The README and the page of every sample bot name languages that there are."""
    pages = [ROOT / "README.md", *SAMPLES.glob("*/README.md")]
    said = {
        words for page in pages for words in re.findall(r"arena new-bot (\w+(?: --language \w+)?)", page.read_text())
    }
    assert {"heron", "heron --language go"} <= said
    for number, words in enumerate(sorted(said)):
        assert run("new-bot", f"{number}/{words.split()[0]}", *words.split()[1:]).exit_code == 0, words


def test_an_empty_folder_will_do(run: Run, tmp_path: Path) -> None:
    """A folder that somebody has made for it."""
    (tmp_path / "my_bot").mkdir()
    assert run("new-bot", "my_bot").exit_code == 0
    assert (tmp_path / "my_bot" / "my_bot.py").is_file()


def test_json_has_the_files_and_the_commands(run: Run, installed: None, tmp_path: Path) -> None:
    """One document, and all that it names is there."""
    document = json.loads(run("new-bot", "my-bot", "--json").stdout)
    assert (document["folder"], document["language"], document["change"]) == ("my-bot", "python", "my_bot.py")
    assert document["next"][0] == "cd my-bot"
    written = {path.relative_to(tmp_path / "my-bot").as_posix() for path in (tmp_path / "my-bot").rglob("*")}
    assert written == set(document["files"])


def test_sources_that_are_not_installed_are_named(tmp_path: Path) -> None:
    """A broken installation is no traceback."""
    samples = tmp_path / "sample_bots"
    with pytest.raises(ArenaError, match=f"the sample bot in Go is not installed: there is no {samples}/go"):
        sources_of(LANGUAGES["go"], samples)
    (samples / "go").mkdir(parents=True)
    (samples / "go" / "README.md").touch()
    with pytest.raises(ArenaError, match=f"proto, .* is not installed: there is no {tmp_path}/proto"):
        sources_of(LANGUAGES["go"], samples)


def test_a_name_that_files_have_is_refused_in_any_language() -> None:
    """Whatever would fall together with the bot's own files: a source, what building makes."""
    odd = Language("Odd", "odd", "odd_bot", strategy="a", command="./{name}", needs="nothing", made=("out",))
    for name in ("a", "Out"):
        with pytest.raises(ArenaError, match="take another name"):
            fitted(odd, name, {"a.odd": "", "README.md": ""}, {})
