"""`arena bot`: who is registered, tokens that are shown once, and mistakes in one line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import Result

from arena.identity import Doorkeeper, Key, NotAdmittedError
from arena.store import Registry, Store

Run = Callable[..., Result]
Complaint = Callable[[Result], str]

TOKEN = re.compile(r"arena_\d+_[A-Za-z0-9_-]{43}\n")


def admits(data: Path, token: str) -> str | None:
    """Whom the door of an arena on that folder takes the token's owner for."""
    door = Doorkeeper(is_open=False)
    with Registry.open(data) as registry:
        door.keys.update({str(one.id): Key(one.bot, one.digest) for one in registry.all() if one.revoked_ms is None})
    try:
        return door.identify([("authorization", f"Bearer {token.strip()}")], "")
    except NotAdmittedError:
        return None


def test_add_prints_the_token_alone(run: Run) -> None:
    """Standard output is the token, ready for a file; the words about it are on standard error. It lets the bot in."""
    added = run("bot", "add", "heron", "--version", "2.1", "--owner", "ann")
    assert TOKEN.fullmatch(added.stdout)
    assert added.stderr.startswith("arena: heron@2.1 is registered")
    assert added.stderr.count("\n") == 1
    assert admits(Path("arena-data"), added.stdout) == "heron@2.1"


def test_no_file_holds_the_secret(run: Run) -> None:
    """What the data folder keeps of a token is the SHA-256 of its secret."""
    secret = run("bot", "add", "heron").stdout.strip().split("_", 2)[2]
    kept = b"".join(path.read_bytes() for path in Path("arena-data").rglob("*") if path.is_file())
    assert secret.encode() not in kept
    assert sha256(secret.encode()).digest() in kept


def test_rotate_gives_a_new_token_and_ends_the_old_one(run: Run) -> None:
    """Only the newest token is good; a bot that was revoked is let in again."""
    data = Path("arena-data")
    tokens = [run("bot", "add", "heron").stdout, run("bot", "rotate", "heron").stdout]
    assert [admits(data, token) for token in tokens] == [None, "heron@1"]
    run("bot", "revoke", "heron")
    assert admits(data, tokens[1]) is None
    assert admits(data, run("bot", "rotate", "heron@1").stdout) == "heron@1"


def test_revoke_says_whom_it_struck(run: Run) -> None:
    """One version, or all that were good; a second time there is nothing to do."""
    for version in "123":
        run("bot", "add", "heron", "--version", version)
    assert run("bot", "revoke", "heron@2").stdout == "revoked heron@2\n"
    assert run("bot", "revoke", "heron").stdout == "revoked heron@1, heron@3\n"
    assert run("bot", "revoke", "heron").stdout == "it was revoked before: nothing to do\n"
    assert json.loads(run("bot", "revoke", "heron", "--json").stdout) == []


def test_list_shows_everybody_and_no_token(run: Run) -> None:
    """By name; owner, time and state; the same as JSON."""
    run("bot", "add", "otter", "--owner", "bob\u00e9, 2nd floor")
    token = run("bot", "add", "heron", "--json").stdout
    run("bot", "revoke", "heron")
    listed = run("bot", "list")
    assert [re.split(r"\s{2,}", line)[0] for line in listed.stdout.splitlines()] == ["bot", "heron@1", "otter@1"]
    assert [line.split()[-1] for line in listed.stdout.splitlines()] == ["state", "revoked", "good"]
    assert "bob\u00e9, 2nd floor" in listed.stdout
    rows = json.loads(run("bot", "list", "--json").stdout)
    assert [(row["bot"], row["revoked"] is None) for row in rows] == [("heron@1", False), ("otter@1", True)]
    assert {**json.loads(token), "revoked": rows[0]["revoked"]} == {**rows[0], "token": json.loads(token)["token"]}


def test_an_empty_registry_says_how_to_fill_it(run: Run) -> None:
    """No table without rows."""
    Store.open(Path("arena-data"), hold=True).close()
    assert run("bot", "list").stdout == "no bot is registered: 'arena bot add NAME' does it\n"
    assert json.loads(run("bot", "list", "--json").stdout) == []


def test_the_registry_is_changed_while_an_arena_has_the_folder(run: Run) -> None:
    """None of the four commands wants the folder for itself."""
    with Store.open(Path("arena-data"), hold=True):
        for args in (["add", "heron"], ["list"], ["rotate", "heron"], ["revoke", "heron"]):
            assert run("bot", *args).exit_code == 0


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (["add", "a b"], "NAME: 'a b' will not do: write 1 to 32 letters, digits, '.', '_' or '-'"),
        (["add", "x" * 33], "NAME: 'x"),
        (["add", "heron@2"], "NAME: 'heron@2' will not do: write 1 to 32 letters"),
        (["add", "wren", "--version", ""], "--version: '' will not do: write 1 to 32 letters"),
        (["add", "wren", "--owner", "a\nb"], "--owner: it will not do: write up to 100 printable characters"),
        (["add", "heron"], "heron@1 is registered already: register another --version, or give it a new token with"),
        (["rotate", "heron"], "heron could be heron@1, heron@2: write more of it"),
        (["rotate", "heron@"], "BOT: 'heron@' will not do: write NAME or NAME@VERSION, such as heron@1"),
        (["revoke", "otter"], "no bot otter is registered in arena-data: 'arena bot list' shows those that are"),
        (["revoke", "heron@3"], "no bot heron@3 is registered in arena-data: "),
        (["list", "--data", "nowhere"], "no arena has played in nowhere: give the folder of one with --data"),
        (["revoke", "heron", "--data", "nowhere"], "no arena has played in nowhere: give the folder of one"),
    ],
)
def test_a_mistake_gets_one_line(run: Run, complaint_of: Complaint, args: list[str], line: str) -> None:
    """What was wrong, and what would be right."""
    run("bot", "add", "heron")
    run("bot", "add", "heron", "--version", "2")
    assert complaint_of(run("bot", *args)).startswith(line)
