"""`arena bot add`, `rotate` and `revoke`: who has a token that is good."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

import click

from arena.cli.bot_list import document
from arena.cli.options import data_option, json_option
from arena.cli.printing import print_json, say, warn
from arena.identity import NAME, digest_of, new_secret, token_of
from arena.store import Registration, Registry

VERSION: Final = "1"
"""The version of a bot when nobody says one."""
LONGEST_OWNER: Final = 100


def bot_name(text: str) -> str:
    """The name of a bot, or its version."""
    if not NAME.fullmatch(text):
        raise click.BadParameter(f"{text!r} will not do: write 1 to 32 letters, digits, '.', '_' or '-'")
    return text


def name_and_version(text: str) -> tuple[str, str | None]:
    """`NAME`, or `NAME@VERSION`."""
    name, at, version = text.partition("@")
    if not NAME.fullmatch(name) or (at and not NAME.fullmatch(version)):
        raise click.BadParameter(f"{text!r} will not do: write NAME or NAME@VERSION, such as heron@1")
    return name, version if at else None


def owner_name(text: str) -> str:
    """Whoever answers for a bot: any words that can be printed."""
    if len(text) > LONGEST_OWNER or not text.isprintable():
        raise click.BadParameter(f"it will not do: write up to {LONGEST_OWNER} printable characters in one line")
    return text


@click.command(
    epilog="""\b
Examples:
  arena bot add heron                                  heron@1
  arena bot add heron --version 2.1 --owner "ann, ann@example.org"
  (umask 77; arena bot add heron > heron.token)        the token alone, in a file that only you can read
""",
)
@click.argument("name", metavar="NAME", type=bot_name)
@click.option("--version", metavar="V", type=bot_name, default=VERSION, show_default=True, help="The bot's version.")
@click.option("--owner", metavar="WHO", type=owner_name, default="", help="Who answers for it; kept for you.")
@data_option
@json_option
def add(*, name: str, version: str, owner: str, data: Path, as_json: bool) -> None:
    """Register a bot and print its token.

    The token is shown only now: the arena keeps no more than what it needs to know it again. A new version is a new
    bot, with a token and ratings of its own.
    """
    secret = new_secret()
    with Registry.open(data, create=True) as registry:
        one = registry.add(name, version, owner=owner, digest=digest_of(secret), now_ms=_now_ms())
    _hand_over(one, secret, "is registered; its token is above", as_json=as_json)


@click.command(
    epilog="""\b
Examples:
  arena bot rotate heron            when there is one version of it
  arena bot rotate heron@2.1
""",
)
@click.argument("bot", metavar="BOT", type=name_and_version)
@data_option
@json_option
def rotate(*, bot: tuple[str, str | None], data: Path, as_json: bool) -> None:
    """Give a bot a new token in place of the old one.

    BOT is NAME@VERSION, or NAME where there is one version alone. The old token is no good from now on. Streams that
    came with it end; a match that runs waits for the bot as after a lost connection. A bot that was revoked is let in
    again with its new token.
    """
    secret = new_secret()
    with Registry.open(data) as registry:
        one = registry.rotate(*bot, digest_of(secret))
    _hand_over(one, secret, "has the new token above", as_json=as_json)


@click.command(
    epilog="""\b
Examples:
  arena bot revoke heron@2.1        this version
  arena bot revoke heron            every version
""",
)
@click.argument("bot", metavar="BOT", type=name_and_version)
@data_option
@json_option
def revoke(*, bot: tuple[str, str | None], data: Path, as_json: bool) -> None:
    """Let a bot in no more, and end its streams.

    BOT is NAME@VERSION, or NAME for every version. A match that it is in is lost, by disconnect: nobody waits for it.
    What it has played stays in the record.
    """
    with Registry.open(data) as registry:
        revoked = registry.revoke(*bot, _now_ms())
    if as_json:
        print_json([document(one) for one in revoked])
    elif revoked:
        say(f"revoked {', '.join(one.bot for one in revoked)}")
    else:
        say("it was revoked before: nothing to do")


def _hand_over(one: Registration, secret: str, what: str, *, as_json: bool) -> None:
    """The token alone on standard output, so that it can go into a file without passing anybody's eyes."""
    token = token_of(str(one.id), secret)
    if as_json:
        print_json({**document(one), "token": token})
    else:
        say(token)
        warn(f"{one.bot} {what}, shown only this once: give it to the bot as ARENA_TOKEN")


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
