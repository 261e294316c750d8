"""`arena replay ask`."""

from __future__ import annotations

import shlex
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.interruption import interruptible
from arena.cli.options import data_option, json_option, whole_number
from arena.cli.printing import Json, clean, print_json, say
from arena.cli.replay_source import find_replay, match_argument
from arena.launch import BotFailedError, check_program, programs_of
from arena.plain import phrase, word

if TYPE_CHECKING:
    from arena.rehearsal import Reply


@click.command(
    epilog="""\b
Examples:
  arena replay ask 3f2a -- python my_bot.py             where it would act otherwise than seat 0 did
  arena replay ask 3f2a --seat 1 --all -- ./my_bot      every decision of seat 1
  arena replay ask 3f2a.arp --json -- ./my_bot          a file, for programs
""",
)
@match_argument
@click.argument("command", nargs=-1, required=True, metavar="-- COMMAND...", type=click.UNPROCESSED)
@click.option("--seat", metavar="N", type=whole_number, default="0", show_default=True, help="Whose questions.")
@click.option("--all", "everything", is_flag=True, help="Tell the decisions that are the same, too.")
@data_option
@json_option
def ask(*, wanted: str, command: tuple[str, ...], seat: int, everything: bool, data: Path, as_json: bool) -> None:
    """Ask a bot what a seat was asked, and tell where it answers otherwise.

    COMMAND starts the bot, as an arena would. It is told and asked what the log says of the seat, over the protocol
    and offline; whatever it answers, the match goes on as it did. Its clock shows what the seat had left, but it may
    take 10 seconds for every answer. Times, broken streams and refused answers of the log are not repeated.

    Exit status: 0 when all answers are those of the log, 1 when some differ, 2 when the bot cannot be asked.
    """
    source = find_replay(wanted, data)
    from arena.rehearsal import rehearse  # noqa: PLC0415 (a help page does without gRPC)

    (program,) = programs_of([shlex.join(command)])
    check_program(program)
    replay = source.read()
    replies: list[Reply] = []
    try:
        with interruptible(), closing(rehearse(replay, seat, program, first_leg=source.first_leg)) as answers:
            for reply in answers:
                replies.append(reply)
                if not as_json and (everything or not reply.same):
                    say(_line(reply))
    except BotFailedError as error:
        what, *printed = str(error).splitlines()  # what the bot printed last is what its author needs
        for line in printed:
            click.echo(f"  | {clean(line)}", err=True)
        raise BotFailedError(what) from None
    others = sum(not reply.same for reply in replies)
    if as_json:
        print_json(list(map(_object, (reply for reply in replies if everything or not reply.same))))
    else:
        bot = word(replay.header.seats[seat].bot)
        say(f"{len(replies)} decisions of seat {seat} ({bot}): {len(replies) - others} the same, {others} differ")
    click.get_current_context().exit(1 if others else 0)


def _line(reply: Reply) -> str:
    asked = reply.asked
    where = f"deal {asked.deal_no}, decision {asked.decision_id}, {asked.view.phase}: logged {asked.answer}"
    now = ", the same now" if reply.same else f", now {phrase(reply.said)}"
    return f"{where}{now}" + (f"  ({phrase(reply.note)})" if reply.note and not reply.same else "")


def _object(reply: Reply) -> Json:
    asked = reply.asked
    return {
        "deal": asked.deal_no,
        "decision_id": asked.decision_id,
        "phase": asked.view.phase,
        "legal": list(map(str, asked.legal)),
        "logged": str(asked.answer),
        "logged_note": asked.note,
        "now": None if reply.now is None else str(reply.now),
        "said": reply.said,
        "note": reply.note,
        "same": reply.same,
    }
