"""How much better one mean explains a sample than another, whatever its distribution (empirical likelihood).

    LLR  = sum_i N_i ln(p1_i / p0_i)     N_i: how often value v_i was seen;  pk: the likeliest distribution with mean mk
    pk_i = p_i / (1 + x (v_i - mk)),     p_i = N_i / N,   x such that  sum_i p_i (v_i - mk) / (1 + x (v_i - mk)) = 0

The shape of the distribution is nobody's guess: under each hypothesis that one is taken, on the values seen, which
explains them best. Owen, "Empirical likelihood ratio confidence intervals for a single functional" (1988); as the
ratio of a sequential test: Li, Liu and Ying, "Generalized sequential probability ratio test for separate families of
hypotheses" (2014).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import Final

UNSEEN: Final = 1e-3
"""How often a value counts that could have been seen and was not, which keeps every ratio finite."""

_STEPS: Final = 100


def log_ratio(counts: Sequence[float], values: Sequence[float], low: float, high: float) -> float:
    """The log-likelihood ratio of mean `high` to mean `low`.

    Values ascend, all counts are above 0, and either mean lies between the first value and the last.
    """
    below = [value - low for value in values]
    above = [value - high for value in values]
    x0, x1 = _tilt(counts, below), _tilt(counts, above)
    return sum(
        count * log((1 + x0 * under) / (1 + x1 * over)) for count, under, over in zip(counts, below, above, strict=True)
    )


def _tilt(counts: Sequence[float], misses: Sequence[float]) -> float:
    """The x of a mean that the values miss by so much.

    Its sum falls in x, from above to below 0 between the ends: Newton's steps, and halves where they would lead out.
    """
    least, most = -1 / misses[-1], -1 / misses[0]
    x = 0.0
    for _ in range(_STEPS):
        value = slope = 0.0
        for count, miss in zip(counts, misses, strict=True):
            part = miss / (1 + x * miss)
            value += count * part
            slope += count * part * part
        if value > 0:
            least = x
        else:
            most = x
        after = x + value / slope
        if not least < after < most:
            after = (least + most) / 2
        moved, x = abs(after - x), after
        if moved <= 1e-9 * abs(x):
            break
    return x
