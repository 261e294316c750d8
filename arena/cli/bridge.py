"""`arena bridge`: a program that reads and writes lines as a bot. The bridge itself is part of the SDK."""

from __future__ import annotations

import click

PROGRAM = "arena bridge"


class _Whole(click.Command):
    """A command whose arguments are read by what it starts, but for the help page."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the arguments as they are."""
        mine = args[: args.index("--")] if "--" in args else args
        if {"-h", "--help"} & set(mine):
            return super().parse_args(ctx, ["--help"])
        ctx.args = args
        return args


@click.command(
    cls=_Whole,
    options_metavar="[--text] [OPTION...] -- COMMAND...",
    epilog="""\b
Examples:
  arena bridge --server 127.0.0.1:7878 -- perl my_bot.pl
  arena bridge --server 127.0.0.1:7878 --name heron --text -- awk -W interactive -f bot.awk
  arena match "arena bridge -- perl my_bot.pl" "python -m sample_bots.python.random_bot"
""",
)
@click.pass_context
def bridge(ctx: click.Context) -> None:
    """Let any program that reads and writes lines play.

    COMMAND is started once for each lane, is told and asked on its stdin, and answers on its stdout, a JSON object a
    line, with --text in plain words, for awk or a shell; proto/bridge.md explains both. Every other OPTION is one that
    all bots have: --server HOST:PORT, --name, --lanes N, --game, --token-file FILE, --ca FILE, --seed N, --patience S,
    or as the environment of a bot that an arena starts (ARENA_SERVER, ARENA_TOKEN, ...).
    """
    from arena.bot.bridge.program import main  # noqa: PLC0415 (a help page does without protobuf)

    main(ctx.args, program=PROGRAM)
