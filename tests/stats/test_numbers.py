"""The linear algebra against numpy, the normal distribution against the tables."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.stats.matrix import cholesky, inverse, sandwich, solve
from arena.stats.normal import phi, two_sided


def positive(random: Random, size: int) -> list[list[float]]:
    """A random symmetric positive definite matrix."""
    half = np.array([[random.gauss(0, 1) for _ in range(size)] for _ in range(size)])
    found: list[list[float]] = (half @ half.T + 0.1 * np.eye(size)).tolist()
    return found


@given(st.integers(0, 12), st.integers(0, 999))
def test_linear_algebra_is_that_of_numpy(size: int, seed: int) -> None:
    """Solutions, inverses and products agree, and what is symmetric is so to the last bit."""
    random = Random(seed)
    bread, meat = positive(random, size), positive(random, size)
    right = [random.gauss(0, 1) for _ in range(size)]
    lower = cholesky(bread)
    back, product = inverse(lower), sandwich(bread, meat)
    if size:
        assert np.allclose(solve(lower, right), np.linalg.solve(bread, right))
        assert np.allclose(back, np.linalg.inv(bread))
        assert np.allclose(product, np.array(bread) @ meat @ bread)
    for each in (back, product):
        assert each == [list(column) for column in zip(*each, strict=True)]


@pytest.mark.parametrize(
    ("level", "comparisons", "deviation"),
    [(0.95, 1, 1.959964), (0.95, 5, 2.575829), (0.9, 1, 1.644854), (0.95, 0, 1.959964)],
)
def test_deviations_are_those_of_the_tables(level: float, comparisons: int, deviation: float) -> None:
    """1.96 for 95 %; five comparisons at once are five at 99 %."""
    assert two_sided(level, comparisons) == pytest.approx(deviation, abs=1e-6)
    assert phi(two_sided(level)) - phi(-two_sided(level)) == pytest.approx(level, abs=1e-12)
