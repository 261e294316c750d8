"""How a check of a bot is told: a line a step, more of what failed, JSON for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import Final

from arena.cli.advice import advice
from arena.cli.printing import Json, clean
from arena.conformance.run import Outcome, Verdict

PAGE: Final = "proto/README.md"
"""Where the sections are."""
_WORDS: Final = MappingProxyType(
    {
        Verdict.PASSED: "ok",
        Verdict.FAILED: "FAILED",
        Verdict.NOT_REACHED: "not reached",
        Verdict.LEFT_OUT: "left out",
    }
)


def line(outcome: Outcome) -> str:
    """A step that has ended, in one line."""
    step = outcome.step
    took = f"{outcome.seconds:5.1f} s" if outcome.verdict in (Verdict.PASSED, Verdict.FAILED) else ""
    return clean(f"{step.number:2}  {step.name:<19}  {_WORDS[outcome.verdict]:<11}  {took:>7}  {outcome.told}".rstrip())


def in_words(outcome: Outcome, command: str, game: str) -> Iterator[str]:
    """What there is to say of a step that failed, in lines, an empty one before."""
    step = outcome.step
    yield ""
    yield f"{step.number} {step.name} failed"
    yield f"  what it did  {clean(outcome.told)}"
    yield f"  expected     {step.expects}"
    yield f"  read         {PAGE}#{step.section}"
    for number, printed in enumerate(outcome.printed.splitlines() or ["nothing"]):
        yield f"  {'' if number else 'it printed':<11}  {clean(printed)}".rstrip()
    only = ("--game", game) if game else ()
    yield f"  try again    {clean(advice('check-bot', command, *only, '--step', str(step.number)))}"


def summary(outcomes: Sequence[Outcome], seconds: float) -> str:
    """How many steps ended in which way, and how long all of it took."""
    counts = Counter(outcome.verdict for outcome in outcomes)
    return f"{', '.join(f'{counts[verdict]} {verdict}' for verdict in Verdict if counts[verdict])}, in {seconds:.0f} s"


def so_far(outcomes: Sequence[Outcome], steps: int) -> str:
    """How much of a check that was broken off has been tried, of so many steps."""
    tried = sum(outcome.verdict in (Verdict.PASSED, Verdict.FAILED) for outcome in outcomes)
    return f"{tried} of {steps} step{'' if steps == 1 else 's'} tried"


def document(command: str, game: str, outcomes: Sequence[Outcome]) -> Json:
    """A check as JSON."""
    counts = Counter(outcome.verdict for outcome in outcomes)
    return {
        "command": command,
        "game": game or None,
        "passed": bool(counts[Verdict.PASSED]) and not counts[Verdict.FAILED] and not counts[Verdict.NOT_REACHED],
        "counts": {verdict.value: counts[verdict] for verdict in Verdict},
        "steps": [
            {
                "step": outcome.step.number,
                "name": outcome.step.name,
                "part": outcome.step.part.value,
                "verdict": outcome.verdict.value,
                "seconds": round(outcome.seconds, 3),
                "told": outcome.told,
                "expects": outcome.step.expects,
                "section": f"{PAGE}#{outcome.step.section}",
                "printed": outcome.printed.splitlines(),
            }
            for outcome in outcomes
        ],
    }
