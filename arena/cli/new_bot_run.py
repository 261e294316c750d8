"""What `arena new-bot` does when its options are read."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from arena.cli.advice import advice, python
from arena.cli.fitting import fitted, own_tests, program_name, steps
from arena.cli.languages import Language
from arena.cli.printing import print_json, say
from arena.errors import ArenaError

OUTSIDE: Final = {"proto": ("*.md", "arena/v1/*.proto"), "tests/vectors": ("deck.json",)}
"""What sources name outside of their folder, in a checkout; an installed arena has it below sample_bots."""
STRAYS: Final = ("__pycache__", "__init__.py", "arena-data")
"""Beside what building makes and what is hidden, this is no source."""
KEPT: Final = (".npmrc",)
"""Hidden, and a source."""


def run_new_bot(folder: Path, code: str, language: Language, *, as_json: bool) -> None:
    """Write the folder, then say what to do with it."""
    name = folder.absolute().name
    files = fitted(language, name, *sources_of(language, _samples()))
    _write(folder, files)
    word = program_name(name)
    commands = steps(language, word, python=python(), arena=advice(start=folder))
    check = own_tests(language, python=python()) if not language.build else []
    following = [f"cd {shlex.quote(str(folder))}", *_joined(commands), *check]
    change = language.strategy.format(name=word)
    if as_json:
        print_json({"folder": str(folder), "language": code, "change": change, "files": list(files), "next": following})
        return
    say(f"{folder} has a bot in {language.title}; {change} is the file to change, README.md says more. Next:")
    for line in following:
        say(f"  {line}")


def sources_of(language: Language, samples: Path) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """The sample bot's sources by their place in its folder, and what they may name outside of it.

    Raises ArenaError if they are not below `samples`.
    """
    home = samples / language.folder
    if not (home / "README.md").is_file():
        raise ArenaError(f"the sample bot in {language.title} is not installed: there is no {home}")
    outside = {}
    for folder, patterns in OUTSIDE.items():
        installed, in_checkout = samples / folder.rpartition("/")[2], samples.parent / folder
        place = installed if installed.is_dir() else in_checkout
        paths = [path for pattern in patterns for path in sorted(place.glob(pattern))]
        if not paths:
            raise ArenaError(f"{folder}, which goes with the sample bots, is not installed: there is no {place}")
        outside[folder] = {path.relative_to(place).as_posix(): _read(path) for path in paths}
    return {path.relative_to(home).as_posix(): _read(path) for path in _sources(home, language.made)}, outside


def _samples() -> Path:
    """The sample bots of the arena that runs; they stand above it, so it is not for it to import them."""
    spec = find_spec("sample_bots")
    places = (spec and spec.submodule_search_locations) or ["sample_bots"]
    return Path(next(iter(places)))


def _sources(folder: Path, made: tuple[str, ...]) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name in made or path.name in STRAYS or (path.name.startswith(".") and path.name not in KEPT):
            continue
        if path.is_dir():
            yield from _sources(path, ())
        else:
            yield path


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise ArenaError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from None


def _write(folder: Path, files: dict[str, str]) -> None:
    """Write new files; nothing that is there is written over."""
    for place, text in files.items():
        path = folder / place
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8", newline="\n") as file:
                file.write(text)
        except OSError as error:
            raise ArenaError(f"cannot write {path}: {(error.strerror or str(error)).lower()}") from None


def _joined(commands: list[str]) -> list[str]:
    """Building in one line, playing in another."""
    *build, play = commands
    return [*([" && ".join(build)] if build else []), play]
