"""The director of one match: feeds the table, writes the log, speaks to the seats.

Whatever a bot says comes in as a plain call from its session; the table says what follows; the director carries it
out at once, in one step of the loop: first into the log, in one write, then to the seats. A seat is told nothing until
it must act; then it gets all that has happened in one message with the question. The one task of a director waits for
the clock, and has the log synced at the start and at the end of each deal.

A fault of the arena's own, here or in the rules, never becomes a bot's loss: the match ends as `void_arena`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Protocol

import trio

from arena.announce import joined, offer, rejection_line
from arena.config import Limits
from arena.entries import finish_of, frame_of, nonces_of, ready_frame, records_of, restart_frame
from arena.errors import JournalBroken, unexpected
from arena.lag import LagMeter
from arena.offloop import OffLoop, in_thread
from arena.sitting import Sitting, Watcher, show_all
from arena.tally import Tally
from arena.v1 import play_pb2, replay_pb2
from arena.wire import action_from_proto, chunk, decision_chunk, event_chunk, rejected_to_proto
from engine.effect import Ask, Begin, Effect, EndStream, Finish, Reject, Tell
from engine.event import DealScored, redact
from engine.states import MatchState, Termination
from engine.table import Table

log = logging.getLogger("arena.director")

MICRO = 1_000_000


class Closing(Protocol):
    """Makes an ended match part of the record. What it returns is told to the seats."""

    async def __call__(self, director: Director) -> play_pb2.MatchEnded | None:
        """Store result and replay and remove the journal; None when that cannot be done now."""


class Director:
    """Runs one match. `finish` is set when it is over and `logged_end` when that is in the log, `failure` if it was the
    arena's fault, `unclosed` if its result could not be stored.
    """

    def __init__(
        self,
        sitting: Sitting,
        lag: LagMeter,
        limits: Limits,
        *,
        began_us: int = 0,
        off_loop: OffLoop = in_thread,
        tally: Tally | None = None,
    ) -> None:
        self.sitting = sitting
        self.header = sitting.header
        self.lanes = sitting.lanes
        self.journal = sitting.journal
        self.table = Table(sitting.terms)
        self.watchers: list[Watcher] = []
        self.finish: Finish | None = None
        self.failure: Exception | None = None
        self.unclosed: Exception | None = None
        self.logged_end: replay_pb2.LoggedEnd | None = None
        self._lag = lag
        self._lag_zero = lag.total_us()
        self._off_loop = off_loop
        self._tally = tally or Tally()
        self._about = {"match": sitting.header.match_id}
        self._limits = limits
        self._zero = trio.current_time() - began_us / MICRO
        self._waiting: list[list[bytes]] = [[] for _ in sitting.lanes]
        self._sleep = trio.CancelScope()
        self._unsynced = False

    @property
    def match_id(self) -> str:
        """The match's id."""
        return self.header.match_id

    # -- the life of a match

    def offer(self) -> None:
        """Offer the match to its seats."""
        for seat, lane in enumerate(self.lanes):
            lane.match, lane.seat = self, seat
            lane.send(chunk(play_pb2.Event(match_offered=self._offer(seat))))
            if lane.session is None:
                self.table.lost(seat, self.now())

    def resume(self, frames: Sequence[replay_pb2.Frame], unix_ms: int, outage_ms: int) -> None:
        """Take up a match from its log; `outage_ms` is how long the arena was away.

        Raises Refused when the log holds what the rules forbid.
        """
        for seat, lane in enumerate(self.lanes):
            lane.match, lane.seat = self, seat
        retold = self.table.recall(records_of(frames), nonces_of(frames, len(self.lanes)))
        if frames and frames[-1].HasField("ended"):  # it was over, but not yet recorded
            self.logged_end = frames[-1].ended
            self._over(finish_of(self.logged_end))
            return
        # A power cut can have taken what followed from the last entry off the end: a deal's score, or the match's end.
        now = self.now()
        scored = [effect for effect in retold if isinstance(effect, Tell) and isinstance(effect.event, DealScored)]
        self._log_only(scored[sum(frame.HasField("deal") for frame in frames) :], now)
        forfeit = [effect for effect in retold if isinstance(effect, Finish)]
        if not forfeit:
            self._log([restart_frame(now, unix_ms, outage_ms)])
        self._carry_out(forfeit or self.table.restart(now), now)

    async def run(self, close: Closing) -> None:
        """Wait for the clock until the match is over, then have it closed and tell the seats."""
        while not self._ended():
            if self._unsynced:
                self._unsynced = False
                await self._sync()
                continue
            deadline = self.table.deadline()
            with trio.CancelScope() as self._sleep:
                if deadline is not None:
                    self._sleep.deadline = self._zero + deadline / MICRO
                await trio.sleep_forever()
            # Messages that came while the loop was late are ready by now: they go first.
            await trio.lowlevel.checkpoint()
            self._feed(self.table.tick)
        await self._end(close)

    def _ended(self) -> bool:
        return self.finish is not None

    async def _sync(self) -> None:
        began = perf_counter()
        try:
            await self._off_loop(self.journal.sync)
            self._tally.syncs.observe(perf_counter() - began)
        except JournalBroken as error:
            self._fail(error)

    async def _closed(self, close: Closing) -> play_pb2.MatchEnded | None:
        """The end as it was recorded; None when that could not be: the log stays for the next start."""
        if self.logged_end is None and self.failure is not None:
            self.unclosed = self.failure
            return None
        try:
            return await close(self)
        except Exception as error:
            text = "match %s could not be closed, its log stays for the next start: %s"
            log.error(text, self.header.match_id, error, exc_info=unexpected(error), extra=self._about)  # noqa: TRY400 - not of a full disk
            self.unclosed = error
            return None

    async def _end(self, close: Closing) -> None:
        ended = await self._closed(close)
        for seat, lane in enumerate(self.lanes):
            self._flush(seat)
            lane.match = None
            if ended is not None:
                told = chunk(play_pb2.Event(seq=self.table.seq + 1, match_ended=ended))
                if not lane.send(told):
                    lane.undelivered[self.match_id] = told
        show_all(self.watchers, self.header.match_id, lambda one, match: one.over(match, ended))

    # -- what the seats say

    def ready(self, seat: int, message: play_pb2.Ready) -> None:
        """A seat accepts the match."""
        if message.match_id != self.header.match_id or self.table.state is not MatchState.OFFERED:
            return

        def step(now: int) -> list[Effect]:
            if not self.is_ready(seat):
                self._log([ready_frame(seat, message.nonce, now)])
            return self.table.ready(seat, message.nonce, now)

        self._feed(step)

    def choose(self, seat: int, message: play_pb2.Choose) -> None:
        """A seat answers."""
        kind = message.WhichOneof("choice")
        choice = message.index if kind == "index" else action_from_proto(message.action) if kind else None
        note = message.note.encode()[: self._limits.note_bytes].decode(errors="ignore")
        self._feed(lambda now: self.table.submit(seat, message.decision_id, choice, now, note=note))

    def resign(self, seat: int, message: play_pb2.Resign) -> None:
        """A seat gives up."""
        if message.match_id == self.header.match_id:
            self._feed(lambda _now: self.table.resign(seat))

    def lost(self, seat: int) -> None:
        """A seat's stream is gone."""
        self._waiting[seat].clear()
        self._feed(lambda now: self.table.lost(seat, now))

    def is_ready(self, seat: int) -> bool:
        """The seat has said Ready."""
        return self.table.seats[seat].nonce is not None

    def abandon(self, seat: int) -> None:
        """A seat's bot is known never to come back."""
        self._feed(lambda _now: self.table.abandon(seat))

    def void(self, termination: Termination) -> None:
        """The arena or its operator ends the match."""
        self._feed(lambda _now: self.table.void(termination))

    def returned(self, seat: int, resume: play_pb2.Resume | None) -> None:
        """A seat has a new stream: tell it where the match stands, what it missed of the deal, and the question."""
        now = self._moment()
        known = resume.last_seq if resume is not None and resume.match_id == self.header.match_id else 0
        if known > self.table.seq:  # a power cut took off the log what the bot has seen: that may come otherwise now
            known = 0
        try:
            if self.finish is None:
                self._come_back(seat, now)
            self._recount(seat, known, now)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is the arena's fault and not the bots'
            self._fail(error)

    def _come_back(self, seat: int, now: int) -> None:
        if self.table.seats[seat].away_since is None:
            self._log_only(self.table.lost(seat, now), now)  # the new stream came before the old one's end
        self._log_only(self.table.back(seat, now), now)
        self._rearm()

    def public(self) -> bytes:
        """The match so far as a spectator may see it, as serialised events: the offer and the current deal."""
        told = [chunk(play_pb2.Event(match_offered=self._offer(0)))]
        told += [event_chunk(redact(event, None), seq) for seq, event in self.table.history]
        return b"".join(told)

    def _recount(self, seat: int, known: int, now: int) -> None:
        self._waiting[seat].clear()
        table = self.table
        begun = table.match is not None
        resumed = play_pb2.Resumed(
            offer=self._offer(seat),
            totals=table.playing.totals if begun else (),
            last_seq=table.seq,
            awaits_ready=table.state is MatchState.OFFERED and not self.is_ready(seat),
        )
        parts = [chunk(play_pb2.Event(resumed=resumed))]
        if begun:
            parts.append(self._started())
        parts += [event_chunk(redact(event, seat), seq) for seq, event in table.history if seq > known]
        question = table.question(now) if self.finish is None else None
        if question is not None and question.seat == seat:
            parts.append(self._decision(question))
        for message in joined(parts, self._limits.resume_chunk_bytes):
            self.lanes[seat].send(message)

    # -- carrying out

    def now(self) -> int:
        """Microseconds since the match was offered; time in which the arena was down is not counted."""
        return round((trio.current_time() - self._zero) * MICRO)

    def _moment(self) -> int:
        """Now, with the table told how late the arena has been until now."""
        self.table.lag = self._lag.total_us() - self._lag_zero
        return self.now()

    def _feed(self, step: Callable[[int], list[Effect]]) -> None:
        """Let the table take a step at this moment, and carry out what follows."""
        if self.finish is not None:
            return
        now = self._moment()
        try:
            self._carry_out(step(now), now)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is the arena's fault and not the bots'
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        text, about = "match %s: a fault of the arena: %s", self._about
        log.error(text, self.header.match_id, error, exc_info=unexpected(error), extra=about)
        if self.finish is not None:
            return
        self.failure = error
        if not isinstance(error, JournalBroken):  # else the next start goes on from what was logged
            try:
                self._carry_out(self.table.void(Termination.VOID_ARENA), self.now())
            except Exception:
                log.exception("match %s: its end could not be logged", self.header.match_id, extra=self._about)
        if self.finish is None:
            logged = self.logged_end
            void = Finish(Termination.VOID_ARENA, None, None, self.table.totals, 0)
            self._over(finish_of(logged) if logged is not None else void)

    def _carry_out(self, effects: Sequence[Effect], now: int) -> None:
        self._log_only(effects, now)
        for effect in effects:
            match effect:
                case Tell():
                    self._tell(effect)
                case Ask():
                    self._ask(effect)
                case Reject():
                    self._reject(effect)
                case Begin():
                    self._begun()
                case EndStream():
                    session = self.lanes[effect.seat].session
                    if session is not None:
                        session.goodbye(play_pb2.GOODBYE_REASON_PROTOCOL, effect.text)
                case Finish():
                    self._over(effect)
        self._rearm()

    def _log_only(self, effects: Sequence[Effect], now: int) -> None:
        frames = [frame for effect in effects if (frame := frame_of(effect, now)) is not None]
        self._log(frames)
        for frame in frames:
            if frame.HasField("action"):
                self._tally.decisions += not frame.action.auto
            elif frame.HasField("deal") or frame.HasField("started"):
                self._unsynced = True
            elif frame.HasField("ended"):
                self.logged_end = frame.ended

    def _log(self, frames: list[replay_pb2.Frame]) -> None:
        if frames:
            began = perf_counter()
            self.journal.append(frames)
            self._tally.writes.observe(perf_counter() - began)

    def _tell(self, tell: Tell) -> None:
        public = redact(tell.event, None)
        told = event_chunk(public, tell.seq)
        for seat, waiting in enumerate(self._waiting):
            if self.lanes[seat].session is not None:
                own = redact(tell.event, seat) if public is not tell.event else public
                waiting.append(told if own is public else event_chunk(own, tell.seq))
        show_all(self.watchers, self.header.match_id, lambda one, match: one.told(match, tell.seq, public))

    def _ask(self, ask: Ask) -> None:
        self._waiting[ask.seat].append(self._decision(ask))
        self._flush(ask.seat)

    def _decision(self, ask: Ask) -> bytes:
        return decision_chunk(ask.decision_id, self.table.playing.view(ask.seat), ask.legal, ask.left)

    def _flush(self, seat: int) -> None:
        waiting = self._waiting[seat]
        if waiting:
            self.lanes[seat].send(b"".join(waiting))
            waiting.clear()

    def _reject(self, reject: Reject) -> None:
        self._tally.rejections[reject.reason] += 1
        log.info("answer rejected: %s", reject.text, extra=rejection_line(self.header, reject))
        rejected = rejected_to_proto(reject)
        self.lanes[reject.seat].send(chunk(play_pb2.Event(rejected=rejected)))

    @property
    def nonces(self) -> tuple[bytes, ...]:
        """What the seats said with Ready, by seat; empty for one that has not."""
        return tuple(place.nonce or b"" for place in self.table.seats)

    def _started(self) -> bytes:
        nonces = () if self.header.seeded else self.nonces
        started = play_pb2.MatchStarted(match_id=self.header.match_id, nonces=nonces)
        return chunk(play_pb2.Event(match_started=started))

    def _begun(self) -> None:
        told = self._started()
        for seat, waiting in enumerate(self._waiting):
            if self.lanes[seat].session is not None:
                waiting.append(told)

    def _offer(self, seat: int) -> play_pb2.MatchOffered:
        return offer(self.header, self.table.sides, seat, self.sitting.terms.ready_within_us)

    def _over(self, finish: Finish) -> None:
        self.finish = finish
        self._sleep.cancel()

    def _rearm(self) -> None:
        """Wake the clock's task in time for an earlier deadline, and to sync; a later deadline can wait."""
        deadline = self.table.deadline()
        if self._unsynced:
            self._sleep.cancel()
        elif deadline is not None and self._zero + deadline / MICRO < self._sleep.deadline:
            self._sleep.deadline = self._zero + deadline / MICRO
