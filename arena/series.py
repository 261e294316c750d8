"""A run of matches between bots that the arena starts itself."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import trio

from arena.competition import Competition
from arena.config import ArenaConfig
from arena.director import Director
from arena.errors import ArenaError
from arena.identity import Doorkeeper
from arena.launch import BotFailedError, BotProgram, RunningBot, start
from arena.lobby import Lobby
from arena.matchmaking import planned
from arena.offloop import in_thread
from arena.presence import Presence
from arena.server import Arena
from arena.store import Store
from engine.effect import Finish
from engine.seating import teams

log = logging.getLogger("arena.series")


async def _grown(running: RunningBot) -> str:
    """That the bot has more memory than it may have, in words."""
    most = running.program.memory_mib
    if most is None:
        return ""
    resident = await in_thread(running.resident_mib)
    return f"has {resident:.0f} MiB in memory, more than its {most}, and was stopped" if resident > most else ""


def stderr_path(config: ArenaConfig, bot: str) -> Path:
    """Where a started bot's output is kept."""
    return config.data / "logs" / config.run / f"{bot}.stderr"


@dataclass
class Series:
    """A run in progress. `arena` is there once it serves; `on_ended` hears of every match that is over.

    When a bot cannot be started, ends by itself or stays away, it is `failed`, and its matches stay due. The rest goes
    on where the form of the run has matches without it.
    """

    config: ArenaConfig
    competition: Competition
    store: Store
    on_ended: Sequence[Callable[[Director, Finish], None]] = ()
    prepare: Callable[[Lobby], None] = lambda _lobby: None
    arena: Arena = field(init=False)
    failed: dict[str, BotFailedError] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        plan = self.competition.plan(self.config.run)
        self._done = False
        self._doorkeeper = Doorkeeper(is_open=False)
        due = self.store.due(self.config.run, plan.matches, plan.legs)
        self._matchmaker = planned(plan, due, most=self.competition.concurrency)
        self.arena = Arena(self.config, self.store, self._matchmaker, self._doorkeeper)

    async def play(self) -> None:
        """Start the bots, play all matches, have the bots leave.

        Raises BotFailedError, after all else is played, when a bot failed; ArenaError when the run is in the middle of
        a match of other bots.
        """
        async with trio.open_nursery() as bots:
            async with trio.open_nursery() as nursery:
                await nursery.start(self._serve)
                self._check_running()
                for program in self.competition.bots:
                    bots.start_soon(self._keep, program)
            self._done = True
            bots.cancel_scope.cancel()
        if self.failed:
            raise BotFailedError("\n".join(map(str, self.failed.values())))

    def _check_running(self) -> None:
        """A match that goes on from before needs the bots that play it: without them it would hold up the run."""
        for director in self.arena.lobby.directors.values():
            bots, sides = [seat.bot for seat in director.header.seats], director.table.sides
            if not set(bots) <= set(self.competition.names):
                raise ArenaError(
                    f"run {self.config.run} is in the middle of a match of {' and '.join(teams(bots, sides))}: "
                    "give the same bots, or another --run"
                )

    async def _serve(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        def prepare(lobby: Lobby) -> None:
            lobby.on_ended.extend(self.on_ended)
            self.prepare(lobby)

        self.arena.finished("all matches are played")
        await self.arena.serve(prepare=prepare, task_status=task_status)

    async def _keep(self, program: BotProgram) -> None:
        """Run a bot; if it ends before all is played, nobody waits for it."""
        running: RunningBot | None = None
        async with trio.open_nursery() as listening:
            try:
                path = stderr_path(self.config, program.name)
                running = await start(program, self._contract(program), path, listening)
                what = await self._let_down(running)
                if running.process.poll() is not None:
                    await running.ended()
                self._fail(f"bot {program.name} {what}", running, program)
            except BotFailedError as error:
                self._fail(str(error), None, program)
            finally:
                if running is not None:
                    with trio.CancelScope(shield=True):
                        await running.leave(at_once=self.arena.aborted or program.name in self.failed)
                listening.cancel_scope.cancel()

    async def _let_down(self, running: RunningBot) -> str:
        """Wait until the bot has ended, or breaks one of its limits; what it did, in words."""
        presence = Presence(self.competition.seats_of_a_bot, self.config.limits, running.program)
        while running.process.poll() is None:
            missed = presence.missed(self.arena.lobby.streams(running.program.name), trio.current_time())
            if missed or (missed := await _grown(running)):
                return missed
            with trio.move_on_after(min(1.0, presence.patience)):
                await running.process.wait()
        return f"ended by itself with exit code {running.process.returncode}"

    def _fail(self, text: str, running: RunningBot | None, program: BotProgram) -> None:
        if self._done or self.arena.aborted or self.arena.lobby.quiet.is_set() or program.name in self.failed:
            return
        tail = running.tail() if running is not None else ""
        where = f"; all it said is in {stderr_path(self.config, program.name)}" if running is not None else ""
        self.failed[program.name] = BotFailedError(f"{text}{where}" + (f"\n{tail}" if tail else ""))
        self._matchmaker.withdraw(program.name)
        self.arena.lobby.abandon(program.name)
        self.arena.lobby.look_on()

    def _contract(self, program: BotProgram) -> dict[str, str]:
        return {
            "ARENA_SERVER": self.arena.address,
            "ARENA_TOKEN": self._doorkeeper.issue(program.name),
            "ARENA_CA": "",
            "ARENA_GAME": self.competition.game,
            "ARENA_LANES": str(self.competition.streams),
            "ARENA_SEED": "" if self.config.seed is None else str(self.config.seed),
            "ARENA_NAME": program.name,
        }
