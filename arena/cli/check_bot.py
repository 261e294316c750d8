"""`arena check-bot`: the conformance kit."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from arena.cli.options import count, game, json_option, report_place
from engine.game import Game


class _OneBot(click.Command):
    """A command that takes one COMMAND: more words are told to be those of a bot that nobody has quoted."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the options and COMMAND; UsageError names the quotes that are missing."""
        try:
            rest = super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if error.option_name.startswith("--"):
                raise
            raise click.UsageError(f"there is no option {error.option_name}{_QUOTE}", ctx) from None
        if ctx.args:
            raise click.UsageError(f"there is one COMMAND, and {ctx.args[0]!r} is one word more{_QUOTE}", ctx)
        return rest


_QUOTE: Final = '; if it is the bot\'s, write its command in quotes, such as "python my_bot.py"'


@click.command(
    name="check-bot",
    cls=_OneBot,
    context_settings={"allow_extra_args": True},
    epilog="""\b
Examples:
  arena check-bot "python my_bot.py"
  arena check-bot "python my_bot.py" --step 31 --step lanes    two steps, by number and by name
  arena check-bot ./my_bot --game NAME                         a bot that plays one game only
  arena check-bot ./my_bot --junit report.xml                  for a build server

\b
Exit code: 0 every step was passed, 1 one was not, 2 a mistake.
""",
)
@click.argument("command")
@click.option(
    "--game", metavar="NAME", type=game, show_default="those that its Hello names", help="Check it with one game only."
)
@click.option(
    "--step",
    "wanted",
    metavar="STEP",
    multiple=True,
    show_default="all",
    help="Try this step, by number or by name; may be given again.",
)
@click.option(
    "--jobs", metavar="N", type=count, default="4", show_default=True, help="How many steps at the same time."
)
@click.option(
    "--junit",
    metavar="FILE",
    type=report_place,
    show_default="none",
    help="Write a report in JUnit's XML too.",
)
@json_option
def check_bot(
    *, command: str, game: Game | None, wanted: tuple[str, ...], jobs: int, junit: Path | None, as_json: bool
) -> None:
    """Check step by step that a bot plays in any arena.

    COMMAND starts the bot, in quotes if it has several words. It is started anew for each step, against an arena that
    follows a script; nothing is rated, and no arena has to run. proto/conformance.md lists the steps.
    """
    from arena.cli.check_run import run_check  # noqa: PLC0415 (half a second that a help page does without)

    run_check(command, game.name if game is not None else "", wanted, jobs=jobs, junit=junit, as_json=as_json)
