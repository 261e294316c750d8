"""What a program is called that plays through the bridge."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

BRIDGES: Final = ("bridge", "arena.bot.bridge")
"""A command with one of these words before a `--` is a bridge's."""
_LONGEST: Final = 32


def called(command: Sequence[str]) -> str:
    """The name of a program: its command's last word that is a file, else the first, without folder and suffix.

    Of an interpreter with its options, as in `awk -W interactive -f heron.awk`, that is the script.
    """
    files = [word for word in command if Path(word).is_file()]
    return re.sub(r"[^A-Za-z0-9._-]", "-", Path(files[-1] if files else command[0]).stem)[:_LONGEST]


def behind_bridge(command: Sequence[str]) -> Sequence[str]:
    """The command of the program, if this one is of a bridge, else nothing."""
    cut = command.index("--") if "--" in command else 0
    return command[cut + 1 :] if set(BRIDGES) & set(command[:cut]) else ()
