"""The house bots: each plays every game, and each has the character that its file promises."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random
from statistics import mean
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.bot import Answer, Bot, BotLike, Choice, Decision, Rejection, UnknownAction
from arena.bot.bot import make_bots
from arena.bot.local import LocalMatch, play_match, play_matches
from engine.action import Action, Call, CallKind, Play
from engine.card import Card, Strain
from engine.event import ContractSet, DealScored
from engine.game import Game, RuleValue
from playing import every_game, rules_of
from sample_bots.python import cautious_bot, forgetful_bot, greedy_bot, random_bot
from sample_bots.python.four_points import winning
from sample_bots.python.overbidder_bot import OverbidderBot
from sample_bots.python.steady_bot import SteadyBot
from sample_bots.python.tricks import beats

HOUSE: Final[dict[str, BotLike]] = {
    "greedy": greedy_bot.choose,
    "forgetful": forgetful_bot.choose,
    "overbidder": OverbidderBot,
    "cautious": cautious_bot.choose,
}
every_house_bot = pytest.mark.parametrize("name", HOUSE)
auctions = pytest.mark.parametrize("game", ["draw-bridge", "smear"])


def watched(bot: BotLike) -> type[Bot]:
    """The bot, but the test fails when anything that it answers is refused."""

    class Watched(Bot):
        """Plays as the bot does."""

        def __init__(self) -> None:
            self.player = make_bots(bot, 1)[0]

        def choose(self, decision: Decision) -> Answer:
            """Ask the bot."""
            return self.player.choose(decision)

        def rejected(self, rejection: Rejection) -> None:
            """What the arena said to it."""
            raise AssertionError(rejection.text)

    return Watched


def brief(game: Game) -> dict[str, RuleValue]:
    """Rules under which a match is over after two deals."""
    return {option.name: 2 for option in game.options if option.name.startswith("max_")}


# -- every game


@every_game
@every_house_bot
@settings(max_examples=12)
@given(data=st.data())
def test_it_plays_every_game_by_any_rules(name: str, game: Game, data: st.DataObject) -> None:
    """On every seat, beside every other house bot, under any options, it makes no move that is refused."""
    rules = data.draw(rules_of(game)) | brief(game)
    seats = len(game.sides)
    others = data.draw(st.lists(st.sampled_from([*HOUSE.values(), random_bot.choose]), min_size=seats, max_size=seats))
    bots = [watched(bot) for bot in [HOUSE[name], *others[1:]]]
    for match in play_matches(bots, 2, game=game.name, rules=rules, seed=data.draw(st.integers(0, 1000))):
        assert not match.termination.forfeit


@every_game
@every_house_bot
def test_it_beats_the_random_bot(name: str, game: Game) -> None:
    """At least 8 of 10 matches."""
    matches = play_matches([HOUSE[name], random_bot.choose], 10, game=game.name, seed=1)
    assert sum(match.points(0) for match in matches) >= 8


@every_game
@every_house_bot
def test_the_same_seed_is_the_same_match(name: str, game: Game) -> None:
    """Twice the same match against a bot that throws dice: no bot has dice or memories of its own."""
    bots = [HOUSE[name], random_bot.choose]
    once, again, other = (play_match(bots, game=game.name, seed=seed) for seed in (3, 3, 4))
    assert once.transcript == again.transcript
    assert once.transcript != other.transcript


@every_game
def test_random_bots_with_a_seed_repeat_themselves(game: Game) -> None:
    """The random bot needs no sister with a seed: its dice are the match's."""
    bots = [random_bot.choose] * 2
    once, again, other = (play_match(bots, game=game.name, rules=brief(game), seed=seed) for seed in (3, 3, 4))
    assert once.transcript == again.transcript
    assert once.transcript != other.transcript


# -- characters, shown by what the bots do when all are asked the same


def said(bot: BotLike, decision: Decision) -> Action:
    """What a bot does, as one of the legal actions."""
    answer = make_bots(bot, 1)[0].choose(decision)
    plain = decision.resolve(answer.answer if isinstance(answer, Choice) else answer)
    action = decision.legal[plain] if isinstance(plain, int) else plain
    assert action in decision.legal
    assert isinstance(action, Action)
    return action


@cache
def questions(game: str) -> tuple[Decision, ...]:
    """All decisions between two or more actions of some matches of forgetful bots, who bid what is usual."""
    asked: list[Decision] = []

    def choose(decision: Decision) -> Answer:
        if len(decision.legal) > 1:
            asked.append(decision)
        return forgetful_bot.choose(decision)

    for _ in play_matches([choose, forgetful_bot.choose], 6, game=game, seed=1):
        pass
    return tuple(asked)


def calls(bot: BotLike, game: str) -> list[tuple[Decision, Call]]:
    """What a bot calls in every auction of these matches."""
    asked = [(decision, said(bot, decision)) for decision in questions(game) if decision.phase == "auction"]
    return [(decision, call) for decision, call in asked if isinstance(call, Call)]


def bids(bot: BotLike, game: str) -> list[int]:
    """The levels that it bids where it need not."""
    return [call.level for _, call in calls(bot, game) if call.kind is CallKind.BID]


@auctions
def test_the_cautious_bot_bids_least_and_the_overbidder_most(game: str) -> None:
    """Asked the same, the overbidder bids most often and highest, the cautious one least often; it doubles nothing."""
    steady, over, cautious = (bids(bot, game) for bot in (SteadyBot, OverbidderBot, cautious_bot.choose))
    sound = [bids(bot, game) for bot in (forgetful_bot.choose, greedy_bot.choose)]
    assert len(over) > len(steady)
    assert sum(over) >= sum(steady) + len(steady)
    assert 0 < len(cautious) < 0.9 * min(len(steady), *map(len, sound))
    assert {call.kind for _, call in calls(cautious_bot.choose, game)} == {CallKind.PASS, CallKind.BID}


@auctions
def test_the_greedy_bot_bids_at_once_what_others_bid_step_by_step(game: str) -> None:
    """Asked the same, it bids higher on average than the forgetful one, whose bids are the lowest that will do."""
    greedy, other = bids(greedy_bot.choose, game), bids(forgetful_bot.choose, game)
    assert mean(greedy) > mean(other) + 0.1


def failures(game: str, match: LocalMatch) -> Iterator[tuple[int, bool]]:
    """For each contract of a match: which bot declared it, and whether it was set."""
    contract: ContractSet | None = None
    before = (0, 0)
    for event in match.events:
        if isinstance(event, ContractSet):
            contract = event
        if isinstance(event, DealScored):
            if contract:
                side = match.sides[contract.declarer]
                yield match.places[contract.declarer], event.totals[side] <= before[side]
            contract, before = None, event.totals


@auctions
def test_the_overbidder_is_set_more_often_than_the_steady_bot(game: str) -> None:
    """Of its contracts a much larger share fails, and it declares more of them."""
    results: dict[int, list[bool]] = {0: [], 1: []}
    for match in play_matches([OverbidderBot, SteadyBot], 12, game=game, seed=1):
        for bot, fell in failures(game, match):
            results[bot].append(fell)
    over, steady = results[0], results[1]
    assert len(over) > len(steady) > 0
    assert sum(over) / len(over) > 2 * sum(steady) / len(steady)
    assert sum(over) / len(over) > 0.25


@every_game
def test_the_greedy_bot_takes_every_trick_that_it_can(game: Game) -> None:
    """Whoever played before it and whatever the trick is about: where a card takes it, one does."""
    chances = 0
    for decision in questions(game.name):
        if not decision.trick or decision.rules.get("draw_winner") == "any":
            continue
        takers = [card for card in decision.plays if takes(card, decision)]
        chances += bool(takers)
        action = said(greedy_bot.choose, decision)
        assert isinstance(action, Play)
        assert not takers or action.card in takers
    assert chances > 20


def takes(card: Card, decision: Decision) -> bool:
    """Whether a card takes the trick from those that lie in it."""
    return winning((*decision.trick, card), decision.trump) == len(decision.trick)


@every_game
def test_the_forgetful_bot_does_not_know_what_was_played(game: Game) -> None:
    """Tell it of another past, and it does the same; the steady bot does not."""
    dice = Random(1)
    swayed = 0
    late = [decision for decision in questions(game.name)[:300] if decision.phase == "play" and decision.view.tricks]
    for decision in late:
        tricks = decision.view.tricks
        cards = [card for trick in tricks for card in trick.cards]
        others = dice.sample([card for card in game.pack if card not in (*decision.hand, *decision.trick)], len(cards))
        past = tuple(replace(trick, cards=tuple(others.pop() for _ in trick.cards)) for trick in tricks)
        told = replace(decision, view=replace(decision.view, tricks=past))
        assert said(forgetful_bot.choose, told) == said(forgetful_bot.choose, decision)
        swayed += said(SteadyBot, told) != said(SteadyBot, decision)
    assert swayed > 0


@every_game
def test_the_cautious_bot_risks_no_high_card(game: Game) -> None:
    """Where tricks count it plays a card that is not its lowest only if nothing unseen beats it."""
    risky = 0
    for decision in questions(game.name):
        action = said(cautious_bot.choose, decision)
        if decision.phase != "play" or decision.trump is Strain.NONE or not isinstance(action, Play):
            continue
        if action.card.rank > min(card.rank for card in decision.plays if card.suit is action.card.suit):
            risky += 1
            last = len(decision.trick) + 1 == len(decision.view.hand_counts)
            coming = [] if last else [card for card in game.pack if card not in decision.seen]
            assert takes(action.card, decision)
            assert not any(beats(card, action.card, decision.trump) for card in coming)
    assert risky > 20


@every_game
@pytest.mark.parametrize("bot", [*HOUSE.values(), SteadyBot, random_bot.choose])
def test_among_actions_that_a_bot_does_not_know_it_takes_one(bot: BotLike, game: Game) -> None:
    """In whatever position a newer arena may ask for them."""
    strange = tuple(map(UnknownAction, range(3)))
    for decision in questions(game.name)[::20]:
        asked = replace(decision, legal=strange)
        answer = make_bots(bot, 1)[0].choose(asked)
        assert not isinstance(answer, Choice)
        assert asked.resolve(answer) in range(3)
