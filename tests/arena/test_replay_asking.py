"""What a seat was told and asked, made again from the log: the same as a bot at that table was told."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.replay.asking import Asked, Rest, conversation
from arena.replay.rerun import setting_of
from engine.effect import Tell
from engine.event import redact
from engine.game import Game
from playing import every_game
from recording import Tape


class Heard(Tape):
    """A tape that notes what is told at the table."""

    def log(self, effects: list) -> None:  # type: ignore[type-arg]
        """Note what is told."""
        told = self.__dict__.setdefault("told", [])
        told += [(effect.seq, effect.event) for effect in effects if isinstance(effect, Tell)]
        super().log(effects)


@pytest.mark.parametrize("seat", [0, 1])
@every_game
def test_a_seat_is_told_again_what_it_was_told(game: Game, seat: int, tmp_path: Path) -> None:
    """Every event in its order with its seq, hidden cards hidden; every question with the view and the answer."""
    tape = Heard(tmp_path, game.name, rules={}).ready().play()
    replay = tape.replay()
    found = list(conversation(replay, setting_of(replay), seat))
    assert isinstance(found[-1], Rest)
    told = [pair for item in found for pair in item.told]
    assert told == [(seq, redact(event, seat)) for seq, event in tape.__dict__["told"]]
    assert found[-1].last_seq == told[-1][0]
    asked = [item for item in found if isinstance(item, Asked)]
    logged = [f.action for f in replay.frames if f.HasField("action") and f.action.seat == seat and not f.action.auto]
    assert [item.decision_id for item in asked] == [action.decision_id for action in logged]
    assert [item.note for item in asked] == [action.note for action in logged]
    assert all(item.answer in item.legal for item in asked)
    assert all(item.view.seat == seat and item.view.deal_no == item.deal_no for item in asked)
    assert all(item.left.decision_us <= item.left.bank_us for item in asked)


def test_a_match_that_never_began_has_no_questions(tmp_path: Path) -> None:
    """Void for want of a seat: nothing was told."""
    replay = Tape(tmp_path).ready(1).replay()
    assert list(conversation(replay, setting_of(replay), 0)) == [Rest((), 0)]
