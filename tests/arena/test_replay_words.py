"""The end of a match in a sentence: it names the winner and the cause, and refuses to contradict itself."""

from __future__ import annotations

import itertools

import pytest

from arena.replay import sentence
from arena.replay.words import disagreement
from engine.states import Termination

NAMES = ("steady", "random")
FOUR = ("a", "b", "c", "d")
TEAMS = (0, 1, 0, 1)


@pytest.mark.parametrize(
    ("termination", "at_fault", "winner", "totals", "says"),
    [
        ("score", None, 0, (310, 40), "steady wins 310 to 40."),
        ("score", None, 1, (0, 300), "random wins 300 to 0."),
        ("deal_limit", None, 1, (40, 50), "random wins 50 to 40, at the limit of deals."),
        ("deal_limit", None, None, (40, 40), "Drawn at 40 all, at the limit of deals."),
        ("timeout", 1, 0, (0, 280), "random ran out of time: steady wins."),
        (
            "illegal",
            0,
            1,
            (0, 0),
            "steady had its fourth answer refused, an action that the rules forbid: random wins.",
        ),
        ("malformed", 0, 1, (0, 0), "steady had its fourth answer refused, one that was no action: random wins."),
        ("disconnect", 1, 0, (0, 0), "random was away for too long: steady wins."),
        ("resign", 1, 0, (0, 0), "random resigned: steady wins."),
        ("void_not_ready", 1, None, (0, 0), "random was not ready in time: the match is void."),
        ("void_not_ready", None, None, (0, 0), "A bot was not ready in time: the match is void."),
        ("void_arena", None, None, (0, 0), "The arena failed: the match is void."),
        ("void_operator", None, None, (20, 0), "The operator stopped the match: the match is void."),
    ],
)
def test_sentence(
    termination: str, at_fault: int | None, winner: int | None, totals: tuple[int, ...], says: str
) -> None:
    """P48: every way to end has its sentence, which names who won and whose fault it was."""
    assert sentence(Termination(termination), NAMES, at_fault, winner, totals) == says


@pytest.mark.parametrize(
    ("names", "winner", "at_fault", "says"),
    [
        (FOUR, 0, None, "a and c win 15 to 9."),
        (FOUR, 0, 3, "d resigned: a and c win."),
        (("p", "q", "p", "q"), 0, None, "p wins 15 to 9."),
        (("p", "q", "p", "q"), 0, 3, "q (seat 3) resigned: p wins."),
        (("p", "q", "r", "p"), 0, None, "p (seat 0) and r win 15 to 9."),
    ],
)
def test_partners_are_named_together(names: tuple[str, ...], winner: int, at_fault: int | None, says: str) -> None:
    """A side of two is named by both, a pair of one bot once, and a bot on both sides by its seat."""
    ending = Termination.SCORE if at_fault is None else Termination.RESIGN
    assert sentence(ending, names, at_fault, winner, (15, 9), sides=TEAMS) == says
    assert sentence(ending, names, at_fault, winner, (15, 9)) == says


def test_bot_against_itself_is_told_apart() -> None:
    """Where one bot has both seats the sentence says which of them it means."""
    assert sentence(Termination.TIMEOUT, ("x", "x"), 0, 1, (0, 0)) == "x (seat 0) ran out of time: x (seat 1) wins."


@pytest.mark.parametrize(
    ("termination", "at_fault", "winner", "totals", "says"),
    [
        ("score", None, None, (300, 0), "nobody won a match that ended by score"),
        ("score", 1, 0, (300, 0), "seat 1 is at fault in a match that ended by score"),
        ("score", None, 2, (300, 0), "side 2 won, and there is no such side"),
        ("score", None, 0, (300,), "there are 1 totals for 2 sides"),
        ("deal_limit", None, 0, (40, 50), "side 0 won at the limit of deals, and side 1 has the highest total"),
        ("deal_limit", None, 0, (50, 50), "side 0 won at the limit of deals, and nobody has the highest total"),
        ("timeout", None, 0, (0, 0), "nobody is at fault in a match that ended by timeout"),
        ("timeout", 1, 1, (0, 0), "side 1 won by a fault of seat 1, and side 0 should have"),
        ("timeout", 1, None, (0, 0), "nobody won by a fault of seat 1, and side 0 should have"),
        ("timeout", 2, 0, (0, 0), "seat 2 is at fault, and there is no such seat"),
        ("void_arena", None, 1, (0, 0), "side 1 won a match that is void"),
    ],
)
def test_contradiction_is_named(
    termination: str, at_fault: int | None, winner: int | None, totals: tuple[int, ...], says: str
) -> None:
    """P48: a winner, a fault or totals that do not fit the way the match ended are said, never put into a sentence."""
    assert disagreement(Termination(termination), (0, 1), at_fault, winner, totals) == says
    with pytest.raises(ValueError, match=says):
        sentence(Termination(termination), NAMES, at_fault, winner, totals, sides=(0, 1))


def test_every_end_is_a_sentence_or_a_contradiction() -> None:
    """P48: over all ends of a match, the winner in the sentence is the winner of the result."""
    seats = (None, 0, 1)
    for ending, at_fault, winner, totals in itertools.product(Termination, seats, seats, [(5, 5), (9, 5), (5, 9)]):
        if disagreement(ending, (0, 1), at_fault, winner, totals) is None:
            told = sentence(ending, NAMES, at_fault, winner, totals)
            assert told[0].isupper() or told.split(" ")[0] in NAMES
            assert told.endswith(".")
            assert told.count(".") == 1
            for side, name in enumerate(NAMES):
                assert (f"{name} wins" in told) == (winner == side)
