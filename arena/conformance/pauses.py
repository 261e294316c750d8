"""What is to be seen of a bot's pauses from the arena's end."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

_LEAST_SECONDS: Final = 1.0
"""How long five pauses are together, at least. Those of 0.1 s, doubling, half of it cut off by dice, make 1.55 s."""
_GROWTH: Final = 1.5
"""So many times as long is a pause at the end as one at the beginning, at least; with the same dice 4 times."""


_SOON_SECONDS: Final = 1.0
"""How long the pause after a Welcome may be in any case: one of 0.1 s, and what a busy machine adds."""


def complaint(opened: Sequence[float]) -> str:
    """What is wrong with the pauses between six streams, of which each broke at once; empty if nothing is.

    `opened` is when each of them said Hello, in seconds. A machine that is busy makes single pauses longer, so what
    counts is their sum, the shorter one of the first two and the longer one of the last two.
    """
    pauses = [later - earlier for earlier, later in pairwise(opened)]
    told = ", ".join(f"{pause:.2f}" for pause in pauses)
    if sum(pauses) < _LEAST_SECONDS:
        return f"it came back {len(pauses)} times within {sum(pauses):.2f} s: its pauses were {told} s"
    if max(pauses[-2:]) < _GROWTH * min(pauses[:2]):
        return f"its pauses do not grow: they were {told} s"
    return ""


def complaint_after_welcome(opened: Sequence[float], pause: float) -> str:
    """What is wrong with the pause after a stream that was made welcome, the last of those that were `opened`; empty if
    nothing is. It is to be the first pause again, and would be the longest of all if it grew on.
    """
    longest = max(later - earlier for earlier, later in pairwise(opened))
    if pause > max(_SOON_SECONDS, longest / 2):
        return f"it came back {pause:.2f} s after a stream that was made welcome: its pauses begin anew with a Welcome"
    return ""
