"""Who a bot is: the bearer token in the call's metadata says it, on an open arena the name in its Hello.

A token is `arena_<id>_<secret>`. The id says which digest the secret is held against, and is no secret; the arena keeps
digests only. A secret has 256 random bits, so a plain hash is enough: there is nothing to guess.
"""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from arena.errors import ArenaError

NAME: Final = re.compile(r"[A-Za-z0-9._-]{1,32}")
"""What a bot may be called, and its version. A registered bot plays as `NAME@VERSION`, which nobody can claim."""

_TOKEN: Final = re.compile(r"(?:(?i:bearer) +)?arena_([a-z0-9]{1,20})_([A-Za-z0-9_-]{43})")
_NOBODY: Final = bytes(32)
"""What the secret of an unknown id is held against, so that it takes as long to refuse as a wrong one."""


class NotAdmittedError(ArenaError):
    """A stream that proves no identity. The message is for the bot; `why` is for the operator, and holds no secret."""

    def __init__(self, text: str, why: str = "") -> None:
        super().__init__(text)
        self.why = why or text


def new_secret() -> str:
    """The secret of a token: 32 random bytes as text."""
    return secrets.token_urlsafe(32)


def digest_of(secret: str) -> bytes:
    """What is kept of a secret."""
    return sha256(secret.encode()).digest()


def token_of(key_id: str, secret: str) -> str:
    """The token that a bot shows."""
    return f"arena_{key_id}_{secret}"


@dataclass(frozen=True, slots=True)
class Key:
    """What opens the door to a bot; with `lanes`, to one program of it, whose lane 0 is the first of these."""

    bot: str
    digest: bytes
    lanes: range | None = None


class Doorkeeper:
    """Knows who may play here: `keys` by the id in their tokens."""

    def __init__(self, *, is_open: bool) -> None:
        self.is_open = is_open
        self.keys: dict[str, Key] = {}
        self._issued = 0

    def issue(self, bot: str, lanes: range | None = None) -> str:
        """A token under which `bot` may play as long as this arena runs, on these lanes if it is one program of many.

        The bot counts its lanes from 0, whichever they are: it needs to know nothing of the others.
        """
        self._issued += 1
        key_id, secret = f"run{self._issued}", new_secret()  # no id of the registry, which are numbers
        self.keys[key_id] = Key(bot, digest_of(secret), lanes)
        return token_of(key_id, secret)

    def withdraw(self, bot: str, lanes: range) -> None:
        """The program of these lanes plays no more: its tokens open nothing."""
        for key_id in [key_id for key_id, key in self.keys.items() if (key.bot, key.lanes) == (bot, lanes)]:
            del self.keys[key_id]

    def identify(self, metadata: Iterable[tuple[str, str | bytes]], claimed: str) -> str:
        """The bot's name. Raises NotAdmittedError with what was expected."""
        return self.admit(metadata, claimed).bot

    def admit(self, metadata: Iterable[tuple[str, str | bytes]], claimed: str) -> Key:
        """The key with which somebody comes; on an open arena, one of the name. Raises NotAdmittedError."""
        for key, value in metadata:
            if key == "authorization":
                return self._by_token(value if isinstance(value, str) else value.decode("latin-1"))
        if not self.is_open:
            raise NotAdmittedError(
                "this arena wants a token: set ARENA_TOKEN, or send the metadata 'authorization: Bearer TOKEN'"
            )
        if not NAME.fullmatch(claimed):
            raise NotAdmittedError(
                f"Hello.name {claimed[:40]!r} is no bot name: it has 1 to 32 letters, digits, '.', '_' or '-'"
            )
        return Key(claimed, b"")

    def _by_token(self, header: str) -> Key:
        form = _TOKEN.fullmatch(header.strip())
        key_id, secret = form.groups() if form else ("", "")
        key = self.keys.get(key_id)
        fits = hmac.compare_digest(key.digest if key else _NOBODY, digest_of(secret))
        if key is not None and fits:
            return key
        why = "a token in no known form" if not form else f"token {key_id}: {'wrong secret' if key else 'no such bot'}"
        raise NotAdmittedError("this token is not known here", why)
