"""`arena replay export`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from arena.cli.options import data_option
from arena.cli.printing import on_terminal
from arena.cli.replay_source import find_replay, match_argument
from arena.errors import ArenaError
from arena.replay import export_jsonl


@click.command(
    epilog="""\b
Examples:
  arena replay export 3f2a > 3f2a.jsonl              one JSON object a line
  arena replay export 3f2a --format file -o 3f2a.arp the replay file itself
  arena replay export 3f2a.arp                       a file as JSON Lines
""",
)
@match_argument
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "file"]),
    default="jsonl",
    show_default=True,
    help="jsonl is the stable text form; file is the log as the arena wrote it, which can be verified anywhere.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(path_type=Path),
    show_default="standard output",
    help="Where to; a file that is there is replaced.",
)
@data_option
def export(*, wanted: str, form: str, output: Path | None, data: Path) -> None:
    """Write a match as JSON Lines or as the replay file.

    The text form has one object a line: match, then for each deal its deck, every draw, call, discard and play, and its
    score, then match_end. Both hold everything, the server seed included.
    """
    source = find_replay(wanted, data)
    replay = source.read()
    if form == "jsonl":
        content = "".join(f"{line}\n" for line in export_jsonl(replay, first_leg=source.first_leg)).encode()
    elif output is None and on_terminal():
        raise click.UsageError("a replay file is no text: say with -o where it goes, or send it into a pipe")
    else:
        content = source.data
    _write(output, content)


def _write(output: Path | None, content: bytes) -> None:
    if output is None:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    try:
        output.write_bytes(content)
    except OSError as error:
        raise ArenaError(f"cannot write {output}: {(error.strerror or str(error)).lower()}") from None
