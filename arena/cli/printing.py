"""How results reach the screen: tables and text with colour on a terminal, plain in a pipe, JSON when asked for.

Names and notes come from strangers' bots and files, so every text is cleaned of what a terminal would obey.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeAlias

import click

from arena.plain import phrase, plain

if TYPE_CHECKING:
    from rich.console import Console

Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table; numbers stand to the right."""

    name: str
    right: bool = False


def clean(text: str) -> str:
    """`text` in one line, with everything that is not printable written as an escape."""
    return plain(text)


def iso_time(unix_ms: int) -> str:
    """ISO 8601, in UTC, to the second. A file may hold any number: what is no time of ours is cut to one."""
    seconds = min(max(unix_ms // 1000, 0), 10**11)
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def matches(number: int) -> str:
    """`1 match`, `2 matches`."""
    return f"{number} match{'' if number == 1 else 'es'}"


def on_terminal() -> bool:
    """Whether a person is looking: standard output is a terminal."""
    return sys.stdout.isatty()


def console() -> Console:
    """A rich console on standard output. Nothing in a text is markup unless a style says so."""
    from rich.console import Console  # noqa: PLC0415 (0.1 s that pipes, --json and --help do without)

    return Console(highlight=False, markup=False, emoji=False)


def say(text: str = "") -> None:
    """One line of output, cleaned."""
    click.echo(clean(text))


def warn(text: str) -> None:
    """One line on standard error, with `arena: ` in front."""
    click.echo(f"arena: {clean(text)}", err=True)


def print_json(document: Json) -> None:
    """One JSON document, indented, keys in the order given. What is not printable is escaped as JSON has it."""
    ascii_only = (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"
    text = json.dumps(document, indent=2, ensure_ascii=ascii_only)
    if not text.replace("\n", "").isprintable():
        text = "".join(char if char == "\n" or char.isprintable() else _json_escape(char) for char in text)
    click.echo(text)


def _json_escape(char: str) -> str:
    units = char.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[place : place + 4]}" for place in range(0, len(units), 4))


def print_table(columns: Sequence[Column], rows: Sequence[Sequence[str]], title: str = "") -> None:
    """A table in aligned columns, which `awk` can read; on a terminal its head stands out. Nothing is ever cut off."""
    lines = [[phrase(cell) for cell in line] for line in ([column.name for column in columns], *rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(columns))]
    if title:
        print_styled(clean(title), "bold")
    for number, line in enumerate(lines):
        cells = (
            cell.rjust(width) if column.right else cell.ljust(width)
            for cell, width, column in zip(line, widths, columns, strict=True)
        )
        print_styled("  ".join(cells).rstrip(), "dim" if number == 0 else "")


def print_styled(text: str, style: str) -> None:
    """A line that has been cleaned, in a style on a terminal."""
    if style and on_terminal():
        console().print(text, style=style, soft_wrap=True)
    else:
        click.echo(text)
