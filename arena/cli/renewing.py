"""The certificate of an arena that runs for months: a warning before it expires, and SIGHUP to take up the next."""

from __future__ import annotations

import signal
from datetime import UTC, datetime, timedelta
from typing import Final

import trio

from arena.cli.printing import say, warn
from arena.transport import BadCertificate, Tls

WARNED: Final = timedelta(days=14)
"""How long before its end a certificate is worth a line a day."""
_DAY_SECONDS: Final = 24 * 3600.0


async def renew_on_hangup(tls: Tls, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
    """Read the pair again at every SIGHUP, until cancelled. One that is no good is refused, and the old one stays.

    Without TLS nobody listens: there a terminal that goes away ends the arena, as it ends every program.
    """
    number = getattr(signal, "SIGHUP", None)
    if number is None:  # Windows has none
        task_status.started()
        return
    with trio.open_signal_receiver(number) as hangups:
        task_status.started()
        async for _ in hangups:
            try:
                await trio.to_thread.run_sync(tls.renew)
            except BadCertificate as error:
                warn(f"the old certificate stays in use: {error}")
            else:
                say(f"speaking TLS with the renewed {tls}")


async def warn_of_the_end(tls: Tls) -> None:
    """Say every day, until cancelled, that the certificate is about to expire, or that it has."""
    while True:
        left = tls.good_until - datetime.now(UTC)
        if left < timedelta():
            warn(f"nobody can connect any more: the certificate is {tls}; renew it and send SIGHUP")
        elif left < WARNED:
            warn(f"soon nobody can connect any more: the certificate is {tls}; renew it and send SIGHUP")
        await trio.sleep(_DAY_SECONDS)
