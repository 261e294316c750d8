"""A command whose options may also stand in a configuration file and in the environment.

What is given goes: default, file, environment, command line, the later before the earlier. A file's table `[serve]` has
the options of `arena serve` by their long names, with `_` for `-`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import click
from click.core import ParameterSource

from arena.cli.options import Command
from arena.config import Limits
from arena.config.settings import shown
from arena.config.sources import FILE, SERVE, Given, Settings, gather
from arena.errors import BadConfig

_KEY: Final = "arena.settings"
_PRIVATE: Final = frozenset({"help", "data", "config", "set", "json"})
"""Options that are no settings: where settings are, and how they are shown."""


def config_options(command: Command) -> Command:
    """`--config` and `--set`."""
    command = click.option(
        "--set",
        "words",
        metavar="TABLE.KEY=VALUE",
        multiple=True,
        expose_value=False,
        help="Set a limit, such as limits.lanes=8; may be given again. 'arena config show' lists them.",
    )(command)
    return click.option(
        "--config",
        metavar="FILE",
        type=click.Path(path_type=Path, dir_okay=False),
        envvar="ARENA_CONFIG",
        show_envvar=True,
        show_default=f"{FILE} in the data folder, if there is one",
        expose_value=False,
        help="The file with settings.",
    )(command)


def settings_of(ctx: click.Context) -> Settings:
    """All that was set for this command."""
    settings: Settings = ctx.meta[_KEY]
    return settings


def limits_of(data: Path) -> Limits:
    """The limits for a command that has no options for them: by the file of its data folder and the environment."""
    from arena.cli.serve import serve  # noqa: PLC0415 (which is built with what is here)

    named = os.environ.get("ARENA_CONFIG")
    file = Path(named) if named else _file_in(data)
    return gather(file, os.environ, (), keys_of(serve)).limits()


def keys_of(command: click.Command) -> dict[str, click.Option]:
    """The options of a command that may stand in a file, by their names there."""
    options = [param for param in command.params if isinstance(param, click.Option)]
    named = {max(option.opts, key=len).lstrip("-").replace("-", "_"): option for option in options}
    return {key: option for key, option in named.items() if key not in _PRIVATE}


class Configured(click.Command):
    """A command with `config_options`; `settings_of` gives its function what was set."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As in every command, with defaults from file and environment."""
        if not ctx.resilient_parsing and not set(args) & set(self.get_help_option_names(ctx)):
            found, _, _ = self.make_parser(ctx).parse_args(args=list(args))
            keys = keys_of(self)
            settings = gather(self._file(ctx, found), os.environ, _words(found.get("words")), keys)
            ctx.meta[_KEY] = settings
            ctx.default_map = {
                str(keys[key].name): _fitting(ctx, key, keys[key], given) for key, given in settings.options.items()
            }
        return super().parse_args(ctx, args)

    def _file(self, ctx: click.Context, found: Mapping[str, Any]) -> Path | None:
        """The file that is named, or that of the data folder if it has one."""
        params = {param.name: param for param in self.params}
        named, _ = params["config"].consume_value(ctx, found)
        if isinstance(named, str | Path):
            return Path(named)
        data, _ = params["data"].consume_value(ctx, found)
        return _file_in(Path(data if isinstance(data, str | Path) else ""))


def _file_in(data: Path) -> Path | None:
    file = data / FILE
    return file if file.is_file() else None


def _words(given: object) -> list[str]:
    return [word for word in given if isinstance(word, str)] if isinstance(given, list | tuple) else []


def _fitting(ctx: click.Context, key: str, option: click.Option, given: Given) -> object:
    """The value of `[serve]` as its option takes it. Raises BadConfig."""
    value, name = given.value, f"{SERVE}.{key}"
    from_file = not given.origin.startswith("ARENA_")
    if option.is_flag and from_file and not isinstance(value, bool):
        raise BadConfig(given.origin, f"{name} is true or false, not {shown(value)}")
    if option.multiple:
        words = value.split() if isinstance(value, str) and not from_file else value
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise BadConfig(given.origin, f"{name} is a list of texts, not {shown(value)}")
        value = words
    elif not option.is_flag:
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise BadConfig(given.origin, f"{name} is a text, not {shown(value)}")
        value = str(value)
    try:
        option.type_cast_value(ctx, value)
    except click.BadParameter as error:
        raise BadConfig(given.origin, f"{name}: {error.message}") from None
    return value


def origin_of(ctx: click.Context, key: str, option: click.Option) -> str:
    """Where the value of an option comes from: `default`, a file and its line, a variable, or the option itself."""
    source = ctx.get_parameter_source(str(option.name))
    if source is ParameterSource.COMMANDLINE:
        return max(option.opts, key=len)
    if source is ParameterSource.ENVIRONMENT:
        return str(option.envvar)
    given = settings_of(ctx).options.get(key)
    return "default" if given is None else given.origin
