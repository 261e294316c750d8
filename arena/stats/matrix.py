"""Linear algebra for some hundred bots: symmetric positive definite matrices as lists of rows.

Plain Python, so that the arena installs light and no library's choice of threads or vector units moves a bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from operator import mul


def dot(left: Sequence[float], right: Sequence[float]) -> float:
    """The scalar product, over the shorter of the two."""
    total: float = sum(map(mul, left, right))
    return total


def diagonal(size: int, value: float) -> list[list[float]]:
    """The matrix with `value` on its diagonal and 0 elsewhere."""
    full = [[0.0] * size for _ in range(size)]
    for index in range(size):
        full[index][index] = value
    return full


def cholesky(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """The lower triangle L, its rows as long as they are filled, with L L' = matrix."""
    lower: list[list[float]] = []
    for index, row in enumerate(matrix):
        filled: list[float] = []
        for column, above in enumerate(lower):
            filled.append((row[column] - dot(filled, above)) / above[column])
        filled.append(sqrt(row[index] - dot(filled, filled)))
        lower.append(filled)
    return lower


def solve(lower: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """The x with L L' x = right."""
    forward: list[float] = []
    for row, value in zip(lower, right, strict=True):
        forward.append((value - dot(row, forward)) / row[-1])
    for index in range(len(lower) - 1, -1, -1):
        row = lower[index]
        forward[index] /= row[index]
        found = forward[index]
        for column in range(index):
            forward[column] -= row[column] * found
    return forward


def inverse(lower: Sequence[Sequence[float]]) -> list[list[float]]:
    """The inverse of L L', exactly symmetric: the product of L's inverse with itself."""
    columns: list[list[float]] = []
    size = len(lower)
    for start in range(size):
        column = [1 / lower[start][start]]
        for row in lower[start + 1 :]:
            column.append(-dot(row[start:-1], column) / row[-1])
        columns.append(column)
    full = diagonal(size, 0.0)
    for low in range(size):
        for high in range(low, size):
            full[low][high] = full[high][low] = dot(columns[high], columns[low][high - low :])
    return full


def sandwich(bread: Sequence[Sequence[float]], meat: Sequence[Sequence[float]]) -> list[list[float]]:
    """The product bread * meat * bread of symmetric matrices, exactly symmetric."""
    half = [[dot(row, column) for column in meat] for row in bread]
    size = len(half)
    full = diagonal(size, 0.0)
    for low in range(size):
        for high in range(low, size):
            full[low][high] = full[high][low] = dot(half[low], bread[high])
    return full
