"""Keeps the door in step with the registry: who was registered may come in, who was revoked is shown out.

`arena bot` changes the registry beside the running arena. Here it is asked every second what has changed, off the loop;
one short query, whatever the number of bots.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Final

import trio

from arena.errors import ArenaError
from arena.identity import Doorkeeper, Key
from arena.lobby import Lobby
from arena.offloop import OffLoop, in_thread
from arena.store import Registration, Registry
from arena.transport import Status

log = logging.getLogger("arena.admission")

PERIOD: Final = 1.0
"""Seconds after which a change is known at the latest, but for the time that the question takes."""
REVOKED: Final = "the token of {bot} was revoked by the operator"
REPLACED: Final = "the token of {bot} was replaced: come back with the new one"


class Admission:
    """The registry's word at the door of one arena."""

    def __init__(self, registry: Registry, doorkeeper: Doorkeeper, off_loop: OffLoop = in_thread) -> None:
        self._registry = registry
        self._doorkeeper = doorkeeper
        self._off_loop = off_loop
        self.known = 0
        """The last change of the registry that was heeded."""

    async def run(self, lobby: Lobby, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Let in who is registered, then follow the changes. Raises ArenaError when the registry cannot be read first.

        Later a failure is logged, and the door stays as it is until the registry can be read again.
        """
        await self._refresh(lobby)
        task_status.started()
        failing = False
        while True:
            await trio.sleep(PERIOD)
            try:
                await self._refresh(lobby)
                failing = False
            except ArenaError as error:
                if not failing:
                    log.error("changes to the registry of bots cannot be seen: %s", error)  # noqa: TRY400 - its text says all
                failing = True

    async def _refresh(self, lobby: Lobby) -> None:
        self.heed(await self._off_loop(lambda: self._registry.changed_after(self.known)), lobby)

    def heed(self, changed: Sequence[Registration], lobby: Lobby) -> None:
        """Bring the door up to date with bots that have changed, the oldest change first."""
        for one in changed:
            self._heed(one, lobby)
            self.known = one.change

    def _heed(self, one: Registration, lobby: Lobby) -> None:
        before = self._doorkeeper.keys.pop(str(one.id), None)
        if one.revoked_ms is not None:
            self._show_out(one.bot, REVOKED.format(bot=one.bot), lobby, known=before is not None)
            lobby.abandon(one.bot)  # also in a match that was found running: it need not wait for its bot
            return
        self._doorkeeper.keys[str(one.id)] = Key(one.bot, one.digest)
        if before is not None and before.digest != one.digest:
            self._show_out(one.bot, REPLACED.format(bot=one.bot), lobby, known=True)

    def _show_out(self, bot: str, text: str, lobby: Lobby, *, known: bool) -> None:
        if known:
            log.warning("%s; its streams end", text)
            lobby.expel(bot, Status.UNAUTHENTICATED, text)
