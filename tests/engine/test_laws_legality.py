"""Laws of every game: what is offered is accepted, and nothing else."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.action import DRAW, Action
from engine.errors import Refused
from engine.game import Game
from playing import NONSENSE, every_game, plans, play, random_discards, to_the_end

CLAUSE = re.compile(r"[A-Z]{2}-\d+\.\d+|match")


@every_game
@settings(max_examples=60)
@given(data=st.data())
def test_only_what_is_offered_is_accepted(game: Game, data: st.DataObject) -> None:
    """Every other play, call, draw and discard is refused in one line that cites a rule, and changes nothing."""
    plan = data.draw(plans(game))
    record = play(game, plan)
    before = record.position()
    offered = set(record.match.legal())
    for action in (*NONSENSE, DRAW, *random_discards(record, Random(plan.seed), 40)):
        if action in offered:
            continue
        with pytest.raises(Refused) as refusal:
            record.match.apply(action)
        assert record.position() == before, action
        assert CLAUSE.fullmatch(refusal.value.clause), refusal.value
        assert refusal.value.reason
        assert "\n" not in refusal.value.reason


@every_game
@settings(max_examples=60)
@given(data=st.data())
def test_whatever_is_offered_is_accepted(game: Game, data: st.DataObject) -> None:
    """Each offered action can be carried out; a seat to act has at least one, no seat is offered one twice."""
    record = play(game, data.draw(plans(game)))
    legal = record.match.legal()
    assert bool(legal) == (record.match.turn is not None)
    assert len(set(legal)) == len(legal)
    for action in legal:
        before = record.match.deal.hands()
        deal = record.match.deal.copy()
        deal.apply(action)
        assert record.match.deal.hands() == before


@every_game
@settings(max_examples=20)
@given(data=st.data())
def test_a_finished_match_refuses_everything(game: Game, data: st.DataObject) -> None:
    """Nothing is offered, nothing is accepted, the result stays."""
    plan = data.draw(plans(game).filter(lambda plan: 0 < game.deal_limit(plan.rules) < 5))
    record = play(game, to_the_end(plan))
    assert record.match.ending is not None
    assert record.match.turn is None
    before = record.position()
    actions: tuple[Action, ...] = (*NONSENSE[::7], DRAW)
    for action in actions:
        with pytest.raises(Refused):
            record.match.apply(action)
        with pytest.raises(Refused):
            record.match.deal.apply(action)
    assert record.position() == before
