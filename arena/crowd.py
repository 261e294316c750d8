"""Who is turned away for want of room: how many of a kind there may be, in all and of each, and who is told of it."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import trio

from arena.tally import Tally
from arena.transport import RpcError, Status

log = logging.getLogger("arena.crowd")

SPACING: Final = 1.0
"""Seconds between two lines for the operator about the same limit."""

TEXT: Final = 300
"""Letters of a reason that a line has room for."""


class Gate:
    """Refuses in words, counts it, and lets the operator know; however many come, a line a second for each limit."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._next: dict[str, float] = {}
        self._unsaid: Counter[str] = Counter()

    def refusal(self, limit: str, text: str, peer: str) -> RpcError:
        """What ends the call of `peer`, who is one too many by `limit`."""
        self.note(limit, text, peer)
        return RpcError(Status.RESOURCE_EXHAUSTED, text)

    def note(self, limit: str, text: str, peer: str) -> None:
        """Somebody was turned away."""
        self._tally.refusals[limit] += 1
        now = trio.current_time()
        if now < self._next.get(limit, now):
            self._unsaid[limit] += 1
            return
        more = f" ({self._unsaid[limit]} more since the last line)" if self._unsaid[limit] else ""
        log.warning("refused a call from %s: %s%s", peer, text[:TEXT], more, extra={"peer": peer, "reason": limit})
        self._next[limit], self._unsaid[limit] = now + SPACING, 0


class Crowd:
    """Those of one kind who are here: `most` in all, and so many on each account of a kind, such as an address.

    `who` says what they are, in words; the bounds are counted as `all_<limit>` and `<kind>_<limit>`.
    """

    def __init__(self, gate: Gate, limit: str, who: str, *, most: int, each: tuple[str, int]) -> None:
        self._gate = gate
        self._limit = limit
        self._who = who
        self._most = most
        self._kind, self._most_each = each
        self._here: Counter[str] = Counter()
        self._all = 0

    def __len__(self) -> int:
        return self._all

    @contextmanager
    def entered(self, key: str, peer: str) -> Iterator[None]:
        """Be one of them as long as the context lasts, on account of `key`. Raises RpcError when there is no room."""
        if self._here[key] >= self._most_each:
            text = f"the limit of {self._most_each} {self._who} for one {self._kind} is reached: end some, or wait"
            raise self._gate.refusal(f"{self._kind}_{self._limit}", text, peer)
        if self._all >= self._most:
            text = f"the arena's limit of {self._most} {self._who} is reached: try again later"
            raise self._gate.refusal(f"all_{self._limit}", text, peer)
        self._here[key] += 1
        self._all += 1
        try:
            yield
        finally:
            self._all -= 1
            self._here[key] -= 1
            if not self._here[key]:
                del self._here[key]
