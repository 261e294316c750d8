"""What a program behind the line bridge reads and may write, word for word."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import get_args

import pytest

from arena.bot import Answer, Bot, Decision, MatchOffer, MatchResult, Outcome, Rejection, Resign, UnknownAction
from arena.bot.bridge import forms
from arena.bot.bridge.child import LINE_BYTES
from arena.bot.bridge.replies import reply
from arena.bot.local import play_match
from engine.action import PLAYS, Call, CallKind, parse_action
from engine.card import parse_card
from engine.clock import SECOND, TimeLeft
from engine.effect import Rejection as Reason
from engine.event import DealScored, Event
from engine.game import Game
from engine.view import View
from playing import every_game

Golden = Callable[[str, Iterable[str]], None]


class Listening(Bot):
    """Plays like a program that answers `legal[dice % count]`, and keeps what it is told of the first deal."""

    def __init__(self) -> None:
        self.told = [forms.greeting(0)]
        self.closed = False

    def keep(self, message: dict[str, object]) -> None:
        """Keep it, unless the deal is over."""
        if not self.closed:
            self.told.append(message)

    def match_started(self, offer: MatchOffer) -> None:
        """Kept."""
        self.keep(forms.told("match_started", offer))

    def event(self, event: Event) -> None:
        """Kept; the score closes the deal."""
        self.keep(forms.happened(event))
        self.closed = self.closed or isinstance(event, DealScored)

    def match_ended(self, result: MatchResult) -> None:
        """Kept in any case."""
        self.told.append(forms.told("match_ended", result))

    def choose(self, decision: Decision) -> Answer:
        """A call that is the least there is, else a throw of the dice."""
        message = forms.question(decision)
        self.keep(message)
        calls = [index for index, action in enumerate(decision.legal) if isinstance(action, Call)]
        bids = [index for index in calls if decision.legal[index] != Call(CallKind.PASS)]
        if calls:
            return bids[0] if bids and not decision.view.calls else calls[0]
        return int(message["dice"]) % len(decision.legal)


def first_deal(game: Game) -> list[dict[str, object]]:
    """A deal as the program in seat 0 is told it, then the end of the match."""
    listening = [Listening() for _ in game.sides]
    play_match(listening, game=game.name, seed=1)
    return listening[0].told


@every_game
def test_a_deal_in_text(game: Game, golden: Golden) -> None:
    """A whole deal as a program reads it with --text."""
    golden(f"bridge-{game.name}.txt", "".join(map(forms.text_lines, first_deal(game))).splitlines())


@every_game
def test_a_deal_in_json(game: Game, golden: Golden) -> None:
    """A whole deal as a program reads it without: every event, and the first decision of each phase."""
    phases: set[object] = set()
    lines = []
    for line in map(forms.json_lines, first_deal(game)):
        phase = json.loads(line).get("view", {}).get("phase")
        if phase is None or phase not in phases:
            lines.append(line.rstrip("\n"))
        phases.add(phase)
    golden(f"bridge-{game.name}.jsonl", lines)


@every_game
def test_both_forms_say_the_same_number_of_things(game: Game) -> None:
    """Each message begins with its kind in text as in JSON; no message in JSON is more than a line."""
    for message in first_deal(game):
        line = forms.json_lines(message)
        assert line.count("\n") == 1
        assert forms.text_lines(message).split()[0] == json.loads(line)["kind"]
        assert len(line) < LINE_BYTES


DECISION = Decision(
    7,
    View(0, 0, 1, "play", tuple(map(parse_card, ("2C", "9H"))), (2, 2), (0, 0), (0, 0)),
    (PLAYS[parse_card("2C")], PLAYS[parse_card("9H")], UnknownAction(2)),
    TimeLeft(60 * SECOND, 1_999_999),
    MatchOffer("m", "any"),
)


@pytest.mark.parametrize(
    ("line", "answer", "note"),
    [
        ("1", 1, ""),
        ("  play 9H \r\n", 1, ""),
        ("PLAY 9h", 1, ""),
        ("play 9H # a hunch # of mine", 1, "a hunch # of mine"),
        ("0 #", 0, ""),
        ('"play 9H"', 1, ""),
        ('{"action": 1}', 1, ""),
        ('{"action": "1", "note": "as text"}', 1, "as text"),
        ('{"action": "play 2C", "note": "low"}', 0, "low"),
        ("2", 2, ""),
        ("resign", Resign(), ""),
        ("bid 2C", parse_action("bid 2C"), ""),  # an action, if not one of these: the arena says by which rule
    ],
)
def test_what_is_an_answer(line: str, answer: object, note: str) -> None:
    """An index, the text of an action, or an object that holds one of them and a note."""
    choice = reply(line.encode(), DECISION)
    assert not isinstance(choice.answer, tuple)
    assert (DECISION.resolve(choice.answer), choice.note) == (answer, note)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("3", "index 3 is none of the 3 legal actions, from 0"),
        ("-1", "'-1' is no action: "),
        ("", "'' is no action: "),
        ("play", "'play' is no action: "),
        ("play 1H", "'play 1H' is no action: "),
        ("9" * 5000, "'99999"),
        ("{", "'{' is no JSON: "),
        ("[" * 60000, "'[[["),
        ('{"a":' * 9000, '{"a":{'),
        ('{"index": 1}', "'index' is not known in "),
        ('{"note": "high"}', "action is missing in "),
        ('{"action": 1, "decision": 2}', "'decision' is not known in "),
        ('{"action": true}', "True is no action: "),
        ('{"action": null}', "None is no action: "),
        ('{"action": 1, "note": 2}', "the note 2 is no text: "),
        ("x" * LINE_BYTES, "the line is longer than 65536 bytes: "),
    ],
)
def test_what_is_none_is_said_in_a_short_line(line: str, complaint: str) -> None:
    """The complaint says what was wrong and what would be right, and is short whatever came."""
    with pytest.raises(ValueError, match=re.escape(complaint)) as caught:
        reply(line.encode(), DECISION)
    assert len(str(caught.value)) < 260


def test_bytes_that_are_no_text_are_no_action() -> None:
    """They are complained of like anything else."""
    with pytest.raises(ValueError, match="is no action"):
        reply(b"play \xff\xfe\n", DECISION)


def test_times_are_in_milliseconds_and_unknown_actions_have_an_index() -> None:
    """A time is rounded down; an action that this version cannot name is still counted."""
    message = forms.question(DECISION)
    assert message["time_left"] == {"bank_ms": 60000, "decision_ms": 1999}
    assert message["legal"] == ["play 2C", "play 9H", "unknown"]


def test_a_text_from_elsewhere_makes_no_line() -> None:
    """A newline in the arena's words is a space in the text form, and escaped in JSON."""
    rejection = Rejection(3, Reason.NOT_LEGAL, "one\nchoose", 2)
    message = forms.told("rejected", rejection)
    assert forms.text_lines(message) == "rejected decision_id 3 reason not_legal strikes_left 2 text one choose\n"
    assert json.loads(forms.json_lines(message))["text"] == "one\nchoose"


def test_what_this_version_does_not_know_is_null() -> None:
    """An outcome of a later version is null in JSON, and a dash among the words of a list."""
    message = forms.told(
        "match_ended", MatchResult("m", 0, None, (None, Outcome.LOST), (3, -4), None, log_hash=b"\x01")
    )
    assert message["outcomes"] == [None, "lost"]
    assert forms.text_lines(message) == "match_ended match_id m seat 0 outcomes - lost totals 3 -4 log_hash 01\n"


def test_the_page_names_all_that_is_told() -> None:
    """proto/bridge.md has every kind and every field outside the view and the events, and the form's version."""
    page = (Path(__file__).parents[2] / "proto" / "bridge.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z_]+)`", page))
    for message in (
        forms.greeting(0),
        forms.question(DECISION),
        forms.told("match_started", DECISION.offer),
        forms.told("rejected", Rejection(3, None, "", 2, DECISION.time_left)),
        forms.told("match_ended", MatchResult("m", 0, None, (), (), None)),
    ):
        assert {str(message["kind"]), *message} - {"kind"} <= named
        assert not isinstance(message.get("time_left"), dict) or set(message["time_left"]) <= named
    events = {re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower() for kind in get_args(Event)}
    assert events <= named
    assert f"`version` of these lines, {forms.VERSION}," in page
