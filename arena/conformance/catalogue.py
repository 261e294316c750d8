"""All steps: those of every module in this folder."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

import arena.conformance
from arena.conformance.step import STEPS, Step
from arena.errors import ArenaError, nearest


@cache
def all_steps() -> tuple[Step, ...]:
    """Every step, by number."""
    for module in iter_modules(arena.conformance.__path__):
        import_module(f"{arena.conformance.__name__}.{module.name}")
    return tuple(STEPS)


def steps_of(wanted: Iterable[str]) -> tuple[Step, ...]:
    """The steps with these numbers or names, by number, each once; all of them if none is named.

    Raises ArenaError for one that there is not.
    """
    known = all_steps()
    words = {word for step in known for word in (step.name, str(step.number))}
    chosen = set(wanted)
    for word in chosen - words:
        if not word:
            raise ArenaError("a step is empty: write its number or its name")
        if len(several := re.split(r"\s*[-,. ]+\s*", word)) > 1 and set(several) <= words:
            each = " ".join(f"--step {one}" for one in several)
            raise ArenaError(f"there is no step {word}: name each by itself, such as {each}")
        hint = nearest(word, [step.name for step in known]) or f": there are steps 1 to {known[-1].number}"
        raise ArenaError(f"there is no step {word}{hint}")
    return tuple(step for step in known if not chosen or {step.name, str(step.number)} & chosen)
