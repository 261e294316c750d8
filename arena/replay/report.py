"""What a verification has found: proved, failed with the place, or not provable by a log at all."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from arena.errors import shortened


class Verdict(StrEnum):
    """How far a claim of the log holds."""

    PROVED = "proved"
    FAILED = "FAILED"
    OPEN = "cannot be proved"


@dataclass(frozen=True, slots=True)
class Finding:
    """One claim: what was looked at, how far it holds, and why. A failure's text begins with its place."""

    verdict: Verdict
    check: str
    text: str

    def __str__(self) -> str:
        return f"{self.verdict}: {self.check}: {self.text}"


@dataclass(frozen=True, slots=True)
class Report:
    """All findings on a replay."""

    name: str
    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Nothing failed: all that a log can prove is proved."""
        return not self.failures

    @property
    def failures(self) -> tuple[Finding, ...]:
        """What does not hold."""
        return tuple(finding for finding in self.findings if finding.verdict is Verdict.FAILED)


class Check:
    """Collects the failures of one claim. Later ones are often only consequences, so the first one is told in full."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._first = ""
        self._count = 0

    def fail(self, where: str, what: str) -> None:
        """Note that the claim does not hold at a place."""
        self._count += 1
        self._first = self._first or f"{where}: {shortened(what)}"

    def finding(self, proved: str) -> Finding:
        """The finding; `proved` is what is said when nothing failed."""
        if not self._count:
            return Finding(Verdict.PROVED, self.name, shortened(proved))
        more = f" (and {self._count - 1} more)" if self._count > 1 else ""
        return Finding(Verdict.FAILED, self.name, self._first + more)
