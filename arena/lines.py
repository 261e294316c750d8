"""Lines of the operator's log: what a line is about.

A line says in words what happened, and besides it has fields for programs: match, bot, seat, lane and others. What a
task says for long is about the same, so it says so once; a single line can say more by `extra`. A field that is None is
left out.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextvars import ContextVar
from typing import Final, TypeAlias

Field: TypeAlias = str | int | None

FIELDS: Final = ("match", "bot", "seat", "lane", "game", "bots", "peer", "reason", "software", "address")
"""The fields that a line can have, in the order in which they are shown."""

_about: ContextVar[Mapping[str, Field]] = ContextVar("about", default={})  # noqa: B039  # never changed, only replaced


def about(**fields: Field) -> None:
    """From now on, in this task and those that it starts, lines are about this and nothing else."""
    _about.set(fields)


def fields_of(record: logging.LogRecord) -> dict[str, Field]:
    """What a line is about. To be asked in the task that wrote it."""
    known = _about.get()
    found = {name: getattr(record, name, known.get(name)) for name in FIELDS}
    return {name: value for name, value in found.items() if value is not None}
