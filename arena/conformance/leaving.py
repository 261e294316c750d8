"""Steps 27 to 30: how a bot leaves."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from arena.bot.testing import ScriptedMatch, Silence, Stream, goodbye, welcome
from arena.conformance.course import play_on
from arena.conformance.failed import Failed
from arena.conformance.stage import Stage
from arena.conformance.step import Part, step
from arena.process import BotProcess, NotAsExpected

_LEAVE_SECONDS: Final = 5.0
_AWAY_SECONDS: Final = 3.0
"""How long is looked whether a bot comes back that should not."""
_SETTLE_SECONDS: Final = 2.0
"""So long after SIGTERM it has surely been heard of."""
_READ_SECONDS: Final = 1.0
"""So long after a message it has surely been read."""
_ANSWERS: Final = 3


@step(
    27,
    "finished",
    Part.MANNERS,
    "end within 5 s of GOODBYE_REASON_FINISHED, with exit code 0",
    "refusals-strikes-and-faults",
    needs="hello",
)
def finished(stage: Stage) -> None:
    """All is played."""
    bot = stage.start()
    stream = stage.meet()
    stream.say(goodbye("FINISHED", "all matches are played"))
    stream.end()
    _ends_well(bot)


@step(
    28,
    "replaced",
    Part.MANNERS,
    "stay away after GOODBYE_REASON_REPLACED, and end, with exit code 0",
    "refusals-strikes-and-faults",
    needs="hello",
)
def replaced(stage: Stage) -> None:
    """Another process plays on its only lane."""
    bot = stage.start()
    stream = stage.meet()
    stream.say(goodbye("REPLACED", "another stream has this lane"))
    stream.end()
    try:
        again = stage.stream(_AWAY_SECONDS)
    except Silence:
        _ends_well(bot)
        return
    raise Failed(f"it came back after {again.opened - stream.opened:.1f} s")


@step(
    29,
    "sigterm",
    Part.MANNERS,
    "between matches: end within 5 s of SIGTERM, with exit code 0",
    "getting-in",
    needs="hello",
)
def sigterm(stage: Stage) -> None:
    """After Welcome."""
    bot = stage.start()
    stage.meet()
    stage.pause(_SETTLE_SECONDS)
    bot.tell_to_leave()
    _ends_well(bot)


@step(
    30,
    "sigterm-in-match",
    Part.MANNERS,
    "within a match, from its Ready on: play it out, also when the stream breaks, let the offer be that comes with its "
    "end, and leave with exit code 0",
    "getting-in",
)
def sigterm_in_match(stage: Stage) -> None:
    """Told in the midst of a match, while that of another lane is over; then, started anew, when it has said Ready to
    one that begins later, and whose stream breaks.
    """
    bot = stage.start(lanes=2)
    idle, stream = stage.stream(), stage.stream()
    over = ScriptedMatch(stage.any_game, seed="sigterm-over")
    idle.say(welcome(), over.offer)
    stage.ready(idle, over)
    over.break_off()
    idle.say(*over.news())
    stage.pause(_READ_SECONDS)
    stream.say(welcome())
    match = stage.match(stream, seed="sigterm")
    stage.begin(stream, match)
    stage.take(stream, match)
    _stays(bot, "in the midst of a match")
    stream.say(*match.news())
    play_on(stream, match, most=_ANSWERS, freely=True)
    _ends_with(stage, stream, match)

    bot = stage.start()
    stream = stage.meet()
    match = stage.match(stream, seed="sigterm")
    stream.say(match.offer)
    nonce = stage.ready(stream, match)
    _stays(bot, "after its Ready, before MatchStarted")
    stream.say(*match.start(nonce))
    stage.take(stream, match)
    stream.break_off()
    stream = stage.resume(match)
    play_on(stream, match, most=_ANSWERS, freely=True)
    _ends_with(stage, stream, match)


def _stays(bot: BotProcess, when: str) -> None:
    """Tell the bot to leave when it has a match in hand."""
    bot.tell_to_leave()
    with suppress(NotAsExpected):
        raise Failed(
            f"SIGTERM came {when}, and it ended at once, with exit code {bot.end(_SETTLE_SECONDS)}: a match is in hand "
            "from its Ready on"
        )


def _ends_with(stage: Stage, stream: Stream, match: ScriptedMatch) -> None:
    """The other side gives up, the next offer comes with that, and the bot ends."""
    match.resign(1)
    stream.say(*match.news(), stage.match(stream, seed="next").offer)
    said = stream.wait_left(_LEAVE_SECONDS)
    if any(request.HasField("ready") for request in said):
        raise Failed("it said Ready to the next offer")
    _ends_well(stage.bot())


def _ends_well(bot: BotProcess) -> None:
    code = bot.end(_LEAVE_SECONDS)
    if code != 0:
        raise Failed(f"it ended with exit code {code}")
