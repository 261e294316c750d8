"""Steps 1 to 8: how a bot gets in, and how it accepts a match."""

from __future__ import annotations

from typing import Final

import grpc

from arena.bot.testing import ScriptedMatch
from arena.conformance.failed import Failed
from arena.conformance.stage import HELLO_SECONDS, Stage
from arena.conformance.step import Part, step

TOKEN: Final = "arena_1_conformance"  # noqa: S105 - no arena knows it
_LEAVE_SECONDS: Final = 10.0


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
        raise Failed(f"its call has {'another' if shown else 'no'} authorization than 'Bearer ' and ARENA_TOKEN")


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
    "end by itself when ARENA_SERVER is not there, not with exit code 0, and say so on stderr",
    "getting-in",
    needs="",
)
def environment(stage: Stage) -> None:
    """ARENA_SERVER is empty."""
    bot = stage.start(server="")
    code = bot.end(HELLO_SECONDS)
    if code == 0:
        raise Failed("it ended with exit code 0")
    if "ARENA_SERVER" not in bot.printed():
        raise Failed(f"it ended with exit code {code}, and never printed the name ARENA_SERVER")


@step(
    5,
    "version",
    Part.MANNERS,
    "after FAILED_PRECONDITION: end without dialling again, with an exit code that is not 0, and say why",
    "refusals-strikes-and-faults",
    needs="hello",
)
def version(stage: Stage) -> None:
    """An arena that speaks another version."""
    _refused(stage, grpc.StatusCode.FAILED_PRECONDITION, "protocol_version 2 is spoken here")


@step(
    6,
    "token-refused",
    Part.MANNERS,
    "after UNAUTHENTICATED: end without dialling again, with an exit code that is not 0, and say why",
    "refusals-strikes-and-faults",
    needs="hello",
)
def token_refused(stage: Stage) -> None:
    """An arena that does not know the token."""
    _refused(stage, grpc.StatusCode.UNAUTHENTICATED, "no bot has this token")


def _refused(stage: Stage, code: grpc.StatusCode, text: str) -> None:
    bot = stage.start(token=TOKEN)
    stage.stream().end(code, text)
    ended = bot.end(_LEAVE_SECONDS)
    if stage.arena.opened > 1:
        raise Failed(f"it dialled {stage.arena.opened} times")
    if ended == 0:
        raise Failed("it ended with exit code 0")
    if text not in bot.printed():
        raise Failed(f"it ended with exit code {ended}, and never printed why: {text!r}")


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


@step(8, "nonces", Part.MANNERS, "bring another nonce to each match", "was-the-deck-fair", needs="ready")
def nonces(stage: Stage) -> None:
    """Two offers; the first match breaks off."""
    first, second = _accepts(stage, 2)
    if first == second:
        raise Failed(f"it said the same nonce twice: {first.hex()}")


def _accepts(stage: Stage, matches: int) -> list[bytes]:
    """The nonces with which it accepts matches that break off."""
    stage.start()
    stream = stage.meet()
    found = []
    for number in range(matches):
        match = ScriptedMatch(stage.any_game, seed=f"ready-{number}")
        stream.say(match.offer)
        nonce = stage.ready(stream, match)
        if not 16 <= len(nonce) <= 32:
            raise Failed(f"its nonce has {len(nonce)} bytes")
        found.append(nonce)
        match.break_off()
        stream.say(*match.news())
    return found
