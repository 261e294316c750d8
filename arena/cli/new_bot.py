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


_ALSO: Final = {
    "ts": "node",
    "javascript": "node",
    "js": "node",
    "nodejs": "node",
    "py": "python",
    "python3": "python",
    "golang": "go",
    "rs": "rust",
    "cxx": "cpp",
    "cc": "cpp",
    "pl": "perl",
}
"""What else people write for a language, or for one that the same folder is good for."""


def _named(code: str) -> str:
    """`go`, `node (TypeScript)`: the word of the option, and the language where that is another."""
    title = LANGUAGES[code].title
    return code if title.lower() == code else f"{code} ({title})"


LISTED: Final = ", ".join(map(_named, LANGUAGES))
"""The languages, as help and complaints name them."""


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
    """A language by the name of its folder, or by its own in any case: `node`, `TypeScript`."""
    by_name = {name.lower(): code for code, known in LANGUAGES.items() for name in (known.title, code)}
    if text.lower() not in by_name:
        meant = _ALSO.get(text.lower()) or next((code for name, code in by_name.items() if nearest(text, [name])), "")
        hint = f"; did you mean {_named(meant)}?" if meant else ""
        what = f"there is no folder to start from in {text}" if text else "the name is empty"
        raise click.BadParameter(f"{what}: there are {LISTED}{hint}")
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
    help=f"What it is written in: {LISTED}.",
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
