"""Steps 13 to 18, 20 and 26: whole deals, and every seat."""

from __future__ import annotations

from functools import partial
from typing import Final

from arena.bot.testing import ScriptedMatch, Stream
from arena.conformance.course import play_on
from arena.conformance.games import DRAWING, KNOWN, Known
from arena.conformance.stage import Stage
from arena.conformance.step import Part, step
from engine.games import find

_IN_A_SEAT: Final = 3
"""Answers in each seat."""
_UNHEARD: Final = 24
"""Answers that a bot gives at least while nobody reads what it prints."""


def _whole_deal(known: Known, stage: Stage) -> str:
    """A deal in which the bot is asked in every phase."""
    stage.start()
    stream = stage.meet()
    seats = range(len(find(known.name).sides))
    match = stage.match(
        stream,
        known.name,
        seed="deal",
        fits=lambda match: match.asked and (not known.deals or match.view.dealer == match.seat),
        rules=known.rules,
        players={seat: known.others for seat in seats if seat and known.others},
    )
    stage.begin(stream, match)
    return _in_phases(stage, stream, match, known.phases)


def _in_phases(stage: Stage, stream: Stream, match: ScriptedMatch, expected: frozenset[str]) -> str:
    """Play the deal; how many answers it took."""
    phases, given = set(), 0
    while match.asked and match.view.deal_no == 0:
        if given:
            stream.say(*match.news())
        phases.add(match.view.phase)
        stage.take(stream, match)
        given += 1
    if not expected <= phases:
        raise RuntimeError(f"the bot was asked in {sorted(phases)} only")
    return f"{given} answers"


def _each_seat(known: Known, stage: Stage) -> None:
    """The bot is started for each seat."""
    for seat in range(len(find(known.name).sides)):
        stream, match = stage.fresh(known.name, seed="seat", seat=seat)
        play_on(stream, match, most=_IN_A_SEAT, freely=True)
        stage.bot().kill()


for _known in KNOWN:
    step(
        _known.deal,
        _known.name,
        Part.MANNERS,
        _known.expects,
        "what-a-bot-may-do",
        games=(_known.name,),
    )(partial(_whole_deal, _known))
    step(
        _known.seats,
        f"{_known.name}-seats",
        Part.MANNERS,
        f"play in each seat of {_known.title}",
        "who-is-told-what",
        games=(_known.name,),
    )(partial(_each_seat, _known))


@step(
    20,
    "draws-made",
    Part.MANNERS,
    "play on when its draws are made for it",
    "getting-in",
    games=DRAWING,
)
def draws_made(stage: Stage) -> str:
    """A deal in the second seat. A bot that has not asked for it makes its draws itself, in every arena."""
    stage.start()
    stream = stage.meet()
    if not stream.hello.auto_draw:
        return "its Hello says auto_draw false: it makes its draws itself"
    game = next(name for name in stage.plays if name in DRAWING)
    match = stage.match(stream, game, seed="draws-made", seat=1)
    stage.begin(stream, match)
    play_on(stream, match, deals=1, judged=True)
    return ""


@step(
    26,
    "stderr",
    Part.MANNERS,
    "play a deal while nobody reads what it prints",
    "a-bot-in-a-new-language",
)
def stderr(stage: Stage) -> None:
    """A deal, or as many as it takes for two dozen answers."""
    stage.start(heard=False)
    stream = stage.meet()
    match = stage.match(stream, seed="stderr")
    stage.begin(stream, match)
    given = play_on(stream, match, deals=1, judged=True)
    while given < _UNHEARD and match.asked:
        stream.say(*match.news())
        given += play_on(stream, match, deals=match.view.deal_no + 1, judged=True)
