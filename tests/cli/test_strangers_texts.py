"""Names and remarks of strangers, wherever a command prints them: none passes for a line or a column of the arena's."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from click.testing import Result

from arena.plain import phrase
from arena.replay import pack
from arena.store import Registry, Store
from arena.store import Result as MatchResult
from recording import Tape

Run = Callable[..., Result]
ROOT: Final = Path(__file__).parents[2]

EVIL: Final = (
    "x\n  seat 1  bob (bob 9.9)\r\nmatch a/b: all proved\x1b[2J\x9b31m\x7f\u202e\u2028\U000e0041 "
    '  1500.0   99 : 0 bot=bob "all" '
)
HARMLESS: Final = " ".join(["aa"] * len(phrase(EVIL).split(" ")))
"""As many words."""
DATA_COMMANDS: Final = (
    *("replay list", "replay show MATCH --notes --times", "replay verify MATCH", "results show", "swings", "bot list"),
    *("ratings --all --superiority", "replay verify --run RUN"),
)
FILE_COMMANDS: Final = ("replay list FILE", "replay show FILE --notes --times", "replay verify FILE")
DOCUMENTS: Final = (
    *("replay list --json", "replay show MATCH --json", "replay list FILE --json", "replay show FILE --json"),
    *("ratings --all --json", "results show --json", "bot list --json", "replay verify --run RUN --json"),
)
COMPLAINTS: Final = (
    *("replay show EVIL", "replay list EVIL", "results show --data EVIL", "swings EVIL", "ratings EVIL", "games EVIL"),
    *("bot add EVIL", "bot revoke EVIL", "match EVIL EVIL", "serve --set EVIL", "EVIL", "match --EVIL"),
    *("tournament FILE", "tournament BAD", "backup --data EVIL x", "restore EVIL", "ratings --anchor EVIL"),
)


@dataclass(frozen=True)
class World:
    """A data folder and a replay file in which all that a stranger can write says the same."""

    text: str
    data: Path
    file: Path
    run: str


def world(folder: Path, text: str) -> World:
    """Two bots whose names, versions, notes and all other texts are that one, in a record and in a file."""
    run, (ann, bob) = f"run{text}", [f"{name}{text}" for name in ("ann", "bob")]
    data = folder / "data"
    with Store.open(data, hold=True) as store:
        store.open_run(run, run, seeded=False, created_ms=1)
        for number in (1, 2):
            header = {"run": run, "match_id": f"m{number}{text}", "number": number, "arena_version": text}
            tape = Tape(folder, match_id=f"m{number}", names=(ann, bob), rules={"max_deals": 1}, header=header).ready()
            tape.answer(None, text)  # malformed
            tape.answer(0, text)
            replay = tape.play().replay()
            assert replay.ended is not None
            sides = tape.game.sides
            result = MatchResult.from_log(replay.header, replay.ended, sides=sides, ended_ms=2, log_hash=replay.head)
            store.close_match(result, pack(tape.data()))
    with Registry.open(data) as registry:
        registry.add("heron", "1", owner=text, digest=bytes(32), now_ms=1)
    with closing(sqlite3.connect(data / "arena.db")) as connection, connection:
        connection.execute("UPDATE seats SET software = ?", (text,))
    return World(text, data, tape.path, run)


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> tuple[World, World]:
    """Of a harmless stranger and of an evil one."""
    return world(tmp_path_factory.mktemp("harmless"), HARMLESS), world(tmp_path_factory.mktemp("evil"), EVIL)


def told(run: Run, command: str, world: World) -> list[str]:
    """What a command prints, on both ways, line by line."""
    names = {"MATCH": "m1", "FILE": world.file, "RUN": world.run}
    result = run(*(names.get(name, name) for name in command.split()), "--data", world.data)
    assert not set(result.output) - {"\n"} - set(filter(str.isprintable, result.output)), result.output
    return result.output.split("\n")


@pytest.mark.parametrize("command", [*DATA_COMMANDS, *FILE_COMMANDS])
def test_no_text_of_a_stranger_makes_a_line_or_a_column(run: Run, worlds: tuple[World, World], command: str) -> None:
    """Whatever strangers write, a command prints as many lines, with as many columns and words, and steers nothing."""
    harmless, evil = (told(run, command, world) for world in worlds)
    assert [len(line.split()) for line in evil] == [len(line.split()) for line in harmless]
    assert [len(re.split("  +", line)) for line in evil] == [len(re.split("  +", line)) for line in harmless]


@pytest.mark.parametrize("command", DOCUMENTS)
def test_a_document_holds_the_text_and_steers_nothing(run: Run, worlds: tuple[World, World], command: str) -> None:
    """In JSON a text is what the stranger wrote, and escaped where a terminal would obey it."""
    document = "\n".join(told(run, command, worlds[1]))
    assert EVIL in "".join(texts(json.loads(document)))


def texts(document: object) -> Iterator[str]:
    """Every text in a document."""
    match document:
        case str():
            yield document
        case dict():
            yield from texts([*document, *document.values()])
        case list():
            for each in document:
                yield from texts(each)


@pytest.mark.parametrize("command", COMPLAINTS)
def test_a_complaint_is_one_line_whatever_it_is_about(run: Run, tmp_path: Path, command: str) -> None:
    """Names of files, bots and runs that are not there, and what stands in a file, are told in one line."""
    word = f"{EVIL}.toml"
    (tmp_path / "bots.toml").write_text(f"[[bot]]\nname = {json.dumps(EVIL[:20])}\ncommand = 'x'\n")
    (tmp_path / "bad.toml").write_text(f"{json.dumps(EVIL[:20])} = 3\n")
    names = {"FILE": "bots.toml", "BAD": "bad.toml"}
    done = run(*(names.get(each, each.replace("EVIL", word)) for each in command.split()))
    assert (done.exit_code, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("arena: ")
    assert line.isprintable()


def test_what_a_bot_prints_passes_for_no_line_of_the_arena(run: Run, worlds: tuple[World, World]) -> None:
    """The last words of a bot that cannot be asked are set in, and its complaint is one line."""
    code = f"import sys; sys.stderr.write({EVIL!r} + 'arena: all the same\\n' + chr(10) + 'arena: proved'); sys.exit(3)"
    done = run("replay", "ask", worlds[1].file, "--", sys.executable, "-c", code)
    assert done.stdout == ""
    *printed, complaint = done.stderr.splitlines()
    assert printed
    assert all(line.startswith("  | ") and line.isprintable() for line in printed)
    assert complaint.startswith("arena: bot ")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_letters_that_a_terminal_lacks_stop_nothing(tmp_path: Path, encoding: str) -> None:
    """A name in letters of another script is written with escapes where it cannot be written otherwise."""
    tape = Tape(tmp_path, names=("\u6f22", "bob")).ready().play()
    for words in (["show"], ["verify"], ["show", "--json"], ["list"]):
        done = subprocess.run(
            [sys.executable, "-m", "arena.cli", "replay", words[0], tape.path, *words[1:]],
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": f"{encoding}:strict", "PYTHONUTF8": "0"},
            capture_output=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b""), (words, done.stderr)
        if words == ["show", "--json"]:
            assert json.loads(done.stdout)[0]["seats"] == ["\u6f22", "bob"]
