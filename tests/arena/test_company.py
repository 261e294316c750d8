"""Tables of four seats in an open arena: single bots, pairs, who is rated, and that nobody waits for ever."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations
from random import Random
from types import SimpleNamespace
from typing import Final, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.matchmaking import PATIENCE, OpenPairing
from arena.ratings import kind_of
from arena.session import Lane
from engine.game import Game

TEAMS: Final = (0, 1, 0, 1)
GAMES: Final = {
    "partners": cast("Game", SimpleNamespace(sides=TEAMS)),
    "duel": cast("Game", SimpleNamespace(sides=(0, 1))),
}
PARTNERS: Final = frozenset({"partners"})


def lanes(names: str, games: frozenset[str] = PARTNERS) -> list[Lane]:
    """Lanes that wait, by bots of one letter; each bot's are numbered from 0."""
    return [Lane(name, names[:place].count(name), games=games) for place, name in enumerate(names)]


def table(names: str, number: int = 1) -> str | None:
    """The bots by seat when these wait, None if nobody is seated."""
    chosen = OpenPairing(GAMES, number).choose(lanes(names))
    return "".join(chosen[0].bots) if chosen else None


def teams(seated: str) -> set[frozenset[str]]:
    """The two sides, whichever is which."""
    return {frozenset(seated[0::2]), frozenset(seated[1::2])}


def legal_kinds(names: Sequence[str]) -> set[str | None]:
    """The kinds of tables that can be made of them, by trying all; None stands for a mixed one."""
    fewer = [name for name, count in Counter(names).items() for _ in range(min(count, 2))]
    return {kind_of(bots, TEAMS) for bots in permutations(fewer, 4) if not set(bots[0::2]) & set(bots[1::2])}


@pytest.mark.parametrize(
    ("waiting", "seated"),
    [
        ("abcd", "abcd"),
        ("xabcd", "xabc"),  # the longest waiting, each once
        ("xxabc", "xabc"),  # a bot with two lanes is a single bot among single ones
        ("xxyy", "xxyy"),
        ("xyyx", "xxyy"),
        ("xxyyab", "xxyy"),  # whoever has waited longer: here the pairs
        ("abxxyy", "abxy"),  # here the single bots
        ("axxyy", "xxyy"),  # what is rated goes before what is not
        ("xxxxxxxxyyab", "xxyy"),
        ("axx", None),
        ("aaaaaaaa", None),
        ("abb", None),
        ("xxab", "xxab"),  # mixed, because nothing else can be
        ("abxx", "xxab"),
        ("axxxb", "xxab"),
    ],
)
def test_who_sits_down(waiting: str, seated: str | None) -> None:
    """Rated tables go before mixed ones, and among them whoever has waited longest."""
    found = table(waiting)
    if seated is None or found is None:
        assert found is seated
        return
    assert sorted(found) == sorted(seated)
    assert legal_kinds(waiting) >= {kind_of(found, TEAMS)}
    if seated.startswith("xx"):
        assert frozenset("x") in teams(found)


def test_partners_are_drawn_by_lot() -> None:
    """The same four single bots meet in each of the three partnerships, about equally often."""
    met = Counter(frozenset(teams(table("abcd", number) or "")) for number in range(1, 301))
    assert len(met) == 3
    assert min(met.values()) > 70


def test_a_bot_of_any_game_goes_where_it_is_waited_for() -> None:
    """Three that play with partners only have waited longer than one that plays all, so it makes up their table."""
    waiting = [*lanes("abc"), Lane("x", 0), Lane("y", 0)]
    chosen = OpenPairing(GAMES, 1).choose(waiting)
    assert chosen is not None
    assert (chosen[0].game, sorted(chosen[0].bots)) == ("partners", ["a", "b", "c", "x"])
    chosen = OpenPairing(GAMES, 1).choose([*lanes("ab"), Lane("x", 0), Lane("y", 0), Lane("z", 0)])
    assert chosen is not None
    assert sorted(chosen[0].bots) == ["a", "b", "x", "y"]


def test_one_that_no_rated_table_has_a_place_for_plays_too() -> None:
    """Between two pairs a single bot waits for a few of their matches, then plays with one of them, unrated."""
    pairing, waiting, seen = OpenPairing(GAMES, 1), lanes("axxyy"), []
    for _ in range(30):
        chosen = pairing.choose(waiting)
        assert chosen is not None
        seen.append(kind_of(chosen[0].bots, TEAMS))
        waiting = [lane for lane in waiting if lane not in chosen[1]] + list(chosen[1])
    assert seen[: PATIENCE + 1] == [*["pair"] * PATIENCE, None]
    assert 4 <= seen.count(None) <= 6


CROWDS: Final = st.lists(st.sampled_from([1, 1, 2, 2, 3, 8]), min_size=2, max_size=6)


@given(CROWDS, st.randoms(use_true_random=False), st.integers(1, 4))
def test_nobody_waits_for_ever(crowd: list[int], dice: Random, at_once: int) -> None:
    """Whatever bots there are, with whatever lanes: every table is legal, a mixed one is made only for want of a rated
    one or of patience, there is always one when there can be, and every lane that can play at all plays again soon.
    """
    names = [name for name, count in zip("abcdef", crowd, strict=False) for _ in range(count)]
    dice.shuffle(names)
    waiting, running = lanes("".join(names)), []
    pairing = OpenPairing(GAMES, 1)
    passed = Counter[Lane]()
    played = Counter[str]()
    for seated in begun(pairing, waiting, running, dice, at_once):
        bots = [lane.bot for lane in seated]
        assert len(set(seated)) == 4
        assert not set(bots[0::2]) & set(bots[1::2])
        here = [lane.bot for lane in (*waiting, *seated)]
        if kind_of(bots, TEAMS) is None and legal_kinds(here) - {None}:
            assert max(passed[lane] for lane in seated) >= PATIENCE
        for lane in waiting:
            passed[lane] += 1
        for lane in seated:
            passed[lane] = 0
        played.update(set(bots))
        assert max(passed.values()) <= PATIENCE + len(names)
    if legal_kinds(names):
        assert set(played) == set(names)
    else:
        assert not played


def begun(
    pairing: OpenPairing, waiting: list[Lane], running: list[tuple[Lane, ...]], dice: Random, at_once: int
) -> Iterator[tuple[Lane, ...]]:
    """The tables of 60 matches in the order in which they begin; at most `at_once` run together."""
    for _ in range(60):
        while len(running) < at_once:
            chosen = pairing.choose(list(waiting))
            if chosen is None:
                assert not legal_kinds([lane.bot for lane in waiting])
                break
            waiting[:] = [lane for lane in waiting if lane not in chosen[1]]
            running.append(chosen[1])
            yield chosen[1]
        if not running:
            return
        waiting += running.pop(dice.randrange(len(running)))
