"""The bounds as settings: under which name each is set, and what will do for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, fields
from typing import Any, Final, TypeVar

from arena.config.limits import HttpLimits, Limits, Range

Bounds = TypeVar("Bounds", Limits, HttpLimits)


@dataclass(frozen=True, slots=True)
class Setting:
    """One bound. `whole` if it is a whole number."""

    name: str
    range: Range
    default: float
    whole: bool

    @property
    def path(self) -> str:
        """Its table and name, such as `limits.lanes`."""
        return f"{self.range.table}.{self.name}"

    def check(self, value: object) -> float:
        """The value as a number. Raises ValueError, with what would be right."""
        fits = isinstance(value, int) and not isinstance(value, bool)
        if not self.whole:
            fits = fits or isinstance(value, float)
        if not fits or not isinstance(value, int | float) or not self.range.least <= value <= self.range.most:
            kind = "a whole number" if self.whole else "a number"
            unit = f" ({self.range.unit})" if self.range.unit else ""
            raise ValueError(
                f"{self.path} is {kind} from {self.range.least:g} to {self.range.most:.10g}{unit}, not {shown(value)}"
            )
        return value

    def parse(self, text: str) -> float:
        """The value that a text stands for. Raises ValueError like `check`."""
        value: object = text
        for kind in (int,) if self.whole else (int, float):
            try:
                value = kind(text)
            except ValueError:
                continue
            break
        return self.check(value)


def shown(value: object) -> str:
    """A value that somebody wrote, in a few words of one line."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _setting(name: str, field: Field[float], default: object) -> Setting:
    if not isinstance(default, int | float):
        raise TypeError(f"{name} has no number for its default")
    return Setting(name, field.metadata["range"], default, isinstance(default, int) and not name.endswith("_second"))


SETTINGS: Final[Mapping[str, Setting]] = {
    setting.path: setting
    for bounds in (Limits, HttpLimits)
    for field in fields(bounds)
    for setting in [_setting(field.name, field, field.default)]
    if field.default is not MISSING
}
"""Every bound by its path, in the order in which they are shown."""
TABLES: Final = tuple(dict.fromkeys(setting.range.table for setting in SETTINGS.values()))
"""The tables of the file that hold bounds."""


def bounds_of(kind: type[Bounds], values: Mapping[str, float]) -> Bounds:
    """The bounds in which `values`, by path, take the place of defaults."""
    names = {field.name: field.metadata["range"].table for field in fields(kind)}
    chosen: dict[str, Any] = {
        name: values[f"{table}.{name}"] for name, table in names.items() if f"{table}.{name}" in values
    }
    return kind(**chosen)
