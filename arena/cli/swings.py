"""`arena swings`: the decisions in which two bots differed on the same cards, and what that was worth."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from arena.cli.options import count, data_option, json_option, run_name
from arena.cli.printing import Column, Json, print_json, print_table, say
from arena.cli.replay_source import from_store
from arena.plain import word
from arena.replay import export_jsonl
from arena.store import Result, Store
from arena.swings import Swing, swing, worst_first

COLUMNS = (
    Column("points", right=True),
    Column("set"),
    Column("deal", right=True),
    Column("decision", right=True),
    Column("seat", right=True),
    Column("worse"),
    Column("did"),
    Column("better"),
    Column("did"),
    Column("replays"),
)


@click.command(
    epilog="""\b
Examples:
  arena swings                           the twenty worst of the run that was played last
  arena swings gate-1
  arena swings tournament-1 --limit 100 --json
  arena replay show gate-1/ID            the match of a line
"""
)
@click.argument("run", metavar="[RUN]", type=run_name, required=False)
@click.option("--limit", metavar="N", type=count, default="20", show_default=True, help="Show so many.")
@data_option
@json_option
def swings(*, run: str | None, limit: int, data: Path, as_json: bool) -> None:
    """Show where bots differed on the same cards.

    For each set of the run: the first decision at which its two legs part, what each bot did there from the same seat
    with the same knowledge, and how many points of that deal the one that came off worse got less. The worst first.
    """
    with Store.open(data, hold=False) as store:
        name = store.run(run).name
        found = worst_first(_swings(store, name))
    if as_json:
        print_json([_document(swing) for swing in found[:limit]])
        return
    if not found:
        say(f"run {word(name)} has no closed set of two legs that part")
        return
    print_table(
        COLUMNS, [_row(swing) for swing in found[:limit]], f"run {word(name)}: {len(found)} sets whose legs part"
    )


def _swings(store: Store, run: str) -> Iterator[Swing]:
    """Of every closed set of two legs; a leg waits in hand for the other."""
    waiting: dict[str, Result] = {}
    for result in store.results(run):
        if result.legs != 2 or result.termination.void:
            continue
        before = waiting.pop(result.set_id, None)
        if before is None:
            waiting[result.set_id] = result
            continue
        first, second = sorted((before, result), key=lambda leg: leg.leg)
        found = swing(_lines(store, first), _lines(store, second), [player.side for player in first.players])
        if found is not None:
            yield found


def _lines(store: Store, result: Result) -> Iterator[dict[str, Any]]:
    source = from_store(store, result)
    return map(json.loads, export_jsonl(source.read(), first_leg=source.first_leg))


def _row(swing: Swing) -> list[str]:
    worse, better = swing.worse, swing.second if swing.worse is swing.first else swing.first
    points = "-" if swing.points is None else str(abs(swing.points))
    place = [points, swing.set_id, str(swing.deal), str(swing.decision), str(swing.seat)]
    return [*place, worse.bot, worse.action, better.bot, better.action, f"{worse.match_id} {better.match_id}"]


def _document(swing: Swing) -> Json:
    return {
        "set_id": swing.set_id,
        "deal": swing.deal,
        "decision": swing.decision,
        "seat": swing.seat,
        "points": swing.points,
        "choices": [
            {"bot": choice.bot, "action": choice.action, "match_id": choice.match_id, "points": choice.points}
            for choice in (swing.first, swing.second)
        ],
    }
