"""Rule bugs to plant: the games with one mistake each, to see that the second opinion notices it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module, invalidate_caches
from pathlib import Path
from typing import Any

import engine
from engine.match import Match

ENGINE = Path(engine.__file__).parent


@dataclass(frozen=True)
class Plant:
    """A mistake in a module of a game, or in one of the engine's own: `match` or `trick`.

    Every snippet of the right source stands in it exactly once, so that nobody changes it without changing this.
    """

    module: str
    mistakes: dict[str, str]
    """What is right by what is wrong."""

    def source(self, path: Path) -> str:
        """The source of a module, with the mistakes if it is theirs."""
        source = path.read_text(encoding="utf-8")
        if path.stem == self.module:
            for right, wrong in self.mistakes.items():
                assert source.count(right) == 1, f"{path.name} has {source.count(right)} times {right!r}"
                source = source.replace(right, wrong)
        return source


@contextmanager
def planted(folder: str, plant: Plant, place: Path) -> Iterator[tuple[Any, type[Match]]]:
    """The game of `engine/games/FOLDER` and the engine's matches with the mistake in them.

    They are a copy in a package of another name at `place`: the game's modules, and the engine's own if the mistake is
    in one. All else is the engine's.
    """
    name = f"planted_{place.name}"
    (place / name).mkdir()
    own = ENGINE / f"{plant.module}.py"
    game = ENGINE / "games" / folder
    copied = [*game.glob("*.py"), *([] if (game / own.name).exists() else [own])]
    for path in copied:
        source = plant.source(path).replace(f"engine.games.{folder}", name)
        if own in copied:
            source = source.replace(f"engine.{plant.module}", f"{name}.{plant.module}")
        (place / name / path.name).write_text(source, encoding="utf-8")
    sys.path.insert(0, str(place))
    invalidate_caches()
    try:
        found = import_module(name).GAME
        match_type = import_module(f"{name}.match").Match if own in copied and plant.module == "match" else Match
        yield found, match_type
    finally:
        sys.path.remove(str(place))
        for module in [module for module in sys.modules if module.partition(".")[0] == name]:
            del sys.modules[module]
