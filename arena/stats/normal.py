"""The normal distribution: from deviations to probabilities and back."""

from __future__ import annotations

import math
from statistics import NormalDist

_STANDARD = NormalDist()


def phi(z: float) -> float:
    """How likely a standard normal value is below `z`, to the last bits on either side."""
    return math.erfc(-z / math.sqrt(2)) / 2


def two_sided(level: float, comparisons: int = 1) -> float:
    """The deviation that a standard normal value stays within with probability `level`.

    With several comparisons all stay within it with at least that probability (Bonferroni).
    """
    return -_STANDARD.inv_cdf((1 - level) / (2 * max(1, comparisons)))
