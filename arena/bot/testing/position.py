"""Questions as an arena would ask them, for tests that call a bot directly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count

from arena.bot.decision import Decision, dice_of
from arena.bot.offer import offer_from_proto
from arena.bot.testing.match import ScriptedMatch
from arena.wire import decision_from_proto


def position(
    game: str, phase: str = "", *, seat: int = 0, seed: int | str = 0, rules: Mapping[str, str | int] | None = None
) -> Decision:
    """A question to `seat` in `phase` of a deal of `game`, reached by dice; the same one for the same `seed`.

    An empty `phase` is any. Raises UnknownGame, BadRules, and ValueError for a phase that the game does not have.
    """
    match = ScriptedMatch(game, seat=seat, seed=seed, rules=rules)
    match.start()
    if not match.play_until(phase):
        raise ValueError(f"seat {seat} of {game} is never asked in a phase {phase!r}")
    return question(match)


def questions(
    game: str, most: int, *, seed: int | str = 0, rules: Mapping[str, str | int] | None = None
) -> Iterator[Decision]:
    """`most` questions to all seats in turn, a deal of `game` each, in all phases, as dice bring them about."""
    asked = 0
    for number in count():
        seat = number % len(ScriptedMatch(game).game.sides)
        match = ScriptedMatch(game, seat=seat, seed=f"{seed}/{number}", rules=rules)
        match.start()
        while match.play_until() and match.view.deal_no == 0:
            yield question(match)
            asked += 1
            if asked == most:
                return
            match.act(0)


def question(match: ScriptedMatch) -> Decision:
    """The open question of a match to the bot's seat, as the SDK puts it."""
    offer = offer_from_proto(match.offer.match_offered)
    decision_id, view, legal, left = decision_from_proto(match.question.decision)
    known = tuple(action for action in legal if action is not None)
    dice = dice_of(f"{match.match_id}/{match.seat}", decision_id)
    return Decision(decision_id, view, known, left, offer, dice)
