"""`arena new-bot`: a folder to start a bot from."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import click

from arena.cli.languages import LANGUAGES, Language
from arena.cli.options import json_option
from arena.errors import nearest

NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,31}")
"""What a bot may be called whose name is to stand in the sources of any language."""


def new_folder(text: str) -> Path:
    """A folder that may be written: its last part is the name of the bot, and nothing is in it."""
    if not text.strip():
        raise click.BadParameter("the name is empty: write that of a new folder")
    folder = Path(text)
    name = folder.absolute().name or text
    if not NAME.fullmatch(name):
        raise click.BadParameter(
            f"{name!r} is no name for a bot: write 1 to 32 letters, digits, '_' or '-', a letter first"
        )
    try:
        if folder.is_dir() and any(folder.iterdir()):
            raise click.BadParameter(f"{text} is there and is not empty: name a new folder, nothing is written over")
        if not folder.is_dir() and (folder.exists() or folder.is_symlink()):
            raise click.BadParameter(f"{text} is there and is no folder: name a new one, nothing is written over")
    except OSError as error:
        raise click.BadParameter(f"{text}: {(error.strerror or str(error)).lower()}") from None
    return folder


def language(text: str) -> str:
    """A language by its name, or by the one that people write: `go`, `Go`, `TypeScript`."""
    by_name = {name.lower(): code for code, known in LANGUAGES.items() for name in (known.title, code)}
    if text.lower() not in by_name:
        raise click.BadParameter(
            f"there is no folder to start from in {text}: there are {', '.join(LANGUAGES)}{nearest(text, by_name)}"
        )
    return by_name[text.lower()]


@click.command(
    name="new-bot",
    epilog="""\b
Examples:
  arena new-bot my_bot                     a bot in Python, and tests of it
  arena new-bot heron --language go        a copy of the sample bot in Go, with the protocol beside it
  arena new-bot bots/heron --language perl
""",
)
@click.argument("folder", metavar="DIR", type=new_folder)
@click.option(
    "--language",
    "code",
    metavar="L",
    type=language,
    default="python",
    show_default=True,
    help=f"What it is written in: {', '.join(LANGUAGES)}.",
)
@json_option
def new_bot(*, folder: Path, code: str, as_json: bool) -> None:
    """Write a folder to start a bot from.

    DIR is made, or is an empty folder; its name is the bot's. What is in it plays every game by a simple rule and can
    be built and changed anywhere: in Python one function and its tests, in other languages the sample bot with the
    protocol. The commands that build it and let it play are printed.
    """
    from arena.cli.new_bot_run import run_new_bot  # noqa: PLC0415 (what a help page and a mistake do without)

    chosen: Language = LANGUAGES[code]
    run_new_bot(folder, code, chosen, as_json=as_json)
