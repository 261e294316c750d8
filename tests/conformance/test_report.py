"""What a check says: in text, as JSON, and in JUnit's XML, of outcomes made up here."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from xml.etree import ElementTree as ET

from arena.cli.check_report import document, in_words, line, summary
from arena.conformance.catalogue import steps_of
from arena.conformance.junit import junit_xml
from arena.conformance.run import Outcome, Verdict

COMMAND = "python 'my bot.py'"
HELLO, READY, SMEAR, START = steps_of(["hello", "ready", "smear", "dropped-asked"])
OUTCOMES = [
    Outcome(HELLO, Verdict.PASSED, 0.2341, "heron 2"),
    Outcome(READY, Verdict.FAILED, 10.04, "the bot said nothing for 10.0 s", "loading\n\x1b[31mTraceback\x07\n\n  <&>"),
    Outcome(SMEAR, Verdict.LEFT_OUT, told="smear is not played"),
    Outcome(START, Verdict.NOT_REACHED, told="it needs step ready"),
]


def test_the_report_reads_as_it_should(golden: Callable[[str, Iterable[str]], None]) -> None:
    """A line a step, more of what failed, a summary; nothing that a bot printed can steer a terminal."""
    failed = [text for text in in_words(OUTCOMES[1], COMMAND, "") if "try again" not in text]
    report = [*map(line, OUTCOMES), *failed, "", summary(OUTCOMES, 11.6)]
    golden("check-bot.txt", report)
    assert "\x1b" not in "".join(report)


def test_a_failed_step_says_how_to_try_it_again() -> None:
    """The command with its quotes, the game if one was given, and the step."""
    *_, again = in_words(OUTCOMES[1], COMMAND, "smear")
    assert again.endswith("""check-bot 'python '"'"'my bot.py'"'"'' --game smear --step 7""")


def test_the_document_says_all_that_the_text_says(golden: Callable[[str, Iterable[str]], None]) -> None:
    """JSON, for programs: the verdict of each step, what was done and expected, the section, what was printed."""
    text = json.dumps(document(COMMAND, "", OUTCOMES), indent=2)
    golden("check-bot.json", text.splitlines())


def test_all_is_well_when_nothing_failed() -> None:
    """Steps that are left out do no harm, unless no other was tried; one that was not reached does."""
    verdicts = [
        [Verdict.PASSED],
        [Verdict.PASSED, Verdict.LEFT_OUT],
        [Verdict.PASSED, Verdict.NOT_REACHED],
        [Verdict.FAILED],
        [Verdict.LEFT_OUT],
    ]
    documents = [document(COMMAND, "", [Outcome(HELLO, verdict) for verdict in each]) for each in verdicts]
    assert [isinstance(each, dict) and each["passed"] for each in documents] == [True, True, False, False, False]


def test_build_servers_read_the_xml() -> None:
    """A test case a step, failures with all that there is to say, steps that were not tried as skipped."""
    root = ET.fromstring(junit_xml(COMMAND, OUTCOMES))
    suite = root[0]
    for element in (root, suite):
        assert {name: element.attrib[name] for name in ("tests", "failures", "errors", "skipped")} == {
            "tests": "4",
            "failures": "1",
            "errors": "0",
            "skipped": "2",
        }
    cases = list(suite)
    assert [case.attrib["name"] for case in cases] == ["1 hello", "7 ready", "15 smear", "31 dropped-asked"]
    assert [[child.tag for child in case] for case in cases] == [["system-out"], ["failure"], ["skipped"], ["skipped"]]
    assert [case.attrib["classname"] for case in cases] == [*["check-bot.manners"] * 3, "check-bot.hostile-arena"]
    failure = cases[1][0]
    assert failure.attrib["message"] == "the bot said nothing for 10.0 s"
    assert failure.text is not None
    for part in (READY.expects, "proto/README.md#a-whole-conversation", "\\x1b[31mTraceback\\x07", "<&>"):
        assert part in failure.text
