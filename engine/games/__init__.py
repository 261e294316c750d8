"""The games, found by looking into this folder: every package here with an attribute `GAME` is one."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType
from typing import TYPE_CHECKING

from engine.errors import UnknownGame

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Game


@cache
def registered() -> Mapping[str, Game]:
    """Every installed game by name, in the order of their ranks."""
    packages = [module.name for module in iter_modules(__path__) if module.ispkg]
    games: list[Game] = [import_module(f"{__name__}.{package}").GAME for package in packages]
    return MappingProxyType({game.name: game for game in sorted(games, key=lambda game: (game.rank, game.name))})


def find(name: str) -> Game:
    """The game called `name`; UnknownGame names those that there are."""
    games = registered()
    if name not in games:
        raise UnknownGame(f"there is no game {name}: there are {', '.join(games)}")
    return games[name]
