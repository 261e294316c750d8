"""How far a gate is: the log-likelihood ratio between its bounds, on a terminal in place, in a pipe now and then."""

from __future__ import annotations

from typing import Final

from rich.text import Text

from arena.cli.display import Display
from arena.cli.printing import say
from arena.director import Director
from arena.gate import Gate
from arena.stats import Verdict
from arena.store import Result
from engine.effect import Finish

EVERY: Final = 10
"""So many sets make a line in a pipe."""
_WIDTH: Final = 40


class GateProgress(Display):
    """Shows a gate, and says when it is decided."""

    def __init__(self, gate: Gate, sets: int, *, quiet: bool) -> None:
        super().__init__(quiet=quiet)
        self._gate = gate
        self._sets = sets
        self._said = gate.finding.sets // EVERY

    @property
    def decided(self) -> bool:
        """Nothing more needs to be played."""
        return self._gate.verdict is not Verdict.UNDECIDED

    def ended(self, director: Director, finish: Finish) -> None:  # noqa: ARG002 - a listener's
        """A match is over."""
        if director.logged_end is None:
            return
        sides = director.table.sides
        self._gate.take(Result.from_log(director.header, director.logged_end, sides=sides, ended_ms=0, log_hash=b""))
        finding = self._gate.finding
        if self._live is not None:
            self._live.update(Text(f"{self.line}\n{_scale(finding.llr, finding.lower, finding.upper)}"), refresh=True)
        elif self._lines and finding.sets // EVERY > self._said:
            self._said = finding.sets // EVERY
            say(self.line)

    @property
    def line(self) -> str:
        """Where it stands."""
        finding = self._gate.finding
        return (
            f"{finding.sets} of at most {self._sets} sets: "
            f"LLR {finding.llr:.2f} ({finding.lower:.2f} to {finding.upper:.2f})"
        )


def _scale(llr: float, lower: float, upper: float) -> str:
    """A bar from one bound to the other with a mark where the ratio is."""
    place = round((min(max(llr, lower), upper) - lower) / (upper - lower) * (_WIDTH - 1))
    return f"rejected [{'-' * place}|{'-' * (_WIDTH - 1 - place)}] accepted"
