"""The command `arena`: what there is, and nothing loaded before it is needed."""

from __future__ import annotations

import click

from arena.cli.group import Lazy, LazyGroup

COMMANDS = {
    "demo": Lazy("arena.cli.demo:demo", "Watch sample bots play one match."),
    "match": Lazy("arena.cli.match:match", "Play bots against each other."),
    "tournament": Lazy("arena.cli.tournament:tournament", "Play many bots against each other and rank them."),
    "gate": Lazy("arena.cli.gate:gate", "Say whether a new bot is better than an old one."),
    "resume": Lazy("arena.cli.resume:resume", "Go on with a run that was stopped."),
    "serve": Lazy("arena.cli.serve:serve", "Run an arena that bots connect to."),
    "bot": Lazy("arena.cli.bot:bot", "Say which bots may play on an arena that is not open."),
    "new-bot": Lazy("arena.cli.new_bot:new_bot", "Write a folder to start a bot from."),
    "bridge": Lazy("arena.cli.bridge:bridge", "Let any program that reads and writes lines play."),
    "check-bot": Lazy("arena.cli.check_bot:check_bot", "Check step by step that a bot plays in any arena."),
    "replay": Lazy("arena.cli.replay:replay", "List, show, ask about, verify and export matches."),
    "results": Lazy("arena.cli.results:results", "Show and export the results of a run."),
    "swings": Lazy("arena.cli.swings:swings", "Show where bots differed on the same cards."),
    "ratings": Lazy("arena.cli.ratings:ratings", "Show the ratings of a run."),
    "backup": Lazy("arena.cli.backup:backup", "Copy a data folder to DEST, also while an arena plays in it."),
    "restore": Lazy("arena.cli.backup:restore", "Make a data folder of a backup."),
    "config": Lazy("arena.cli.config:config", "Show the settings of an arena."),
    "games": Lazy("arena.cli.games:games", "List the games, their presets and options."),
}


def _version(ctx: click.Context, _param: click.Parameter, wanted: bool) -> None:  # noqa: FBT001 (click's signature)
    if not wanted or ctx.resilient_parsing:
        return
    from arena.config import arena_version  # noqa: PLC0415 (80 ms that nothing else here needs)

    click.echo(f"arena {arena_version()}")
    ctx.exit()


@click.group(
    cls=LazyGroup,
    table=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="""\b
Examples:
  arena demo                                       sample bots, one match, live
  arena match "python my_bot.py" "python other.py" your bot against another
  arena replay list                                what was played
  arena COMMAND --help                             all options of a command
""",
)
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Say the version.")
def arena() -> None:
    """Let card-game bots play each other, with exact rules, provable decks and ratings.

    Everything that is played stays in a data folder: ./arena-data, or the one named by --data or ARENA_DATA.
    """
