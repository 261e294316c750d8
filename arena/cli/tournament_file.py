"""Reads a tournament from a TOML file. Every mistake is one line with the file, the key, and what would be right."""

from __future__ import annotations

import os
import shlex
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

from arena.competition import Competition, Form, Restart
from arena.errors import ArenaError, nearest
from arena.identity import NAME
from arena.launch import BotProgram
from engine.clock import TimeControl
from engine.errors import BadRules, UnknownGame
from engine.game import complete_rules
from engine.games import find, registered

T = TypeVar("T")
Word = TypeVar("Word", Form, Restart)

KEYS: Final = {
    "form": str,
    "challengers": int,
    "rounds": int,
    "sets": int,
    "legs": int,
    "concurrency": int,
    "seed": int,
    "game": str,
    "preset": str,
    "time_control": str,
    "restart": str,
    "memory_mib": int,
    "start_seconds": int,
    "options": dict,
    "bot": list,
}
BOT_KEYS: Final = {
    "name": str,
    "command": str,
    "folder": str,
    "environment": dict,
    "memory_mib": int,
    "start_seconds": int,
}
BOT_LIMITS: Final = ("memory_mib", "start_seconds")
"""What every bot has of its own, or from the whole file."""
_WORDS: Final = {str: "a text", int: "a whole number", dict: "a table", list: "a list of tables, [[bot]]"}


def from_file(path: Path) -> Competition:
    """The tournament in a file. Raises ArenaError for what is none."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ArenaError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from None
    except (ValueError, RecursionError) as error:  # also a number of 5,000 digits, and brackets nested as deep
        raise ArenaError(f"{path} is no TOML: {error}") from None
    return _Reader(path).competition(document)


class _Reader:
    """Reads one file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def competition(self, document: Mapping[str, Any]) -> Competition:
        self._check(document, KEYS, "")
        control = str(document.get("time_control", TimeControl()))
        try:
            game = find(document.get("game", next(iter(registered()))))
            rules = complete_rules(game, document.get("preset", "match"), document.get("options"))
            parsed = TimeControl.parse(control)
        except (UnknownGame, BadRules) as error:
            self._fail(str(error))
        except ValueError as error:
            self._fail(str(error))
        form = self._word(document, "form", Form.ROUND_ROBIN)
        limits = {key: self._number(document, key, None) for key in BOT_LIMITS}
        bots = tuple(self._bot(table, number, limits) for number, table in enumerate(document.get("bot", ()), 1))
        names = [bot.name for bot in bots]
        for name in names:
            if names.count(name) > 1:
                self._fail(f"two bots are called {name}: give each a name of its own")
        legs = self._number(document, "legs", 2)
        if legs > len(set(game.sides)):
            self._fail(f"legs is 1 or {len(set(game.sides))}, not {legs}")
        return Competition(
            "tournament",
            game.name,
            rules,
            bots,
            form=form,
            challengers=self._number(document, "challengers", 1),
            rounds=self._number(document, "rounds", None),
            sets=self._number(document, "sets", 1),
            legs=legs,
            seed=self._number(document, "seed", None, least=0),
            control=parsed,
            concurrency=self._number(document, "concurrency", os.cpu_count() or 1),
            restart=self._word(document, "restart", Restart.NEVER),
        )

    def _bot(self, table: object, number: int, limits: Mapping[str, int | None]) -> BotProgram:
        where = f"bot {number}: "
        if not isinstance(table, dict):
            self._fail(f"{where}it is a table, [[bot]]")
        self._check(table, BOT_KEYS, where)
        for key in ("name", "command"):
            if not table.get(key):
                self._fail(f"{where}it has no {key}")
        if not NAME.fullmatch(table["name"]):
            self._fail(f"{where}{table['name']!r} is no bot name: it has 1 to 32 letters, digits, '.', '_' or '-'")
        try:
            argv = tuple(shlex.split(table["command"]))
        except ValueError as error:
            self._fail(f"{where}its command cannot be read: {error}")
        environment = table.get("environment", {})
        if not argv or not all(isinstance(value, str) for value in environment.values()):
            self._fail(f"{where}its command is the words that start it, and the values of its environment are texts")
        folder = (self.path.parent / table.get("folder", ".")).resolve()
        own = {key: self._number(table, key, limits[key], where=where) for key in BOT_LIMITS}
        return BotProgram(table["name"], argv, folder, tuple(environment.items()), **own)

    def _check(self, table: Mapping[str, Any], keys: Mapping[str, type], where: str) -> None:
        for key, value in table.items():
            if key not in keys:
                self._fail(f"{where}there is no setting {key}{nearest(key, keys)}")
            if not isinstance(value, keys[key]) or isinstance(value, bool):
                self._fail(f"{where}{key} is {_WORDS[keys[key]]}, not {value!r}")

    def _word(self, document: Mapping[str, Any], key: str, default: Word) -> Word:
        words = type(default)
        try:
            return words(document.get(key, default))
        except ValueError:
            self._fail(f"{key} is one of {', '.join(words)}")

    def _number(self, document: Mapping[str, Any], key: str, default: T, least: int = 1, where: str = "") -> int | T:
        number: int | T = document.get(key, default)
        if isinstance(number, int) and number < least:
            self._fail(f"{where}{key} is {least} or more, not {number}")
        return number

    def _fail(self, what: str) -> NoReturn:
        raise ArenaError(f"{self.path}: {what}")


def check(competition: Competition, names: Sequence[str]) -> None:
    """ArenaError when so few bots are no tournament."""
    least = competition.challengers + 1 if competition.form is Form.GAUNTLET else 2
    if len(names) < least:
        raise ArenaError(f"a {competition.form.value} like this has {least} bots or more, not {len(names)}")
