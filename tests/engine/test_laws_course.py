"""Laws of every game: how a match runs, and that it ends."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import BadRules
from engine.event import DealScored, DealStarted, Event
from engine.game import Game, Rules, complete_rules
from engine.match import MAX_DEALS, leader
from engine.states import Termination
from playing import Mood, Plan, begin, every_game, plans, play, steps, to_the_end


def longest_deal(game: Game) -> int:
    """No deal takes more decisions: every card drawn and played, and the longest auction there is (DB-5.14)."""
    return 2 * len(game.pack) + 107


def short_rules(game: Game, deals: int) -> Rules:
    """The preset `match` cut to that many deals, whatever the option for it is called."""
    for option in game.options:
        try:
            rules = complete_rules(game, changes={option.name: deals})
        except BadRules:
            continue
        if game.deal_limit(rules) == deals:
            return rules
    raise AssertionError(f"{game.name} has no option that limits the deals")


@every_game
@settings(max_examples=30)
@given(data=st.data())
def test_the_same_deck_and_actions_give_the_same_events(game: Game, data: st.DataObject) -> None:
    """A match is a function of its rules, decks and actions, so that a replay can be proved."""
    record = play(game, data.draw(plans(game, most=400)))
    again = begin(game, record.match.rules, record.events[0].dealer, lambda number: record.decks[number])  # type: ignore[union-attr]
    for _, _, action in record.acts:
        again.apply(action)
    assert again.events == record.events
    assert again.match.legal() == record.match.legal()
    assert again.match.totals == record.match.totals


@every_game
@settings(max_examples=30)
@given(data=st.data())
def test_nobody_needs_to_listen(game: Game, data: st.DataObject) -> None:
    """A deal played without a list for its events runs as the same deal with one."""
    record = play(game, data.draw(plans(game)))
    match, number = record.match, record.match.deal_no
    deaf = game.deal(
        match.rules, record.decks[number], deal_no=number, dealer=match.dealer, totals=match.deal.view(0).totals
    )
    for deal_no, _, action in record.acts:
        if deal_no == number:
            deaf.apply(action)
    assert deaf.hands() == match.deal.hands()
    assert deaf.turn == match.deal.turn
    assert list(deaf.legal()) == list(match.deal.legal())
    for seat in range(len(game.sides)):
        assert deaf.view(seat) == match.view(seat)


@every_game
@settings(max_examples=30)
@given(data=st.data())
def test_a_copy_is_independent(game: Game, data: st.DataObject) -> None:
    """What is played on one of two copies does not show on the other, and both would go on alike."""
    plan = data.draw(plans(game))
    record = play(game, plan)
    before = record.position()
    stories: list[list[Event]] = []
    for deal in (record.match.deal.copy(), record.match.deal.copy()):
        dice = Random(plan.seed)
        stories.append([])
        while deal.turn is not None and len(stories[-1]) < 20:
            deal.apply(dice.choice(deal.legal()), stories[-1])
            deal.view(0)
        assert record.position() == before
    assert stories[0] == stories[1]


@every_game
@settings(max_examples=40)
@given(data=st.data())
def test_every_deal_ends(game: Game, data: st.DataObject) -> None:
    """No deal takes more decisions than cards and calls allow, however long the players bid."""
    plan = data.draw(plans(game))
    started = 0
    for record in steps(game, replace(plan, decisions=2 * longest_deal(game))):
        if record.match.deal_no and not started:
            started = len(record.acts)
    assert started or record.match.ending
    assert 0 < (started or len(record.acts)) <= longest_deal(game)


@every_game
@settings(max_examples=25)
@given(data=st.data())
def test_every_match_ends_at_its_limit_of_deals(game: Game, data: st.DataObject) -> None:
    """At the limit the higher total wins, equal totals draw (DB-8.3, SM-8.6); before it only the score ends it."""
    deals = data.draw(st.integers(1, 4))
    plan = data.draw(plans(game))
    match = play(game, to_the_end(replace(plan, rules=dict(short_rules(game, deals))))).match
    assert match.deals_complete <= deals
    if match.ending is Termination.SCORE:
        assert match.winner is not None
    else:
        assert match.ending is Termination.DEAL_LIMIT
        assert match.deals_complete == deals
        assert match.winner == leader(match.totals)


@every_game
def test_a_match_without_a_limit_stops_all_the_same(game: Game) -> None:
    """Players who never bid are sent home after 1,000 deals, drawn, where the rules throw such deals in."""
    rules = dict(short_rules(game, 1))
    unlimited = {option.name: 0 for option in game.options if rules[option.name] == 1 and option.low == 0}
    record = play(game, Plan(rules | unlimited, 0, Mood.TIMID, 1, 10**6))
    assert game.deal_limit(record.match.rules) == 0
    match = record.match
    assert match.ending is not None
    assert match.deals_complete <= MAX_DEALS
    if not any(match.totals):
        assert (match.ending, match.deals_complete, match.winner) == (Termination.DEAL_LIMIT, MAX_DEALS, None)


@every_game
@settings(max_examples=25)
@given(data=st.data())
def test_deals_are_numbered_and_told(game: Game, data: st.DataObject) -> None:
    """Deals start in order, each after the one before was scored, with the dealer that the rules name."""
    record = play(game, data.draw(plans(game, most=600)))
    frame = [event for event in record.events if isinstance(event, DealStarted | DealScored)]
    assert [event.deal_no for event in frame] == [number // 2 for number in range(len(frame))]
    assert all(isinstance(event, DealScored) == bool(place % 2) for place, event in enumerate(frame))
    assert frame[0] is record.events[0]
    if record.match.ending:
        assert record.events[-1] is frame[-1]
        assert isinstance(frame[-1], DealScored)
        assert frame[-1].totals == record.match.totals


@every_game
@settings(max_examples=25)
@given(data=st.data())
def test_an_action_of_a_seat_is_told_as_its_own(game: Game, data: st.DataObject) -> None:
    """The first event of an action names the seat whose turn it was."""
    told = 0
    for record in steps(game, data.draw(plans(game, most=120))):
        if record.acts:
            assert record.events[told].seat == record.acts[-1][1]  # type: ignore[union-attr]
        told = len(record.events)
