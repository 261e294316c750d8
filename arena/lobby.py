"""The lobby: which lanes there are, which of them wait, and which matches run.

Sessions come here with their Hello and are given a lane; lanes without a match wait; the matchmaker chooses among them;
a director plays each match. A lane that does not take its offers rests, longer each time.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import AbstractContextManager
from typing import Final

import trio

from arena.config import ArenaConfig, Limits
from arena.crowd import Crowd, Gate
from arena.director import Closing, Director
from arena.errors import ArenaError, unexpected
from arena.identity import Doorkeeper, Key, NotAdmittedError
from arena.lag import LagMeter
from arena.legs import FirstLegs
from arena.lines import Field, about
from arena.matchmaking import Matchmaker
from arena.offloop import OffLoop, in_thread
from arena.opening import open_match, pairing_of
from arena.pace import Pace
from arena.session import Lane, converse, part
from arena.sitting import Sitting, Watcher
from arena.tally import Tally
from arena.transport import Call, Status, address_of
from arena.v1 import play_pb2, replay_pb2
from engine.effect import Finish
from engine.states import Termination
from engine.terms import STRIKES

log = logging.getLogger("arena.lobby")

KEPT: Final = 3600.0
"""Seconds for which a lane without a stream is kept at least, with what it has still to be told or to rest."""
BEGUN_AT_ONCE: Final = 4
"""Matches begun in one turn of the loop: each takes about a millisecond, in which all that run wait."""
LONGEST_REST: Final = 60.0
"""Seconds that a bot rests at most after it did not take an offer."""


def _line(header: replay_pb2.ReplayHeader) -> dict[str, Field]:
    """What a line on a match is about, whoever's message led to it."""
    bots = ",".join(seat.bot for seat in header.seats)
    return {"match": header.match_id, "game": header.game, "bots": bots, "bot": None, "lane": None, "seat": None}


class Lobby:
    """Seats bots and runs their matches in `nursery`. `on_ended` hears of every match that is over."""

    def __init__(
        self,
        config: ArenaConfig,
        matchmaker: Matchmaker,
        doorkeeper: Doorkeeper,
        close: Closing,
        nursery: trio.Nursery,
        *,
        off_loop: OffLoop = in_thread,
    ) -> None:
        self.config = config
        self.matchmaker = matchmaker
        self.doorkeeper = doorkeeper
        self.tally = Tally()
        self.lag = LagMeter(self.tally.lag.observe)
        self.directors: dict[str, Director] = {}
        self.lanes: dict[tuple[str, int], Lane] = {}
        self.closing = trio.Event()
        """Set when no match will begin any more."""
        self.fault: Exception | None = None
        """Why matches cannot begin or results not be stored; the logs of running matches stay for the next start."""
        self.quiet = trio.Event()
        """Set when no match runs and none will begin."""
        self.on_ended: list[Callable[[Director, Finish], None]] = []
        self.watchers: list[Watcher] = []
        self.recall: Callable[[str, play_pb2.Resume], Awaitable[bytes]] | None = None
        self.first_legs = FirstLegs()
        self._close = close
        self._nursery = nursery
        self._off_loop = off_loop
        self.gate = Gate(self.tally)
        limits = config.limits
        self._strangers = Crowd(
            self.gate,
            "strangers",
            "streams that have not said Hello",
            most=limits.strangers,
            each=("address", limits.strangers_per_address),
        )
        self._hellos = Pace(limits.hellos_per_second, 4 * limits.lanes)
        self._waiting: dict[Lane, None] = {}
        self._seating = True
        self._goes_on = False
        self._resting: set[Lane] = set()
        self._kept: set[Lane] = set()

    @property
    def draining(self) -> bool:
        """Whether no match will begin any more."""
        return self.closing.is_set()

    # -- for sessions

    @property
    def limits(self) -> Limits:
        """What a bot is allowed."""
        return self.config.limits

    @property
    def waiting(self) -> int:
        """How many lanes wait for a match."""
        return len(self._waiting)

    @property
    def games(self) -> Collection[str]:
        """The games that are played here."""
        return self.config.rules.keys()

    async def play(self, call: Call) -> None:
        """The handler of `Play`: a bot's whole life on one stream."""
        await converse(call, self, STRIKES)

    def identify(self, call: Call, hello: play_pb2.Hello) -> Key:
        """Who it is; NotAdmittedError if it proves nothing."""
        try:
            return self.doorkeeper.admit(call.metadata, hello.name)
        except NotAdmittedError as refusal:
            self.turned_away(call, "identity", refusal.why)
            raise

    def stranger(self, call: Call) -> AbstractContextManager[None]:
        """Room for a stream that has not said Hello. RpcError when there is none."""
        peer = call.peer()
        return self._strangers.entered(address_of(peer), peer)

    def turned_away(self, call: Call, reason: str, text: str) -> None:
        """Count a stream that was ended, or not begun, and let the operator know."""
        self.gate.note(reason, text, call.peer())

    def admit(self, call: Call, bot: str, number: int) -> None:
        """See that there is room for that lane. RpcError when there is none, or when the bot comes too often."""
        limits = self.limits
        if not self.config.one_match and not self._hellos.admits(bot, trio.current_time()):
            text = f"bot {bot} has said Hello too often: no more than {limits.hellos_per_second:g} a second for long"
            raise self.gate.refusal("bot_hellos", text, call.peer())
        lane = self.lanes.get((bot, number))
        if lane is not None and (lane.session is not None or lane.match is not None):
            return  # it takes the place of a stream, or is owed one
        if len(self.lanes) >= limits.sessions:
            connected = sum(lane.session is not None for lane in self.lanes.values())
            if connected >= limits.sessions:
                text = f"the arena's limit of {limits.sessions} streams of bots is reached: try again later"
                raise self.gate.refusal("all_sessions", text, call.peer())

    def lane(self, bot: str, number: int) -> Lane:
        """The lane of that bot and number, a new one if there was none."""
        return self.lanes.setdefault((bot, number), Lane(bot, number))

    def idle(self, lane: Lane) -> None:
        """The lane waits for a match; a lane that did not take its last offers rests first."""
        if lane.rests_until <= trio.current_time():
            self._wait(lane)
        elif lane not in self._resting:
            self._resting.add(lane)
            self._nursery.start_soon(self._rest, lane)

    def gone(self, lane: Lane) -> None:
        """The lane has no stream and no match; it is kept only for what it has still to be told."""
        self._waiting.pop(lane, None)
        if lane.undelivered or lane.faults:
            lane.kept_until = trio.current_time() + KEPT
            if lane not in self._kept and len(self._kept) >= self.limits.sessions:
                self._drop(lane)  # what a match ended with is in the record as well
            elif lane not in self._kept:
                self._kept.add(lane)
                self._nursery.start_soon(self._forget, lane)
        else:
            self._drop(lane)

    def occupied(self, lane: Lane) -> None:
        """The lane has a new stream: until that is `idle` it is offered nothing."""
        self._waiting.pop(lane, None)

    async def ended(self, bot: str, resume: play_pb2.Resume) -> bytes:
        """The end of a match of the past, as serialised events; empty if the arena knows no such match of that bot."""
        try:
            return b"" if self.recall is None else await self.recall(bot, resume)
        except ArenaError:
            log.exception("the end of match %r cannot be told", resume.match_id[:40])
            return b""

    # -- for the server

    def drain(self) -> None:
        """Let the running matches end, begin no new ones."""
        self.closing.set()
        self._look_quiet()

    def dismiss(self, reason: play_pb2.GoodbyeReason.ValueType, text: str) -> None:
        """Say goodbye to every bot."""
        for lane in list(self.lanes.values()):
            if lane.session is not None:
                lane.session.goodbye(reason, text)

    def expel(self, bot: str, code: Status, text: str) -> None:
        """End the bot's streams, now: no word of theirs counts any more, and they are offered nothing.

        Its matches go on without it, by the rules for a bot that is away.
        """
        for lane in [lane for lane in self.lanes.values() if lane.bot == bot]:
            session = lane.session
            if session is not None:
                session.call.end(code, text)
                part(session, self)

    def look_on(self) -> None:
        """The matchmaker has changed its mind: see what can begin now."""
        self._pump()

    def abandon(self, bot: str) -> None:
        """A bot is known never to come back: its matches end now."""
        for director in list(self.directors.values()):
            for seat, lane in enumerate(director.lanes):
                if lane.bot == bot:
                    director.abandon(seat)

    def streams(self, bot: str, lanes: range | None = None) -> int:
        """How many streams the bot has open, on these lanes or on all."""
        own = [lane for lane in self.lanes.values() if lane.bot == bot and (lanes is None or lane.number in lanes)]
        return sum(lane.session is not None for lane in own)

    def take_up(self, sitting: Sitting, frames: Sequence[replay_pb2.Frame], *, unix_ms: int, outage_ms: int) -> None:
        """Go on with a match that was running when the arena stopped. Raises Refused when its log breaks the rules."""
        began_us = frames[-1].at_us if frames else 0
        director = self._director(sitting, began_us)
        director.resume(frames, unix_ms, outage_ms)
        self.matchmaker.taken_up(pairing_of(sitting.header))
        self._direct(director)

    # -- inside

    def _drop(self, lane: Lane) -> None:
        if self.lanes.get((lane.bot, lane.number)) is lane:
            del self.lanes[lane.bot, lane.number]

    async def _forget(self, lane: Lane) -> None:
        """Do not keep for ever what a bot that stays away has still to be told."""
        await trio.sleep_until(lane.kept_until)
        if trio.current_time() < lane.kept_until:  # it has looked in meanwhile
            self._nursery.start_soon(self._forget, lane)
            return
        self._kept.discard(lane)
        if lane.session is None and lane.match is None:
            self._drop(lane)

    async def _rest(self, lane: Lane) -> None:
        await trio.sleep_until(lane.rests_until)
        self._resting.discard(lane)
        self._wait(lane)

    def _wait(self, lane: Lane) -> None:
        if lane.session is not None and lane.match is None:
            self._waiting[lane] = None
            self._pump()

    def _pump(self) -> None:
        """Begin the matches that can begin, a few in this turn of the loop and the others in the next."""
        begun = 0
        while self._seating and not self.draining and self._waiting and len(self.directors) < self.limits.matches:
            if begun == BEGUN_AT_ONCE:
                if not self._goes_on:
                    self._goes_on = True
                    self._nursery.start_soon(self._pump_on)
                break
            begun += 1
            chosen = self.matchmaker.choose(list(self._waiting))
            if chosen is None:
                break
            pairing, lanes = chosen
            for lane in lanes:
                del self._waiting[lane]
            try:
                sitting = open_match(self.config, pairing, lanes, self.first_legs.of(pairing))
            except Exception as error:  # whatever it is, without a log no match can begin
                log.error("match %d cannot begin: %s", pairing.number, error, exc_info=unexpected(error))  # noqa: TRY400
                self.fault = error
                self.closing.set()
                break
            log.info("match begins", extra=_line(sitting.header))
            director = self._director(sitting)
            director.offer()
            self._direct(director)
        self._look_quiet()

    async def _pump_on(self) -> None:
        about()
        await trio.lowlevel.checkpoint()
        self._goes_on = False
        self._pump()

    def _director(self, sitting: Sitting, began_us: int = 0) -> Director:
        director = Director(
            sitting, self.lag, self.limits, began_us=began_us, off_loop=self._off_loop, tally=self.tally
        )
        director.watchers = list(self.watchers)
        return director

    def _direct(self, director: Director) -> None:
        self.directors[director.header.match_id] = director
        self._nursery.start_soon(self._run, director)

    async def _run(self, director: Director) -> None:
        about(match=director.header.match_id)
        await director.run(self._close)
        del self.directors[director.header.match_id]
        if director.unclosed is not None:
            self.fault = director.unclosed  # results cannot be stored: begin nothing more, lose nothing
            self.closing.set()
        if director.finish is not None:
            self._settle(director, director.finish)

    def _settle(self, director: Director, finish: Finish) -> None:
        """Let the matchmaker and all who listen know, and put the lanes back."""
        self.tally.terminations[finish.termination] += 1
        fault = {"reason": finish.termination.value, "seat": finish.at_fault}
        log.info("match ended", extra={**_line(director.header), **fault})
        pairing = pairing_of(director.header)
        if not finish.termination.void:
            self.first_legs.keep(pairing, director)
        self.matchmaker.ended(pairing, void=finish.termination.void)
        if director.unclosed is None:
            self._announce(director, finish)
        not_ready = finish.termination is Termination.VOID_NOT_READY
        for seat, lane in enumerate(director.lanes):
            took_it = not not_ready or (director.is_ready(seat) and finish.at_fault != seat)
            self._remember(lane, took_it=took_it)
        # All come back before anybody is seated: who is free first must not decide whether a table is rated.
        self._seating = False
        for lane in director.lanes:
            if self.config.one_match:
                self._release(lane)
            if lane.session is not None:
                self.idle(lane)
            else:
                self.gone(lane)
        self._seating = True
        self._pump()

    def _release(self, lane: Lane) -> None:
        """The program of the lane has played its match: nothing of it is for the next one to know."""
        lane.undelivered.clear()
        if lane.session is not None:
            lane.session.goodbye(play_pb2.GOODBYE_REASON_FINISHED, "a program plays one match here")
            part(lane.session, self)

    def _remember(self, lane: Lane, *, took_it: bool) -> None:
        lane.faults = 0 if took_it else lane.faults + 1
        if lane.faults:
            rest = min(LONGEST_REST, 2.0 ** min(lane.faults - 1, 16))
            # It is the bot that rests, not one lane of it: else a bot of many lanes could keep the others waiting.
            for other in [other for other in self.lanes.values() if other.bot == lane.bot]:
                other.rests_until = max(other.rests_until, trio.current_time() + rest)
                if other in self._waiting:
                    del self._waiting[other]
                    self.idle(other)

    def _announce(self, director: Director, finish: Finish) -> None:
        """Whoever listens cannot end the arena: one that fails is heard of in the log and hears nothing more."""
        for hear in list(self.on_ended):
            try:
                hear(director, finish)
            except Exception:
                log.exception("a listener failed at the end of match %s", director.header.match_id)
                self.on_ended.remove(hear)

    def _look_quiet(self) -> None:
        if not self.directors and (self.draining or self.matchmaker.exhausted):
            self.quiet.set()
