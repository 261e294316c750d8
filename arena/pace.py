"""How often something may come: so many at once, and then at a steady rate."""

from __future__ import annotations

from typing import Final

_MANY: Final = 4096
"""Keys above which those that have been quiet for long enough are forgotten."""


class Pace:
    """Lets each key come `burst` times at once, and `rate` times a second in the long run.

    For each key it keeps the moment at which all that came would have come at the steady rate; a key for which that is
    past is as good as new.
    """

    def __init__(self, rate: float, burst: float) -> None:
        self._gap = 1 / rate
        self._ahead = (burst - 1) / rate
        self._due: dict[str, float] = {}
        self._many = _MANY

    def admits(self, key: str, now: float) -> bool:
        """Whether one more may come at `now`, in seconds; if so it is counted."""
        due = max(self._due.get(key, now), now)
        if due - now > self._ahead:
            return False
        self._due[key] = due + self._gap
        if len(self._due) > self._many:
            self._due = {other: due for other, due in self._due.items() if due > now}
            self._many = max(_MANY, 2 * len(self._due))
        return True
