"""Where settings come from: a TOML file, the environment, the command line; each goes before the one ahead of it.

The file has a table for each kind of bound and one, `[serve]`, for the options of `arena serve`. A variable is called
after table and key: `ARENA_LIMITS_LANES`. Whatever is not known is refused with the name that is most like it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.config.limits import HttpLimits, Limits
from arena.config.settings import SETTINGS, TABLES, bounds_of
from arena.errors import BadConfig, nearest

FILE: Final = "arena.toml"
"""The file's name in a data folder."""
SERVE: Final = "serve"
"""The table of the options of `arena serve`."""

_HEAD: Final = re.compile(r"\s*\[\s*([\w-]+)\s*\]")
_KEY: Final = re.compile(r"""\s*(?:([\w-]+)\s*\.\s*)?["']?([\w-]+)["']?\s*=""")


@dataclass(frozen=True, slots=True)
class Given:
    """A value that somebody gave, and where: `arena.toml:3`, `ARENA_LIMITS_LANES` or `--set`."""

    value: object
    origin: str


@dataclass(frozen=True, slots=True)
class Settings:
    """All that was given: `bounds` by path such as `limits.lanes`, `options` of `arena serve` by name."""

    bounds: Mapping[str, Given]
    options: Mapping[str, Given]

    def limits(self) -> Limits:
        """What bots and guests are allowed."""
        return bounds_of(Limits, self._numbers())

    def http_limits(self) -> HttpLimits:
        """What clients of the HTTP port are allowed."""
        return bounds_of(HttpLimits, self._numbers())

    def _numbers(self) -> dict[str, float]:
        return {path: SETTINGS[path].check(given.value) for path, given in self.bounds.items()}


def gather(
    file: Path | None, environment: Mapping[str, str], words: Iterable[str], options: Collection[str]
) -> Settings:
    """What file, environment and the words of `--set` say, the later before the earlier.

    `options` are the names that may stand in `[serve]`. Raises BadConfig.
    """
    bounds: dict[str, Given] = {}
    chosen: dict[str, Given] = {}
    if file is not None:
        for path, given in _read(file, options):
            _put(path, given, bounds, chosen)
    for path, given in _variables(environment, options):
        _put(path, given, bounds, chosen)
    for word in words:
        path, found, text = (part.strip() for part in word.partition("="))
        if not found or not text:
            raise BadConfig("--set", f"{word!r} will not do: write TABLE.KEY=VALUE, such as limits.lanes=8")
        if path not in SETTINGS:
            raise BadConfig("--set", f"there is no setting {path}{_whole_path(path) or nearest(path, SETTINGS)}")
        bounds[path] = Given(_parsed(path, text, "--set"), "--set")
    return Settings(bounds, chosen)


def _put(path: str, given: Given, bounds: dict[str, Given], options: dict[str, Given]) -> None:
    table, _, key = path.partition(".")
    if table == SERVE:
        options[key] = given
    else:
        bounds[path] = given


def _known(options: Collection[str]) -> dict[str, Collection[str]]:
    """The keys of each table."""
    known: dict[str, Collection[str]] = {SERVE: options}
    for table in TABLES:
        known[table] = [setting.name for setting in SETTINGS.values() if setting.range.table == table]
    return known


def _read(file: Path, options: Collection[str]) -> Iterator[tuple[str, Given]]:
    """The values of a file, by path."""
    try:
        text = file.read_text("utf-8")
        document = tomllib.loads(text)
    except OSError as error:
        raise BadConfig(str(file), f"cannot be read: {(error.strerror or str(error)).lower()}") from None
    except UnicodeDecodeError:
        raise BadConfig(str(file), "is no text in UTF-8") from None
    except (ValueError, RecursionError) as error:  # also a number of 5,000 digits, and brackets nested as deep
        raise BadConfig(str(file), f"is no TOML: {str(error)[:1].lower()}{str(error)[1:]}") from None
    lines = _lines(text)
    known = _known(options)
    for table, content in document.items():
        where = _where(file, lines.get(table))
        if table not in known and not isinstance(content, dict):
            raise BadConfig(where, f"{table} is in no table{_elsewhere(table, known) or _there_are(known)}")
        if table not in known:
            raise BadConfig(where, f"there is no table [{table}]{nearest(table, known) or _there_are(known)}")
        if not isinstance(content, dict):
            raise BadConfig(where, f"{table} is a table: write [{table}] and its keys below")
        for key, value in content.items():
            path, where = f"{table}.{key}", _where(file, lines.get(f"{table}.{key}"))
            if key not in known[table]:
                hint = nearest(key, known[table]) or _elsewhere(key, known)
                raise BadConfig(where, f"there is no key {key} in [{table}]{hint}")
            yield path, Given(value if table == SERVE else _checked(path, value, where), where)


def _variables(environment: Mapping[str, str], options: Collection[str]) -> Iterator[tuple[str, Given]]:
    """The values of the environment, by path."""
    for table, keys in _known(options).items():
        prefix = f"ARENA_{table}_".upper()
        names = {f"{prefix}{key.upper()}": key for key in keys}
        for variable in sorted(name for name in environment if name.startswith(prefix)):
            if variable not in names:
                raise BadConfig(variable, f"there is no such setting{nearest(variable, names)}")
            path, text = f"{table}.{names[variable]}", environment[variable]
            yield path, Given(text if table == SERVE else _parsed(path, text, variable), variable)


def _checked(path: str, value: object, where: str) -> float:
    try:
        return SETTINGS[path].check(value)
    except ValueError as error:
        raise BadConfig(where, str(error)) from None


def _parsed(path: str, text: str, where: str) -> float:
    try:
        return SETTINGS[path].parse(text)
    except ValueError as error:
        raise BadConfig(where, str(error)) from None


def _elsewhere(key: str, known: Mapping[str, Collection[str]]) -> str:
    """`; it stands in [limits]` when another table has that key."""
    table = next((table for table, keys in known.items() if key in keys), None)
    return f"; it stands in [{table}]" if table else ""


def _whole_path(key: str) -> str:
    """`; did you mean limits.lanes?` for a key without its table."""
    path = next((path for path, setting in SETTINGS.items() if setting.name == key), None)
    return f"; did you mean {path}?" if path else ""


def _there_are(known: Iterable[str]) -> str:
    return f": there are {', '.join(f'[{table}]' for table in known)}"


def _where(file: Path, line: int | None) -> str:
    return str(file) if line is None else f"{file}:{line}"


def _lines(text: str) -> dict[str, int]:
    """The lines, from 1 on, in which tables and their keys stand, as far as they are written in the plain way."""
    found: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        if head := _HEAD.match(line):
            table = head[1]
            found.setdefault(table, number)
        elif key := _KEY.match(line):
            owner = key[1] or table
            found.setdefault(f"{owner}.{key[2]}" if owner else key[2], number)
    return found
