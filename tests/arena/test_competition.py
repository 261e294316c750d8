"""What a run plays, kept and compared."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from arena.competition import Competition, Form, from_text, to_text
from arena.errors import ArenaError
from arena.launch import BotProgram
from engine.clock import TimeControl
from engine.game import complete_rules
from engine.games import find, registered

BOTS = tuple(
    BotProgram(name, ("python", f"{name}.py"), Path("/bots"), (("DEPTH", "3"),)) for name in ("ann", "bob", "cid")
)


def competition(game: str = "draw-bridge", form: Form = Form.ROUND_ROBIN) -> Competition:
    """Three bots, sets of two legs."""
    rules = complete_rules(find(game))
    return Competition("tournament", game, rules, BOTS, form=form, sets=4, legs=2, seed=7, concurrency=2)


@pytest.mark.parametrize("game", list(registered()))
def test_what_is_kept_is_the_whole_of_it(game: str) -> None:
    """A run goes on from its settings alone: written down and read again they are the same, for every game."""
    wanted = replace(competition(game), control=TimeControl.parse("30+0.1/5"))
    assert from_text(to_text(wanted)) == wanted
    assert list(from_text(to_text(wanted)).differences(wanted)) == []


def test_a_game_that_is_not_here_is_named() -> None:
    """The settings of a run of another arena's game are refused in one line."""
    text = to_text(competition()).replace('"draw-bridge"', '"tarot"')
    with pytest.raises(ArenaError, match="this run cannot go on here: there is no game tarot"):
        from_text(text)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seed": 8}, "its seed is 7, not 8"),
        ({"legs": 1}, "its number of legs is 2, not 1"),
        ({"form": Form.GAUNTLET}, "its form is round-robin, not gauntlet"),
        ({"control": TimeControl.parse("1+1/1")}, "its time control is 60+0.5/10, not 1+1/1"),
        ({"bots": BOTS[:2]}, "its bots are ann, bob, cid, not ann, bob"),
        (
            {"bots": (*BOTS[:2], replace(BOTS[2], argv=("./cid",)))},
            "bot cid is started by 'python cid.py' in /bots DEPTH=3, not by './cid' in /bots DEPTH=3",
        ),
        ({"rules": complete_rules(find("draw-bridge"), "match", {"target": 50})}, "its option target is 300, not 50"),
        ({"sets": 9, "concurrency": 5}, None),
    ],
)
def test_what_a_change_would_change_is_said(change: dict[str, object], said: str | None) -> None:
    """P55: each changed setting is a line with both values; how much is played, and how much at once, may change."""
    known = competition()
    other = replace(known, **change)  # type: ignore[arg-type]
    assert list(known.differences(other)) == ([said] if said else [])
    if said is None:
        assert known.lengthened(other) == other


def test_everybody_meets_everybody() -> None:
    """In a round-robin each pair has a table; in a gauntlet each challenger with each of the others."""
    assert {frozenset(table) for table in competition().tables} == {
        frozenset(pair) for pair in (("ann", "bob"), ("ann", "cid"), ("bob", "cid"))
    }
    assert {frozenset(table) for table in competition(form=Form.GAUNTLET).tables} == {
        frozenset(pair) for pair in (("ann", "bob"), ("ann", "cid"))
    }
    assert competition(form=Form.SERIES).tables == (("ann", "bob", "cid"),)


def test_a_bot_opens_a_stream_for_each_seat() -> None:
    """With partners a pair sits twice in each match that is played at the same time."""
    assert competition().streams == 2
    assert competition("smear").streams == 4
