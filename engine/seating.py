"""Who sits where: one bot for each side or one for each seat, and how the sides change places.

`sides` is the side of each seat, as `engine.game.Game` has it; every side has as many seats as any other.
"""

from __future__ import annotations

from collections.abc import Sequence


def tables(sides: Sequence[int]) -> tuple[int, ...]:
    """How many bots make a table: one for each side, which then has all seats of it, or one for each seat."""
    return tuple(sorted({len(set(sides)), len(sides)}))


def seats_of_a_bot(sides: Sequence[int], bots: int) -> int:
    """How many seats each of so many bots has. Raises ValueError when so many make no table."""
    if bots not in tables(sides):
        raise ValueError(f"{bots} bots for {len(sides)} seats of {len(set(sides))} sides")
    return len(sides) // bots


def seating(sides: Sequence[int], bots: int, turn: int = 0) -> tuple[int, ...]:
    """Which of so many bots sits on each seat, after `turn` changes of sides.

    One bot for each side stands by side, one for each seat by seat. Partners stay together: with sides 0, 1, 0, 1 the
    seats 0 and 1 change places, and 2 and 3. Raises ValueError when so many make no table.
    """
    count = len(set(sides))
    on_side = [(side + turn) % count for side in sides]
    if seats_of_a_bot(sides, bots) > 1:
        return tuple(on_side)
    seats_of = [[seat for seat, own in enumerate(sides) if own == side] for side in range(count)]
    places = [seats_of[side].index(seat) for seat, side in enumerate(sides)]
    return tuple(seats_of[side][place] for side, place in zip(on_side, places, strict=True))


def members(names: Sequence[str], sides: Sequence[int]) -> tuple[tuple[str, ...], ...]:
    """The bots of each side, by side, of the `names` by seat; one with several seats of a side stands there once."""
    return tuple(
        tuple(dict.fromkeys(name for name, own in zip(names, sides, strict=True) if own == side))
        for side in sorted(set(sides))
    )


def teams(names: Sequence[str], sides: Sequence[int]) -> tuple[str, ...]:
    """What each side is called for people, by side: `a + c`, or the one bot that has all its seats."""
    return tuple(" + ".join(team) for team in members(names, sides))
