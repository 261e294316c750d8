"""How a bot is to play: from the environment by which an arena starts it, or from the command line."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final, NoReturn

from arena.loopback import is_loopback

PATIENCE_SECONDS: Final = 300.0
"""How long a bot looks for an arena that is not there, where nobody says how long."""
MOST_LANES: Final = 4096
PUBLIC: Final = b"public"
"""Stands for the certificates that gRPC brings: those of the authorities that browsers trust."""

_NAME: Final = re.compile(r"[A-Za-z0-9._-]{1,32}")
_EPILOG: Final = """\
Options can be given in the environment instead, as named; an arena that starts bots does so. SIGTERM (on Windows
Ctrl-Break) makes the bot finish the match in hand and leave; SIGINT (Ctrl-C) makes it leave at once.
Exit status: 0 all was played, or the bot was told to leave; 1 the bot failed, no arena was found, or it refuses the
bot; 2 a wrong option; 130 Ctrl-C.
"""


@dataclass(frozen=True, slots=True)
class Settings:
    """Where and how a bot plays.

    `game` is empty for all games. `ca` holds the certificates to trust in PEM form, or PUBLIC; empty, there is no TLS.
    `name` counts only where no `token` says who the bot is. `patience` is in seconds since the
    start, or since the arena was last there; 0 for endless.
    """

    server: str
    name: str = ""
    lanes: int = 1
    game: str = ""
    token: str = ""
    ca: bytes = b""
    seed: int | None = None
    patience: float = PATIENCE_SECONDS

    @property
    def exposes_token(self) -> bool:
        """True if the token would leave this machine in plain text."""
        return bool(self.token) and not self.ca and not is_loopback(self.server)


class _Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def settings(arguments: Sequence[str], environment: Mapping[str, str], *, program: str = "bot") -> Settings:
    """The settings; what the arguments leave out comes from the environment. Exits with status 2 on a wrong one."""
    parser = _parser(program)
    given = {option.name: environment.get(f"ARENA_{option.name.upper()}", "") for option in fields(Settings)}
    parser.set_defaults(**{name: text for name, text in given.items() if text})  # texts: parsed like arguments
    values = parser.parse_args(arguments)
    if values.server is None:
        parser.error("there is no arena to play in: give --server HOST:PORT, or set ARENA_SERVER")
    values.token = values.token_file or values.token
    del values.token_file
    return Settings(**{name: value for name, value in vars(values).items() if value is not None})


def _parser(program: str) -> _Parser:
    parser = _Parser(
        prog=program,
        description="Play in a Drawbridge arena until all is played.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--server", type=_server, metavar="HOST:PORT", help="the arena (ARENA_SERVER)")
    add("--name", type=_name, help="the name to play under in an open arena (ARENA_NAME)")
    add("--lanes", type=_lanes, metavar="N", help="how many seats to have at once (ARENA_LANES); 1")
    add("--game", help="play this game only (ARENA_GAME); all")
    proof = parser.add_mutually_exclusive_group()
    token = "who the bot is (ARENA_TOKEN, which no list of processes shows)"  # noqa: S105 - help, no token
    proof.add_argument("--token", type=_token, help=token)
    proof.add_argument("--token-file", type=_token_file, metavar="FILE", help="a file that holds the token alone")
    add(
        "--ca",
        type=_certificates,
        default=b"",
        metavar="FILE",
        help="certificates to trust, PEM, or 'public' for those that browsers trust; without it no TLS (ARENA_CA)",
    )
    add("--seed", type=_seed, metavar="N", help="for dice that fall the same way again (ARENA_SEED)")
    add(
        "--patience",
        type=_patience,
        metavar="S",
        help=f"how long to look for a lost arena in seconds, 0 for endless (ARENA_PATIENCE); {PATIENCE_SECONDS:g}",
    )
    return parser


def _server(text: str) -> str:
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536 or re.search(r"[\s/]", text):
        raise argparse.ArgumentTypeError(f"{text!r} is no address: write HOST:PORT, such as 127.0.0.1:7878")
    return text


def _name(text: str) -> str:
    if not _NAME.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no name: it has 1 to 32 letters, digits, '.', '_' or '-'")
    return text


def _lanes(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= MOST_LANES:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of lanes: it is 1 to {MOST_LANES}")
    return int(text)


def _seed(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no seed: it is a whole number") from None


def _patience(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no time: it is a number of seconds, 0 for endless")
    return seconds


def _token(text: str) -> str:
    if not re.fullmatch(r"[!-~]+", text):  # it is not repeated: who reads the complaint may not know it
        raise argparse.ArgumentTypeError("that is no token: it is one word, such as arena_1_ and 43 characters more")
    return text


def _token_file(text: str) -> str:
    try:
        return _token(Path(text).read_text(encoding="ascii").strip())
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{text} cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, argparse.ArgumentTypeError):
        raise argparse.ArgumentTypeError(f"{text} holds no token: it is one word, alone in the file") from None


def _certificates(text: str) -> bytes:
    if text == PUBLIC.decode():
        return PUBLIC
    try:
        pem = Path(text).read_bytes()
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{text} cannot be read: {error.strerror}") from None
    if b"-----BEGIN CERTIFICATE-----" not in pem:
        raise argparse.ArgumentTypeError(f"{text} holds no certificate in PEM form")
    return pem
