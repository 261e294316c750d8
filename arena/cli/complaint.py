"""A user's mistake in one line: what was wrong and what would be right. No traceback for anybody's own error."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import click

from arena.cli.outlet import OutputLostError
from arena.cli.printing import clean
from arena.errors import ArenaError, nearest
from engine.errors import BadRules, UnknownGame

MISTAKE: Final = 2
"""Exit code of every mistake of the user's."""
FAILED: Final = 1
"""Exit code when the command worked and its answer is no: a replay that is not proved."""
INTERRUPTED: Final = 130
"""Exit code after Ctrl-C, as shells have it."""
READER_LEFT: Final = 141
"""Exit code when the reader of a pipe left before all was printed (`arena ... | head`), as shells have it."""


def complaint(error: BaseException) -> tuple[str, int] | None:
    """The line for `error`, without `arena: ` in front, and the exit code; None if it is a fault of our own.

    The line is empty when there is nobody to be told.
    """
    match error:
        case BaseExceptionGroup():
            return _of_group(error)
        case click.UsageError():
            line, code = f"{_usage(error).rstrip('.')}{_where_to_look(error)}", MISTAKE
        case click.ClickException():
            line, code = error.format_message(), MISTAKE
        case ArenaError():
            line, code = _in_one_line(str(error)), error.exit_code
        case UnknownGame() | BadRules():
            line, code = str(error.args[0]), MISTAKE
        case click.Abort() | KeyboardInterrupt():
            line, code = "interrupted", INTERRUPTED
        case OutputLostError(reader_left=False):
            line, code = str(error), MISTAKE
        case OutputLostError() | BrokenPipeError():
            line, code = "", READER_LEFT
        case _:
            return None
    return clean(line), code


def _in_one_line(text: str) -> str:
    """A message that goes on with what a bot printed last: of that its last line, which says the most."""
    first, *more = [line.strip() for line in text.splitlines() if line.strip()] or [""]
    return f"{first}: {more[-1]}" if more else first


def leaves(error: BaseException) -> Iterator[BaseException]:
    """The errors in a group, without the groups in it."""
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from leaves(inner)
    else:
        yield error


def _of_group(group: BaseExceptionGroup[BaseException]) -> tuple[str, int] | None:
    """What tasks that ran side by side ran into: the first that says something, None if any was a fault of our own."""
    found = [complaint(error) for error in leaves(group)]
    told = [each for each in found if each is not None]
    return None if len(told) < len(found) else next((each for each in told if each[0]), told[0])


def _usage(error: click.UsageError) -> str:
    if isinstance(error, click.NoSuchOption):
        return f"there is no option {error.option_name}{nearest(error.option_name, _options(error))}"
    if isinstance(error, click.MissingParameter):
        return f"{_name(error.param, error.ctx)} is missing"
    if isinstance(error, click.BadParameter):
        name = _name(error.param, error.ctx)
        return f"{name}: {error.message}" if name else error.message
    return error.format_message()


def _where_to_look(error: click.UsageError) -> str:
    if error.ctx is None:
        return ""
    return f" (see {error.ctx.command_path} --help)"


def _options(error: click.NoSuchOption) -> list[str]:
    if error.ctx is None:
        return []
    return [name for param in error.ctx.command.get_params(error.ctx) for name in param.opts if name.startswith("-")]


def _name(param: click.Parameter | None, ctx: click.Context | None) -> str:
    if param is None or ctx is None:
        return ""
    return param.opts[-1] if isinstance(param, click.Option) else param.make_metavar(ctx).strip("[].")
