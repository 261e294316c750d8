"""A certificate that nears its end is heard of in time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import trio
import trio.testing

from arena.cli.renewing import warn_of_the_end
from arena.transport import Tls
from certificates import Authority

DAY = 24 * 3600.0


@pytest.mark.parametrize(("days", "part"), [(60, ""), (13, "soon nobody"), (-1, "nobody")])
async def test_the_last_two_weeks_of_a_certificate_are_a_line_a_day(
    tmp_path: Path,
    autojump_clock: trio.testing.MockClock,
    capsys: pytest.CaptureFixture[str],
    days: int,
    part: str,
) -> None:
    """At once and every day; it names the file, the end, and what to do. Before that nothing is said."""
    tls = Tls(*Authority(tmp_path).pair())
    tls.good_until = datetime.now(UTC) + timedelta(days=days, hours=1)
    with trio.move_on_after(2.5 * DAY):
        await warn_of_the_end(tls)
    lines = capsys.readouterr().err.splitlines()
    line = f"arena: {part} can connect any more: the certificate is {tls}; renew it and send SIGHUP"
    assert lines == ([line] * 3 if part else [])


async def test_a_renewed_certificate_is_the_end_of_it(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, capsys: pytest.CaptureFixture[str]
) -> None:
    """Once a pair of longer life has been taken up, nobody is warned any more."""
    authority = Authority(tmp_path)
    tls = Tls(*authority.pair(not_after=datetime.now(UTC) + timedelta(days=3)))
    authority.pair()
    with trio.move_on_after(5 * DAY):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(warn_of_the_end, tls)
            await trio.sleep(1.5 * DAY)
            tls.renew()
    assert len(capsys.readouterr().err.splitlines()) == 2
