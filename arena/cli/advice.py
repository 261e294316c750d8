"""Commands that the arena advises a person to type, in words that work where that person is."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path


def advice(*words: str) -> str:
    """The command `arena WORDS`, ready to be typed."""
    return shlex.join([*_program(), *words])


def _program() -> list[str]:
    """How this command is called here: by its name if the path has it, else by where it is."""
    own = Path(sys.argv[0])
    if own.name == "__main__.py":
        return [Path(sys.executable).name, "-m", "arena.cli"]
    found = shutil.which("arena")
    if not own.exists() or (found is not None and Path(found).resolve() == own.resolve()):
        return ["arena"]
    near = os.path.relpath(own)
    return [near if not near.startswith("..") else str(own)]
