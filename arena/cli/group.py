"""A group of commands that loads a command only when it is called, and says a user's mistake in one line.

`arena --help` names every command from the table given here, without importing one.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import click

from arena.cli.complaint import MISTAKE, complaint
from arena.cli.outlet import check_output
from arena.cli.printing import warn
from arena.errors import nearest


@dataclass(frozen=True, slots=True)
class Lazy:
    """A command that is not loaded yet: `module:name`, and its line in the list of commands."""

    where: str
    help: str

    def load(self) -> click.Command:
        """The command itself."""
        module, _, name = self.where.partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command


class LazyGroup(click.Group):
    """Commands in the order of a table."""

    def __init__(self, *args: Any, table: Mapping[str, Lazy], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.table = table

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of the table."""
        del ctx
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, loaded; None if there is none."""
        del ctx
        return self.table[cmd_name].load() if cmd_name in self.table else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, from the table alone."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, lazy.help) for name, lazy in self.table.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As in every group; an unknown command is answered with the one most like it."""
        name = args[0]
        if name not in self.table and not name.startswith("-"):
            hint = nearest(name, self.table) or f": there are {', '.join(self.table)}"
            raise click.UsageError(f"there is no command {name}{hint}", ctx)
        return super().resolve_command(ctx, args)

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,  # noqa: FBT001, FBT002 (click's own signature)
        **extra: Any,
    ) -> Any:
        """Run the command line and end the process; a mistake of the user's is one line and its exit code."""
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        try:
            code = self._answer(args, prog_name, complete_var, **extra)
            check_output()
        except BaseException as error:
            answer = complaint(error)
            if answer is None:
                raise
            line, code = answer
            if line:
                warn(line)
        sys.exit(code)

    def _answer(self, args: Sequence[str] | None, prog_name: str | None, complete_var: str | None, **extra: Any) -> int:
        """Do what is asked; gives the exit code."""
        try:
            code = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        except click.exceptions.NoArgsIsHelpError as help_page:
            click.echo(help_page.format_message())
            return MISTAKE
        return code if isinstance(code, int) else 0
