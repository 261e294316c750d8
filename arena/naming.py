"""What bots are called that are started by their commands alone: after their programs, and told apart by folders."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import Final, TypeAlias

from arena.bot.bridge.naming import behind_bridge, called

Command: TypeAlias = Sequence[str]

_LONGEST: Final = 32
_PROGRAM_WORDS: Final = (
    *("python", "python3", "pypy", "pypy3", "node", "deno", "bun", "java", "go", "lua", "ruby", "perl", "php"),
    *("sh", "bash", "env", "exec", "uv", "run"),
)


def names_of(commands: Sequence[Command]) -> list[str]:
    """The names of bots by their commands, none of which is empty; no two are the same.

    A bot is called after its program. Programs of one name have in front the folders by which their paths differ, as
    few as tell them apart, the innermost first: `my_bot` and `old-my_bot`. What is still the same is numbered.
    """
    plain = [_name(command) for command in commands]
    names = list(plain)
    for name in dict.fromkeys(plain):
        alike = [place for place, other in enumerate(plain) if other == name]
        if len(alike) > 1:
            folders = _telling_apart([_folders(commands[place], name) for place in alike])
            for place, words in zip(alike, folders, strict=True):
                names[place] = _plain("-".join((*words, name)))
    return _numbered(names)


def numbered_names_of(commands: Sequence[Command]) -> list[str]:
    """The names that earlier arenas gave, which looked at no folders: runs that they began go on under these."""
    return _numbered([_name(command) for command in commands])


def _numbered(names: Sequence[str]) -> list[str]:
    found: list[str] = []
    for plain in names:
        name, number = plain, 2
        while name in found:
            name, number = f"{plain[:28]}-{number}", number + 1
        found.append(name)
    return found


def _telling_apart(paths: Sequence[Sequence[str]]) -> list[Sequence[str]]:
    """Of each path, given from its innermost folder outwards, the folders that go into the name, outermost first."""
    deepest = max(map(len, paths))
    levels = [[path[level] if level < len(path) else "" for path in paths] for level in range(deepest)]
    differing = [level for level in levels if len(set(level)) > 1]
    enough = next(([level] for level in differing if len(set(level)) == len(level)), differing)
    return [[level[place] for level in reversed(enough) if level[place]] for place in range(len(paths))]


def _name(command: Command) -> str:
    """A bot's name from its command: the first word that is no option, no setting and no mere interpreter.

    Behind a bridge it is that of the program, which has one of its own there.
    """
    if program := behind_bridge(command):
        return _plain(called(program))
    word, module = _program(command)
    path = PurePath(word)
    if module:
        return _plain(path.name.rpartition(".")[2])
    return _plain(path.stem if path.suffix[1:].isalpha() else path.name)


def _folders(command: Command, name: str) -> list[str]:
    """The folders that the command gives for the program of that name, the innermost first."""
    if program := behind_bridge(command):
        word = next((word for word in reversed(program) if _plain(called([word])) == name), "")
        module = False
    else:
        word, module = _program(command)
    if module:
        return word.split(".")[-2::-1]
    path = os.path.normpath(word)
    if path.startswith(os.pardir):  # that says nothing
        path = os.path.normpath(Path.cwd() / path)
    return [folder for folder in reversed(PurePath(path).parent.parts) if folder != PurePath(path).anchor]


def _program(command: Command) -> tuple[str, bool]:
    """The word that names the program, and whether it is a module of Python's."""
    for before, word in zip(("", *command), command, strict=False):
        interpreter = re.sub(r"[\d.]+$", "", PurePath(word).name) in _PROGRAM_WORDS
        if not (word.startswith("-") or "=" in word or interpreter):
            return word, before == "-m"
    return command[0], False


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]", "-", name)[:_LONGEST].strip("-") or "bot"
