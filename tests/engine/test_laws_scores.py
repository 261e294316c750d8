"""Laws of every game: what a deal scores, and what becomes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.action import CallKind
from engine.event import CallMade, ContractSet, DealScored, Event, TrickTaken
from engine.game import Deal, Game
from playing import Plan, every_game, plans, steps


@dataclass
class Finished:
    """A deal that was played to its end within a match."""

    deal: Deal
    events: list[Event]
    counted: list[TrickTaken]
    """The tricks of the play, which count for the score."""
    scored: DealScored
    before: tuple[int, ...]
    """The totals before it."""


def finished_deals(game: Game, plan: Plan) -> Iterator[Finished]:
    """The deals of a match that came to their end."""
    before, start, heard = (0,) * len(set(game.sides)), 0, 0
    counted: list[TrickTaken] = []
    deal: Deal | None = None
    phase = ""
    for record in steps(game, plan):
        for place, event in enumerate(record.events[heard:], heard):
            if isinstance(event, TrickTaken) and phase == "play":
                counted.append(event)
            if isinstance(event, DealScored) and deal is not None:
                yield Finished(deal, record.events[start:place], counted, event, before)
                before, start, counted = event.totals, place + 1, []
        deal, phase, heard = record.match.deal, record.match.deal.phase, len(record.events)


@every_game
@settings(max_examples=40)
@given(data=st.data())
def test_a_deal_is_scored_as_its_result_says(game: Game, data: st.DataObject) -> None:
    """Points, lines and shown cards are those of the result; the lines add up to the points; the totals follow."""
    plan = data.draw(plans(game, most=400))
    for finished in finished_deals(game, plan):
        result, scored = finished.deal.result(), finished.scored
        assert (scored.points, scored.lines, scored.shown) == (result.points, result.lines, result.shown)
        sums = Counter(dict.fromkeys(game.sides, 0))
        for line in result.lines:
            sums[line.side] += line.points
            assert line.name
        assert result.points == tuple(sums[side] for side in sorted(set(game.sides)))
        assert scored.totals == game.settle(plan.rules, finished.before, result)


@every_game
@settings(max_examples=40)
@given(data=st.data())
def test_tricks_are_counted_for_the_side_that_won_them(game: Game, data: st.DataObject) -> None:
    """The last view counts by side exactly the tricks of the play."""
    for finished in finished_deals(game, data.draw(plans(game, most=400))):
        sides = Counter(game.sides[trick.seat] for trick in finished.counted)
        for seat in range(len(game.sides)):
            assert finished.deal.view(seat).taken == tuple(sides[side] for side in sorted(set(game.sides)))


@every_game
@settings(max_examples=40)
@given(data=st.data())
def test_without_a_bid_there_is_nothing_to_score(game: Game, data: st.DataObject) -> None:
    """A deal in which nobody bid has no contract, no play and no points; any other says who bid how much."""
    for finished in finished_deals(game, data.draw(plans(game, most=400))):
        result = finished.deal.result()
        calls = [event for event in finished.events if isinstance(event, CallMade)]
        bids = [event for event in calls if event.call.kind is CallKind.BID]
        contracts = [event for event in finished.events if isinstance(event, ContractSet)]
        if calls and not bids:
            assert result.passed_out
            assert (result.level, result.made, any(result.points)) == (0, False, False)
            assert (contracts, finished.counted) == ([], [])
        elif bids:
            (contract,) = contracts
            assert (contract.declarer, contract.level, contract.strain) == (
                bids[-1].seat,
                bids[-1].call.level,
                bids[-1].call.strain,
            )
            assert (result.declarer, result.level) == (contract.declarer, contract.level)
            assert finished.counted


@every_game
@settings(max_examples=40)
@given(data=st.data())
def test_the_first_side_to_win_ends_the_match(game: Game, data: st.DataObject) -> None:
    """No deal is played after one that won the match, and the winner is the side that the rules name."""
    plan = data.draw(plans(game, most=400))
    winners = [
        game.winner(plan.rules, finished.scored.totals, finished.deal.result())
        for finished in finished_deals(game, plan)
    ]
    assert winners[:-1] == [None] * len(winners[:-1])
