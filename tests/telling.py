"""Messages in protobuf's text form, as the pages on the protocol show them, and whether they are what was said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from google.protobuf import text_format
from google.protobuf.message import Message

WIDTH: Final = 118


def one_line(message: Message) -> str:
    """A message in text form, on one line."""
    return text_format.MessageToString(message, as_one_line=True, use_short_repeated_primitives=True)


def text(message: Message, indent: str = "") -> Iterator[str]:
    """A message in text form: each part on one line if it fits there."""
    for field, value in message.ListFields():
        if field.message_type is None:
            alone = type(message)()
            alone.MergeFrom(message)
            for other, _ in message.ListFields():
                if other.name != field.name:
                    alone.ClearField(other.name)
            yield indent + one_line(alone)
        elif field.message_type.GetOptions().map_entry:
            yield from (f'{indent}{field.name} {{ key: "{key}" value: "{value[key]}" }}' for key in sorted(value))
        else:
            for part in value if field.is_repeated else [value]:
                line = f"{indent}{field.name} {{ {one_line(part)} }}".replace("{  }", "{}")
                if len(line) <= WIDTH:
                    yield line
                else:
                    yield f"{indent}{field.name} {{"
                    yield from text(part, f"{indent}  ")
                    yield f"{indent}}}"


def shown(page: Path) -> list[list[str]]:
    """The messages of a page: the line that says who speaks, then those of the message."""
    return [
        block.splitlines()
        for block in re.findall(r"^```textproto\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)
    ]


def matches(page: list[str], said: list[str]) -> bool:
    """Whether the lines on the page are those said; a line `# ...` on the page stands for any."""
    pattern = "\n".join("(?:.*\n)*?.*" if line.strip().startswith("# ...") else re.escape(line) for line in page)
    return re.fullmatch(pattern, "\n".join(said)) is not None
