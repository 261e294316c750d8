"""How late the arena's loop is: measured, so that no bot is charged for it."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio
import trio.testing

from arena.lag import PERIOD, LagMeter


@asynccontextmanager
async def metered() -> AsyncIterator[LagMeter]:
    """A meter that runs."""
    meter = LagMeter()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(meter.run)
        await trio.testing.wait_all_tasks_blocked()
        yield meter
        nursery.cancel_scope.cancel()


async def test_a_loop_in_time_is_never_late(mock_clock: trio.testing.MockClock) -> None:
    """As long as the meter wakes when it should, there is no lag."""
    async with metered() as meter:
        for _ in range(50):
            mock_clock.jump(PERIOD)
            await trio.testing.wait_all_tasks_blocked()
        assert meter.total_us() == pytest.approx(0, abs=1)


async def test_a_stall_is_counted_while_it_lasts_and_afterwards(mock_clock: trio.testing.MockClock) -> None:
    """Time in which the loop does not turn is lag at once, and stays so; at most one period of it goes unseen."""
    async with metered() as meter:
        mock_clock.jump(0.3)
        assert meter.total_us() == pytest.approx(300_000 - PERIOD * 1_000_000, abs=1)
        await trio.testing.wait_all_tasks_blocked()
        assert meter.total_us() == pytest.approx(280_000, abs=1)
        mock_clock.jump(1.0)
        await trio.testing.wait_all_tasks_blocked()
        assert meter.total_us() == pytest.approx(280_000 + 980_000, abs=1)


async def test_the_count_never_goes_back(mock_clock: trio.testing.MockClock) -> None:
    """Whenever one looks, the count is at least what it was."""
    seen = [0]
    async with metered() as meter:
        for step in (0.001, 0.019, 0.021, 0.5, 0.0, 0.02):
            mock_clock.jump(step)
            seen.append(meter.total_us())
            await trio.testing.wait_all_tasks_blocked()
            seen.append(meter.total_us())
    assert seen == sorted(seen)


async def test_a_meter_that_does_not_run_has_seen_nothing(mock_clock: trio.testing.MockClock) -> None:
    """Before it is started the meter knows of no lag."""
    meter = LagMeter()
    mock_clock.jump(10)
    assert meter.total_us() == 0


async def test_a_blocked_loop_is_seen_on_the_real_clock() -> None:
    """A function that blocks the loop is seen by the real clock too, less at most one period."""
    async with metered() as meter:
        before = meter.total_us()
        time.sleep(0.1)  # noqa: ASYNC251 # what is tested is a loop that is blocked
        late = meter.total_us() - before
    assert late >= 100_000 - PERIOD * 1_000_000 - 1_000
