"""The gate: sets count in the order of the schedule, and no further than to the one that decides."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.gate import Gate, GateTerms
from arena.stats import Verdict
from arena.store import Player, Result
from engine.states import Termination

TERMS = GateTerms(elo1=200.0)


def leg(number: int, winner: str | None, *, attempt: int = 0, void: bool = False) -> Result:
    """A match between new and old, who sits first in odd matches."""
    bots = ("new", "old") if number % 2 else ("old", "new")
    side = None if winner is None or void else bots.index(winner)
    return Result(
        run="gate-1",
        match_id=f"m{number}.{attempt}",
        number=number,
        game="g",
        rules_version=1,
        rules="{}",
        players=tuple(Player(bot, place) for place, bot in enumerate(bots)),
        termination=Termination.VOID_ARENA if void else Termination.SCORE,
        winner=side,
        at_fault=None,
        totals=(0, 0) if side is None else tuple(10 * (place == side) for place in (0, 1)),
        deals=1,
        offered_ms=0,
        ended_ms=0,
        log_hash=b"",
        set_id=f"s{(number - 1) // 2}.{attempt}",
        leg=2 - number % 2,
        legs=2,
        attempt=attempt,
    )


def season(chance: float, sets: int, seed: int) -> list[Result]:
    """Matches of which the new bot wins so many."""
    dice = Random(seed)
    return [leg(number, "new" if dice.random() < chance else "old") for number in range(1, 2 * sets + 1)]


@given(st.integers(0, 10**6), st.sampled_from([0.1, 0.5, 0.9]))
def test_the_order_of_ending_does_not_matter(seed: int, chance: float) -> None:
    """Whichever matches end first, verdict, ratio and the sets that count are the same."""
    results = season(chance, 40, seed)
    straight, mixed = Gate(TERMS, "new"), Gate(TERMS, "new")
    for result in results:
        straight.take(result)
    for result in Random(seed).sample(results, len(results)):
        mixed.take(result)
    assert (mixed.finding, mixed.tally) == (straight.finding, straight.tally)


def test_what_comes_after_the_verdict_counts_for_nothing() -> None:
    """Once decided, a gate stays decided, whatever is still played out."""
    gate = Gate(TERMS, "new")
    for result in season(1.0, 60, 1):
        gate.take(result)
    decided = gate.finding
    assert decided.verdict is Verdict.ACCEPTED
    assert decided.sets < 60
    for number in range(121, 161):
        gate.take(leg(number, "old"))
    assert gate.finding == decided


def test_a_set_waits_for_those_before_it() -> None:
    """While a long match is played nothing behind it counts; a void set is waited for, one that is given up is not."""
    gate = Gate(TERMS, "new")
    for number in range(3, 9):
        gate.take(leg(number, "new"))
    assert gate.finding.sets == 0
    gate.take(leg(1, "new"))
    gate.take(leg(2, None, void=True))
    assert gate.finding.sets == 0
    gate.take(leg(1, "new", attempt=1))
    gate.take(leg(2, "new", attempt=1))
    assert gate.finding.sets == 4
    given_up = Gate(TERMS, "new")
    for number in (3, 4):
        given_up.take(leg(number, "old"))
    for attempt in range(5):
        given_up.take(leg(1, None, attempt=attempt, void=True))
    assert given_up.finding.sets == 1


def test_by_margin() -> None:
    """With a margin the points a deal are tested, and what is said names them."""
    gate = Gate(GateTerms(margin=2.0), "new")
    for result in season(0.95, 60, 3):
        gate.take(result)
    assert gate.verdict is Verdict.ACCEPTED
    assert gate.finding.measure == "points a deal"


@pytest.mark.parametrize("terms", [TERMS, GateTerms(margin=0.5, alpha=0.01, beta=0.2)])
def test_terms_are_kept(terms: GateTerms) -> None:
    """Written down and read again they are the same."""
    assert GateTerms.of(terms.document()) == terms


@pytest.mark.parametrize(
    "change", [{"elo1": -1.0}, {"alpha": 0.7}, {"beta": 0.0}, {"margin": -1.0}, {"margin": float("nan")}]
)
def test_terms_that_are_no_test_are_refused(change: dict[str, float]) -> None:
    """Hypotheses the wrong way round and impossible probabilities are a mistake at once."""
    with pytest.raises(ValueError, match=r"would do|has to be (the )?lower"):
        replace(GateTerms(), **change)
