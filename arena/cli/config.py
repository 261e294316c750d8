"""`arena config`: what is set for an arena."""

from __future__ import annotations

import click

from arena.cli.group import Lazy, LazyGroup

COMMANDS = {"show": Lazy("arena.cli.config_show:show", "Show every setting, and where it comes from.")}


@click.group(
    cls=LazyGroup,
    table=COMMANDS,
    epilog="""\b
Examples:
  arena config show                        what 'arena serve' would run with
  arena config show --config night.toml --set limits.lanes=8
""",
)
def config() -> None:
    """Show the settings of an arena.

    They come from arena.toml in the data folder, or the file that --config or ARENA_CONFIG names; from variables such
    as ARENA_LIMITS_LANES; and from the command line, the later before the earlier.
    """
