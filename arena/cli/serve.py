"""`arena serve`: an arena that bots connect to by themselves."""

from __future__ import annotations

import shlex
import sys
import time
from ipaddress import ip_address
from pathlib import Path

import click
import trio

from arena.cli.games import rules_in_words
from arena.cli.options import (
    chosen_rules,
    data_option,
    rules_options,
    run_option,
    time_option,
)
from arena.cli.options import game as game_name
from arena.cli.printing import say, warn
from arena.cli.stopping import Stopping
from arena.config import ArenaConfig
from arena.director import Director
from arena.identity import Doorkeeper
from arena.lobby import Lobby
from arena.matchmaking import OpenPairing
from arena.replay import sentence
from arena.server import Arena
from arena.store import Store
from arena.wire import rules_to_text
from engine.clock import TimeControl
from engine.effect import Finish
from engine.game import Game
from engine.games import registered

LISTEN = "127.0.0.1:7878"


@click.command(
    epilog="""\b
Examples:
  arena serve --open                                     every game, on 127.0.0.1:7878
  arena serve --open --listen 127.0.0.1:0                on a free port, which it says
  arena serve --open --option target=200 --time-control 30+0/5
  python my_bot.py --server 127.0.0.1:7878 --name mine   a bot for it
""",
)
@click.option(
    "--listen", metavar="HOST:PORT", default=LISTEN, show_default=True, help="Where bots connect; port 0 is a free one."
)
@click.option(
    "--open", "is_open", is_flag=True, help="Let every bot in under the name that it gives; on loopback only."
)
@click.option(
    "--game",
    "games",
    metavar="NAME",
    type=game_name,
    multiple=True,
    show_default="all",
    help="May be repeated.",
)
@rules_options
@time_option
@run_option("ladder")
@data_option
def serve(
    *,
    listen: str,
    is_open: bool,
    games: tuple[Game, ...],
    preset: str,
    settings: tuple[tuple[str, str], ...],
    control: TimeControl,
    run: str | None,
    data: Path,
) -> None:
    """Run an arena that bots connect to.

    Pairs whoever waits for the same game, and goes on until it is stopped. Ctrl-C lets the running matches end, a
    second one stops at once; the next start with the same data folder goes on with what was running.
    """
    _check_open(listen, is_open=is_open)
    chosen = games or tuple(registered().values())
    rules = {game.name: chosen_rules(game, preset, settings) for game in chosen}
    config = ArenaConfig(data, run or "ladder", rules, listen=listen, open=is_open, control=control)
    with Store.open(data, hold=True) as store:
        store.open_run(config.run, config.kind, seeded=False, created_ms=time.time_ns() // 1_000_000)
        pairing = OpenPairing({game.name: game for game in chosen}, store.next_number(config.run))
        arena = Arena(config, store, pairing, Doorkeeper(is_open=is_open))
        trio.run(_serve, arena)
    warn(f"all of it is in {data}; go on with: {shlex.join(['arena', *sys.argv[1:]])}")


def _check_open(listen: str, *, is_open: bool) -> None:
    if not is_open:
        raise click.UsageError("nobody could come in: give --open, which lets bots of this machine in by name")
    host = listen.rpartition(":")[0].strip("[]")
    if host != "localhost" and not (_is_address(host) and ip_address(host).is_loopback):
        raise click.UsageError(
            f"--open believes every name, so it wants a loopback address such as {LISTEN}: not {listen}"
        )


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


async def _serve(arena: Arena) -> None:
    stopping = Stopping(arena)

    def prepare(lobby: Lobby) -> None:
        stopping.serving = True
        lobby.on_ended.append(_tell)

    async with trio.open_nursery() as listening:
        await listening.start(stopping.listen)
        async with trio.open_nursery() as serving:

            async def start(task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
                await arena.serve(prepare=prepare, task_status=task_status)

            await serving.start(start)
            _greet(arena)
        listening.cancel_scope.cancel()


def _greet(arena: Arena) -> None:
    config = arena.config
    for note in arena.notes:
        say(note)
    for name, rules in config.rules.items():
        words = rules_in_words(name, registered()[name].rules_version, rules_to_text(rules))
        say(f"playing {name}, {words}, time {config.control}, run {config.run}")
    say(f"listening on {arena.address}; Ctrl-C stops")


def _tell(director: Director, finish: Finish) -> None:
    header = director.header
    names = [seat.bot for seat in header.seats]
    text = sentence(
        finish.termination, names, finish.at_fault, finish.winner, finish.totals, sides=director.table.sides
    )
    say(f"{header.run}/{header.match_id}: {' - '.join(names)}: {text}")
