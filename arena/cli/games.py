"""`arena games`: what can be played, and by which rules."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from arena.cli.options import PRESET, data_option, json_option
from arena.cli.options import game as game_name
from arena.cli.printing import Column, Json, print_json, print_table, say
from engine.game import Game
from engine.games import registered
from engine.seating import members


def document(game: Game) -> Json:
    """A game as JSON: names, seats, every option with its values, every preset in full."""
    return {
        "game": game.name,
        "title": game.title,
        "rules_version": game.rules_version,
        "seats": len(game.sides),
        "sides": list(game.sides),
        "options": [
            {"name": option.name, "allowed": option.allowed, "clause": option.clause, "help": option.help}
            for option in game.options
        ],
        "presets": {name: dict(rules) for name, rules in game.presets.items()},
    }


def rules_in_words(name: str, version: int, rules: Mapping[str, str]) -> str:
    """Rules as the fewest words: the preset that is nearest and what differs from it, `preset match, target=200`."""
    game = registered().get(name)
    if game is None or game.rules_version != version:
        return f"rules version {version} " + " ".join(f"{option}={value}" for option, value in rules.items())
    changes = {
        preset: [
            f"{option.name}={rules.get(option.name)}"
            for option in game.options
            if str(standard[option.name]) != rules.get(option.name)
        ]
        for preset, standard in game.presets.items()
    }
    nearest = min(changes, key=lambda preset: (len(changes[preset]), preset != PRESET))
    return ", ".join([f"preset {nearest}", *changes[nearest]])


def _show(game: Game) -> None:
    presets = list(game.presets)
    partners = [" and ".join(team) for team in members(list(map(str, range(len(game.sides)))), game.sides)]
    against = f", {' against '.join(partners)}" if len(partners) < len(game.sides) else ""
    say(f"{game.title} ({game.name}): {len(game.sides)} seats, rules version {game.rules_version}{against}")
    print_table(
        [Column("option"), Column("values"), *map(Column, presets), Column("clause"), Column("meaning")],
        [
            [
                option.name,
                option.allowed,
                *(str(game.presets[preset][option.name]) for preset in presets),
                option.clause,
                option.help,
            ]
            for option in game.options
        ],
    )


@click.command(
    epilog="""\b
Examples:
  arena games                       every game with its options
  arena games --json                the same for a program
  arena match A B --preset seed --option target=200
""",
)
@click.argument("game", metavar="[GAME]", type=game_name, required=False)
@data_option
@json_option
def games(*, game: Game | None, data: Path, as_json: bool) -> None:
    """List the games, their presets and options.

    A match is played by a preset, a complete set of rules: match, unless another is named. The columns named after
    presets show what each sets; --option of other commands changes one option of it. GAME limits the list to one game;
    by default all are shown. They are those of the installed arena, so --data changes nothing here.
    """
    del data
    chosen = [game] if game else list(registered().values())
    if as_json:
        print_json([document(each) for each in chosen])
        return
    for number, each in enumerate(chosen):
        if number:
            say()
        _show(each)
