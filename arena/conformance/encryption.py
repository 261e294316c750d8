"""Steps 57 and 58: TLS, with an arena that is who it says it is, and with one that is not."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from arena.bot.testing import ScriptedArena, ScriptedMatch, welcome
from arena.conformance.certificates import certified
from arena.conformance.course import play_on
from arena.conformance.failed import Failed
from arena.conformance.getting_in import TOKEN
from arena.conformance.stage import HELLO_SECONDS, Stage
from arena.conformance.step import Part, step
from arena.conformance.stranger import Stranger

_HEARD_SECONDS: Final = 1.0
"""How long a stranger listens after the first call: a bot that tries something else does it at once."""


@step(
    57,
    "tls",
    Part.HOSTILE,
    "speak TLS to an arena whose certificate ARENA_CA vouches for",
    "getting-in",
)
def tls(stage: Stage) -> None:
    """With its token."""
    trusted = certified("the arena's authority")
    with (
        _file(trusted.authority) as ca,
        ScriptedArena(key=trusted.key, certificate=trusted.certificate) as arena,
    ):
        bot = stage.start(server=arena.address, ca=str(ca), token=TOKEN)
        stream = arena.stream(HELLO_SECONDS, as_long_as=lambda: bot.running)
        shown = stream.metadata.get("authorization", "")
        if shown != f"Bearer {TOKEN}":
            raise Failed(f"its call has {'another' if shown else 'no'} authorization: wanted 'Bearer ' and ARENA_TOKEN")
        match = ScriptedMatch(stage.any_game, seed="tls")
        stream.say(welcome())
        stage.begin(stream, match)
        play_on(stream, match, most=2)


@step(
    58,
    "tls-stranger",
    Part.HOSTILE,
    "say nothing, and show no token, to an arena for which it does not, nor when ARENA_CA is public, or no such file",
    "getting-in",
    needs="tls",
)
def tls_stranger(stage: Stage) -> None:
    """Its certificate is in order, but of another authority. The bot may try again, or end."""
    trusted, other = certified("the arena's authority"), certified("another authority")
    with _file(trusted.authority) as ca, Stranger(other) as stranger:
        trusts = {"another authority's file": ca, "public": "public", "a file that is not there": ca.with_name("none")}
        for what, value in trusts.items():
            bot = stage.start(server=stranger.address, ca=str(value), token=TOKEN)
            calls, said = stranger.hear(HELLO_SECONDS, _HEARD_SECONDS, lambda: stage.bot().running)
            bot.kill()
            if said:
                raise Failed(f"{said}; ARENA_CA was {what}")
            if not calls and value == ca:
                raise Failed(f"it did not call within {HELLO_SECONDS:g} s")


@contextmanager
def _file(pem: bytes) -> Iterator[Path]:
    """A file with certificates to trust."""
    with tempfile.TemporaryDirectory(prefix="arena-check-") as folder:
        path = Path(folder) / "ca.pem"
        path.write_bytes(pem)
        yield path
