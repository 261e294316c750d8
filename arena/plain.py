"""Texts of strangers as they may stand in a line of the arena: no name or remark passes for more than itself."""

from __future__ import annotations

import re
from typing import Final

_BLANKS: Final = re.compile(r"(?<= ) |^ | $")


def plain(text: str) -> str:
    """`text` in one line, with everything that is not printable, or steers a terminal, written as an escape."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def phrase(text: str) -> str:
    """Words of a stranger's between words of the arena's. Wide gaps, which part columns, are written as escapes."""
    return _BLANKS.sub(r"\\x20", plain(text))


def word(text: str) -> str:
    """A name of a stranger's where the arena writes one word: every space is written as an escape."""
    return plain(text).replace(" ", "\\x20")
