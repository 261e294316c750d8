"""Plans of runs: who plays when, and what a run with a fixed seed derives from its plan."""

from __future__ import annotations

import hmac
from collections import Counter
from hashlib import sha256
from itertools import islice

import pytest

from arena.identity import NAME
from arena.schedule import Pairing, seeded_match_id, seeded_server_seed, series


def test_two_bots_change_seats_from_match_to_match() -> None:
    """P71: in a series of two, everybody sits in each seat every other time, beginning in the order given."""
    plan = list(series("g", (0, 1), ("a", "b"), 5))
    assert [pairing.number for pairing in plan] == [1, 2, 3, 4, 5]
    assert [pairing.bots for pairing in plan] == [("a", "b"), ("b", "a")] * 2 + [("a", "b")]
    assert {(pairing.game, pairing.attempt) for pairing in plan} == {("g", 0)}


def test_partners_stay_together() -> None:
    """With four seats in two partnerships the teams change places as teams, of one bot each or of two."""
    plan = list(series("g", (0, 1, 0, 1), ("a", "b"), 2))
    assert [pairing.bots for pairing in plan] == [("a", "b", "a", "b"), ("b", "a", "b", "a")]
    plan = list(series("g", (0, 1, 0, 1), ("a", "b", "c", "d"), 3))
    assert [pairing.bots for pairing in plan] == [("a", "b", "c", "d"), ("b", "a", "d", "c"), ("a", "b", "c", "d")]


def test_everybody_has_each_side_equally_often() -> None:
    """P71: over full rounds each team plays each side as often as any other."""
    for teams in (("a", "b"), ("a", "b", "c")):
        sides = tuple(range(len(teams)))
        counts = Counter(
            (bot, side) for pairing in series("g", sides, teams, 6) for side, bot in enumerate(pairing.bots)
        )
        assert set(counts.values()) == {6 // len(teams)}
        assert len(counts) == len(teams) ** 2


def test_a_plan_is_made_as_it_is_asked_for() -> None:
    """A series of any length costs nothing before it is played."""
    plan = series("g", (0, 1), ("a", "b"), 10**15)
    assert [pairing.number for pairing in islice(plan, 3)] == [1, 2, 3]


def test_nothing_planned_is_nothing() -> None:
    """A series of no matches is empty."""
    assert list(series("g", (0, 1), ("a", "b"), 0)) == []


def test_a_server_seed_is_derived_as_written_down() -> None:
    """HMAC-SHA-256 of number and, from the second attempt on, attempt, under the run's seed: anybody can repeat it."""
    pairing = Pairing(7, "g", ("a", "b"))
    assert seeded_server_seed(5, pairing) == hmac.new((5).to_bytes(8, "big"), (7).to_bytes(8, "big"), sha256).digest()
    message = (7).to_bytes(8, "big") + (1).to_bytes(4, "big")
    assert seeded_server_seed(5, pairing.again()) == hmac.new((5).to_bytes(8, "big"), message, sha256).digest()


def test_no_two_matches_share_a_seed_or_an_id() -> None:
    """Every match and every attempt of a run has decks and an id of its own; so has every run."""
    pairings = [
        Pairing(number, "draw-bridge", ("a", "b"), attempt) for number in (1, 2, 256, 10**6) for attempt in (0, 1, 4)
    ]
    seeds = {seeded_server_seed(seed, pairing) for seed in (0, 1, 2**63) for pairing in pairings}
    ids = {seeded_match_id(seed, pairing) for seed in (0, 1, 2**63) for pairing in pairings}
    assert len(seeds) == len(ids) == 3 * len(pairings)


@pytest.mark.parametrize(("attempt", "match_id"), [(0, "s3-draw-bridge-000012"), (2, "s3-draw-bridge-000012.2")])
def test_an_id_says_where_a_match_stands(attempt: int, match_id: str) -> None:
    """The id of a match of a seeded run names seed, game, number and, if there was another before, attempt."""
    assert seeded_match_id(3, Pairing(12, "draw-bridge", ("a", "b"), attempt)) == match_id
    assert NAME.fullmatch(match_id)  # letters that a file name can have


def test_another_attempt_is_the_same_match() -> None:
    """`again` changes the attempt alone."""
    assert Pairing(3, "g", ("a", "b")).again() == Pairing(3, "g", ("a", "b"), 1)
    assert Pairing(3, "g", ("a", "b"), 1).again().attempt == 2
