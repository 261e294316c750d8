"""Who sits where: pairs and single bots, and the sides that change places."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import Game
from engine.seating import members, seating, seats_of_a_bot, tables, teams
from playing import every_game

TEAMS = (0, 1, 0, 1)


@pytest.mark.parametrize(
    ("sides", "numbers"), [((0, 1), (2,)), (TEAMS, (2, 4)), ((0, 1, 2), (3,)), ((0, 0, 1, 1, 2, 2), (3, 6))]
)
def test_a_table_is_of_pairs_or_of_single_bots(sides: tuple[int, ...], numbers: tuple[int, ...]) -> None:
    """A bot has one seat, or all seats of a side."""
    assert tables(sides) == numbers
    assert [seats_of_a_bot(sides, number) for number in numbers] == [len(sides) // number for number in numbers]


@pytest.mark.parametrize(
    ("sides", "bots", "first", "second"),
    [
        ((0, 1), 2, (0, 1), (1, 0)),
        (TEAMS, 2, (0, 1, 0, 1), (1, 0, 1, 0)),
        (TEAMS, 4, (0, 1, 2, 3), (1, 0, 3, 2)),
        ((0, 0, 1, 1), 4, (0, 1, 2, 3), (2, 3, 0, 1)),
        ((0, 1, 2), 3, (0, 1, 2), (1, 2, 0)),
    ],
)
def test_sides_change_places_and_partners_stay(
    sides: tuple[int, ...], bots: int, first: tuple[int, ...], second: tuple[int, ...]
) -> None:
    """Teams change places as teams: 0 with 1 and 2 with 3 where partners sit across."""
    assert (seating(sides, bots), seating(sides, bots, 1)) == (first, second)


@pytest.mark.parametrize("bots", [0, 1, 3, 5])
def test_other_numbers_make_no_table(bots: int) -> None:
    """Neither one for each side nor one for each seat."""
    with pytest.raises(ValueError, match=f"{bots} bots for 4 seats of 2 sides"):
        seating(TEAMS, bots)


@every_game
@given(st.data())
def test_everybody_sits_on_each_side_in_turn(game: Game, data: st.DataObject) -> None:
    """In any game partners never part, each bot has its seats, and after a full round all are where they were."""
    bots = data.draw(st.sampled_from(tables(game.sides)))
    turn = data.draw(st.integers(0, 100))
    count = len(set(game.sides))
    first, now = seating(game.sides, bots), seating(game.sides, bots, turn)
    assert sorted(now) == sorted(first)
    teams = [{bot for bot, own in zip(now, game.sides, strict=True) if own == side} for side in range(count)]
    before = [{bot for bot, own in zip(first, game.sides, strict=True) if own == side} for side in range(count)]
    assert teams == [before[(side + turn) % count] for side in range(count)]
    assert (now == first) == (turn % count == 0)


def test_a_side_is_called_by_its_members() -> None:
    """Partners are joined in the order of their seats; a bot with all seats of a side is named once."""
    assert teams(("a", "b", "c", "d"), TEAMS) == ("a + c", "b + d")
    assert teams(("a", "b", "a", "b"), TEAMS) == ("a", "b")
    assert teams(("x", "a", "x", "b"), TEAMS) == ("x", "a + b")
    assert teams(("a", "b"), (0, 1)) == ("a", "b")
    assert members(("x", "a", "x", "b"), TEAMS) == (("x",), ("a", "b"))
