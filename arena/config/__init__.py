"""What an arena is told before it starts: where it listens, what is played there, and what it allows.

`limits` has every bound with its unit and range, `settings` the same as a table of names, and `sources` reads them out
of a file, the environment and the command line.
"""

from __future__ import annotations

from arena.config.limits import HttpLimits, Limits
from arena.config.running import ArenaConfig, arena_version

__all__ = ["ArenaConfig", "HttpLimits", "Limits", "arena_version"]
