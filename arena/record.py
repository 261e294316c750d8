"""Makes ended matches part of the record: sync the log, store result and replay, then remove the journal."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import nullcontext

import trio

from arena.config import ArenaConfig
from arena.director import Director
from arena.legs import first_leg_of
from arena.offloop import OffLoop, in_thread
from arena.replay import pack, sentence, unpack
from arena.replay.frames import scan
from arena.replay.read import parse_header
from arena.store import RatingChange, Result, Store
from arena.v1 import play_pb2
from arena.wire import chunk, match_ended_to_proto
from engine.effect import Finish


class Recorder:
    """The way of a match from its journal into the database. One match after the other."""

    def __init__(self, config: ArenaConfig, store: Store, off_loop: OffLoop = in_thread) -> None:
        self._config = config
        self._store = store
        self._off_loop = off_loop
        self._turn = trio.Lock()
        self._unplayed = trio.Lock()

    async def close(self, director: Director) -> play_pb2.MatchEnded:
        """Record a match that is over; gives what its seats are told. Safe to repeat after a crash at any point."""
        result, changes = await self._store_log(director)
        fixed = director.sitting.terms.source.fixed_nonces
        reveal = _reveal(result, director.header.server_seed, director.nonces if fixed is None else fixed, changes)
        closes = result.leg == result.legs or result.termination.void
        return ended_message(result, reveal if closes else None)

    async def _store_log(self, director: Director) -> tuple[Result, list[RatingChange]]:
        def write() -> tuple[Result, list[RatingChange]]:
            journal = director.journal
            journal.sync()
            if director.logged_end is None:
                raise RuntimeError(f"the log of match {director.header.match_id} has no end")
            result = Result.from_log(
                director.header,
                director.logged_end,
                sides=director.table.sides,
                actions=director.table.acted,
                rejected=director.table.rejected,
                ended_ms=time.time_ns() // 1_000_000,
                log_hash=journal.head,
            )
            changes = self._store.close_match(result, pack(journal.path.read_bytes()))
            journal.close()
            journal.path.unlink()
            return result, changes

        # Of matches that nobody played, one at a time stands in line: however many there are, the others do not wait.
        played = director.table.match is not None
        async with nullcontext() if played else self._unplayed, self._turn:
            return await self._off_loop(write)

    async def recall(self, bot: str, resume: play_pb2.Resume) -> bytes:
        """The end of a match of the past for a bot that missed it, as serialised events; empty if it is none of its."""

        def read() -> bytes:
            result = self._store.match(self._config.run, resume.match_id)
            if result is None or bot not in result.bots:
                return b""
            reveal = self._revealed(result) if self._store.is_closed(result) else None
            return chunk(play_pb2.Event(match_ended=ended_message(result, reveal)))

        return await self._off_loop(read)

    def _revealed(self, result: Result) -> play_pb2.Reveal:
        header = parse_header(next(scan(unpack(self._store.replay(result)))))
        first = self._store.match(result.run, result.set_id)
        nonces = () if header.seeded or first is None else first_leg_of(self._store, first).nonces
        return _reveal(result, header.server_seed, nonces, self._store.changes(result))


def ended_message(result: Result, reveal: play_pb2.Reveal | None) -> play_pb2.MatchEnded:
    """What the seats are told of the end, by the record; `reveal` opens the set that it closes, if it closes one."""
    finish = Finish(result.termination, result.winner, result.at_fault, result.totals, result.deals)
    sides = [player.side for player in result.players]
    text = sentence(finish.termination, result.bots, finish.at_fault, finish.winner, finish.totals, sides=sides)
    ended = match_ended_to_proto(result.match_id, finish, sides, text, result.log_hash)
    if reveal is not None:
        ended.reveal.CopyFrom(reveal)
    return ended


def _reveal(
    result: Result, server_seed: bytes, nonces: Sequence[bytes], changes: Sequence[RatingChange]
) -> play_pb2.Reveal:
    return play_pb2.Reveal(
        set_id=result.set_id,
        server_seed=server_seed,
        nonces=nonces,
        ratings=[
            play_pb2.RatingChange(bot=change.bot, before_milli=change.before_milli, after_milli=change.after_milli)
            for change in changes
        ],
    )
