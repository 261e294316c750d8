"""Logs that several tests of replays share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from engine.action import Play
from engine.clock import SECOND, TimeControl
from engine.states import Termination
from recording import Tape


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The log of a match of two deals, played to its limit, with one refused answer in it."""
    tape = Tape(tmp_path_factory.mktemp("whole"), rules={"max_deals": 2, "target": 9999}).ready()
    tape.play(actions=20)
    tape.answer(99)
    return tape.play().data()


@pytest.fixture(scope="session")
def ends() -> Callable[[Path, str], Tape]:
    """Makes a match in a folder that ends in one of the ways other than by its score."""
    return _ends


def _ends(folder: Path, how: str) -> Tape:
    tape = Tape(folder, control=TimeControl(90 * SECOND, SECOND // 2, 0))
    if how == Termination.VOID_NOT_READY:
        tape.ready(1).wait(21)
        return tape
    tape.ready().play(actions=25)
    turn = tape.table.turn or 0
    match Termination(how):
        case Termination.TIMEOUT:
            tape.wait(120)
        case Termination.ILLEGAL:
            legal = tape.table.playing.legal()
            forbidden = next(play for play in map(Play, tape.game.pack) if play not in legal)
            for _ in range(4):
                tape.answer(forbidden)
        case Termination.MALFORMED:
            for _ in range(4):
                tape.answer(99)
        case Termination.DISCONNECT:
            tape.log(tape.table.lost(1 - turn, tape.now))
            tape.wait(61)
        case Termination.RESIGN:
            tape.log(tape.table.resign(turn))
        case ending:
            tape.log(tape.table.void(ending))
    return tape
