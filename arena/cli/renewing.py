"""SIGHUP: the renewed certificate takes the place of the old one, without a restart."""

from __future__ import annotations

import signal

import trio

from arena.cli.printing import say, warn
from arena.transport import BadCertificate, Tls


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
