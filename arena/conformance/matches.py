"""Steps 21 to 23: what a bot plays from, and one match after another."""

from __future__ import annotations

from typing import Final

from arena.bot.testing import ScriptedMatch, Silence
from arena.conformance.course import play_on
from arena.conformance.failed import Failed
from arena.conformance.openings import Opening, free
from arena.conformance.stage import Stage
from arena.conformance.step import Part, step
from arena.v1 import play_pb2
from engine.games import find

_ANSWERS: Final = 3


@step(
    21,
    "view",
    Part.MANNERS,
    "play from the view of a question alone, with no event of the deal told before",
    "who-is-told-what",
)
def view(stage: Stage) -> None:
    """Started anew for each phase of a game, in the middle of a deal."""
    for phase in phases(stage.any_game):
        stage.start()
        stream = stage.meet()
        for number in range(100):
            match = ScriptedMatch(stage.any_game, seed=f"view-{number}", auto_draw=stream.hello.auto_draw)
            match.start()
            if match.play_until(phase) and free(match):
                break
        stream.say(match.resumed(), match.started, match.question)
        play_on(stream, match, most=_ANSWERS, freely=True)
        stage.bot().kill()


def phases(game: str) -> list[str]:
    """The phases of a game in which its first seat is asked, in the order of their first questions."""
    found: list[str] = []
    for seed in range(20):
        match = ScriptedMatch(game, seed=seed)
        match.start()
        while match.play_until() and match.view.deal_no == 0:
            found += [match.view.phase] if match.view.phase not in found else []
            match.act(0)
    return found


@step(
    22,
    "next-cards",
    Part.MANNERS,
    "play the cards of its second match, after a first one that broke off in the same place",
    "who-is-told-what",
)
def next_cards(stage: Stage) -> None:
    """The second match begins with the question of the same number, and with no card of the first one's hand."""
    stage.start()
    stream = stage.meet()
    first = stage.match(stream, seed="first", fits=free)
    stage.begin(stream, first)
    opening = Opening.of(first)
    play_on(stream, first, most=_ANSWERS, freely=True)
    first.break_off()
    stream.say(*first.news())
    second = stage.match(stream, seed="second", fits=opening.unlike)
    stage.begin(stream, second)
    play_on(stream, second, most=_ANSWERS, freely=True)


@step(
    23,
    "three-matches",
    Part.MANNERS,
    "play three matches on one stream, each offered in the same message as the end of the one before",
    "a-whole-conversation",
)
def three_matches(stage: Stage) -> None:
    """Matches of one deal."""
    stage.start()
    stream = stage.meet()
    game = find(stage.short_game)
    limit = next(option.name for option in game.options if option.name.startswith("max_"))
    end: list[play_pb2.Event] = []
    for number in range(3):
        match = stage.match(stream, game.name, seed=f"three-{number}", rules={limit: 1})
        stream.say(*end, match.offer)
        try:
            nonce = stage.ready(stream, match)
        except Silence as silence:
            raise Silence(f"{silence}, after the message that ended its match and offered the next") from None
        stream.say(*match.start(nonce))
        play_on(stream, match, deals=1, judged=True)
        end = match.news()
    if stage.arena.opened > 1:
        raise Failed(f"it opened {stage.arena.opened} streams")
