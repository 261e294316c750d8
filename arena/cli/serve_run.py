"""What `arena serve` does when its options are read."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable
from pathlib import Path

import trio

from arena.admission import Admission
from arena.cli.advice import advice
from arena.cli.games import rules_in_words
from arena.cli.listening import harmless
from arena.cli.options import data_words
from arena.cli.outlet import dispense_with_output
from arena.cli.printing import matches, say, warn
from arena.cli.renewing import renew_on_hangup, warn_of_the_end
from arena.cli.stopping import Stopping
from arena.config import ArenaConfig
from arena.director import Director
from arena.identity import Doorkeeper
from arena.lobby import Lobby
from arena.matchmaking import OpenPairing
from arena.pace import Pace
from arena.replay import sentence
from arena.server import Arena
from arena.store import Registry, Store
from arena.transport import Tls
from arena.wire import rules_to_text
from engine.effect import Finish
from engine.games import registered
from engine.seating import teams
from engine.states import Termination

log = logging.getLogger("arena.serve")


def run_server(config: ArenaConfig, pair: tuple[Path, Path] | None = None, *, talks: bool = True) -> None:
    """Serve the games of the configuration to the registered bots, or to every bot that comes, until stopped.

    `pair` names the files of a certificate and its key; without it all goes in plain text. `talks`:
    say on standard output what happens; otherwise that is the log's.
    """
    tls = None if pair is None else Tls(*pair)
    dispense_with_output()
    with Store.open(config.data, hold=True) as store:
        store.open_run(config.run, config.kind, seeded=False, created_ms=time.time_ns() // 1_000_000)
        pairing = OpenPairing({name: registered()[name] for name in config.rules}, store.next_number(config.run))
        with Registry.open(config.data) as registry:
            doorkeeper = Doorkeeper(is_open=config.open)
            admission = Admission(registry, doorkeeper)
            arena = Arena(config, store, pairing, doorkeeper, admission=admission, tls=tls)
            trio.run(_serve, arena, talks)
    warn(f"all of it is in {config.data}; go on with: {advice(*sys.argv[1:])}")


async def _serve(arena: Arena, talks: bool) -> None:  # noqa: FBT001 (trio passes by position)
    stopping = Stopping(arena)

    def prepare(lobby: Lobby) -> None:
        stopping.serving = True
        if talks:
            lobby.on_ended.append(harmless(_teller()))

    async with trio.open_nursery() as listening:
        await listening.start(stopping.listen)
        if arena.tls is not None:
            await listening.start(renew_on_hangup, arena.tls)
            listening.start_soon(warn_of_the_end, arena.tls)
        async with trio.open_nursery() as serving:

            async def start(task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
                await arena.serve(prepare=prepare, task_status=task_status)

            await serving.start(start)
            if not arena.aborted and talks:
                _greet(arena)
            elif not arena.aborted:
                _log_start(arena)
        listening.cancel_scope.cancel()


def _greet(arena: Arena) -> None:
    config = arena.config
    for note in arena.notes:
        say(note)
    for name, rules in config.rules.items():
        words = rules_in_words(name, registered()[name].rules_version, rules_to_text(rules))
        say(f"playing {name}, {words}, time {config.control}, run {config.run}")
    if not config.open and not arena.doorkeeper.keys:
        say(f"no bot is registered yet: {advice('bot', 'add', 'NAME', *data_words(config.data))}")
    if arena.http_address is not None:
        say(f"health and metrics on http://{arena.http_address}/health and /metrics")
    if arena.tls is not None:
        say(f"speaking TLS with {arena.tls}")
    say(f"listening on {arena.address}; {'' if config.open else 'registered bots only; '}Ctrl-C stops")


def _log_start(arena: Arena) -> None:
    for note in arena.notes:
        log.info("%s", note)
    log.info("listening on %s", arena.address, extra={"address": arena.address})
    if arena.http_address is not None:
        log.info("health and metrics on http://%s", arena.http_address, extra={"address": arena.http_address})


def _teller() -> Callable[[Director, Finish], None]:
    """Says how a match ended. Of those that nobody took, a line a second: an offer costs a stranger nothing."""
    pace, untold = Pace(1.0, 10), 0

    def tell(director: Director, finish: Finish) -> None:
        nonlocal untold
        not_taken = finish.termination is Termination.VOID_NOT_READY
        if not_taken and not pace.admits("", trio.current_time()):
            untold += 1
            return
        if untold:
            say(f"{matches(untold)} more that nobody took")
            untold = 0
        _tell(director, finish)

    return tell


def _tell(director: Director, finish: Finish) -> None:
    header = director.header
    names = [seat.bot for seat in header.seats]
    text = sentence(
        finish.termination, names, finish.at_fault, finish.winner, finish.totals, sides=director.table.sides
    )
    say(f"{header.run}/{header.match_id}: {' - '.join(teams(names, director.table.sides))}: {text}")
