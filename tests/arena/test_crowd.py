"""Room for so many and no more: the next is refused in words, counted, and noted once a second."""

from __future__ import annotations

import pytest
import trio
import trio.testing

from arena.crowd import Crowd, Gate
from arena.tally import REFUSALS, Tally
from arena.transport import RpcError, Status


def crowd(tally: Tally, most: int, each: int) -> Crowd:
    """Room for watchers."""
    return Crowd(Gate(tally), "watchers", "watchers", most=most, each=("match", each))


async def test_one_account_may_have_so_many(autojump_clock: trio.testing.MockClock) -> None:
    """At the limit all are in, one more of the same is refused, another account is not, and a place becomes free."""
    tally = Tally()
    room = crowd(tally, 10, 2)
    with room.entered("a", "p"):
        with room.entered("a", "p"):
            with pytest.raises(RpcError) as refusal, room.entered("a", "p"):
                pass
            with room.entered("b", "p"):
                assert len(room) == 3
        with room.entered("a", "p"):
            assert len(room) == 2
    assert len(room) == 0
    assert refusal.value.code is Status.RESOURCE_EXHAUSTED
    assert refusal.value.details == "the limit of 2 watchers for one match is reached: end some, or wait"
    assert {name: count for name, count in tally.refusals.items() if count} == {"match_watchers": 1}


async def test_all_together_may_be_so_many(autojump_clock: trio.testing.MockClock) -> None:
    """However many accounts there are, the sum is bounded too."""
    tally = Tally()
    room = crowd(tally, 2, 2)
    with (
        room.entered("a", "p"),
        room.entered("b", "p"),
        pytest.raises(RpcError, match="arena's limit of 2 watchers is reached"),
        room.entered("c", "p"),
    ):
        pass
    with room.entered("c", "p"):
        pass
    assert tally.refusals["all_watchers"] == 1


async def test_refusals_do_not_flood_the_log(
    autojump_clock: trio.testing.MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    """A line a second at most for each limit, which says how many were left out; every refusal is counted."""
    tally = Tally()
    gate = Gate(tally)
    for pause in (0.0, 0.1, 0.8, 0.1, 4.0):
        await trio.sleep(pause)
        gate.note("identity", "why", "ipv4:1.2.3.4:5")
    gate.note("hello", "x" * 1000, "ipv4:1.2.3.4:5")
    line = "refused a call from ipv4:1.2.3.4:5: why"
    *lines, other = caplog.messages
    assert lines == [line, f"{line} (2 more since the last line)", line]
    assert len(other) < 400
    assert (tally.refusals["identity"], tally.refusals["hello"]) == (5, 1)


def test_every_limit_is_known_to_the_metrics() -> None:
    """A limit without its name among the counts would be an error at the moment when it is reached."""
    kinds = {"strangers": ("all", "address"), "requests": ("all", "address"), "watchers": ("all", "address", "match")}
    assert {f"{owner}_{limit}" for limit, owners in kinds.items() for owner in owners} <= set(REFUSALS)
