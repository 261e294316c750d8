"""`arena replay show`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import click
from rich.text import Text

from arena.cli.options import data_option, json_option, whole_number
from arena.cli.printing import console, on_terminal, print_json, say
from arena.cli.replay_source import find_replay, match_argument
from arena.errors import NotFound
from arena.replay import export_jsonl, story

_DEAL: Final = re.compile(r"deal (\d+), dealer ")
_STYLES: Final = (
    (r"^(match|deal) .*", "bold"),
    (r"^  (contract|trump) .*", "bold"),
    (r"\b[2-9TJQKA][HD]\b", "red"),
    (r"\b[HD] [2-9TJQKA]+\b", "red"),
    (r"-> \d", "green"),
    (r"^    action .*", "italic dim"),
    (r"^  (time|rules|offered|decision) .*", "dim"),
    (r"^ +\d+ +\d+ +[-\d.]+ .*\d{6}$", "dim"),
)
"""What is coloured on a terminal."""


@click.command(
    epilog="""\b
Examples:
  arena replay show 3f2a                     the whole match
  arena replay show 3f2a --deal 2 --notes    one deal, with what the bots remarked
  arena replay show 3f2a.arp --times         a file, with what decisions cost
  arena replay show 3f2a --json              the objects of the export, as one array
""",
)
@match_argument
@click.option("--deal", metavar="N", type=whole_number, show_default="all", help="Only this deal; the first is 0.")
@click.option("--times", is_flag=True, help="Add the bill of every decision.")
@click.option("--notes", is_flag=True, help="Add the bots' own remarks.")
@data_option
@json_option
def show(*, wanted: str, deal: int | None, times: bool, notes: bool, data: Path, as_json: bool) -> None:
    """Tell a match, deal by deal and trick by trick.

    A trick reads 3 0 4H 5S -> 0 (6S QS): its number, the leader's seat, the cards in order of play, the winner and,
    while cards are drawn, the winner's and the loser's. Everything hidden at the table is shown.

    With --times every decision has its bill, in seconds: when it was asked and answered, what elapsed, how much of it
    the arena itself was late, what was charged, and what the bank then held, the increment included.

    With --json it is an array of the objects that 'arena replay export' writes, times and notes among them.
    """
    source = find_replay(wanted, data)
    replay, found = source.read(), list[Any]()
    if as_json:
        objects = map(json.loads, export_jsonl(replay, first_leg=source.first_leg))
        found += objects if deal is None else objects_of_deal(objects, deal)
    else:
        lines = story(replay, times=times, notes=notes, first_leg=source.first_leg)
        found += lines if deal is None else one_deal(lines, deal)
    if not found:
        raise NotFound(f"{source.where} has no deal {deal}: they are numbered from 0")
    if as_json:
        print_json(found)
        return
    for line in found:
        if on_terminal():
            _print_styled(line)
        else:
            say(line)


def objects_of_deal(objects: Iterable[dict[str, Any]], deal: int) -> Iterator[dict[str, Any]]:
    """The part of an export that is one deal, from its deck to its score."""
    inside = False
    for each in objects:
        if each["type"] in ("deal", "match_end"):
            inside = each.get("n") == deal
        if inside:
            yield each


def one_deal(lines: Iterable[str], deal: int) -> Iterator[str]:
    """The part of a story that tells one deal."""
    inside = False
    for line in lines:
        found = _DEAL.match(line)
        if found:
            inside = int(found[1]) == deal
        elif not line:
            inside = False  # an empty line stands between deals, and before the end
        if inside:
            yield line


def _print_styled(line: str) -> None:
    text = Text(line)
    for pattern, style in _STYLES:
        text.highlight_regex(pattern, style)
    console().print(text, soft_wrap=True)
