"""Health checks and reflection, asked by the clients that grpcio's own packages have for them."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
import trio
import trio.testing
from google.protobuf.descriptor_pool import DescriptorPool
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

from arena.transport import Status
from arena.transport.discovery import HEALTH_SERVICE, REFLECTION_SERVICES, Health, reflection
from arena.v1 import arena_pb2
from fake_call import FakeCall
from loopback import Client, in_thread

PLAY = "arena.v1.ArenaService"
Request, Response = health_pb2.HealthCheckRequest, health_pb2.HealthCheckResponse


async def test_a_health_check_says_what_is_serving(start: Any, client: Any) -> None:
    """The server as a whole, a service that is well, one that is not, and NOT_FOUND for one that nobody knows."""
    health = Health([PLAY, "x.Sick"])
    health.set("x.Sick", serving=False)
    _, address = await start(health.handlers())
    stub = health_pb2_grpc.HealthStub(client(address).channel)

    def check(service: str) -> int:
        status: int = stub.Check(Request(service=service), timeout=5).status
        return status

    assert await in_thread(check, "") == Response.SERVING
    assert await in_thread(check, PLAY) == Response.SERVING
    assert await in_thread(check, "x.Sick") == Response.NOT_SERVING
    with pytest.raises(grpc.RpcError) as refused:
        await in_thread(check, "x.Unknown")
    assert refused.value.code() == grpc.StatusCode.NOT_FOUND


async def test_a_watcher_is_told_of_each_change_of_its_service(start: Any, client: Any) -> None:
    """First the state as it is, even of a service that is not known, then changes; others' changes are not told."""
    health = Health()
    _, address = await start(health.handlers())
    connection = client(address)
    call = health_pb2_grpc.HealthStub(connection.channel).Watch(Request(service=PLAY))

    async def told() -> int:
        response: health_pb2.HealthCheckResponse = await in_thread(next, call)
        return response.status

    assert await told() == Response.SERVICE_UNKNOWN
    health.set(PLAY, serving=True)
    assert await told() == Response.SERVING
    health.set("x.Other", serving=True)
    health.set(PLAY, serving=True)
    await trio.testing.wait_all_tasks_blocked()
    health.set(PLAY, serving=False)
    assert await told() == Response.NOT_SERVING
    call.cancel()


async def test_garbage_for_a_health_check_is_an_invalid_argument(
    start: Any, client: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """It is the client's fault, so the log is silent."""
    _, address = await start(Health().handlers())
    with pytest.raises(grpc.RpcError) as refused:
        await in_thread(client(address).unary, f"/{HEALTH_SERVICE}/Check", b"\xff\xff")
    assert refused.value.code() == grpc.StatusCode.INVALID_ARGUMENT
    assert refused.value.details() == "2 bytes that are no grpc.health.v1.HealthCheckRequest"
    assert not caplog.records


async def test_reflection_describes_the_service_and_all_its_messages(start: Any, client: Any) -> None:
    """A client that knows nothing learns the services, the methods and the messages."""
    _, address = await start(reflection([PLAY]))
    channel = client(address).channel

    def learn() -> tuple[list[str], list[str]]:
        database = ProtoReflectionDescriptorDatabase(channel)
        service = DescriptorPool(database).FindServiceByName(PLAY)
        assert service.methods_by_name["Play"].input_type.fields_by_name["choose"].message_type.name == "Choose"
        return list(database.get_services()), [method.name for method in service.methods]

    services, methods = await in_thread(learn)
    assert services == sorted([PLAY, HEALTH_SERVICE, *REFLECTION_SERVICES])
    assert methods == [method.name for method in arena_pb2.DESCRIPTOR.services_by_name["ArenaService"].methods]


async def test_an_answer_is_not_joined_with_the_one_before() -> None:
    """The next question is answered only when the answer before is written: these messages must not be merged."""
    call = FakeCall()
    question = reflection_pb2.ServerReflectionRequest(list_services="").SerializeToString()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(call.run, reflection([PLAY])[f"/{REFLECTION_SERVICES[0]}/ServerReflectionInfo"])
        for _ in range(2):
            await trio.testing.wait_all_tasks_blocked()
            call._on_message(question)
        await trio.testing.wait_all_tasks_blocked()
        answer = call.outbox_bytes
        call._on_written()
        await trio.testing.wait_all_tasks_blocked()
        assert call.outbox_bytes == answer
        nursery.cancel_scope.cancel()
    assert [done[0] for done in call.done].count("write") == 2


@pytest.mark.parametrize("service", REFLECTION_SERVICES)
async def test_each_question_has_an_answer_of_its_own(start: Any, client: Any, service: str) -> None:
    """Questions sent at once are answered one by one, under both names; what is not known is an error in the answer."""
    _, address = await start(reflection([PLAY]))
    connection: Client = client(address)
    stream = connection.open(f"/{service}/ServerReflectionInfo")
    question = reflection_pb2.ServerReflectionRequest
    stream.send(
        question(file_containing_symbol=PLAY).SerializeToString(),
        question(file_containing_symbol="x.Unknown").SerializeToString(),
        question(list_services="").SerializeToString(),
    )
    stream.half_close()
    answers = [reflection_pb2.ServerReflectionResponse.FromString(await in_thread(stream.receive)) for _ in range(3)]
    kinds = [answer.WhichOneof("message_response") for answer in answers]
    assert kinds == ["file_descriptor_response", "error_response", "list_services_response"]
    assert answers[1].error_response.error_code == Status.NOT_FOUND
    assert await in_thread(stream.outcome) == (Status.OK, "")
