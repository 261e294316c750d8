"""Options that several commands share, and how their values are read."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from arena.errors import nearest
from engine.clock import TimeControl
from engine.errors import BadRules, UnknownGame
from engine.game import Game, Rules, complete_rules
from engine.games import find, registered
from engine.seating import tables

Command = TypeVar("Command", bound=Callable[..., Any])

DATA: Final = "arena-data"
"""The data folder when nobody names another."""
PRESET: Final = "match"
"""The rules of a match when nobody asks for others."""
RUN_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,32}")
"""What a run may be called; no dot, because the files of its running matches are named RUN.MATCH."""


def report_place(text: str) -> Path:
    """A file to write a report into."""
    if not text.strip():
        raise click.BadParameter("the name is empty: write the name of a file")
    if Path(text).is_dir():
        raise click.BadParameter(f"{text} is a folder: write the name of a file")
    return Path(text)


def whole_number(text: str) -> int:
    """A number from 0 on."""
    if not text.isascii() or not text.isdigit() or len(text) > 18:
        raise click.BadParameter(f"{text!r} will not do: write a whole number, 0 or more")
    return int(text)


def count(text: str) -> int:
    """A number from 1 on."""
    if not text.isascii() or not text.isdigit() or len(text) > 18 or not int(text):
        raise click.BadParameter(f"{text!r} will not do: write a whole number, 1 or more")
    return int(text)


def time_control(text: str) -> TimeControl:
    """A time control, `BANK+INCREMENT/CAP`."""
    try:
        return TimeControl.parse(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def setting(text: str) -> tuple[str, str]:
    """An option of the rules, `NAME=VALUE`."""
    name, _, value = (part.strip() for part in text.partition("="))
    if not name or not value:
        raise click.BadParameter(
            f"{text!r} will not do: write NAME=VALUE, such as target=200; 'arena games' lists them"
        )
    return name, value


def run_name(text: str) -> str:
    """A name for a run."""
    if not RUN_NAME.fullmatch(text):
        raise click.BadParameter(f"{text!r} will not do: write 1 to 32 letters, digits, '_' or '-'")
    return text


def game(name: str) -> Game:
    """An installed game."""
    if not name.strip():
        raise click.BadParameter(f"the name is empty: there are {', '.join(registered())}")
    try:
        return find(name)
    except UnknownGame as error:
        raise click.BadParameter(f"{error}{nearest(name, registered())}") from None


def data_option(command: Command) -> Command:
    """`--data DIR`."""
    return click.option(
        "--data",
        metavar="DIR",
        type=click.Path(path_type=Path),
        envvar="ARENA_DATA",
        default=DATA,
        show_default=f"./{DATA}",
        show_envvar=True,
        help="The data folder: matches, replays, ratings.",
    )(command)


def data_words(data: Path) -> list[str]:
    """What a command needs to find that data folder; nothing if it is the default."""
    return [] if data == Path(DATA) else ["--data", str(data)]


def json_option(command: Command) -> Command:
    """`--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")(command)


def rules_options(command: Command) -> Command:
    """`--preset` and `--option`, the rules of a match."""
    command = click.option(
        "--option",
        "settings",
        metavar="NAME=VALUE",
        type=setting,
        multiple=True,
        help="Change one option of the preset; may be given again. 'arena games' lists options and values.",
    )(command)
    return click.option(
        "--preset", metavar="NAME", default=PRESET, show_default=True, help="The set of rules to start from."
    )(command)


def game_option(command: Command) -> Command:
    """`--game`, the first by rank if nobody says which. The number of bots chooses none: what looks like four bots is
    often a command of four words that nobody has quoted.
    """
    return click.option(
        "--game", metavar="NAME", type=game, default=next(iter(registered())), show_default=True, help="The game."
    )(command)


def time_option(command: Command) -> Command:
    """`--time-control`."""
    return click.option(
        "--time-control",
        "control",
        metavar="BANK+INC/CAP",
        type=time_control,
        default=str(TimeControl()),
        show_default=True,
        help="Seconds for all decisions of a match, seconds added after each, most for one.",
    )(command)


def seed_option(command: Command) -> Command:
    """`--seed`."""
    return click.option(
        "--seed",
        metavar="S",
        type=whole_number,
        show_default="none, decks that nobody can foresee",
        help="Make decks and the bots' dice the same in every run with this seed.",
    )(command)


def concurrency_option(more: str = "") -> Callable[[Command], Command]:
    """`--concurrency`; `more` is what its help says beside what it is."""
    return click.option(
        "--concurrency",
        metavar="N",
        type=count,
        show_default="as many as there are cores",
        help=f"How many matches at the same time{more}.",
    )


def restart_option(command: Command) -> Command:
    """`--restart`."""
    return click.option(
        "--restart",
        type=click.Choice(["never", "match", "leg"]),
        default="never",
        show_default=True,
        help="When bots are started anew: 'leg', for each leg of a set, so that none plays a deck twice; 'match', "
        "for each match.",
    )(command)


def limits_options(command: Command) -> Command:
    """`--memory` and `--start-seconds`, which limit the bots that the arena starts."""
    command = click.option(
        "--start-seconds",
        metavar="S",
        type=count,
        show_default="time.missing_seconds of the arena",
        help="How many seconds a bot may take to connect.",
    )(command)
    return click.option(
        "--memory",
        "memory_mib",
        metavar="MIB",
        type=count,
        show_default="no limit",
        help="How many MiB a bot may have in memory, with all that it starts; one with more is stopped.",
    )(command)


def run_option(default: str) -> Callable[[Command], Command]:
    """`--run`; `default` says which one it is if nobody does."""

    def add(command: Command) -> Command:
        return click.option(
            "--run", metavar="NAME", type=run_name, show_default=default, help="The run that the matches belong to."
        )(command)

    return add


def check_number(chosen: Game, bots: int) -> None:
    """UsageError when so many bots cannot play the game; it names the games that they can play."""
    numbers = {game.name: tables(game.sides) for game in registered().values()}
    if bots in numbers[chosen.name]:
        return
    others = [f"--game {name}" for name, fitting in numbers.items() if bots in fitting]
    raise click.UsageError(
        f"{chosen.name} is played by {' or '.join(map(str, numbers[chosen.name]))} bots, not {bots}: a command each, "
        "quoted if it has several words" + (f"; {bots} can play with {' or '.join(others)}" if others else "")
    )


def chosen_rules(chosen: Game, preset: str, settings: Sequence[tuple[str, str]]) -> Rules:
    """The rules that `--preset` and `--option` ask for; BadRules says what is wrong and names what is most like it."""
    names = [option.name for option in chosen.options]
    try:
        return complete_rules(chosen, preset, dict(settings))
    except BadRules as error:
        if preset not in chosen.presets:
            raise BadRules(f"{error}{nearest(preset, chosen.presets)}") from None
        unknown = next((name for name, _ in settings if name not in names), "")
        raise BadRules(f"{error}{nearest(unknown, names)}") from None
