"""Bots that think for a moment and answer, many in one process: those who must not notice a flood (flood.py).

For each line on standard input one line of JSON goes out: what happened since the last, as soon as seats have seen so
many matches end as the line says. The latency of a decision is
the time from an answer until the arena's next message on that match, to whichever of its bots; both are here.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from statistics import median, quantiles

import grpc
import grpc.aio

from arena.v1 import match_pb2, play_pb2


@dataclass(slots=True)
class Watch:
    """What the bots of this process see."""

    latencies: list[float] = field(default_factory=list)
    endings: list[float] = field(default_factory=list)
    answered: dict[str, float] = field(default_factory=dict)
    ends: Counter[str] = field(default_factory=Counter)
    streams: int = 0
    ended_streams: int = 0

    def report(self) -> str:
        """What happened since the last report."""
        times = sorted(self.latencies) or [float("nan")]
        found = {
            "decisions": len(self.latencies),
            "median_ms": median(times) * 1000,
            "p99_ms": (quantiles(times, n=100)[98] if len(times) > 1 else times[0]) * 1000,
            "most_ms": times[-1] * 1000,
            "ending_ms": median(self.endings or [float("nan")]) * 1000,
            "ends": dict(self.ends),
            "ended_streams": self.ended_streams,
        }
        self.latencies, self.endings, self.ends, self.ended_streams = [], [], Counter(), 0
        return json.dumps(found)


class Bot:
    """One bot on one stream; it comes back when the stream ends."""

    def __init__(self, server: str, number: int, think: float, game: str, watch: Watch) -> None:
        self.server, self.number, self.think, self.watch = server, number, think, watch
        self.dice = random.Random(number)
        self.hello = play_pb2.Hello(
            protocol_version=1, software_name="honest", name=f"honest-{number}", games=[game], auto_draw=True
        )
        self.match = ""

    async def run(self) -> None:
        """Play for ever."""
        while True:
            async with grpc.aio.insecure_channel(self.server, (("grpc.use_local_subchannel_pool", 1),)) as channel:
                stream = channel.stream_stream("/arena.v1.ArenaService/Play")()
                try:
                    await stream.write(play_pb2.PlayRequest(hello=self.hello).SerializeToString())
                    while (data := await stream.read()) is not grpc.aio.EOF:
                        await self.hear(stream, data)
                except grpc.aio.AioRpcError:
                    pass
            self.watch.ended_streams += 1
            await asyncio.sleep(0.2)

    async def hear(self, stream: grpc.aio.StreamStreamCall, data: bytes) -> None:
        """Answer a message."""
        now = time.perf_counter()
        events = play_pb2.PlayResponse.FromString(data).events
        answered = self.watch.answered.pop(self.match, now)
        if answered < now:
            # What comes with no question is the end of a match, told when the record has it: that waits for the disk.
            asked = any(event.HasField("decision") for event in events)
            (self.watch.latencies if asked else self.watch.endings).append(now - answered)
        for event in events:
            kind = event.WhichOneof("kind")
            if kind == "decision":
                await asyncio.sleep(self.think)
                choose = play_pb2.Choose(
                    decision_id=event.decision.decision_id, index=self.dice.randrange(len(event.decision.legal))
                )
                self.watch.answered[self.match] = time.perf_counter()
                await stream.write(play_pb2.PlayRequest(choose=choose).SerializeToString())
            elif kind in {"match_offered", "resumed"}:
                offer = event.match_offered if kind == "match_offered" else event.resumed.offer
                self.match = offer.match_id
                self.watch.answered.pop(self.match, None)
                ready = play_pb2.Ready(match_id=offer.match_id, nonce=self.dice.randbytes(16))
                await stream.write(play_pb2.PlayRequest(ready=ready).SerializeToString())
            elif kind == "match_ended":
                self.watch.ends[
                    match_pb2.Termination.Name(event.match_ended.termination).removeprefix("TERMINATION_")
                ] += 1


async def main(arguments: argparse.Namespace) -> None:
    """Play until standard input ends."""
    watch = Watch()
    numbers = range(arguments.first, arguments.first + arguments.bots)
    bots = [Bot(arguments.server, number, arguments.think, arguments.game, watch) for number in numbers]
    tasks = []
    for bot in bots:
        tasks.append(asyncio.create_task(bot.run()))
        await asyncio.sleep(0.005)  # so that not all of hundreds knock at the same moment
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        while watch.ends.total() < int(line.strip() or 0):  # noqa: ASYNC110  # as often as not there is nothing to wait for
            await asyncio.sleep(0.05)
        print(watch.report(), flush=True)  # noqa: T201  # its caller reads it
    for task in tasks:
        task.cancel()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("server", help="host:port")
    parser.add_argument("--bots", type=int, default=32)
    parser.add_argument("--first", type=int, default=0, help="the number of the first, which is in its name")
    parser.add_argument("--think", type=float, default=0.02, help="seconds before each answer")
    parser.add_argument("--game", default="draw-bridge")
    asyncio.run(main(parser.parse_args()))
