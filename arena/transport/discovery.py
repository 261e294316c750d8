"""What general tools ask of a server: whether it is well, and what can be called on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final

import trio
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2
from grpc_reflection.v1alpha.reflection import ReflectionServicer

from arena.transport.call import Call, Handler
from arena.transport.errors import RpcError, Status
from arena.transport.rpc import parse, receive_only, unary

HEALTH_SERVICE: Final = "grpc.health.v1.Health"
HEALTH_WATCH: Final = f"/{HEALTH_SERVICE}/Watch"
REFLECTION_SERVICES: Final = ("grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection")
"""Two names for the same messages; tools ask for the first and go back to the second."""

_Response = health_pb2.HealthCheckResponse


class Health:
    """The service grpc.health.v1.Health: whether each service, and under the empty name the server, is serving."""

    def __init__(self, services: Iterable[str] = ()) -> None:
        self._serving = dict.fromkeys(("", HEALTH_SERVICE, *services), True)
        self._changed = trio.Event()

    def set(self, service: str, *, serving: bool) -> None:
        """Say whether a service is serving; whoever watches it is told."""
        self._serving[service] = serving
        changed, self._changed = self._changed, trio.Event()
        changed.set()

    def handlers(self) -> Mapping[str, Handler]:
        """The methods of the service, for TrioServer."""
        return MappingProxyType({f"/{HEALTH_SERVICE}/Check": unary(self._check), HEALTH_WATCH: self._watch})

    def _status(self, service: str) -> int:
        serving = self._serving.get(service)
        if serving is None:
            return _Response.SERVICE_UNKNOWN
        return _Response.SERVING if serving else _Response.NOT_SERVING

    async def _check(self, data: bytes, _: Call) -> bytes:
        service = parse(health_pb2.HealthCheckRequest, data).service
        status = self._status(service)
        if status == _Response.SERVICE_UNKNOWN:
            raise RpcError(Status.NOT_FOUND, f"no service {service}")
        return _Response(status=status).SerializeToString()

    async def _watch(self, call: Call) -> None:
        """Send the state now and whenever it changes; a service that is not known may come later."""
        service = parse(health_pb2.HealthCheckRequest, await receive_only(call)).service
        told = None
        while True:
            changed, status = self._changed, self._status(service)
            if status != told:
                # If the one before is still being written, the two go out as one, in which the later state counts.
                call.send_nowait(_Response(status=status).SerializeToString())
                told = status
            await changed.wait()


def reflection(services: Iterable[str], admit: Callable[[Call], None] = lambda _call: None) -> Mapping[str, Handler]:
    """Handlers that describe `services` and their messages to tools such as grpcurl.

    What is described must be loaded: import the stubs before. A stream may ask without end, so each of its questions
    has to pass `admit`, which raises RpcError for one too many.
    """
    servicer = ReflectionServicer((*services, HEALTH_SERVICE, *REFLECTION_SERVICES))

    async def describe(call: Call) -> None:
        while True:
            request = parse(reflection_pb2.ServerReflectionRequest, await call.receive())
            admit(call)
            for response in servicer.ServerReflectionInfo(iter([request]), None):  # type: ignore[arg-type]  # no context is needed
                call.send_nowait(response.SerializeToString())
            await call.flush()  # each answer is a message of its own

    return MappingProxyType({f"/{service}/ServerReflectionInfo": describe for service in REFLECTION_SERVICES})
