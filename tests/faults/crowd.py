"""Many bots in one process that answer at once, come back whenever they are cut off, and write down all they are told.

Every line of the notes is MATCH SEAT SEQ and the CRC-32 of an event, or `end` MATCH SEAT and the log hash. SIGTERM lets
the matches in hand end. `--think` and `--lanes` say how long a decision takes and how many streams each bot has.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import signal
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import grpc
import grpc.aio

from arena.v1 import play_pb2

PAUSE = 0.05
"""Seconds between two attempts to reach the arena."""


@dataclass
class Lane:
    """One bot on one lane, over all its streams."""

    arguments: argparse.Namespace
    name: str
    number: int
    notes: TextIO
    leaving: asyncio.Event
    match_id: str = ""
    seat: int = 0
    seq: int = 0

    async def live(self) -> None:
        """Play until told to leave, or until the arena says that all is over."""
        while self.match_id or not self.leaving.is_set():
            options = (("grpc.use_local_subchannel_pool", 1), ("grpc.min_reconnect_backoff_ms", 100))
            async with grpc.aio.insecure_channel(self.arguments.server, options=options) as channel:
                stream = channel.stream_stream("/arena.v1.ArenaService/Play")()
                try:
                    await self._converse(stream)
                except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
                    pass
                finally:
                    stream.cancel()
            await asyncio.sleep(PAUSE)

    async def _converse(self, stream: grpc.aio.StreamStreamCall) -> None:
        hello = play_pb2.Hello(protocol_version=1, name=self.name, lane=self.number, auto_draw=True)
        if self.match_id:
            hello.resume.match_id, hello.resume.last_seq = self.match_id, self.seq
        await self._say(stream, hello=hello)
        dice = random.Random()
        while (data := await stream.read()) is not grpc.aio.EOF:
            for event in play_pb2.PlayResponse.FromString(data).events:
                self._note(event)
                kind = event.WhichOneof("kind")
                if kind == "match_offered" or (kind == "resumed" and event.resumed.awaits_ready):
                    await self._say(stream, ready=play_pb2.Ready(match_id=self.match_id, nonce=dice.randbytes(16)))
                elif kind == "decision":
                    if self.arguments.think:
                        await asyncio.sleep(self.arguments.think)
                    index = dice.randrange(len(event.decision.legal))
                    choose = play_pb2.Choose(decision_id=event.decision.decision_id, index=index)
                    await self._say(stream, choose=choose)
            if self.leaving.is_set() and not self.match_id:
                return

    async def _say(self, stream: grpc.aio.StreamStreamCall, **message: object) -> None:
        await stream.write(play_pb2.PlayRequest(**message).SerializeToString())  # type: ignore[arg-type]

    def _note(self, event: play_pb2.Event) -> None:
        kind = event.WhichOneof("kind")
        if kind in ("match_offered", "resumed"):
            offer = event.match_offered if kind == "match_offered" else event.resumed.offer
            print("playing", offer.match_id)  # noqa: T201 # its starter reads it
            if offer.match_id != self.match_id:
                self.match_id, self.seat, self.seq = offer.match_id, offer.seat, 0
        elif kind == "match_ended":
            ended = event.match_ended
            self.notes.write(f"end {ended.match_id} {self.seat} {ended.log_hash.hex()}\n")
            if ended.match_id == self.match_id:
                self.match_id, self.seq = "", 0
        elif event.seq:
            self.seq = max(self.seq, event.seq)
            crc = zlib.crc32(event.SerializeToString(deterministic=True))
            self.notes.write(f"{self.match_id} {self.seat} {event.seq} {crc}\n")


async def crowd(arguments: argparse.Namespace) -> None:
    """Let them all play."""
    leaving = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, leaving.set)
    with arguments.notes.open("w") as notes:
        lanes = [
            Lane(arguments, name, lane, notes, leaving) for name in arguments.names for lane in range(arguments.lanes)
        ]
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(lane.live()) for lane in lanes]
            await leaving.wait()
            for lane, task in zip(lanes, tasks, strict=True):
                if not lane.match_id:
                    task.cancel()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("server", help="host:port")
    parser.add_argument("notes", type=Path)
    parser.add_argument("names", nargs="+")
    parser.add_argument("--lanes", type=int, default=1)
    parser.add_argument("--think", type=float, default=0.0)
    asyncio.run(crowd(parser.parse_args()))
