"""`arena config show`: what is in force, and where it comes from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from arena.cli.configured import Configured, keys_of, origin_of, settings_of
from arena.cli.options import json_option
from arena.cli.printing import Column, Json, print_json, print_table
from arena.cli.serve import serve
from arena.config.settings import SETTINGS
from arena.config.sources import SERVE


def _show(ctx: click.Context, *, as_json: bool, **_options: Any) -> None:
    """Show every setting, and where it comes from.

    Takes the options of 'arena serve', and shows what it would run with. The limits that have a meaning and a unit here
    are set in a file as TABLE and KEY, by a variable ARENA_TABLE_KEY, or by --set TABLE.KEY=VALUE.
    """
    rows = [*_of_serve(ctx), *_bounds(ctx)]
    if as_json:
        print_json({str(row["setting"]): {key: row[key] for key in row if key != "setting"} for row in rows})
        return
    columns = [Column("setting"), Column("value"), Column("unit"), Column("from"), Column("meaning")]
    print_table(columns, [[_word(row[column.name]) for column in columns] for row in rows])


def _of_serve(ctx: click.Context) -> Iterator[dict[str, Json]]:
    for key, option in keys_of(ctx.command).items():
        yield {
            "setting": f"{SERVE}.{key}",
            "value": _plain(ctx.params.get(str(option.name)) or option.show_default or None),
            "unit": "",
            "from": origin_of(ctx, key, option),
            "meaning": option.help or "",
        }


def _bounds(ctx: click.Context) -> Iterator[dict[str, Json]]:
    given = settings_of(ctx).bounds
    for path, setting in SETTINGS.items():
        yield {
            "setting": path,
            "value": setting.check(given[path].value) if path in given else setting.default,
            "unit": setting.range.unit,
            "from": given[path].origin if path in given else "default",
            "meaning": setting.range.meaning,
        }


def _plain(value: object) -> Json:
    """The value of an option as it is written in a file."""
    match value:
        case None | bool():
            return value
        case [str() as name, str() as chosen]:
            return f"{name}={chosen}"
        case list() | tuple():
            return [_plain(each) for each in value]
        case _:
            return str(getattr(value, "name", value))


def _word(value: Any) -> str:
    match value:
        case None | []:
            return "-"
        case bool():
            return "true" if value else "false"
        case float():
            return f"{value:g}"
        case list():
            return " ".join(map(str, value))
        case _:
            return str(value)


show = json_option(
    Configured(
        "show",
        callback=click.pass_context(_show),
        params=[*serve.params],
        help=_show.__doc__,
        epilog="""\b
Examples:
  arena config show                        what 'arena serve' would run with
  arena config show --json                 the same for a program
  ARENA_LIMITS_LANES=8 arena config show --config night.toml
""",
    )
)
