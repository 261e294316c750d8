"""What of a plan is still to be played, and in which order its sets are."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from arena.due import Due, Ended
from arena.schedule import BLOCK, Meetings, apart


def left_of(due: Due) -> dict[int, int]:
    """The numbers that are due, each with its next attempt."""
    attempts = {number: due.attempt(number) for number in range(1, due.planned + 1)}
    return {number: attempt for number, attempt in attempts.items() if attempt is not None}


def test_a_void_leg_makes_its_whole_set_due() -> None:
    """P60: a leg that ended well is played again, with another deck, when the other leg of its set ended void."""
    ended = [Ended(1, 0, void=False), Ended(2, 0, void=True), Ended(3, 0, void=False), Ended(4, 0, void=False)]
    assert left_of(Due(6, 2, ended)) == {1: 1, 2: 1, 5: 0, 6: 0}
    again = [*ended, Ended(1, 1, void=False)]
    assert left_of(Due(6, 2, again)) == {2: 1, 5: 0, 6: 0}
    assert left_of(Due(6, 2, [*again, Ended(2, 1, void=False)])) == {5: 0, 6: 0}


def test_a_leg_of_an_attempt_that_was_void_counts_no_more() -> None:
    """The first leg can end after the second was void: it is due all the same."""
    assert left_of(Due(2, 2, [Ended(2, 0, void=True), Ended(1, 0, void=False)])) == {1: 1, 2: 1}


def test_what_is_beyond_the_plan_is_left_alone() -> None:
    """A run that was longer before can be shorter now."""
    assert left_of(Due(2, 2, [Ended(3, 0, void=False), Ended(4, 0, void=True), Ended(2, 0, void=False)])) == {1: 0}


@given(st.data())
def test_the_numbers_due_are_those_that_a_dictionary_gives(data: st.DataObject) -> None:
    """For any record, the bits say what plain bookkeeping over all results says."""
    legs = data.draw(st.sampled_from([1, 2]))
    sets = data.draw(st.integers(1, 12))
    ended: list[Ended] = []
    expected: dict[int, int] = {}
    for played in range(sets):
        attempts = data.draw(st.lists(st.lists(st.sampled_from("nvf"), min_size=legs, max_size=legs), max_size=3))
        done, attempt = set[int](), 0
        for number, ways in enumerate(attempts):
            if number > attempt:
                break  # the attempt before was not void, so there is no next one
            for leg, way in enumerate(ways):
                if way == "n":
                    continue  # not played
                ended.append(Ended(played * legs + leg + 1, number, void=way == "v"))
                done.add(leg)
                if way == "v":
                    attempt, done = number + 1, set()
                    break
        expected |= {played * legs + leg + 1: attempt for leg in range(legs) if leg not in done}
    due = Due(sets * legs, legs, sorted(ended, key=lambda match: match.attempt))
    assert left_of(due) == expected
    assert due.open == len(expected)


@given(st.integers(0, 60), st.integers(1, 3), st.text(max_size=3))
def test_every_leg_has_its_place_in_the_order(sets: int, legs: int, key: str) -> None:
    """Each match is there once, a leg never before the one that it follows, and the same key gives the same order."""
    order = list(apart(range(sets), legs, key))
    assert sorted(order) == list(range(1, sets * legs + 1))
    places = {number: place for place, number in enumerate(order)}
    for number in order:
        if number % legs:
            assert places[number] < places[number + 1]
    assert list(apart(range(sets), legs, key)) == order


def test_legs_are_apart_and_no_place_tells_which_is_which() -> None:
    """Between the legs of a set lie others, and in the middle of a run any place can hold a first or a second leg."""
    order = list(apart(range(40 * BLOCK), 2, "run"))
    places = {number: place for place, number in enumerate(order)}
    between = [places[number + 1] - places[number] for number in range(1, len(order), 2)]
    assert sum(gap > 3 for gap in between) > 0.9 * len(between)
    middle = order[BLOCK:-BLOCK]
    for place in range(2 * BLOCK):
        assert {number % 2 for number in middle[place :: 2 * BLOCK]} == {0, 1}


def test_a_plan_of_any_size_takes_no_memory() -> None:
    """Of ten million matches any one is computed from its number, and the order begins at once."""
    plan = Meetings("g", (0, 1), (("a", "b"),), 5_000_000, 2, "big")
    assert plan.matches == 10_000_000
    assert plan.pairing(10_000_000).leg == 2
    assert next(plan.order()) <= 2 * BLOCK


def test_both_legs_of_a_set_have_the_sides_changed() -> None:
    """In a set each bot sits once on each seat, and over the sets it is as often first on either."""
    for sides, bots in (((0, 1), ("a", "b")), ((0, 1, 0, 1), ("a", "b")), ((0, 1, 0, 1), ("a", "b", "c", "d"))):
        plan = Meetings("g", sides, (bots,), 4, 2)
        seats = Counter((seat, bot) for n in range(1, 9) for seat, bot in enumerate(plan.pairing(n).bots))
        assert set(seats.values()) == {4}
        for first in (1, 3, 5, 7):
            one, other = plan.pairing(first), plan.pairing(first + 1)
            assert (one.leg, other.leg, one.first, other.first) == (1, 2, first, first)
            assert all(mine != theirs for mine, theirs in zip(one.bots, other.bots, strict=True))
        assert plan.pairing(1).bots[0] != plan.pairing(3).bots[0]
