"""The deal that proto/german-whist.md writes down is what the arena says when German Whist is played at its table."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from google.protobuf import text_format

from arena.v1 import play_pb2
from arena.wire import (
    action_from_proto,
    action_to_proto,
    event_to_proto,
    match_ended_to_proto,
    rules_to_text,
    time_control_to_proto,
    time_left_to_proto,
    view_to_proto,
)
from engine.action import PLAYS, Action
from engine.card import Card
from engine.clock import TimeControl
from engine.deck import DeckSource
from engine.effect import Ask, Effect, Finish, Tell
from engine.event import redact
from engine.game import complete_rules
from engine.table import Table, TableTerms
from whist_deals import GAME, deal_told

PAGE: Final = Path(__file__).parents[2] / "proto" / "german-whist.md"
THINKING_US: Final = 40_000
"""What each answer of otter's takes, by the clocks on the page."""


@dataclass(frozen=True, slots=True)
class OneDeck(DeckSource):
    """The deck of the worked example, dealt by seat 1."""

    def dealer(self, nonces: Sequence[bytes]) -> int:  # noqa: ARG002 - whatever the seats say
        """Heron."""
        return 1

    def decks(self, nonces: Sequence[bytes]) -> Callable[[int], tuple[Card, ...]]:  # noqa: ARG002 - likewise
        """The same in every deal."""
        return lambda _: deal_told("W1").deck


@pytest.fixture(scope="module")
def written() -> list[play_pb2.Event | play_pb2.Choose]:
    """All that is said on the page, in order."""
    said: list[play_pb2.Event | play_pb2.Choose] = []
    for block in re.findall(r"^```textproto\n(.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE):
        if block.startswith("# bot to arena"):
            said.append(text_format.Parse(block, play_pb2.PlayRequest()).choose)
        else:
            said += text_format.Parse(block, play_pb2.PlayResponse()).events
    return said


@pytest.fixture
def offer(written: list[play_pb2.Event | play_pb2.Choose]) -> play_pb2.MatchOffered:
    """The offer on the page."""
    first = written[0]
    assert isinstance(first, play_pb2.Event)
    return first.match_offered


@dataclass
class Played:
    """What otter is told in the match, and what is done at each decision."""

    told: list[play_pb2.Event]
    done: dict[int, tuple[Action, Sequence[Action]]]
    finish: Finish | None = None


def take_place(table: Table) -> Played:
    """Play the worked example; both seats leave their draws to the arena."""
    cards = iter([card for trick in deal_told("W1").tricks for card in (trick.lead, trick.follow)])
    played = Played([], {})
    now = 0
    effects: list[Effect] = [*table.ready(0, b"", now), *table.ready(1, b"", now)]
    while effects:
        for effect in effects:
            match effect:
                case Tell():
                    played.told.append(event_to_proto(redact(effect.event, 0), effect.seq))
                case Ask(seat=0):
                    decision = play_pb2.Decision(
                        decision_id=effect.decision_id,
                        view=view_to_proto(table.playing.view(0)),
                        legal=map(action_to_proto, effect.legal),
                        clock=time_left_to_proto(effect.left),
                    )
                    played.told.append(play_pb2.Event(decision=decision))
                case Finish():
                    played.finish = effect
        turn = table.turn
        if turn is None:
            break
        card = PLAYS[next(cards)]
        played.done[table.decision_id] = card, table.playing.legal()
        now += THINKING_US
        effects = table.submit(turn, table.decision_id, card, now)
    return played


@pytest.fixture
def played(offer: play_pb2.MatchOffered) -> Played:
    """The match of the offer on the page."""
    rules = complete_rules(GAME, "match", offer.rules)
    source = OneDeck(b"", offer.match_id, GAME.name, GAME.pack, 2)
    return take_place(Table(TableTerms(GAME, rules, source, TimeControl(), auto_draw=(True, True))))


def test_the_page_offers_this_game(offer: play_pb2.MatchOffered) -> None:
    """Name, version, sides and time control are the arena's; what rules are named are options of the game."""
    assert (offer.game, offer.rules_version, tuple(offer.sides)) == (GAME.name, GAME.rules_version, GAME.sides)
    assert offer.time_control == time_control_to_proto(TimeControl())
    rules = rules_to_text(complete_rules(GAME, "match", offer.rules))
    assert offer.rules
    assert rules.items() >= dict(offer.rules).items()


def test_the_page_tells_every_event(written: list[play_pb2.Event | play_pb2.Choose], played: Played) -> None:
    """From the deal to the score, in this order and with these numbers, nothing is missing and nothing is hidden."""
    numbered = [said for said in written if isinstance(said, play_pb2.Event) and said.seq]
    assert numbered[:-1] == [event for event in played.told if event.seq]


def test_the_page_shows_decisions_as_they_are_asked(
    written: list[play_pb2.Event | play_pb2.Choose], played: Played
) -> None:
    """Each decision on the page is put to otter: id, view, legal actions and clock, between the same events."""
    asked = [said for said in written if isinstance(said, play_pb2.Event) and said.HasField("decision")]
    assert len(asked) == 3
    rest = iter(played.told)
    for said in written:
        if isinstance(said, play_pb2.Event) and (said.HasField("decision") or said.HasField("card_drawn")):
            assert said in rest


def test_the_page_answers_what_is_asked(written: list[play_pb2.Event | play_pb2.Choose], played: Played) -> None:
    """Every answer on the page, an action or an index, is the card that otter plays at that decision."""
    answers = [said for said in written if isinstance(said, play_pb2.Choose)]
    assert len(answers) == 4
    for answer in answers:
        done, legal = played.done[answer.decision_id]
        chosen = action_from_proto(answer.action) if answer.HasField("action") else legal[answer.index]
        assert chosen == done


def test_the_page_ends_as_the_match_does(written: list[play_pb2.Event | play_pb2.Choose], played: Played) -> None:
    """Totals, outcomes and the reason."""
    last = written[-1]
    assert isinstance(last, play_pb2.Event)
    shown = last.match_ended
    assert played.finish is not None
    assert shown == match_ended_to_proto(shown.match_id, played.finish, GAME.sides, shown.text, shown.log_hash)
