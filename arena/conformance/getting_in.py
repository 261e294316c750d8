"""Steps 1 to 8: how a bot gets in, and how it accepts a match."""

from __future__ import annotations

from typing import Final

import grpc

from arena.bot.testing import ScriptedMatch, Silence, welcome
from arena.conformance.failed import Failed
from arena.conformance.stage import HELLO_SECONDS, Stage
from arena.conformance.step import Part, step

TOKEN: Final = "arena_1_conformance"  # noqa: S105 - no arena knows it
_LEAVE_SECONDS: Final = 10.0
_FAR_AWAY: Final = "192.0.2.1:7878"
"""An address that is kept for examples (RFC 5737): nobody is there, and no packet comes back."""


@step(
    1,
    "hello",
    Part.MANNERS,
    "say Hello first, within 15 s: protocol version 1, the name of its software, a lane that it may have",
    "getting-in",
    needs="",
)
def hello(stage: Stage) -> str:
    """Hello is all that is looked at."""
    stage.start()
    said = stage.stream().hello
    if said.protocol_version != 1:
        raise Failed(f"its Hello says protocol_version {said.protocol_version}")
    if not said.software_name:
        raise Failed("its Hello names no software: software_name is empty")
    if said.lane != 0:
        raise Failed(f"its Hello says lane {said.lane}, and ARENA_LANES is 1")
    if said.games:
        stage.plays = tuple(game for game in stage.plays if game in said.games)
    if not stage.plays:
        raise Failed(f"its Hello names the games {list(said.games)}, of which none is played here")
    return f"{said.software_name} {said.software_version}".strip()


@step(
    2,
    "name",
    Part.MANNERS,
    "come with the token that it was given, and on an open arena with its name",
    "getting-in",
    needs="hello",
)
def name(stage: Stage) -> None:
    """Started twice: with a name alone, and with a token."""
    first = stage.start(name="heron-7")
    if (found := stage.stream().hello.name) != "heron-7":
        raise Failed(f"its Hello says name {found!r}, and ARENA_NAME is 'heron-7'")
    first.kill()
    stage.start(token=TOKEN)
    shown = stage.stream().metadata.get("authorization", "")
    if shown != f"Bearer {TOKEN}":
        raise Failed(f"its call has {'another' if shown else 'no'} authorization: wanted 'Bearer ' and ARENA_TOKEN")


@step(
    3,
    "one-game",
    Part.MANNERS,
    "name in Hello.games the game that ARENA_GAME asks for, and no other",
    "getting-in",
    needs="hello",
)
def one_game(stage: Stage) -> None:
    """Started once for each game."""
    for game in stage.plays:
        bot = stage.start(game=game)
        found = list(stage.stream().hello.games)
        if found != [game]:
            raise Failed(f"its Hello names the games {found}, and ARENA_GAME is {game!r}")
        bot.kill()


@step(
    4,
    "environment",
    Part.MANNERS,
    "when ARENA_SERVER is not there: end by itself, not with exit code 0, and say so on stderr; end too when its token "
    "would leave this machine in plain text",
    "getting-in",
    needs="",
)
def environment(stage: Stage) -> None:
    """ARENA_SERVER is empty; then it is far away, with a token, and without ARENA_CA."""
    bot = stage.start(server="")
    code = bot.end(HELLO_SECONDS)
    if code == 0:
        raise Failed("it ended with exit code 0")
    if "ARENA_SERVER" not in bot.printed():
        raise Failed(f"it ended with exit code {code}, and never printed the name ARENA_SERVER")
    if stage.start(server=_FAR_AWAY, token=TOKEN).end(HELLO_SECONDS) == 0:
        raise Failed(f"with a token for {_FAR_AWAY} and without ARENA_CA it ended with exit code 0")


@step(
    5,
    "version",
    Part.MANNERS,
    "after FAILED_PRECONDITION or INVALID_ARGUMENT: end without dialling again, with an exit code that is not 0, and "
    "say why",
    "refusals-strikes-and-faults",
    needs="hello",
)
def version(stage: Stage) -> None:
    """An arena that speaks another version, and one that cannot take its Hello."""
    _refused(stage, grpc.StatusCode.FAILED_PRECONDITION, "protocol_version 2 is spoken here")
    _refused(stage, grpc.StatusCode.INVALID_ARGUMENT, "this Hello cannot be taken")


@step(
    6,
    "token-refused",
    Part.MANNERS,
    "after UNAUTHENTICATED, at once or once it was let in: end without dialling again, with an exit code that is not "
    "0, and say why, but not the token",
    "refusals-strikes-and-faults",
    needs="hello",
)
def token_refused(stage: Stage) -> None:
    """An arena that does not know the token, and one that revokes it."""
    _refused(stage, grpc.StatusCode.UNAUTHENTICATED, "no bot has this token")
    _refused(stage, grpc.StatusCode.UNAUTHENTICATED, "this token was revoked", let_in=True)


def _refused(stage: Stage, code: grpc.StatusCode, text: str, *, let_in: bool = False) -> None:
    """Start the bot, and end its stream so, with a Welcome before if it is `let_in`."""
    bot = stage.start(token=TOKEN)
    stream = stage.stream()
    if let_in:
        stream.say(welcome())
    stream.end(code, text)
    where = f"after {code.name}{' that came after Welcome' if let_in else ''}"
    try:
        again = stage.stream(_LEAVE_SECONDS)
    except Silence:
        if bot.running:
            raise Failed(f"it was still running {_LEAVE_SECONDS:g} s {where}") from None
        ended = bot.end(0.0)
    else:
        raise Failed(f"it dialled again {again.opened - stream.opened:.1f} s {where}")
    if ended == 0:
        raise Failed(f"it ended with exit code 0 {where}")
    if text not in bot.printed():
        raise Failed(f"it ended with exit code {ended} {where}, and never printed why: {text!r}")
    if TOKEN in bot.printed():
        raise Failed("it printed its token, which is for nobody's eyes: an arena keeps what a bot prints")


@step(
    7,
    "ready",
    Part.MANNERS,
    "accept an offer in time, by its match_id, with a nonce of 16 to 32 bytes",
    "a-whole-conversation",
    needs="hello",
)
def ready(stage: Stage) -> None:
    """One offer."""
    _accepts(stage, 1)


@step(
    8,
    "nonces",
    Part.MANNERS,
    "bring a fresh nonce to each match, also when it was started anew with the same ARENA_SEED",
    "was-the-deck-fair",
    needs="ready",
)
def nonces(stage: Stage) -> None:
    """Three offers; then it is started anew, and offered the first of them again."""
    found = _accepts(stage, 3)
    stage.bot().kill()
    (anew,) = _accepts(stage, 1)
    for match, nonce in enumerate(found):
        if nonce in found[:match]:
            raise Failed(f"it said the same nonce twice: {nonce.hex()}")
    if anew in found:
        raise Failed(f"it said the same nonce again when it was started anew: {anew.hex()} is no fresh random number")


def _accepts(stage: Stage, matches: int) -> list[bytes]:
    """The nonces with which it accepts matches that begin with them, and break off while it is asked."""
    stage.start()
    stream = stage.meet()
    found = []
    for number in range(matches):
        match = ScriptedMatch(stage.any_game, seed=f"ready-{number}", fair=True)
        stream.say(match.offer)
        nonce = stage.ready(stream, match)
        if not 16 <= len(nonce) <= 32:
            raise Failed(f"its nonce has {len(nonce)} bytes")
        found.append(nonce)
        stream.say(*match.start(nonce))
        match.break_off()
        stream.say(*match.news())
    return found
