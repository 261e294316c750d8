"""What tests do with a deal of any game: actions in text form, a course at random, all that it holds."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

from engine.action import Action, parse_action
from engine.event import Event


def do(deal: Any, *texts: str) -> list[Event]:
    """Carry out actions in text form; gives what was told of them."""
    told: list[Event] = []
    for text in texts:
        deal.apply(parse_action(text), told)
    return told


def tokens(actions: Iterable[Action]) -> list[str]:
    """The actions in text form."""
    return [str(action) for action in actions]


def play_on(dice: Random, deal: Any, most: int = 1000) -> list[Event]:
    """Play on at random; gives what was told."""
    told: list[Event] = []
    for _ in range(most):
        if deal.turn is None:
            break
        deal.apply(dice.choice(deal.legal()), told)
    return told


def snapshot(deal: Any) -> object:
    """Everything that a deal holds, for comparison; its auction too, but not what it keeps of its views."""
    kept = {name: getattr(deal, name) for name in _slots(deal) if name not in ("auction", "sight")}
    auction = getattr(deal, "auction", None)
    return repr((kept, {name: getattr(auction, name) for name in _slots(auction)}))


def _slots(thing: object) -> list[str]:
    """The names of all that it has."""
    return [name for kind in type(thing).__mro__ for name in getattr(kind, "__slots__", ())]
