"""The yardstick of server_decision.py: a plain grpc.aio server that answers each message with one question.

The question is the same each time, of a size that is given, so that a bot's stream carries the same bytes to and fro
as in an arena and the server does nothing but carry them. Prints its port.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from typing import Any

import grpc
import grpc.aio

from arena.v1 import action_pb2, play_pb2, view_pb2

LEGAL = 8


def question(size: int) -> bytes:
    """A serialised PlayResponse of `size` bytes with one decision in it; of its own size if that is larger."""
    passes = [action_pb2.Action(call=action_pb2.Call(kind=action_pb2.CALL_KIND_PASS))] * LEGAL
    filler = 0
    while True:
        decision = play_pb2.Decision(decision_id=100, view=view_pb2.View(phase="x" * filler), legal=passes)
        data = play_pb2.PlayResponse(events=[play_pb2.Event(decision=decision)]).SerializeToString()
        if len(data) >= size:
            return data
        filler += size - len(data)


async def main(size: int) -> None:
    """Serve until the process is ended."""
    answer = question(size)

    async def echo(requests: AsyncIterator[bytes], _: Any) -> AsyncIterator[bytes]:
        async for _ in requests:
            yield answer

    server = grpc.aio.server(options=(("grpc.so_reuseport", 0),))
    play = {"Play": grpc.stream_stream_rpc_method_handler(echo)}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("arena.v1.ArenaService", play),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(f"127.0.0.1:{port}", flush=True)  # noqa: T201  # its caller reads it
    await server.wait_for_termination()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
