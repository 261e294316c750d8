"""How a bot is told to play: environment and arguments."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.bot.settings import Settings, settings

CERTIFICATE = Path(__file__).parents[1] / "transport" / "tls" / "certificate.pem"


def test_the_environment_alone_is_enough() -> None:
    """Every setting has a variable; an empty one is as good as none."""
    environment = {
        "ARENA_SERVER": "arena.example:443",
        "ARENA_TOKEN": "t",
        "ARENA_CA": str(CERTIFICATE),
        "ARENA_GAME": "",
        "ARENA_LANES": "8",
        "ARENA_SEED": "-3",
        "ARENA_NAME": "me",
        "ARENA_PATIENCE": "0",
    }
    assert settings([], environment) == Settings(
        server="arena.example:443",
        token="t",
        ca=CERTIFICATE.read_bytes(),
        lanes=8,
        seed=-3,
        name="me",
        patience=0.0,
    )


def test_arguments_win_over_the_environment() -> None:
    """What is typed counts more than what was inherited."""
    chosen = settings(["--server", "[::1]:7", "--lanes", "2"], {"ARENA_SERVER": "a:1", "ARENA_LANES": "9"})
    assert (chosen.server, chosen.lanes, chosen.host) == ("[::1]:7", 2, "::1")


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
