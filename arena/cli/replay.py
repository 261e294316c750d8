"""`arena replay`: what was played, told, proved and exported."""

from __future__ import annotations

import click

from arena.cli.group import Lazy, LazyGroup

COMMANDS = {
    "list": Lazy("arena.cli.replay_list:list_matches", "List matches, the newest first."),
    "show": Lazy("arena.cli.replay_show:show", "Tell a match, deal by deal and trick by trick."),
    "ask": Lazy("arena.cli.replay_ask:ask", "Ask a bot what a seat was asked, and tell where it answers otherwise."),
    "verify": Lazy("arena.cli.replay_verify:verify_match", "Prove deck, rules, scores and result of a match."),
    "export": Lazy("arena.cli.replay_export:export", "Write a match as JSON Lines or as the replay file."),
}


@click.group(
    cls=LazyGroup,
    table=COMMANDS,
    epilog="""\b
Examples:
  arena replay list --run demo             what was played in the demos
  arena replay show 3f2a                   the match whose id begins so
  arena replay verify demo/3f2a            the same, with its run
  arena replay export 3f2a --format file -o 3f2a.arp
  arena replay verify 3f2a.arp             a file; needs no data folder
  arena replay ask 3f2a -- python my_bot.py  where a bot would act otherwise
""",
)
def replay() -> None:
    """List, show, ask about, verify and export matches.

    A MATCH is an id, the beginning of one, either with its run before a slash, or the path of a replay file.
    """
