"""How those listen who show what happens in the arena."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

log = logging.getLogger("arena.cli")

P = ParamSpec("P")


def harmless(hear: Callable[P, None]) -> Callable[P, None]:
    """The listener `hear`, whose faults are logged and go no further: how a match is shown never harms the match."""

    @wraps(hear)
    def heard(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            hear(*args, **kwargs)
        except Exception:
            log.exception("what happened cannot be shown")

    return heard
