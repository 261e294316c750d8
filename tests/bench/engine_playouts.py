"""Random playouts of the engine's games against the games of OpenSpiel that are closest, all driven from Python.

No library has Draw Bridge or Smear. The references are OpenSpiel's spades (52 cards, bids, tricks) and its euchre (a
short pack, four seats in two sides, one call each, a discard, trump named by the hand). All sides run the same loop:
until the game is over, ask for the legal actions, choose one by `int(random() * len(actions))`, apply it. A *decision*
is one turn of that loop. (The 26 draws of a deal of Draw Bridge are decisions with one legal action, and cheap ones;
games a second are printed too.) Before it, each side shuffles a list of its pack with the same generator and deals it,
which counts as time but not as decisions: the engine takes the deck as a whole, OpenSpiel card by card through its
chance nodes, as its interface has it. At the end all are asked for the score. So dice and shuffle cost both sides
nearly the same; what they cost alone is the third line.

The two of a pair take turns in rounds; figures are medians over the rounds in CPU time, which other programs on the
machine disturb less than the time of the wall clock. The ratio is the median of the rounds' ratios.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from random import Random
from statistics import median
from typing import Any, Final

from engine.game import complete_rules
from engine.games import find

Playout = Callable[[Random], int]
"""Plays one game to its end and gives the number of decisions."""

GOAL: Final = 1.0


@dataclass(frozen=True)
class Pair:
    """A game of the engine and the game of OpenSpiel beside it."""

    game: str
    reference: str
    pack: int
    """Cards in the reference's pack."""
    chances: int
    """The chance nodes that deal them, one card each."""
    dealer: bool
    """Whether a chance node before these says who deals."""
    decisions: int
    """Decisions in a game of the engine, for the dice alone."""


PAIRS: Final = (
    Pair("draw-bridge", "spades", 52, 52, dealer=False, decisions=83),
    Pair("smear", "euchre", 24, 21, dealer=True, decisions=27),
)


def engine_playout(pair: Pair) -> Playout:
    """Playouts of a deal of the engine's game as matches are played by default."""
    game = find(pair.game)
    rules = complete_rules(game)
    totals = (0,) * len(set(game.sides))

    def playout(rng: Random) -> int:
        deck = list(game.pack)
        rng.shuffle(deck)
        random = rng.random
        decisions = 0
        deal = game.deal(rules, deck, deal_no=0, dealer=0, totals=totals)
        while deal.turn is not None:
            actions = deal.legal()
            deal.apply(actions[int(random() * len(actions))])
            decisions += 1
        deal.result()
        return decisions

    return playout


def reference_playout(pair: Pair, pyspiel: Any) -> Playout:
    """Playouts of the game of OpenSpiel."""
    game = pyspiel.load_game(pair.reference)
    pack, chances, dealer = list(range(pair.pack)), pair.chances, pair.dealer

    def playout(rng: Random) -> int:
        deck = pack.copy()
        rng.shuffle(deck)
        random = rng.random
        decisions = 0
        state = game.new_initial_state()
        if dealer:
            state.apply_action(0)
        for card in deck[:chances]:
            state.apply_action(card)
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(random() * len(actions))])
            decisions += 1
        state.returns()
        return decisions

    return playout


def dice_alone(pair: Pair, legal: int = 8) -> Playout:
    """The loop without a game: the shuffle, and as many choices from `legal` things as a game has."""
    pack, actions, decisions = find(pair.game).pack, list(range(legal)), pair.decisions

    def playout(rng: Random) -> int:
        deck = list(pack)
        rng.shuffle(deck)
        random = rng.random
        for _ in range(decisions):
            actions[int(random() * len(actions))]
        return decisions

    return playout


def rate(playout: Playout, games: int, seed: int) -> tuple[float, float]:
    """Decisions and games a second of CPU time."""
    rng = Random(seed)
    decisions = 0
    began = time.process_time()
    for _ in range(games):
        decisions += playout(rng)
    spent = time.process_time() - began
    return decisions / spent, games / spent


def rounds(sides: dict[str, Playout], count: int, games: int) -> Iterator[dict[str, tuple[float, float]]]:
    """The rates of each side in each round; every other round goes in the opposite order."""
    for seed in range(count):
        order = list(sides) if seed % 2 == 0 else list(reversed(sides))
        yield {name: rate(sides[name], games, seed) for name in order}


def report(names: list[str], results: list[dict[str, tuple[float, float]]]) -> Iterator[str]:
    """The medians of each side and the ratio of the first two, a line each."""
    for name in names:
        decisions, games = (median(result[name][part] for result in results) for part in (0, 1))
        yield f"{name:24}{decisions:12,.0f} decisions/s {games:10,.0f} games/s {decisions / games:6.1f} decisions/game"
    ours, theirs, *_ = names
    ratio = median(result[ours][0] / result[theirs][0] for result in results)
    yield f"{'ratio in decisions/s':24}{ratio:12.2f}    goal {GOAL}: {'met' if ratio >= GOAL else 'missed'}"


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Random playouts of the engine's games against OpenSpiel's.")
    parser.add_argument("--game", choices=[pair.game for pair in PAIRS], help="this game alone")
    parser.add_argument("--rounds", type=int, default=15, help="rounds of each side (default 15)")
    parser.add_argument("--games", type=int, default=1500, help="games in a round (default 1500)")
    options = parser.parse_args()
    try:
        pyspiel = import_module("pyspiel")
    except ImportError:
        sys.stderr.write("the reference is missing: pip install open_spiel\n")
        return 2
    for pair in PAIRS:
        if options.game not in (None, pair.game):
            continue
        sides = {
            f"engine, {pair.game}": engine_playout(pair),
            f"open_spiel, {pair.reference}": reference_playout(pair, pyspiel),
            "shuffle and dice alone": dice_alone(pair),
        }
        for playout in sides.values():
            rate(playout, 200, 0)  # warm up
        results = list(rounds(sides, options.rounds, options.games))
        sys.stdout.writelines(f"{line}\n" for line in report(list(sides), results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
