"""Commands that the arena advises a person to type, in words that work where that person is."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path


def advice(*words: str, start: Path | None = None) -> str:
    """The command `arena WORDS`, ready to be typed here, or in the folder `start`."""
    return shlex.join([*_program(start), *words])


def python() -> str:
    """The Python that has this arena, ready to be typed: by its name if the path has it, else by where it is."""
    own = Path(sys.executable)
    names = (name for name in ("python", "python3") if Path(shutil.which(name) or "").parent == own.parent)
    return next(names, shlex.quote(str(own)))


def _program(start: Path | None) -> list[str]:
    """How this command is called here: by its name if the path has it, else by where it is."""
    own = Path(sys.argv[0])
    if own.name == "__main__.py":
        return [Path(sys.executable).name, "-m", "arena.cli"]
    found = shutil.which("arena")
    if not own.exists() or (found is not None and Path(found).resolve() == own.resolve()):
        return ["arena"]
    if start is not None:
        return [str(own.absolute())]
    near = os.path.relpath(own)
    return [near if not near.startswith("..") else str(own)]
