"""What can be given as a bot, what a decision offers, and what a bot says of itself."""

from __future__ import annotations

import io
import subprocess
import sys
from dataclasses import replace

import pytest

from arena.bot import Answer, Bot, BotError, Decision, MatchOffer
from arena.bot.bot import BotLike, hears, make_bots, software
from arena.bot.pauses import Pauses
from arena.bot.report import LINES, WIDTH, Report
from engine.action import DRAW, PLAYS
from engine.card import HIDDEN, Card, Strain, parse_card
from engine.clock import TimeLeft
from engine.event import CardDrawn, Event
from engine.view import Trick, View


def choose(_: Decision) -> Answer:
    """The smallest bot."""
    return 0


class Plain(Bot):
    """A bot with nothing but an answer."""

    def choose(self, decision: Decision) -> Answer:
        """The first one."""
        return choose(decision)


def make() -> Bot:
    """A function that makes bots."""
    return Plain()


@pytest.mark.parametrize(
    ("bot", "name"), [(choose, "choose"), (Plain, "Plain"), (make, "Plain"), (Plain().choose, "choose")]
)
def test_functions_classes_and_factories_are_bots(bot: BotLike, name: str) -> None:
    """Each lane gets a bot of its own, which has a name."""
    bots = make_bots(bot, 2)
    assert len(set(map(id, bots))) == 2
    assert [software(one) for one in bots] == [name, name]


def test_an_instance_is_a_bot_for_one_lane() -> None:
    """The very instance plays."""
    bot = Plain()
    assert make_bots(bot, 1) == [bot]


class NoBot:
    """Has choose, but none of the hooks."""

    def choose(self, decision: Decision) -> Answer:
        """The first one."""
        return choose(decision)


class Demanding(Plain):
    """Cannot be made without an argument."""

    def __init__(self, depth: int) -> None:
        self.depth = depth


@pytest.mark.parametrize(
    ("bot", "complaint"),
    [
        (NoBot, "NoBot is no bot: let it inherit from arena.bot.Bot"),
        (NoBot(), "is no bot: give a function choose"),
        (Demanding, "Demanding needs 1 arguments"),
        (lambda _one, _two: 0, "needs 2 arguments"),
        (lambda: 0, "makes 0, which is no arena.bot.Bot"),
        (7, "7 is no bot"),
    ],
)
def test_what_is_no_bot_is_refused(bot: BotLike, complaint: str) -> None:
    """The error says what would be a bot."""
    with pytest.raises(BotError, match=complaint):
        make_bots(bot, 1)


def test_only_a_bot_with_the_hook_hears_events() -> None:
    """Events are read for those bots only that want them."""

    class Hearing(Plain):
        def event(self, event: Event) -> None:
            """Heard."""

    assert hears(Hearing())
    assert not hears(Plain())


def test_a_bot_without_choose_says_so() -> None:
    """The error names the class and the method."""
    with pytest.raises(NotImplementedError, match=r"Bot has no method choose\(self, decision\)"):
        Bot().choose(decision_of())


def cards(text: str) -> tuple[Card, ...]:
    """Cards by their names."""
    return tuple(map(parse_card, text.split()))


def decision_of() -> Decision:
    """A decision in the draw phase, with something in every place where a card can be seen."""
    view = View(
        seat=1,
        deal_no=0,
        dealer=0,
        phase="draw",
        hand=cards("2C 9H AS"),
        hand_counts=(3, 3),
        totals=(10, 20),
        taken=(0, 0),
        table=Trick(0, cards("KD")),
        tricks=(Trick(0, cards("3C 4C"), 1),),
        draws=(CardDrawn(1, cards("5C")[0]), CardDrawn(0, HIDDEN)),
        shown=cards("6C")[0],
        kitty=cards("7C"),
        discards=cards("8C"),
    )
    offer = MatchOffer("m", "draw-bridge", {"target": 300}, seat=1)
    return Decision(0, view, (DRAW, PLAYS[view.hand[1]]), TimeLeft(1, 1), offer)


def test_a_decision_says_what_bots_ask_for() -> None:
    """The short names stand for what is in the view and the offer."""
    decision = decision_of()
    assert (decision.game, decision.rules, decision.seat, decision.side) == ("draw-bridge", {"target": 300}, 1, 1)
    assert (decision.phase, decision.hand, decision.trick) == ("draw", cards("2C 9H AS"), cards("KD"))
    assert (decision.plays, decision.trump, decision.contract) == (cards("9H"), Strain.NONE, None)
    assert replace(decision, view=replace(decision.view, table=None)).trick == ()


def test_seen_is_every_card_that_was_seen() -> None:
    """Hand, tricks, table, own draws, the shown card, kitty and discards; hidden cards are none."""
    assert decision_of().seen == set(cards("2C 9H AS 3C 4C KD 5C 6C 7C 8C"))


def test_pauses_grow_to_a_limit_and_start_again() -> None:
    """They double from 0.1 s to 5 s, are shortened by chance by up to half, and are short again after a success."""
    longest = Pauses(dice=lambda: 1.0)
    assert [longest.next() for _ in range(8)] == pytest.approx([0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0])
    longest.reset()
    assert longest.next() == pytest.approx(0.1)
    assert Pauses(dice=lambda: 0.0).next() == pytest.approx(0.05)


def test_a_report_is_short_whatever_happens() -> None:
    """Lines beyond the limit are held back and counted, until a minute has passed."""
    now = 0.0
    out = io.StringIO()
    report = Report("bot", out=out, clock=lambda: now)
    for number in range(100):
        report.say(f"line {number}")
    assert len(out.getvalue().splitlines()) == LINES
    report.must_say("this must be said")
    now = 61.0
    report.say("and on")
    assert out.getvalue().splitlines()[LINES:] == [
        "bot: this must be said",
        f"bot: and on ({100 - LINES} lines before this one were held back)",
    ]


def test_a_report_cannot_steer_a_terminal() -> None:
    """Text from the arena is one line without control characters, and has an end."""
    out = io.StringIO()
    Report("bot", out=out).must_say("\x1b[2J\nowned " + "x" * 1000)
    said = out.getvalue()
    assert said.startswith("bot:  [2J owned xxx")
    assert said.endswith("xxx...\n")
    assert len(said) == len("bot: ") + WIDTH + 1


def test_the_sdk_needs_grpc_and_protobuf_alone() -> None:
    """A bot, local play and the sample bots are imported without the server and what it needs, and without gRPC."""
    code = (
        "import sys, arena.bot, arena.bot.local, sample_bots.python.random_bot, sample_bots.python.steady_bot\n"
        "dear = {'grpc', 'trio', 'click', 'rich', 'sqlalchemy', 'zstandard', 'filelock', 'arena.transport'}\n"
        "print(sorted(dear & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"
