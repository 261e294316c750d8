"""The command line: `arena`.

The base install is the SDK for bots and has no command line, yet pip installs the command all the same. So `main`
lives in a module that imports nothing but the standard library until it has seen that the rest is there.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import Final

from arena.cli.outlet import open_outlets

NEEDED: Final = (
    "click",
    "cryptography",
    "filelock",
    "hypercorn",
    "prometheus_client",
    "rich",
    "sqlalchemy",
    "starlette",
    "trio",
    "zstandard",
)
"""Modules that the extra `server` brings."""


def main() -> None:
    """Run `arena` with the arguments of this process; it ends with exit code 2 if the server's part is missing."""
    open_outlets()
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        what = f"{', '.join(missing)} not installed"
        sys.stderr.write(f"arena: {what}: pip install 'drawbridge-arena[server]' brings the command line\n")
        sys.exit(2)
    from arena.cli.app import arena  # noqa: PLC0415 (only now is it known to load)

    arena.main(prog_name="arena")
