"""A gRPC server for trio.

grpcio serves threads or asyncio. This server stands on grpcio's C core directly: one helper thread waits for the core,
everything else happens in the trio thread, each call in a task of its own. Handlers deal in serialised messages.

    async def shout(call: Call) -> None:
        while True:
            call.send_nowait((await call.receive()).upper())

    server = TrioServer({"/example.Service/Shout": shout})
    port = server.add_port("127.0.0.1:0")
    await nursery.start(server.serve)

Only `core` knows the C core, so that another way to serve gRPC could take its place. `discovery` has handlers for
health checks and reflection.
"""

from __future__ import annotations

from arena.transport.call import Call, Handler
from arena.transport.core import Credentials, Metadata, Options
from arena.transport.errors import BadCertificate, Gone, ListenError, RpcError, Status
from arena.transport.options import SERVER_OPTIONS, server_options
from arena.transport.peers import address_of
from arena.transport.rpc import parse, unary
from arena.transport.server import TrioServer
from arena.transport.tls import Tls

__all__ = [
    "SERVER_OPTIONS",
    "BadCertificate",
    "Call",
    "Credentials",
    "Gone",
    "Handler",
    "ListenError",
    "Metadata",
    "Options",
    "RpcError",
    "Status",
    "Tls",
    "TrioServer",
    "address_of",
    "parse",
    "server_options",
    "unary",
]
