"""`arena bot`: the registry of bots, with their versions, owners and tokens."""

from __future__ import annotations

import click

from arena.cli.group import Lazy, LazyGroup

COMMANDS = {
    "add": Lazy("arena.cli.bot_tokens:add", "Register a bot and print its token."),
    "list": Lazy("arena.cli.bot_list:list_bots", "List the registered bots."),
    "rotate": Lazy("arena.cli.bot_tokens:rotate", "Give a bot a new token in place of the old one."),
    "revoke": Lazy("arena.cli.bot_tokens:revoke", "Let a bot in no more, and end its streams."),
}


@click.group(
    cls=LazyGroup,
    table=COMMANDS,
    epilog="""\b
Examples:
  arena bot add heron --owner ann        register heron@1; prints its token
  arena bot list                         who may play here
  arena bot rotate heron@1               the token is known to somebody else
  arena bot revoke heron                 every version of it is out
""",
)
def bot() -> None:
    """Say which bots may play on an arena that is not open.

    A bot is registered with a version, plays and is rated as NAME@VERSION, and shows a token to be let in. All of this
    works beside a running arena, which heeds it within about a second.
    """
