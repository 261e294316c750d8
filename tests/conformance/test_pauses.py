"""What the kit makes of the times at which a bot came back."""

from __future__ import annotations

from itertools import accumulate

import pytest

from arena.conformance.pauses import complaint, complaint_after_welcome


def opened(*pauses: float) -> list[float]:
    """When streams with these pauses between them say Hello."""
    return list(accumulate(pauses, initial=100.0))


@pytest.mark.parametrize(
    "pauses",
    [
        (0.1, 0.2, 0.4, 0.8, 1.6),
        (0.1, 0.1, 0.2, 0.4, 0.8),  # half of each was cut off
        (0.6, 0.2, 0.4, 0.9, 1.9),  # the machine was busy when the first was over
        (1.1, 2.0, 4.0, 8.0, 10.0),
    ],
)
def test_pauses_that_double_are_growing(pauses: tuple[float, ...]) -> None:
    """With dice in them or not, and on a busy machine."""
    assert complaint(opened(*pauses)) == ""


@pytest.mark.parametrize("pause", [0.3, 1.0, 5.0])
def test_pauses_of_one_length_do_not_grow(pause: float) -> None:
    """However long they are."""
    assert "do not grow" in complaint(opened(*[pause] * 5))


def test_a_bot_that_comes_back_at_once_is_told_how_often() -> None:
    """Its pauses stand there."""
    said = complaint(opened(0.01, 0.01, 0.02, 0.01, 0.02))
    assert said == "it came back 5 times within 0.07 s: its pauses were 0.01, 0.01, 0.02, 0.01, 0.02 s"


@pytest.mark.parametrize("pause", [0.1, 0.9, 1.5])
def test_the_pause_after_a_welcome_is_the_first_one_again(pause: float) -> None:
    """Give or take what a busy machine adds, which may be more where it added much before."""
    assert complaint_after_welcome(opened(0.1, 0.2, 0.4, 0.8, 3.1), pause) == ""


def test_pauses_that_grow_on_after_a_welcome_are_told() -> None:
    """With half of the last one cut off, too."""
    said = complaint_after_welcome(opened(0.1, 0.2, 0.4, 0.8, 1.6), 1.6)
    assert said == "it came back 1.60 s after a stream that was made welcome: its pauses begin anew with a Welcome"
