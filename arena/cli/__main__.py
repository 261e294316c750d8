"""`python -m arena.cli`, for when the command `arena` is not on the path."""

from __future__ import annotations

from arena.cli import main

main()
