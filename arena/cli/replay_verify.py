"""`arena replay verify`."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, NoReturn

import click
from rich.text import Text

from arena.cli.complaint import FAILED
from arena.cli.options import data_option, json_option
from arena.cli.printing import Json, clean, console, matches, on_terminal, print_json, say
from arena.cli.replay_list import newest
from arena.cli.replay_source import Source, find_replay, from_store
from arena.errors import BadReplay
from arena.plain import word
from arena.replay import Finding, Report, Verdict, verify
from arena.store import Store

_JSON: Final[Mapping[Verdict, str]] = MappingProxyType(
    {Verdict.PROVED: "proved", Verdict.FAILED: "failed", Verdict.OPEN: "open"}
)
_MARKS: Final[Mapping[Verdict, tuple[str, str, str]]] = MappingProxyType(
    {
        Verdict.PROVED: ("proved", "✓", "green"),
        Verdict.FAILED: ("FAILED", "✗", "bold red"),
        Verdict.OPEN: ("open", "?", "dim"),
    }
)
"""For a pipe, for a terminal, and its colour there."""


def _hash(text: str) -> bytes:
    try:
        value = bytes.fromhex(text)
    except ValueError:
        value = b""
    if len(value) != 32:
        raise click.BadParameter(f"{text!r} will not do: a log hash has 64 hexadecimal digits")
    return value


@click.command(
    name="verify",
    epilog="""\b
Examples:
  arena replay verify 3f2a              a match of the data folder
  arena replay verify 3f2a.arp          a file
  arena replay verify --run match-3     every match of a run
""",
)
@click.argument("wanted", metavar="MATCH", required=False)
@click.option("--run", metavar="NAME", show_default="none", help="Verify every match of this run.")
@click.option(
    "--log-hash",
    "known",
    metavar="HEX",
    type=_hash,
    show_default="that of the record, if there is one",
    help="The hash of the log that you kept, from MatchEnded or a list.",
)
@data_option
@json_option
def verify_match(*, wanted: str | None, run: str | None, known: bytes | None, data: Path, as_json: bool) -> None:
    """Prove deck, rules, scores and result of a match.

    Deals the cards again from the seed that was committed to before the match, puts every action to the rules, counts
    the score, adds up the clocks and follows the hash chain. What no log can prove is said too.

    Exit code 0: all is proved. 1: something failed. 2: this is no replay.
    """
    if (wanted is None) == (run is None):
        raise click.UsageError("give a MATCH, or --run for all matches of a run")
    if wanted is not None:
        source = find_replay(wanted, data)
        report = examine(source, known)
        if as_json:
            print_json(document(source, report))
        else:
            _show(source, report)
        sys.exit(0 if report.ok else FAILED)
    _verify_run(str(run), data, as_json=as_json)


def examine(source: Source, known: bytes | None = None) -> Report:
    """The report on a replay; that it is damaged is a finding like others."""
    known_hash = known or (source.result.log_hash if source.result is not None else None)
    try:
        return verify(source.read(), known_hash=known_hash, first_leg=source.first_leg)
    except BadReplay as error:
        text = str(error).removeprefix(f"{source.where}: ")
        name = source.result.name if source.result is not None else ""
        return Report(name, (Finding(Verdict.FAILED, "file", text),))


def document(source: Source, report: Report) -> dict[str, Json]:
    """A report as JSON. A damaged file does not say which match it is."""
    run, _, match_id = report.name.rpartition("/")
    return {
        "match_id": match_id or None,
        "run": run or None,
        "source": source.where,
        "proved": report.ok,
        "findings": [
            {"verdict": _JSON[finding.verdict], "check": finding.check, "text": finding.text}
            for finding in report.findings
        ],
    }


def _show(source: Source, report: Report) -> None:
    """The findings, and in one line what they come to."""
    width = max(len(finding.check) for finding in report.findings)
    for finding in report.findings:
        word, mark, style = _MARKS[finding.verdict]
        text = f"{finding.check:<{width}}  {clean(finding.text)}"
        if on_terminal():
            console().print(Text.assemble((mark, style), f" {text}"), soft_wrap=True)
        else:
            say(f"{word:<6}  {text}")
    say(conclusion(source, report))


def conclusion(source: Source, report: Report) -> str:
    """What a report comes to, in one line."""
    counts = Counter(finding.verdict for finding in report.findings)
    beyond = f"; {counts[Verdict.OPEN]} things that it cannot prove" if counts[Verdict.OPEN] else ""
    return f"{source.where}: {'proved' if report.ok else 'NOT proved'}{beyond}"


def _verify_run(run: str, data: Path, *, as_json: bool) -> NoReturn:
    documents: list[Json] = []
    failed = 0
    with Store.open(data, hold=False) as store:
        store.run(run)
        results = newest(store, run, None, 0)
        for result in reversed(results):
            source = from_store(store, result)
            report = examine(source)
            failed += not report.ok
            if as_json:
                documents.append(document(source, report))
            elif not report.ok:
                say(f"FAILED  {word(result.name)}: {'; '.join(f'{one.check}: {one.text}' for one in report.failures)}")
    if as_json:
        print_json(documents)
    else:
        say(f"run {word(run)}: {matches(len(results))}, {len(results) - failed} proved, {failed} failed")
    sys.exit(FAILED if failed else 0)
