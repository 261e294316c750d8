"""Bots that answer at once, or at a given rate, many in one process: the client of server_decision.py.

Each has a connection and a stream of its own. What it says is decided by the message alone, so the same code talks to
an arena and to the echo. Prints one line of JSON when it is done.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import selectors
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import grpc
import grpc.aio

from arena.v1 import play_pb2

TICK = os.sysconf("SC_CLK_TCK")


@dataclass(slots=True)
class Tally:
    """What went over the wire."""

    decisions: int = 0
    messages: int = 0
    bytes_in: int = 0
    bytes_out: int = 0

    def since(self, start: Tally) -> dict[str, int]:
        """The difference to an earlier count."""
        return {name: value - getattr(start, name) for name, value in asdict(self).items()}


class Pace:
    """Answers to questions leave one by one, so many a second over all bots, and who has waited longest is next.

    A bot has one question at most, so no bot has more than one answer under way, and a server that is too slow for the
    rate gets as many answers as it asks for. A rate of 0 lets every answer leave at once.
    """

    def __init__(self, rate: float) -> None:
        self._gap = 1 / rate if rate else 0.0
        self._free = 0.0  # the next moment, on the loop's clock, that nobody has

    async def turn(self) -> None:
        """Wait for the moment to answer."""
        if self._gap:
            now = asyncio.get_running_loop().time()
            mine = max(self._free, now)
            self._free = mine + self._gap
            await asyncio.sleep(mine - now)


def fine_loop() -> asyncio.AbstractEventLoop:
    """A loop that sleeps to the microsecond: the usual one, to the millisecond, lets answers leave in bursts."""
    return asyncio.SelectorEventLoop(selectors.SelectSelector())


def cpu_seconds(process: int) -> float:
    """CPU time that a process has used, its own and the kernel's for it, in all of its threads."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def answers(data: bytes, dice: random.Random, tally: Tally) -> list[bytes]:
    """What a bot says to a message of the arena: it is ready for every match, and chooses by lot."""
    said = []
    tally.messages += 1
    tally.bytes_in += len(data)
    for event in play_pb2.PlayResponse.FromString(data).events:
        kind = event.WhichOneof("kind")
        if kind == "decision":
            choose = play_pb2.Choose(
                decision_id=event.decision.decision_id, index=int(dice.random() * len(event.decision.legal))
            )
            said.append(play_pb2.PlayRequest(choose=choose).SerializeToString())
            tally.decisions += 1
            tally.bytes_out += len(said[-1])
        elif kind == "match_offered" or (kind == "resumed" and event.resumed.awaits_ready):
            offer = event.match_offered if kind == "match_offered" else event.resumed.offer
            ready = play_pb2.Ready(match_id=offer.match_id, nonce=dice.randbytes(16))
            said.append(play_pb2.PlayRequest(ready=ready).SerializeToString())
        elif kind in {"rejected", "goodbye"}:
            raise RuntimeError(f"the arena says: {event}")
    return said


async def play(server: str, number: int, tally: Tally, pace: Pace, *, is_idle: bool) -> None:
    """One bot, until it is cancelled. Idle ones are lanes of a bot, 64 of each, which is never paired with itself."""
    dice = random.Random(number)
    options = (("grpc.use_local_subchannel_pool", 1),)
    async with grpc.aio.insecure_channel(server, options=options) as channel:
        stream = channel.stream_stream("/arena.v1.ArenaService/Play")()
        hello = play_pb2.Hello(
            protocol_version=1,
            software_name="instant",
            name=f"idle-{number // 64}" if is_idle else f"instant-{number}",
            lane=number % 64 if is_idle else 0,
        )
        await stream.write(play_pb2.PlayRequest(hello=hello).SerializeToString())
        while (data := await stream.read()) is not grpc.aio.EOF:
            asked = tally.decisions
            said = answers(data, dice, tally)
            if not is_idle:
                if tally.decisions > asked:
                    await pace.turn()
                for answer in said:
                    await stream.write(answer)
        raise RuntimeError(f"stream {number} ended: {await stream.code()} {await stream.details()}")


async def measure(arguments: argparse.Namespace) -> dict[str, float]:
    """Play, and count over a stretch in which all bots are at it."""
    tally, pace = Tally(), Pace(arguments.rate)
    async with asyncio.TaskGroup() as group:
        bots = [
            group.create_task(play(arguments.server, number, tally, pace, is_idle=arguments.idle))
            for number in range(arguments.bots)
        ]
        async with asyncio.timeout(20 + arguments.bots / 20):
            # An event in place of looks would cost the bots time in what is measured.
            while (tally.messages if arguments.idle else tally.decisions / 3) < arguments.bots:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        start, cpu, clock = Tally(**asdict(tally)), cpu_seconds(arguments.process), time.perf_counter()
        await asyncio.sleep(arguments.seconds)
        result: dict[str, float] = dict(tally.since(start))
        result["cpu_s"] = cpu_seconds(arguments.process) - cpu
        result["wall_s"] = time.perf_counter() - clock
        result["rss_kib"] = rss_kib(arguments.process)
        for bot in bots:
            bot.cancel()
    return result


def rss_kib(process: int) -> int:
    """Memory that a process holds, in KiB."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("server", help="host:port")
    parser.add_argument("process", type=int, help="process id of the server")
    parser.add_argument("--bots", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--rate", type=float, default=0.0, help="answers a second over all bots; 0: each at once")
    parser.add_argument("--idle", action="store_true", help="be connected and wait, on lanes of few bots")
    with contextlib.suppress(KeyboardInterrupt), asyncio.Runner(loop_factory=fine_loop) as runner:
        print(json.dumps(runner.run(measure(parser.parse_args()))))  # noqa: T201  # its caller reads it
