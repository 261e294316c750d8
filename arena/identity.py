"""Who a bot is: the bearer token in the call's metadata says it, on an open arena the name in its Hello."""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Iterable
from hashlib import sha256
from typing import Final

from arena.errors import ArenaError

NAME: Final = re.compile(r"[A-Za-z0-9._-]{1,32}")
"""What a bot may be called."""


class NotAdmittedError(ArenaError):
    """A stream that proves no identity."""


def new_token(bot_id: str) -> str:
    """A token for a bot: `arena_<id>_<secret>`, 32 random bytes in it."""
    return f"arena_{bot_id}_{secrets.token_urlsafe(32)}"


class Doorkeeper:
    """Knows the tokens of the bots that may play here. Keeps hashes only."""

    def __init__(self, *, is_open: bool) -> None:
        self.is_open = is_open
        self._bots: dict[bytes, str] = {}

    def issue(self, bot: str) -> str:
        """A token under which `bot` may play as long as this arena runs."""
        token = new_token(str(len(self._bots) + 1))
        self._bots[sha256(token.encode()).digest()] = bot
        return token

    def identify(self, metadata: Iterable[tuple[str, str | bytes]], claimed: str) -> str:
        """The bot's name. Raises NotAdmittedError with what was expected."""
        for key, value in metadata:
            if key == "authorization":
                return self._by_token(value if isinstance(value, str) else value.decode("latin-1"))
        if not self.is_open:
            raise NotAdmittedError("this arena wants a token: send the metadata 'authorization: Bearer TOKEN'")
        if not NAME.fullmatch(claimed):
            raise NotAdmittedError(
                f"Hello.name {claimed[:40]!r} is no bot name: it has 1 to 32 letters, digits, '.', '_' or '-'"
            )
        return claimed

    def _by_token(self, header: str) -> str:
        digest = sha256(header.removeprefix("Bearer ").strip().encode()).digest()
        for known, bot in self._bots.items():
            if hmac.compare_digest(known, digest):
                return bot
        raise NotAdmittedError("this token is not known here")
