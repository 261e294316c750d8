"""Every text that a stranger may write: it is understood, or refused in one line, and nothing else happens."""

from __future__ import annotations

import io
import re
import socket
from collections.abc import Callable
from contextlib import redirect_stderr, suppress
from pathlib import Path
from typing import Any

import click
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arena.bot.settings import settings as bot_settings
from arena.cli.options import RUN_NAME, count, run_name, setting, time_control, whole_number
from arena.cli.tournament_file import from_file
from arena.config.sources import gather
from arena.errors import ArenaError
from arena.identity import Doorkeeper, NotAdmittedError
from arena.transport import ListenError
from arena.transport.addresses import check_address
from arena.wire import rules_from_text
from engine.action import parse_action, parse_call
from engine.card import parse_card
from engine.clock import TimeControl
from engine.errors import BadRules
from engine.game import complete_rules
from engine.games import registered
from fuzzing import budget, changed, changes

WORDS = (
    *("draw", "pass", "bid 2C", "bid 3", "double", "XX", "discard TS 8S", "play 9H", "play 10d", "P", "7NT", "-1", "٣"),
    *("60+0.5/10", "127.0.0.1:0", "[::1]:5000", "localhost:99999", "unix:/nowhere", "target=200", "x" * 70 + ".y:1"),
)
texts = st.one_of(
    st.text(max_size=20),
    st.sampled_from(WORDS),
    st.builds(
        lambda word, edits: changed(word.encode(), edits).decode(errors="replace"), st.sampled_from(WORDS), changes
    ),
    st.text(alphabet="0123456789.:[]+-/=xX \0\n", max_size=30),
)


def understood(read: Callable[[str], object], text: str, *refusals: type[Exception]) -> None:
    """The text is read, or refused in words that fit on a line when they are printed."""
    refusal: Exception | None = None
    try:
        read(text)
    except refusals as error:
        refusal = error
    assert refusal is None or str(refusal)


@budget(300, soak=100_000)
@given(text=texts)
@example(text="play " + "9" * 10_000)
def test_actions_cards_and_clocks(text: str, *, soak: bool) -> None:
    """Texts of the table: ValueError, and for an action that is understood the same one back from its own text."""
    for read in (parse_card, parse_call, TimeControl.parse):
        understood(read, text, ValueError)
    with suppress(ValueError):
        action = parse_action(text)
        assert parse_action(str(action)) == action


@budget(200, soak=50_000)
@given(text=texts, name=texts)
def test_options_of_rules(text: str, name: str, *, soak: bool) -> None:
    """Options, presets and values of every game: BadRules, or complete rules."""
    for game in registered().values():
        options = [option.name for option in game.options]
        for key in (name, *options):
            understood(lambda value, key=key, game=game: complete_rules(game, "match", {key: value}), text, BadRules)
        understood(lambda preset, game=game: complete_rules(game, preset, {}), text, BadRules)
        rules = dict.fromkeys(options, text)
        understood(lambda _, game=game, rules=rules: rules_from_text(game, rules), text, BadRules)


@budget(200, soak=50_000)
@given(text=texts)
def test_words_of_the_command_line(text: str, *, soak: bool) -> None:
    """Numbers, names, settings: click's own complaint, or a value in its range."""
    for read in (whole_number, count, time_control, setting, run_name):
        understood(read, text, click.BadParameter)
    with suppress(click.BadParameter):
        assert RUN_NAME.fullmatch(run_name(text))


@budget(200, soak=50_000)
@given(text=texts)
@example(text="x" * 70 + ":5000")
@example(text="a..b:5000")
@example(text="a\0b:5000")
@example(text="127.0.0.1:٣")
@example(text="ü" * 64 + ".de:1")
def test_addresses(text: str, *, soak: bool) -> None:
    """Whatever is given as an address to listen on: ListenError. No name is looked up elsewhere for that."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "getaddrinfo", look_up)
        understood(check_address, text, ListenError)


resolve = socket.getaddrinfo


def look_up(host: str, *rest: Any, **more: Any) -> Any:
    """As ever, but that no name server is asked for what could be somebody's name."""
    if re.fullmatch(r"[A-Za-z][A-Za-z0-9-]{0,62}(\.[A-Za-z0-9-]{1,63})*\.?", host) and host != "localhost":
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
    return resolve(host, *rest, **more)


@budget(150, soak=20_000)
@given(
    words=st.lists(texts, max_size=3), variables=st.dictionaries(st.sampled_from(("SERVER", "LANES", "SEED")), texts)
)
def test_a_bots_options(words: list[str], variables: dict[str, str], *, soak: bool) -> None:
    """A bot's command line and environment: settings, or exit status 2 with a line."""
    said, code = io.StringIO(), None
    environment = {f"ARENA_{name}": text for name, text in variables.items()}
    with redirect_stderr(said):
        try:
            bot_settings(["--server", *[word for word in words if not word.startswith("-")]], environment)
        except SystemExit as leaving:
            code = leaving.code
    assert code is None or (code == 2 and said.getvalue().startswith("bot: "))


@budget(150, soak=20_000)
@given(header=texts, name=texts)
def test_tokens_and_names(header: str, name: str, *, soak: bool) -> None:
    """A header of authorization and a name in Hello: a bot, or NotAdmittedError."""
    for is_open in (True, False):
        for metadata in ((), (("authorization", header),), (("authorization", f"Bearer arena_{header}_{name}"),)):
            door = Doorkeeper(is_open=is_open)
            understood(lambda claimed, door=door, sent=metadata: door.identify(sent, claimed), name, NotAdmittedError)


TOML = """
[serve]
listen = "127.0.0.1:0"
[limits]
lanes = 8
requests_per_second = 2.5
[time]
hello_seconds = 1
"""
TOURNAMENT = """
form = "round-robin"
game = "draw-bridge"
sets = 2
[[bot]]
name = "a"
command = "python a.py"
[[bot]]
name = "b"
command = "python b.py"
"""
documents = st.one_of(
    st.binary(max_size=80),
    st.builds(lambda text, edits: changed(text.encode(), edits), st.sampled_from((TOML, TOURNAMENT)), changes),
    st.builds(
        lambda table, key, value: f"[{table}]\n{key} = {value}\n".encode(),
        st.sampled_from(("limits", "time", "serve", "http", "bot", "x")),
        st.sampled_from(("lanes", "hello_seconds", "listen", "connections", "game", "x")),
        st.sampled_from(
            ("1", "-1", "1e400", "nan", "inf", "true", '"x"', "[1]", "{a=1}", "1979-05-27", "9" * 30, "''")
        ),
    ),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the files are written."""
    return tmp_path_factory.mktemp("documents")


@budget(300, soak=50_000)
@given(document=documents, words=st.lists(texts, max_size=2))
@example(document=b"a = " + b"[" * 5000, words=[])
@example(document=b"[limits]\nlanes = " + b"9" * 5000, words=[])
@example(document=b"[limits]\nlanes = nan", words=[])
def test_files_of_settings(folder: Path, document: bytes, words: list[str], *, soak: bool) -> None:
    """arena.toml, the words of --set and the file of a tournament: values in their ranges, or one line."""
    file = folder / "some.toml"
    file.write_bytes(document)
    with suppress(ArenaError):
        settings = gather(file, {}, words, ["listen", "game"])
        settings.limits()
        settings.http_limits()
    with suppress(ArenaError, BadRules):
        from_file(file)
