"""The list of steps: what the page says of them, what the kit says of them, and how one is asked for."""

from __future__ import annotations

import re

import pytest

from arena.conformance.catalogue import all_steps, steps_of
from arena.conformance.games import KNOWN
from arena.errors import ArenaError
from conformance_page import LINES, ROOT, Line
from engine.games import registered

README = (ROOT / "proto" / "README.md").read_text(encoding="utf-8")


def test_the_page_and_the_kit_say_the_same() -> None:
    """Numbers, names, parts, what is expected of the bot and where to read of it: word for word, in the same order."""
    kit = [Line(step.number, step.name, step.part.value, step.expects, step.section) for step in all_steps()]
    assert kit == LINES
    assert [step.number for step in all_steps()] == list(range(1, 63))


def test_what_is_expected_reads_as_an_order() -> None:
    """After "expected:", as each report has it: "do this", or "when that happens: do this"."""
    for expects in (step.expects for step in all_steps()):
        orders = (expects, expects.rpartition(": ")[2])
        assert not any(re.match(r"(not|the|it|has|to) ", words) for words in orders[: 1 + (": " in expects)])


def test_every_section_that_is_named_exists() -> None:
    """A section is a heading of proto/README.md, as a link to it is written."""
    headings = re.findall(r"^## (.+)$", README, re.MULTILINE)
    anchors = {re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    assert {step.section for step in all_steps()} <= anchors


def test_steps_need_steps_that_come_before() -> None:
    """Else a step would never be tried."""
    numbers = {step.name: step.number for step in all_steps()}
    assert [step.name for step in all_steps() if step.needs and numbers[step.needs] >= step.number] == []


def test_every_game_has_its_steps() -> None:
    """A whole deal of it, and every seat."""
    assert sorted(known.name for known in KNOWN) == sorted(registered())
    named = {step.name for step in all_steps()}
    assert {name for known in KNOWN for name in (known.name, f"{known.name}-seats")} <= named


def test_a_step_is_found_by_number_and_by_name() -> None:
    """Each once, by number, in whatever way it is asked for; all of them if none is."""
    assert [step.name for step in steps_of(["ready", "1", "7"])] == ["hello", "ready"]
    assert steps_of([]) == all_steps()


@pytest.mark.parametrize(
    ("word", "answer"),
    [
        ("redy", "there is no step redy; did you mean ready?"),
        ("99", "there is no step 99: there are steps 1 to 62"),
        ("", "a step is empty: write its number or its name"),
        ("1-3", "there is no step 1-3: name each by itself, such as --step 1 --step 3"),
        ("1,ready", "there is no step 1,ready: name each by itself, such as --step 1 --step ready"),
        ("01", "there is no step 01: there are steps 1 to 62"),
    ],
)
def test_a_step_that_is_none_is_refused(word: str, answer: str) -> None:
    """In one line, with the name that is most like it, or the numbers that there are."""
    with pytest.raises(ArenaError) as refusal:
        steps_of(["1", word])
    assert str(refusal.value) == answer
