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
from arena.launch import BotFailedError, BotProgram, RunningBot, contract, start
from arena.lobby import Lobby
from arena.matchmaking import planned
from arena.offloop import in_thread
from arena.opening import pairing_of
from arena.presence import Presence
from arena.schedule import Ended, Plan, Rounds
from arena.server import Arena
from arena.store import Store
from engine.effect import Finish
from engine.seating import teams

log = logging.getLogger("arena.series")


def tell(plan: Rounds) -> Callable[[Director, Finish], None]:
    """Tells a plan in rounds what has come of its matches."""

    def take(director: Director, finish: Finish) -> None:
        pairing = pairing_of(director.header)
        void, totals = finish.termination.void, tuple(finish.totals)
        plan.take(Ended(pairing.number, pairing.attempt, void, pairing.bots, finish.winner, totals))

    return take


async def _grown(running: RunningBot) -> str:
    """That the bot has more memory than it may have, in words."""
    most = running.program.memory_mib
    if most is None:
        return ""
    resident = await in_thread(running.resident_mib)
    return f"has {resident:.0f} MiB in memory, more than its {most}, and was stopped" if resident > most else ""


def stderr_path(config: ArenaConfig, bot: str, program: int = 0) -> Path:
    """Where a started bot's output is kept, that of each of its programs which run at the same time in a file."""
    return config.data / "logs" / config.run / (f"{bot}+{program}.stderr" if program else f"{bot}.stderr")


@dataclass
class Series:
    """A run in progress. `arena` serves while it plays the `plan`; `on_ended` hears of every match that is over.

    When a bot cannot be started, ends by itself or stays away, it is `failed`, and its matches stay due. The rest goes
    on where the form of the run has matches without it.
    """

    config: ArenaConfig
    competition: Competition
    store: Store
    on_ended: Sequence[Callable[[Director, Finish], None]] = ()
    prepare: Callable[[Lobby], None] = lambda _lobby: None
    arena: Arena = field(init=False)
    plan: Plan = field(init=False)
    failed: dict[str, BotFailedError] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        plan = self.competition.plan(self.config.run, self.store.results(self.config.run))
        self.plan = plan
        self._done = False
        self._doorkeeper = Doorkeeper(is_open=False)
        self._spent: set[tuple[str, range]] = set()
        """The programs that have played the one match that they may."""
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
                    for number, lanes in enumerate(self._lanes()):
                        bots.start_soon(self._keep, program, number, lanes)
            self._done = True
            bots.cancel_scope.cancel()
        if self.failed:
            raise BotFailedError("\n".join(map(str, self.failed.values())))

    def _lanes(self) -> list[range]:
        """The lanes of each program of a bot; what is in play from before can have more of them than is needed now."""
        seats = self.competition.seats_of_a_bot
        taken = [lane.number for director in self.arena.lobby.directors.values() for lane in director.lanes]
        most = max(self.competition.streams, max(taken, default=-1) // seats * seats + seats)
        step = seats if self.competition.one_match else most
        return [range(first, first + step) for first in range(0, most, step)]

    def _release(self, director: Director, _finish: Finish) -> None:
        """A match is over: where a program plays one, those that played it come in no more."""
        for seat in dict.fromkeys((lane.bot, lane.program) for lane in director.lanes):
            lanes = range(seat[1], seat[1] + self.competition.seats_of_a_bot)
            self._spent.add((seat[0], lanes))
            self._doorkeeper.withdraw(seat[0], lanes)

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
            if isinstance(self.plan, Rounds):
                lobby.on_ended.append(tell(self.plan))
            if self.competition.one_match:
                lobby.on_ended.append(self._release)
            lobby.on_ended.extend(self.on_ended)
            self.prepare(lobby)

        self.arena.finished("all matches are played")
        await self.arena.serve(prepare=prepare, task_status=task_status)

    async def _keep(self, program: BotProgram, number: int, lanes: range) -> None:
        """Run a program on its lanes, and another after it while it may play no more than one match."""
        while not (self._over or program.name in self.failed):
            self._spent.discard((program.name, lanes))
            await self._run(program, number, lanes)

    async def _run(self, program: BotProgram, number: int, lanes: range) -> None:
        """Run a program; if it ends before it should, nobody waits for the bot."""
        running: RunningBot | None = None
        async with trio.open_nursery() as listening:
            try:
                path = stderr_path(self.config, program.name, number)
                running = await start(program, self._contract(program, lanes), path, listening)
                what = await self._let_down(running, lanes)
                if running.process.poll() is not None:
                    await running.ended()
                if what:
                    self._fail(f"bot {program.name} {what}", running, program)
            except BotFailedError as error:
                self._fail(str(error), None, program)
            finally:
                if running is not None:
                    with trio.CancelScope(shield=True):
                        await running.leave(at_once=self.arena.aborted or program.name in self.failed)

    @property
    def _over(self) -> bool:
        return self._done or self.arena.aborted or self.arena.lobby.draining or self.arena.lobby.quiet.is_set()

    async def _let_down(self, running: RunningBot, lanes: range) -> str:
        """Wait until the bot has ended, or breaks one of its limits; what it did, in words.

        Nothing, if it has played what it may: then it is let go.
        """
        name = running.program.name
        presence = Presence(self.competition.seats_of_a_bot, self.config.limits, running.program)
        while (name, lanes) not in self._spent:
            code = running.process.poll()
            if code is not None:
                return f"ended by itself with exit code {code}"
            missed = presence.missed(self.arena.lobby.streams(name, lanes), trio.current_time())
            if missed or (missed := await _grown(running)):
                return missed
            with trio.move_on_after(min(1.0, presence.patience)):
                await running.process.wait()
        return ""

    def _fail(self, text: str, running: RunningBot | None, program: BotProgram) -> None:
        if self._done or self.arena.aborted or self.arena.lobby.quiet.is_set() or program.name in self.failed:
            return
        tail = running.tail() if running is not None else ""
        where = f"; all it said is in {running.stderr}" if running is not None else ""
        self.failed[program.name] = BotFailedError(f"{text}{where}" + (f"\n{tail}" if tail else ""))
        self._matchmaker.withdraw(program.name)
        self.arena.lobby.abandon(program.name)
        self.arena.lobby.look_on()

    def _contract(self, program: BotProgram, lanes: range) -> dict[str, str]:
        return contract(
            self.arena.address,
            token=self._doorkeeper.issue(program.name, lanes if self.competition.one_match else None),
            game=self.competition.game,
            lanes=len(lanes),
            seed=self.config.seed,
            name=program.name,
        )
