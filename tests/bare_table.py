"""A table with a match of Draw Bridge, for tests that play on it by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from engine.clock import SECOND, TimeControl
from engine.deck import DeckSource
from engine.effect import Effect, Finish
from engine.game import complete_rules
from engine.games import find
from engine.table import Table
from engine.terms import TableTerms

GAME = find("draw-bridge")
T = TypeVar("T")
NONCES = (b"0" * 16, b"1" * 16)
CONTROL = TimeControl(bank_us=10 * SECOND, increment_us=SECOND, cap_us=4 * SECOND)


def offered(*, auto_draw: tuple[bool, bool] = (False, False), control: TimeControl = CONTROL, **rules: int) -> Table:
    """A table whose match is offered."""
    source = DeckSource(bytes(32), "m1", GAME.name, GAME.pack, 2)
    return Table(TableTerms(GAME, complete_rules(GAME, "match", rules), source, control, auto_draw))


def begun(now: int = 0, **terms: object) -> tuple[Table, list[Effect]]:
    """A table whose match has begun, and the effects of that."""
    table = offered(**terms)  # type: ignore[arg-type]  # passed on as they are
    assert table.ready(0, NONCES[0], now) == []
    return table, table.ready(1, NONCES[1], now)


def of(kind: type[T], effects: Sequence[Effect]) -> list[T]:
    """The effects of one kind."""
    return [effect for effect in effects if isinstance(effect, kind)]


def act(table: Table, now: int, choice: int = 0) -> list[Effect]:
    """The seat to act answers by index."""
    turn = table.turn
    assert turn is not None
    return table.submit(turn, table.decision_id, choice, now)


def finish(effects: Sequence[Effect]) -> Finish:
    """The one end among the effects."""
    (end,) = of(Finish, effects)
    return end
