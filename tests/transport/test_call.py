"""The states of a call, driven by hand: no C core, no socket, and the clock stands still unless everybody waits."""

from __future__ import annotations

import logging

import pytest
import trio
import trio.testing

from arena.transport import Call, Gone, RpcError, Status
from fake_call import FakeCall
from loopback import timely_nursery


async def raising(error: BaseException) -> Call:
    """A call whose handler raised that."""
    call = FakeCall()

    async def handler(_: Call) -> None:
        raise error

    await call.run(handler)
    return call


async def test_one_message_is_asked_for_ahead_and_no_more() -> None:
    """The next read is started only when the message before was taken."""
    call = FakeCall()

    async def handler(call: Call) -> None:
        assert await call.receive() == b"a"
        await trio.sleep(1)
        assert await call.receive() == b"b"

    async with timely_nursery() as nursery:
        nursery.start_soon(call.run, handler)
        await trio.testing.wait_all_tasks_blocked()
        assert call.done == [("open",), ("read",)]
        call._on_message(b"a")
        await trio.testing.wait_all_tasks_blocked()
        assert call.done == [("open",), ("read",), ("read",)]
        call._on_message(b"b")
        assert call.done.count(("read",)) == 2
        nursery.cancel_scope.cancel()


async def test_received_at_is_when_the_message_came_however_late_it_is_taken(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """The time stays with the message that receive returned last; lag is the wait before the loop had its turn."""
    call = FakeCall()
    born = autojump_clock.current_time()
    await trio.sleep(3)
    call.pump.noticed_at = born + 2
    call._on_message(b"a")
    await trio.sleep(10)
    assert await call.receive() == b"a"
    call.pump.noticed_at = born + 13
    call._on_message(b"b")
    assert call.received_at == born + 3
    assert call.lag == 1
    await call.receive()
    assert call.received_at == born + 13
    assert call.lag == 0


async def test_two_tasks_cannot_receive_at_the_same_time() -> None:
    """The second gets trio's BusyResourceError, the first goes on waiting."""
    call = FakeCall()
    async with timely_nursery() as nursery:
        nursery.start_soon(call.receive)
        await trio.testing.wait_all_tasks_blocked()
        with pytest.raises(trio.BusyResourceError):
            await call.receive()
        call._on_message(b"a")


async def test_a_cancelled_receive_loses_no_message() -> None:
    """Whoever receives after a receive was cancelled gets the message."""
    call = FakeCall()
    with trio.move_on_after(0):
        await call.receive()
    call._on_message(b"a")
    with trio.move_on_after(0):
        await call.receive()
    assert await call.receive() == b"a"


async def test_the_outbox_is_bounded_and_says_so() -> None:
    """Bytes that wait beyond the bound abort the call: what waits is dropped, the handler is cancelled."""
    call = FakeCall()
    call.send_nowait(b"x" * 150)  # alone, a message may be of any size
    assert (call.is_writing, call.outbox_bytes) == (True, 150)
    call = FakeCall()
    call.send_nowait(b"x" * 60)
    call.send_nowait(b"x" * 40)
    assert call.outbox_bytes == 100
    assert not call.scope.cancel_called
    call.send_nowait(b"y")
    assert call.last() == ("kill", Status.RESOURCE_EXHAUSTED, "slow reader: more than 100 bytes are waiting to be read")
    assert call.scope.cancel_called
    before = list(call.done)
    call.send_nowait(b"z")
    call._on_written()
    assert call.done == before
    assert call.outbox_bytes == 0


async def test_an_empty_message_has_its_turn_like_any_other() -> None:
    """While it is being written, what is sent waits."""
    call = FakeCall()
    call.send_nowait(b"")
    assert call.is_writing
    call.send_nowait(b"a")
    assert call.done == [("write", b"")]
    call._on_written()
    assert call.last() == ("write", b"a")


async def test_the_end_comes_after_what_was_sent() -> None:
    """The end waits for all writes, and nothing is sent after it."""
    call = FakeCall()
    call.send_nowait(b"a")
    call.send_nowait(b"b")
    call.end(Status.ABORTED, "enough")
    call.send_nowait(b"c")
    assert call.last() == ("write", b"a")
    call._on_written()
    assert call.last() == ("write", b"b")
    call._on_written()
    assert call.last() == ("finish", Status.ABORTED, "enough")
    call.end(Status.OK)
    call.abort(Status.INTERNAL)
    assert call.last() == ("finish", Status.ABORTED, "enough")


async def test_a_peer_that_never_reads_has_a_grace_then_the_call_is_aborted(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """The handler is back, its last message is not: after `end_grace` the call is killed with the status it had."""
    call = FakeCall()

    async def handler(call: Call) -> None:
        call.send_nowait(b"a")
        raise RpcError(Status.ABORTED, "enough")

    began = autojump_clock.current_time()
    await call.run(handler)
    assert call.last() == ("kill", Status.ABORTED, "enough")
    assert autojump_clock.current_time() - began == 5


async def test_the_grace_is_not_given_twice(autojump_clock: trio.testing.MockClock) -> None:
    """A handler that goes on after somebody else's end is cancelled at the end of the grace, and the call with it."""
    call = FakeCall()

    async def handler(call: Call) -> None:
        call.send_nowait(b"a")
        call.end(Status.OK, "bye")
        await trio.sleep_forever()

    began = autojump_clock.current_time()
    await call.run(handler)
    assert call.last() == ("kill", Status.OK, "bye")
    assert autojump_clock.current_time() - began == 5


async def test_a_peer_that_reads_in_time_gets_the_status(autojump_clock: trio.testing.MockClock) -> None:
    """A write that is done within the grace is followed by the status, not by an abort."""
    call = FakeCall()

    async def handler(call: Call) -> None:
        call.send_nowait(b"a")

    async with timely_nursery() as nursery:
        nursery.start_soon(call.run, handler)
        await trio.sleep(4)
        call._on_written()
    assert call.last() == ("finish", Status.OK, "")
    assert autojump_clock.current_time() == 4


async def test_an_abort_without_a_write_under_way_sends_the_status() -> None:
    """Nothing has to be killed, and the handler is cancelled."""
    call = FakeCall()

    async def handler(call: Call) -> None:
        await call.receive()

    async with timely_nursery() as nursery:
        nursery.start_soon(call.run, handler)
        await trio.testing.wait_all_tasks_blocked()
        call.abort(Status.ABORTED, "enough")
    assert call.last() == ("finish", Status.ABORTED, "enough")


async def test_an_abort_lets_a_flush_return() -> None:
    """What was to be written is dropped, so there is nothing to wait for."""
    call = FakeCall()
    call.send_nowait(b"a")
    async with timely_nursery() as nursery:
        nursery.start_soon(call.flush)
        await trio.testing.wait_all_tasks_blocked()
        call.abort(Status.ABORTED, "enough")


async def test_an_end_from_outside_wakes_the_receiver() -> None:
    """A handler that waits for a message learns by Gone that somebody ended its call."""
    call = FakeCall()

    async def handler(call: Call) -> None:
        with pytest.raises(Gone):
            await call.receive()
        with pytest.raises(Gone):
            await call.receive()

    async with timely_nursery() as nursery:
        nursery.start_soon(call.run, handler)
        await trio.testing.wait_all_tasks_blocked()
        call.end(Status.OK, "bye")
    assert call.last() == ("finish", Status.OK, "bye")


async def test_a_peer_that_is_gone_cancels_the_handler() -> None:
    """Nothing is started on a closed call, and flush returns."""
    call = FakeCall()
    call.send_nowait(b"a")
    call.send_nowait(b"b")

    async def handler(call: Call) -> None:
        try:
            await trio.sleep_forever()
        finally:
            call.send_nowait(b"too late")
            call.end()

    async with timely_nursery() as nursery:
        nursery.start_soon(call.run, handler)
        nursery.start_soon(call.flush)
        await trio.testing.wait_all_tasks_blocked()
        before = list(call.done)
        call._on_closed()
    call._on_written()
    assert call.done == before
    with pytest.raises(Gone):
        await call.receive()


@pytest.mark.parametrize(
    ("error", "code", "details"),
    [
        (RpcError(Status.NOT_FOUND, "no such"), Status.NOT_FOUND, "no such"),
        (trio.EndOfChannel(), Status.OK, ""),
        (Gone(), Status.OK, ""),
        (ExceptionGroup("", [trio.EndOfChannel(), RpcError(Status.ABORTED, "a")]), Status.ABORTED, "a"),
        (ExceptionGroup("", [ExceptionGroup("", [RpcError(Status.ABORTED, "b")])]), Status.ABORTED, "b"),
    ],
)
async def test_what_a_handler_raises_to_end_its_call(
    error: Exception, code: Status, details: str, caplog: pytest.LogCaptureFixture
) -> None:
    """RpcError, alone or out of a nursery, is the status of the call; the end of the peer's messages is OK."""
    assert (await raising(error)).last() == ("finish", code, details)
    assert not caplog.records


@pytest.mark.parametrize(
    "error", [ValueError("bug"), ExceptionGroup("", [RpcError(Status.ABORTED, "a"), ValueError("bug")])]
)
async def test_a_bug_in_a_handler_is_logged_and_not_told(error: Exception, caplog: pytest.LogCaptureFixture) -> None:
    """P12: the peer gets INTERNAL and nothing of the cause; the log has the traceback."""
    with caplog.at_level(logging.ERROR):
        assert (await raising(error)).last() == ("finish", Status.INTERNAL, "internal error")
    (record,) = caplog.records
    assert record.getMessage() == "the handler of /t/M failed"
    assert record.exc_info is not None
    assert record.exc_info[1] is error


async def test_a_cancelled_server_tells_its_calls() -> None:
    """A call whose handler was cancelled from outside ends with UNAVAILABLE."""
    call = FakeCall()

    async def handler(_: Call) -> None:
        await trio.sleep_forever()

    async with timely_nursery() as nursery:
        nursery.start_soon(call.run, handler)
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    assert call.last() == ("finish", Status.UNAVAILABLE, "server shutdown")


async def test_a_bug_beside_a_cancellation_is_both(caplog: pytest.LogCaptureFixture) -> None:
    """A handler that breaks while it is being cancelled is logged, and the cancellation goes on."""
    call = FakeCall()

    async def break_when_cancelled() -> None:
        try:
            await trio.sleep_forever()
        finally:
            raise ValueError("bug")

    async def handler(_: Call) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(break_when_cancelled)
            nursery.start_soon(trio.sleep_forever)

    async with timely_nursery() as nursery:
        nursery.start_soon(call.run, handler)
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    assert call.last() == ("finish", Status.INTERNAL, "internal error")
    assert [record.levelno for record in caplog.records] == [logging.ERROR]


async def test_what_is_no_exception_goes_up() -> None:
    """KeyboardInterrupt is nobody's fault and stops the server; the peer is told of a shutdown."""
    call = FakeCall()

    async def handler(_: Call) -> None:
        raise BaseExceptionGroup("", [KeyboardInterrupt()])

    with pytest.raises(BaseExceptionGroup):
        await call.run(handler)
    assert call.last() == ("finish", Status.UNAVAILABLE, "server shutdown")
