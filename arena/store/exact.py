"""Types of columns whose values are what was declared, or are not read at all.

SQLite keeps in a column whatever is written there: a text where a number belongs, or bytes that are no text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

from sqlalchemy import Boolean, Dialect, Integer, LargeBinary, Table, Text, TypeDecorator

from arena.store.complaints import UnreadableRow

_SHOWN: Final = 40
"""The most characters that a complaint shows of a value."""


class _Exact(TypeDecorator[Any]):
    """Reads values of one type of Python's, and None if `null`; `where` is the column's name for a complaint."""

    kind: ClassVar[type]
    words: ClassVar[str]

    def __init__(self, where: str, *, null: bool) -> None:
        super().__init__()
        self.where = where
        self.null = null

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], Any]:
        """Gives a value as it is, or raises UnreadableRow."""
        del dialect, coltype
        kind, null = self.kind, self.null

        def read(value: Any) -> Any:
            if type(value) is kind or (null and value is None):
                return value
            raise self._refused(value)

        return read

    def _refused(self, value: Any) -> UnreadableRow:
        shown = "nothing" if value is None else repr(value)
        if len(shown) > _SHOWN:
            shown = f"{shown[:_SHOWN]}..."
        return UnreadableRow(f"its database is damaged: {self.where} is {shown} in a row, and should be {self.words}")


class _Whole(_Exact):
    cache_ok = True
    impl, kind, words = Integer, int, "a whole number"


class _Text(_Exact):
    cache_ok = True
    impl, kind, words = Text, str, "a text"


class _Bytes(_Exact):
    cache_ok = True
    impl, kind, words = LargeBinary, bytes, "bytes"


class _Flag(_Exact):
    cache_ok = True
    impl, kind, words = Boolean, int, "0 or 1"

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], Any]:
        """Gives a value as a bool, or raises UnreadableRow."""
        del dialect, coltype

        def read(value: Any) -> bool:
            if type(value) is int and value in (0, 1):
                return value == 1
            raise self._refused(value)

        return read


_EXACT: Final[dict[type, type[_Exact]]] = {Integer: _Whole, Text: _Text, LargeBinary: _Bytes, Boolean: _Flag}


def read_exactly(table: Table) -> None:
    """Have each column of the table refuse what it does not declare, NULL too."""
    for column in table.columns:
        column.type = _EXACT[type(column.type)](f"{table.name}.{column.name}", null=bool(column.nullable))
