"""How far a run is: lines in a pipe, a bar and standings on a terminal."""

from __future__ import annotations

from io import StringIO
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from arena.cli import display
from arena.cli import progress as module
from arena.cli.progress import LINES, PAUSE, Progress
from arena.director import Director
from arena.due import Due, Ended
from arena.schedule import Meetings, round_robin
from arena.v1 import replay_pb2
from arena.wire import termination_to_proto
from engine.effect import Finish
from engine.states import Termination

SIDES = (0, 1)


def plan_of(bots: int, sets: int, legs: int = 2) -> Meetings:
    """A round-robin."""
    return Meetings("g", SIDES, round_robin([f"b{place}" for place in range(bots)]), sets, legs, "key")


def end(plan: Meetings, number: int, winner: int | None = 0, *, void: bool = False) -> tuple[Director, Finish]:
    """A match of the plan that is over."""
    pairing = plan.pairing(number)
    ending = Termination.VOID_NOT_READY if void else Termination.SCORE
    header = replay_pb2.ReplayHeader(
        match_id=f"m{number}",
        set_id=f"s{pairing.first}",
        number=number,
        leg=pairing.leg,
        legs=pairing.legs,
        rated=True,
        seats=[replay_pb2.ReplaySeat(bot=bot) for bot in pairing.bots],
    )
    logged = replay_pb2.LoggedEnd(termination=termination_to_proto(ending), winner=winner, totals=[1, 0])
    table = SimpleNamespace(sides=SIDES, acted=[3, 3], rejected=[0, 0])
    director = SimpleNamespace(header=header, logged_end=logged, table=table)
    return cast("Director", director), Finish(ending, winner, None, (1, 0), 1)


@given(st.data())
def test_counts_in_lines_never_go_back(data: st.DataObject) -> None:
    """P53: whatever order matches end in, and with sets that are void and played again, lines only count up."""
    plan = plan_of(3, data.draw(st.integers(1, 5)))
    order = data.draw(st.permutations(range(1, plan.matches + 1)))
    before = data.draw(st.integers(0, plan.matches))
    again = data.draw(st.lists(st.sampled_from(order), max_size=5))
    said: list[str] = []
    due = Due(plan.matches, 2, [Ended(number, 0, void=False) for number in order[:before]])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "say", said.append)
        progress = Progress([[f"b{place}"] for place in range(3)], plan, due, quiet=False)
        for number in [*again, *order[before:]]:
            progress.ended(*end(plan, number, void=data.draw(st.booleans())))
            progress.ended(*end(plan, number))
    counts = [int(line.split()[0]) for line in said]
    assert counts == sorted(set(counts))
    assert all(line.split()[2] == str(plan.matches) for line in said)
    assert before == plan.matches or counts[-1] == plan.matches
    assert len(said) <= max(2 * LINES, plan.matches)


def test_a_line_names_the_best_of_many(capsys: pytest.CaptureFixture[str]) -> None:
    """P53: a run of any length leaves about twenty lines in a pipe, each with the three that have won most."""
    plan = plan_of(8, 20)
    progress = Progress([[f"b{place}"] for place in range(8)], plan, Due(plan.matches, 2, []), quiet=False)
    for number in plan.order():
        bots = plan.pairing(number).bots
        progress.ended(*end(plan, number, bots.index(max(bots))))
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == LINES
    assert lines[-1] == "1120 of 1120 matches: b7 280, b6 240, b5 200, 5 more"
    assert max(map(len, lines)) < 70


def test_a_terminal_shows_a_bar_and_standings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches done, how fast, how long it takes yet, and a table; it changes four times a second at most."""
    out, clock = StringIO(), [0.0]
    monkeypatch.setattr(display, "on_terminal", lambda: True)
    monkeypatch.setattr(display, "console", lambda: Console(file=out, width=80, force_terminal=True))
    plan = plan_of(2, 500)
    progress = Progress([["b0"], ["b1"]], plan, Due(1000, 2, []), quiet=False, now=lambda: clock[0])
    shown: list[Any] = []
    with progress:
        assert progress._live is not None
        monkeypatch.setattr(progress._live, "update", lambda picture, **_: shown.append(picture))
        for number in range(1, 501):
            clock[0] += 0.05
            progress.ended(*end(plan, number, plan.pairing(number).bots.index("b1")))
    assert len(shown) <= 25 / PAUSE + 1
    assert progress.line == "500 of 1000 matches, 20 a second, 25 s left"
    text = Console(file=StringIO(), width=80)
    with text.capture() as captured:
        text.print(shown[-1])
    rows = [line.split() for line in captured.get().splitlines()]
    assert ["bot", "sets", "score", "won", "drawn", "lost"] in rows
    assert [row[0] for row in rows[-2:]] == ["b1", "b0"]
    assert (rows[-2][2], rows[-1][2]) == ("100.0%", "0.0%")
    assert int(rows[-2][3]) == int(rows[-1][5]) > 490


def test_how_long_it_takes_in_words() -> None:
    """Seconds, minutes, hours, each with what is next smaller."""
    assert list(map(module._duration, (3.4, 155, 11_400))) == ["3 s", "2 min 35 s", "3 h 10 min"]
