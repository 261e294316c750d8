"""What a deal scores (GW-6)."""

from __future__ import annotations

from engine.event import ScoreLine
from engine.game import DealResult, Rules


def score(taken: tuple[int, int], rules: Rules) -> DealResult:
    """The score of a deal in whose second half the seats took so many tricks."""
    if rules["scoring"] == "tricks":
        return _result(taken, *(ScoreLine("tricks", side, tricks) for side, tricks in enumerate(taken)))
    mine, theirs = taken
    if mine == theirs:
        return _result((0, 0), ScoreLine(f"{mine} tricks each", 0, 0))  # GW-6.4
    points, side = ((1, 0), 0) if mine > theirs else ((0, 1), 1)
    return _result(points, ScoreLine(f"most tricks, {max(taken)} to {min(taken)}", side, 1))


def _result(points: tuple[int, int], *lines: ScoreLine) -> DealResult:
    """A deal without a contract (GW-1.4)."""
    return DealResult(points, declarer=None, level=0, made=False, lines=lines)
