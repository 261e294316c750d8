"""A sample bot's folder made into one that stands by itself: pure, from texts by name to texts by name.

What the sources name outside of their folder by `../../` comes along and is named where it stands then; the sample
bot's own name gives way to the new one; the README is written anew around what it says of the files and the strategy.
"""

from __future__ import annotations

import keyword
import posixpath
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Final

from arena.cli.languages import Language
from arena.errors import ArenaError

OPPONENT: Final = "{python} -m sample_bots.python.random_bot"
"""Whom a new bot plays first."""
DATA: Final = "arena-data"
"""Where matches go that are played in the folder."""
_TAKEN_MODULES: Final = frozenset({"arena", "engine", "google", "grpc", "sample_bots", "test", "tests"})

Texts = Mapping[str, str]


def fitted(language: Language, name: str, sources: Texts, outside: Mapping[str, Texts]) -> dict[str, str]:
    """The files of a new bot called `name`, by where they stand in its folder.

    `sources` are those of the sample bot, with README.md. `outside` are what stands elsewhere in a checkout: files by
    their name, under the folder that the sources know as `../../FOLDER`; those of which a source speaks are taken.

    Raises ArenaError when the name cannot stand in them.
    """
    word = program_name(name)
    _check(language, word, sources)
    spoken_of = "".join(sources.values())
    homes = {folder: _home(folder) for folder in outside if f"../../{folder}" in spoken_of}
    found: dict[str, str] = {}
    for place, text in sources.items():
        if place != "README.md":
            found[_renamed(language, word, place)] = _rewritten(language, word, homes, text)
    for folder, home in homes.items():
        found.update({f"{home}/{place}": text for place, text in outside[folder].items()})
    about = _rewritten(language, word, homes, sources["README.md"])
    found["README.md"] = _readme(
        language, name, word, about, protocol="proto" in homes and "bridge" not in language.command
    )
    found[".gitignore"] = "".join(f"/{_renamed(language, word, made)}\n" for made in (*language.made, DATA))
    if language.title == "Python":
        found[".gitignore"] += "__pycache__/\n"
    return {place: _without_lost_links(place, text, found) for place, text in sorted(found.items())}


def program_name(name: str) -> str:
    """What the bot is called in its sources: a module cannot have a dash."""
    return name.replace("-", "_")


def steps(language: Language, word: str, *, python: str = "python", arena: str = "arena") -> list[str]:
    """The commands that build a new bot and let it play a match, for a shell in its folder."""
    say = {"name": word, "python": python, "arena": arena}
    command, opponent = language.command.format(**say), OPPONENT.format(**say)
    build = [step.format(**say) for step in language.build]
    return [*build, f"{arena} match {quoted(command)} {quoted(opponent)}"]


def quoted(command: str) -> str:
    """A bot's command as a word of another one."""
    return f'"{command}"' if " " in command else command


def own_tests(language: Language, *, python: str = "python") -> list[str]:
    """The command that runs the tests that come with it, if it has any."""
    return [language.tests.format(python=python)] if language.tests else []


def _check(language: Language, word: str, sources: Texts) -> None:
    stems = {PurePosixPath(place).stem.lower() for place in sources} | {made.lower() for made in language.made}
    if word.lower() in stems - {language.word}:
        raise ArenaError(f"DIR: {word} is what something else in the folder is called: take another name")
    hidden = word in sys.stdlib_module_names or word in _TAKEN_MODULES or keyword.iskeyword(word)
    if language.title == "Python" and hidden:
        raise ArenaError(f"DIR: {word} is a word or module of Python's own, or of the arena's: take another name")


def _home(folder: str) -> str:
    """Where a folder of the checkout stands in the new one."""
    return folder.removeprefix("tests/")


def _renamed(language: Language, word: str, text: str) -> str:
    return re.sub(rf"(?<![A-Za-z0-9]){language.word}(?![A-Za-z0-9_])", word, text)  # also in test_first_bot


def _rewritten(language: Language, word: str, homes: Mapping[str, str], text: str) -> str:
    for folder, home in homes.items():
        text = text.replace(f"../../{folder}", home)  # whatever is two floors up; of three the first remains
    text = text.replace(f"sample_bots.{language.folder}.", "").replace(f"sample_bots/{language.folder}/", "./")
    return _renamed(language, word, text)


# -- pages


def _readme(language: Language, name: str, word: str, about: str, *, protocol: bool) -> str:
    """The README: what the sample's says of the files and of the strategy, and how it is built and tried here."""
    files = next(block for block in about.split("\n\n") if block.startswith("    "))
    change = about[about.index("## Change the strategy") :].partition("\n## ")[0].rstrip()
    start = language.command.format(name=word, python="python", arena="arena")
    *build, play = steps(language, word)
    lines = [*build, *(f"{test:<30}# its own tests" for test in own_tests(language)), play]
    story = "\n[proto/README.md](proto/README.md) tells the whole conversation with the arena.\n"
    return f"""\
# {name}

A bot for Drawbridge Arena in {language.title}. It plays every game by a simple rule; the sample bot that it was begun
from is under the MIT licence.

{files}

## {"Build it and try it" if build else "Try it"}

It needs {language.needs}, and the arena, `pip install "drawbridge-arena[server]"`.

{_indented(lines)}

The last line plays a match, and says where its replay is. `sample_bots.python.steady_bot` is a stronger opponent;
`--sets 20` plays more, each deck from both sides. To try step by step whether it keeps to the protocol, and to play on
an arena that runs, such as `arena serve --open` in another terminal:

    arena check-bot {quoted(start)}
    ARENA_SERVER=127.0.0.1:7878 ARENA_NAME={word} {start}

Settings are variables, those of the launch contract; logs go to stderr. SIGTERM lets the match in hand end first.
{story if protocol else ""}
{change}
"""


def _indented(lines: Iterable[str]) -> str:
    return "\n".join(f"    {line}" for line in lines)


def _without_lost_links(place: str, text: str, found: Texts) -> str:
    """A page without the links that lead out of the folder: their words stay."""
    if not place.endswith(".md"):
        return text

    def kept(link: re.Match[str]) -> str:
        words, target = link.groups()
        where = posixpath.normpath(posixpath.join(posixpath.dirname(place), target.partition("#")[0]))
        known = where in found or any(other.startswith(f"{where}/") for other in found)
        return link[0] if "://" in target or target.startswith("#") or known else words

    return re.sub(r"\[([^]]+)\]\(([^)\s]+)\)", kept, text)
