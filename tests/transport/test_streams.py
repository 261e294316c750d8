"""Messages of a call, both ways, against grpcio's own client."""

from __future__ import annotations

from typing import Any

import trio
import trio.testing

from arena.transport import Call, Status
from loopback import in_thread


async def echo(call: Call) -> None:
    """Send back what comes."""
    while True:
        call.send_nowait(await call.receive())


async def test_messages_go_both_ways_in_order(start: Any, client: Any) -> None:
    """Every message comes back, in order, and the call ends with OK when the client has sent its last."""
    _, address = await start({"/t/Echo": echo})
    stream = client(address).open()

    def talk() -> list[bytes]:
        answers = []
        for i in range(50):
            stream.send(b"%d" % i)
            answers.append(stream.receive())
        stream.half_close()
        return answers

    assert await in_thread(talk) == [b"%d" % i for i in range(50)]
    assert await in_thread(stream.outcome) == (Status.OK, "")


async def test_an_empty_message_is_a_message(start: Any, client: Any) -> None:
    """A message without a byte goes both ways like any other."""
    _, address = await start({"/t/Echo": echo})
    stream = client(address).open()
    stream.send(b"", b"x")
    assert await in_thread(stream.receive) == b""
    assert await in_thread(stream.receive) == b"x"


async def test_what_piles_up_during_a_write_goes_out_as_one_message(start: Any, client: Any) -> None:
    """While the first message is being written the rest waits, and is then joined in one."""

    async def burst(call: Call) -> None:
        for word in (b"one ", b"two ", b"three ", b"four"):
            call.send_nowait(word)

    _, address = await start({"/t/Burst": burst})
    stream = client(address).open("/t/Burst")
    assert await in_thread(stream.receive) == b"one "
    assert await in_thread(stream.receive) == b"two three four"
    assert await in_thread(stream.outcome) == (Status.OK, "")


async def test_flush_keeps_messages_apart(start: Any, client: Any) -> None:
    """After flush nothing is waiting, so the next message is one of its own."""

    async def burst(call: Call) -> None:
        for word in (b"one", b"two", b"three"):
            call.send_nowait(word)
            assert call.is_writing
            assert call.outbox_bytes == len(word)
            await call.flush()
            assert not call.is_writing
            assert call.outbox_bytes == 0

    _, address = await start({"/t/Burst": burst})
    stream = client(address).open("/t/Burst")
    assert [await in_thread(stream.receive) for _ in range(3)] == [b"one", b"two", b"three"]


async def test_a_half_closed_client_still_hears(start: Any, client: Any) -> None:
    """Receive raises EndOfChannel when the client has sent its last message, and messages still go to it."""

    async def count(call: Call) -> None:
        total = 0
        try:
            while True:
                await call.receive()
                total += 1
        except trio.EndOfChannel:
            call.send_nowait(b"%d" % total)
        try:
            await call.receive()
        except trio.EndOfChannel:
            call.end(Status.ABORTED, "said twice")

    _, address = await start({"/t/Count": count})
    stream = client(address).open("/t/Count")
    stream.send(b"a", b"b", b"c")
    stream.half_close()
    assert await in_thread(stream.receive) == b"3"
    assert await in_thread(stream.outcome) == (Status.ABORTED, "said twice")


async def test_a_call_knows_its_method_its_metadata_and_its_peer(start: Any, client: Any) -> None:
    """What the client sent ahead is there when the handler starts: text as str, `-bin` values as bytes."""
    seen: list[Call] = []

    async def look(call: Call) -> None:
        seen.append(call)

    _, address = await start({"/t/Look": look})
    metadata = (("authorization", "Bearer secret"), ("blob-bin", b"\x00\xff"))
    stream = client(address).open("/t/Look", metadata=metadata)
    assert await in_thread(stream.outcome) == (Status.OK, "")
    (call,) = seen
    assert call.method == "/t/Look"
    assert set(metadata) <= {tuple(pair) for pair in call.metadata}
    assert call.peer().startswith("ipv4:127.0.0.1:")


async def test_time_in_which_the_loop_was_busy_is_lag(start: Any, client: Any) -> None:
    """A message that came while this process did something else has that time in its lag."""

    async def ask(call: Call) -> None:
        call.send_nowait(b"?")
        await call.receive()
        lags.append(call.lag)

    lags: list[float] = []
    _, address = await start({"/t/Ask": ask})
    stream = client(address).open("/t/Ask")
    await in_thread(stream.receive)
    await trio.testing.wait_all_tasks_blocked()
    stream.send(b"!")
    busy_until = trio.current_time() + 0.2
    while trio.current_time() < busy_until:
        pass
    assert await in_thread(stream.outcome) == (Status.OK, "")
    assert 0.05 < lags[0] < 0.5
