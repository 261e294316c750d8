"""A check of a bot as build servers read it: JUnit's XML, a test case for each step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from xml.etree import ElementTree as ET

from arena.conformance.run import Outcome, Verdict

SUITE: Final = "arena check-bot"


def junit_xml(command: str, outcomes: Sequence[Outcome]) -> str:
    """The document. Steps that were not reached or left out are skipped ones."""
    counts = {
        "tests": str(len(outcomes)),
        "failures": str(sum(outcome.verdict is Verdict.FAILED for outcome in outcomes)),
        "errors": "0",
        "skipped": str(sum(outcome.verdict in (Verdict.NOT_REACHED, Verdict.LEFT_OUT) for outcome in outcomes)),
        "time": f"{sum(outcome.seconds for outcome in outcomes):.3f}",
    }
    root = ET.Element("testsuites", {"name": SUITE, **counts})
    suite = ET.SubElement(root, "testsuite", {"name": _fit(f"{SUITE} {command}"), **counts})
    for outcome in outcomes:
        _add(suite, outcome)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _add(suite: ET.Element, outcome: Outcome) -> None:
    step = outcome.step
    case = ET.SubElement(
        suite,
        "testcase",
        {
            "classname": f"check-bot.{step.part.replace(' ', '-')}",
            "name": f"{step.number} {step.name}",
            "time": f"{outcome.seconds:.3f}",
        },
    )
    match outcome.verdict:
        case Verdict.FAILED:
            failure = ET.SubElement(case, "failure", {"message": _fit(outcome.told), "type": "Failed"})
            failure.text = _fit(
                f"{outcome.told}\nexpected: {step.expects}\nread proto/README.md#{step.section}\n{outcome.printed}"
            )
        case Verdict.NOT_REACHED | Verdict.LEFT_OUT:
            ET.SubElement(case, "skipped", {"message": _fit(f"{outcome.verdict}: {outcome.told}")})
        case Verdict.PASSED if outcome.told:
            ET.SubElement(case, "system-out").text = _fit(outcome.told)


def _fit(text: str) -> str:
    """`text` without the characters that XML cannot hold: what is not printable is written as an escape."""
    return "".join(
        char if char.isprintable() or char == "\n" else char.encode("unicode_escape").decode() for char in text
    )
