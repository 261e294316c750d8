"""How a bot is told to play: environment and arguments."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.bot.run import play
from arena.bot.settings import PUBLIC, Settings, settings
from certificates import Authority


def test_the_environment_alone_is_enough(tmp_path: Path) -> None:
    """Every setting has a variable; an empty one is as good as none."""
    certificates = Authority(tmp_path).ca
    environment = {
        "ARENA_SERVER": "arena.example:443",
        "ARENA_TOKEN": "t",
        "ARENA_CA": str(certificates),
        "ARENA_GAME": "",
        "ARENA_LANES": "8",
        "ARENA_SEED": "-3",
        "ARENA_NAME": "me",
        "ARENA_PATIENCE": "0",
    }
    assert settings([], environment) == Settings(
        server="arena.example:443",
        token="t",
        ca=certificates.read_bytes(),
        lanes=8,
        seed=-3,
        name="me",
        patience=0.0,
    )


def test_arguments_win_over_the_environment() -> None:
    """What is typed counts more than what was inherited."""
    chosen = settings(["--server", "[::1]:7", "--lanes", "2"], {"ARENA_SERVER": "a:1", "ARENA_LANES": "9"})
    assert (chosen.server, chosen.lanes) == ("[::1]:7", 2)


@pytest.mark.parametrize(
    ("option", "value", "complaint"),
    [
        ("server", "host", "'host' is no address"),
        ("server", "host:0", "is no address"),
        ("server", "host:65536", "is no address"),
        ("server", ":80", "is no address"),
        ("server", "http://host:80", "is no address"),
        ("name", "a b", "'a b' is no name"),
        ("name", "x" * 33, "is no name"),
        ("lanes", "0", "'0' is no number of lanes"),
        ("lanes", "two", "is no number of lanes"),
        ("seed", "dice", "'dice' is no seed"),
        ("patience", "-1", "'-1' is no time"),
        ("patience", "inf", "is no time"),
        ("ca", "no-such-file", "no-such-file cannot be read: No such file"),
        ("ca", __file__, "holds no certificate in PEM form"),
        ("token", "arena_1_x y", "that is no token: it is one word"),
        ("token", "arena_1_x\n", "that is no token: it is one word"),
        ("token", "arena_1_\u00e9", "that is no token: it is one word"),
    ],
)
@pytest.mark.parametrize("where", ["argument", "environment"])
def test_a_wrong_setting_is_one_line(
    option: str, value: str, complaint: str, where: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Wherever it was set, the line says what is wrong, and the status is 2."""
    arguments, environment = ["--server", "a:1"], {}
    if where == "argument":
        arguments += [f"--{option}={value}"]
    else:
        arguments = [] if option == "server" else arguments
        environment = {f"ARENA_{option.upper()}": value}
    with pytest.raises(SystemExit) as ended:
        settings(arguments, environment, program="bot")
    said = capsys.readouterr().err
    assert ended.value.code == 2
    assert complaint in said
    assert said.startswith(f"bot: argument --{option}: ")
    assert said.count("\n") == 1


def test_help_names_every_option_and_status(capsys: pytest.CaptureFixture[str]) -> None:
    """Help is complete: options, variables, signals, exit statuses."""
    with pytest.raises(SystemExit) as ended:
        settings(["--help"], {})
    text = capsys.readouterr().out
    assert ended.value.code == 0
    for word in ("SERVER", "NAME", "LANES", "GAME", "TOKEN", "CA", "SEED", "PATIENCE"):
        assert f"--{word.lower()}" in text
        assert f"ARENA_{word}" in text
    assert "SIGTERM" in text
    assert "130" in text


def test_a_token_can_be_in_a_file(tmp_path: Path) -> None:
    """The file holds the token and a line end; what is typed counts more than the environment."""
    file = tmp_path / "token"
    file.write_text("arena_1_x\n")
    arguments = ["--server", "localhost:1", "--token-file", str(file)]
    assert settings(arguments, {"ARENA_TOKEN": "other"}).token == "arena_1_x"


@pytest.mark.parametrize("content", [b"", b"two words", "t\u00f6ken".encode()])
def test_a_file_without_a_token_is_one_line(content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The line names the file, and does not repeat what is in it."""
    file = tmp_path / "token"
    file.write_bytes(content)
    with pytest.raises(SystemExit) as ended:
        settings(["--server", "localhost:1", "--token-file", str(file)], {}, program="bot")
    assert ended.value.code == 2
    line = f"bot: argument --token-file: {file} holds no token: it is one word, alone in the file\n"
    assert capsys.readouterr().err == line


def test_a_token_comes_from_one_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is not there is named, and a token beside a file is one too many."""
    for more, line in (
        ([], "nowhere cannot be read: No such file or directory"),
        (["--token", "t"], "--token: not allowed with argument --token-file"),
    ):
        with pytest.raises(SystemExit):
            settings(["--server", "localhost:1", "--token-file", str(tmp_path / "nowhere"), *more], {})
        said = capsys.readouterr().err
        assert line in said or more
        assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("server", "ca", "exposed"),
    [
        ("arena.example:443", b"", True),
        ("192.0.2.1:443", b"", True),
        ("[2001:db8::1]:443", b"", True),
        ("127.0.0.1.example:443", b"", True),
        ("arena.example:443", PUBLIC, False),
        ("arena.example:443", b"PEM", False),
        ("localhost:443", b"", False),
        ("127.1.2.3:443", b"", False),
        ("[::1]:443", b"", False),
    ],
)
def test_a_token_travels_in_plain_text_on_this_machine_alone(
    server: str,
    ca: bytes,
    exposed: bool,  # noqa: FBT001 # a parameter
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Elsewhere the bot does not even dial: it says what to give, without the token, and leaves with status 2."""
    chosen = Settings(server=server, token="arena_1_secret", ca=ca, patience=0.1)
    assert chosen.exposes_token is exposed
    assert not Settings(server=server, ca=ca).exposes_token
    if exposed:
        assert play(lambda _decision: 0, chosen, program="bot") == 2
        said = capsys.readouterr().err
        assert f"the token would go to {server} in plain text: give --ca FILE" in said
        assert "secret" not in said
