"""What a run plays, kept and compared."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from arena.competition import Competition, Form, Restart, from_text, to_text
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
    limited = (replace(BOTS[0], memory_mib=512), replace(BOTS[1], start_seconds=9), BOTS[2])
    wanted = replace(
        competition(game, Form.SWISS),
        control=TimeControl.parse("30+0.1/5"),
        bots=limited,
        restart=Restart.LEG,
        rounds=2,
    )
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
        ({"restart": Restart.MATCH}, "its restart is never, not match"),
        (
            {"bots": (*BOTS[:2], replace(BOTS[2], memory_mib=512))},
            f"bot cid is started by {BOTS[2].in_words}, not by {BOTS[2].in_words}, memory_mib 512",
        ),
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


def test_sets_of_a_form_in_rounds_stay() -> None:
    """Later rounds have their numbers from the sets of the earlier ones, so these cannot change; rounds say so too."""
    known = competition(form=Form.SWISS)
    assert list(known.differences(replace(known, sets=5, rounds=9))) == [
        "its number of rounds is None, not 9",
        "its number of sets is 4, not 5",
    ]


def test_a_run_of_an_older_arena_goes_on() -> None:
    """Settings that were kept before there were limits, restarts and rounds mean none of these."""
    document = competition().document()
    del document["restart"], document["rounds"]
    for bot in document["bots"]:
        del bot["memory_mib"], bot["start_seconds"]
    assert from_text(json.dumps(document)) == competition()


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
