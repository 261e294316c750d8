"""The sample bots in Python: that they play, how well, and that what the steady one counts is true."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from arena.bot import Choice, Decision, MatchOffer
from arena.bot.local import play_match, play_matches
from engine.action import DOUBLE, PASS, Discard, Play, parse_call
from engine.card import PACK_32, PACK_52, Card, Strain, parse_card
from engine.clock import SECOND, TimeLeft
from engine.event import CallMade
from engine.game import Game, Rules
from engine.states import Termination
from engine.view import Trick, View
from playing import every_game
from sample_bots.python import random_bot
from sample_bots.python.judgement import standing_contract
from sample_bots.python.steady_bot import SteadyBot, known_hand, score
from sample_bots.python.tricks import ME, OTHER, THEM, Solver, beats, layout, without

GAME = "draw-bridge"
FOLDER = Path(__file__).parents[2] / "sample_bots" / "python"
NAMES = sorted(path.stem for path in FOLDER.glob("*_bot.py"))
RULES: Rules = {"undertrick_points": 50, "overtricks": "count"}


@every_game
def test_the_smallest_bot_plays_every_game(game: Game) -> None:
    """Any legal action is enough to play a match of any game to its end, on each seat and as a pair."""
    for bots in (len(game.sides), len(set(game.sides))):
        match = play_match([random_bot.choose] * bots, game=game.name, seed=1)
        assert match.termination in (Termination.SCORE, Termination.DEAL_LIMIT)
        assert {move.seat for move in match.transcript} == set(range(len(game.sides)))


@pytest.mark.parametrize(
    "name", ["random_bot", "steady_bot", "greedy_bot", "forgetful_bot", "overbidder_bot", "cautious_bot"]
)
@pytest.mark.parametrize("how", ["module", "path"])
def test_a_sample_bot_is_a_program(name: str, how: str) -> None:
    """It runs as a module and by its path, and has the SDK's options."""
    what = ["-m", f"sample_bots.python.{name}"] if how == "module" else [str(FOLDER / f"{name}.py")]
    root = str(FOLDER.parents[1])
    shown = subprocess.run(
        [sys.executable, *what, "--help"],
        capture_output=True,
        text=True,
        check=True,
        cwd=root,
        env={"PYTHONPATH": root},
    )
    assert "--server HOST:PORT" in shown.stdout


def test_the_readme_names_every_bot_and_says_how_strong_it_is() -> None:
    """Each has a line with its character and one with its ratings, and there is no line for a bot that is not there."""
    page = (FOLDER / "README.md").read_text()
    assert sorted(re.findall(r"^\| \[(\w+)\]\(\1\.py\) \| \w", page, re.MULTILINE)) == NAMES
    assert sorted(re.findall(r"^\| (\w+) \|(?: \d+ ± \d+ \|)+$", page, re.MULTILINE)) == NAMES


def test_the_steady_bot_beats_the_random_one(*, soak: bool) -> None:
    """It wins nearly all matches: at least 19 of 20, under `make soak` 195 of 200."""
    count, least = (200, 195) if soak else (20, 19)
    matches = play_matches([SteadyBot, random_bot.choose], count, game=GAME, seed=1)
    assert sum(match.points(0) for match in matches) >= least


@pytest.mark.parametrize(
    "rules",
    [
        {"reveal": "top"},
        {"draw_follow": "must", "draw_winner": "any"},
        {"overtricks": "none", "passout_dealer": "same"},
        {"undertrick_points": 0, "target": 100},
    ],
)
def test_the_steady_bot_plays_by_every_option(rules: dict[str, str | int]) -> None:
    """Under each option it makes no illegal move and beats the random one."""
    matches = list(play_matches([SteadyBot, random_bot.choose], 2, game=GAME, rules=rules, seed=2))
    assert not any(match.termination.forfeit for match in matches)
    assert sum(match.points(0) for match in matches) >= 1.5


def test_the_steady_bot_follows_from_what_it_is_told() -> None:
    """The same match twice, so nothing but the decisions goes into it."""
    once, again = (play_match([SteadyBot, SteadyBot], game=GAME, seed=5) for _ in range(2))
    assert once.transcript == again.transcript


# -- what it counts


def cards(text: str) -> list[Card]:
    """Cards by their names."""
    return list(map(parse_card, text.split()))


def exhaustive(strain: Strain, mine: list[Card], theirs: list[Card], leader: str) -> int:
    """The leader's tricks, found by trying every card that the rules allow."""

    @cache
    def search(hand: frozenset[Card], other: frozenset[Card]) -> int:
        best = 0
        for led in hand:
            follow = {reply for reply in other if reply.suit is led.suit} or other
            worst = len(hand)
            for reply in follow:
                left, right = hand - {led}, other - {reply}
                won = len(left) - search(right, left) if beats(reply, led, strain) else 1 + search(left, right)
                worst = min(worst, won)
            best = max(best, worst)
        return best

    hands = (frozenset(mine), frozenset(theirs))
    return search(*hands) if leader == ME else search(*reversed(hands))


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_the_solver_finds_what_trying_everything_finds(count: int) -> None:
    """On random endings the fast search and the exhaustive one agree, in every denomination, for both leaders."""
    dice = random.Random(count)
    for _ in range(40 // count):
        drawn = dice.sample(PACK_52, 2 * count)
        mine, theirs = drawn[:count], drawn[count:]
        for strain in (Strain.NOTRUMP, Strain.CLUBS, Strain.SPADES):
            for leader in (ME, THEM):
                found = Solver(strain).tricks(layout(mine, theirs), leader)
                assert found == exhaustive(strain, mine, theirs, leader)


def test_the_solver_plays_what_it_promises() -> None:
    """Both sides play its cards to the end, and each takes what was counted at the start."""
    dice = random.Random(0)
    for strain in (Strain.NOTRUMP, Strain.HEARTS):
        drawn = dice.sample(PACK_52, 16)
        hands = {ME: drawn[:8], THEM: drawn[8:]}
        promised = Solver(strain).tricks(layout(hands[ME], hands[THEM]), ME)
        taken, leader = 0, ME
        solvers = {side: Solver(strain) for side in hands}
        while hands[leader]:
            other = OTHER[leader]
            led = solvers[leader].best_lead(hands[leader], hands[other])
            hands[leader] = without(hands[leader], led)
            follow = [card for card in hands[other] if card.suit is led.suit] or hands[other]
            reply = solvers[other].best_reply(led, follow, hands[other], hands[leader])
            hands[other] = without(hands[other], reply)
            leader = other if beats(reply, led, strain) else leader
            taken += leader == ME
        assert taken == promised


def test_scores_are_the_rules_own() -> None:
    """What the bot counts for a contract is what the worked examples of the rules say (DB-7)."""
    for name, tricks, points in [("1C 1", 7, 20), ("3NT 1", 10, 130), ("2H 2", 10, 240), ("7NT 4", 13, 880)]:
        contract = standing_contract(auction(name))
        assert contract is not None
        assert score(contract, tricks, RULES) == points
    contract = standing_contract(auction("4S 2"))
    assert contract is not None
    assert score(contract, 9, RULES) == -100


def auction(contract: str, *, mine: str = "2C", left: TimeLeft | None = None) -> Decision:
    """A decision of seat 0 in an auction in which seat 1 bid `contract`, a bid and a multiplier."""
    bid, multiplier = contract.split()
    tokens = [bid, *["X", "XX"][: int(multiplier).bit_length() - 1]]
    calls = tuple(CallMade((1 + number) % 2, parse_call(token)) for number, token in enumerate(tokens))
    hand = tuple(sorted(cards(mine)))
    theirs = [card for card in PACK_52 if card not in hand][: len(hand)]
    played = [card for card in PACK_52 if card not in hand and card not in theirs]
    view = View(
        seat=0,
        deal_no=0,
        dealer=1,
        phase="auction",
        hand=hand,
        hand_counts=(len(hand), len(hand)),
        totals=(0, 0),
        taken=(0, 0),
        tricks=tuple(Trick(0, tuple(played[i : i + 2]), 0) for i in range(0, len(played), 2)),
        calls=calls,
    )
    offer = MatchOffer("m", GAME, RULES)
    return Decision(0, view, (PASS, DOUBLE, parse_call("7NT")), left or TimeLeft(SECOND * 60, SECOND * 10), offer)


def test_the_other_hand_is_what_was_not_seen() -> None:
    """When as many cards are unseen as the other player holds, they are his (DB-9)."""
    decision = auction("1C 1", mine="AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S")
    assert known_hand(decision) == [card for card in PACK_52 if card.suit is Strain.CLUBS]


def answer_to(decision: Decision) -> str:
    """What the steady bot calls, as text."""
    answer = SteadyBot().choose(decision)
    index = decision.resolve(answer.answer if isinstance(answer, Choice) else answer)
    return str(decision.legal[index]) if isinstance(index, int) else "illegal"


def test_the_steady_bot_doubles_what_fails_and_passes_what_makes() -> None:
    """With all the spades against all the clubs it doubles spades, and outbids clubs only as far as spades make."""
    spades = "AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S"
    assert answer_to(auction("1S 1", mine=spades)) == "double"
    assert answer_to(auction("7C 1", mine=spades)) == "pass"


def test_short_of_time_it_follows_rules_of_thumb() -> None:
    """With less than a second left it does not count, and passes."""
    spades = "AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S"
    assert answer_to(auction("1S 1", mine=spades, left=TimeLeft(SECOND // 2, SECOND // 2))) == "pass"


def other_game(phase: str, legal: tuple[object, ...], *, table: Trick | None = None) -> Decision:
    """A decision of seat 0 in a game of four that the steady bot has no plan for."""
    view = View(
        seat=0,
        deal_no=0,
        dealer=3,
        phase=phase,
        hand=tuple(sorted(cards("AS KS JS 7D 8D TC"))),
        hand_counts=(6, 6, 6, 6),
        totals=(0, 0),
        taken=(0, 0),
        table=table,
        trump=Strain.SPADES if phase == "play" else Strain.NONE,
    )
    offer = MatchOffer("m", "other", {}, sides=(0, 1, 0, 1))
    return Decision(0, view, legal, TimeLeft(SECOND * 60, SECOND * 10), offer)  # type: ignore[arg-type]  # of actions


def plays(text: str) -> tuple[Play, ...]:
    """The plays of some cards."""
    return tuple(map(Play, cards(text)))


@pytest.mark.parametrize(
    ("decision", "answer"),
    [
        (other_game("auction", (PASS, parse_call("2"), parse_call("3"))), "bid 2"),
        (other_game("auction", (parse_call("4"), PASS)), "pass"),
        (other_game("discard", (Discard(tuple(cards("AS"))), Discard(tuple(cards("7D"))))), "discard 7D"),
        (other_game("play", plays("AS 7D"), table=Trick(0, ())), "play AS"),
        (other_game("play", plays("AS KS JS"), table=Trick(3, tuple(cards("QS")))), "play KS"),
        (other_game("play", plays("AS KS JS"), table=Trick(2, tuple(cards("QS 9S")))), "play JS"),
        (other_game("play", plays("7D 8D"), table=Trick(3, tuple(cards("KD")))), "play 7D"),
    ],
)
def test_in_other_games_it_is_sensible(decision: Decision, answer: str) -> None:
    """It bids what it holds, keeps what is good, takes tricks cheaply, and leaves a partner's trick alone."""
    assert answer_to(decision) == answer


def test_rules_of_thumb_never_leave_what_is_legal() -> None:
    """On random hands of another pack every answer is one of those offered."""
    dice = random.Random(1)
    for _ in range(50):
        hand = tuple(sorted(dice.sample(PACK_32, 6)))
        legal = tuple(map(Play, dice.sample(hand, dice.randint(2, 6))))
        led = Trick(1, tuple(dice.sample([card for card in PACK_32 if card not in hand], dice.randint(0, 3))))
        decision = other_game("play", legal, table=led)
        assert answer_to(decision) in map(str, legal)
