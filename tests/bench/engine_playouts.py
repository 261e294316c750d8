"""Random playouts of the engine's Draw Bridge against OpenSpiel's spades, both driven from Python.

No library has Draw Bridge, so the reference is the game of `open_spiel` that is closest to it: 52 cards, bids, tricks.
Both sides run the same loop: until the game is over, ask for the legal actions, choose one by
`int(random() * len(actions))`, apply it. A *decision* is one turn of that loop. (The 26 draws of a deal are decisions
with one legal action, and cheap ones; games a second are printed too.) Before it, both sides shuffle a list of 52 cards
with the same generator and deal it, which counts as time but not as decisions: the engine takes the deck as a whole,
OpenSpiel card by card through its chance nodes, as its interface has it. At the end both are asked for the score. So
dice and shuffle cost both sides the same; what they cost alone is the third line.

The two take turns in rounds; figures are medians over the rounds in CPU time, which other programs on the machine
disturb less than the time of the wall clock. The ratio is the median of the rounds' ratios.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from random import Random
from statistics import median
from typing import Any, Final

from engine.card import PACK_52
from engine.game import complete_rules
from engine.games import find

Playout = Callable[[Random], int]
"""Plays one game to its end and gives the number of decisions."""

GOAL: Final = 1.0
OURS: Final = "engine, draw-bridge"
THEIRS: Final = "open_spiel, spades"
DICE: Final = "shuffle and dice alone"
SIDES: Final = (OURS, THEIRS, DICE)


def draw_bridge() -> Playout:
    """Playouts of Draw Bridge as matches are played by default."""
    game = find("draw-bridge")
    rules = complete_rules(game)

    def playout(rng: Random) -> int:
        deck = list(PACK_52)
        rng.shuffle(deck)
        random = rng.random
        decisions = 0
        deal = game.deal(rules, deck, deal_no=0, dealer=0, totals=(0, 0))
        while deal.turn is not None:
            actions = deal.legal()
            deal.apply(actions[int(random() * len(actions))])
            decisions += 1
        deal.result()
        return decisions

    return playout


def spades(pyspiel: Any) -> Playout:
    """Playouts of OpenSpiel's spades."""
    game = pyspiel.load_game("spades")

    def playout(rng: Random) -> int:
        deck = list(range(52))
        rng.shuffle(deck)
        random = rng.random
        decisions = 0
        state = game.new_initial_state()
        for card in deck:
            state.apply_action(card)
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(random() * len(actions))])
            decisions += 1
        state.returns()
        return decisions

    return playout


def dice_alone(decisions: int, legal: int = 8) -> Playout:
    """The loop without a game: the shuffle, and as many choices from `legal` things as a game has."""
    actions = list(range(legal))

    def playout(rng: Random) -> int:
        deck = list(PACK_52)
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


def report(results: list[dict[str, tuple[float, float]]]) -> Iterator[str]:
    """The medians of each side and the ratio, a line each."""
    for name in SIDES:
        decisions, games = (median(result[name][part] for result in results) for part in (0, 1))
        yield f"{name:24}{decisions:12,.0f} decisions/s {games:10,.0f} games/s {decisions / games:6.1f} decisions/game"
    ratio = median(result[OURS][0] / result[THEIRS][0] for result in results)
    yield f"{'ratio in decisions/s':24}{ratio:12.2f}    goal {GOAL}: {'met' if ratio >= GOAL else 'missed'}"


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Random playouts of Draw Bridge against OpenSpiel's spades.")
    parser.add_argument("--rounds", type=int, default=15, help="rounds of each side (default 15)")
    parser.add_argument("--games", type=int, default=1500, help="games in a round (default 1500)")
    options = parser.parse_args()
    try:
        pyspiel = import_module("pyspiel")
    except ImportError:
        sys.stderr.write("the reference is missing: pip install open_spiel\n")
        return 2
    sides = dict(zip(SIDES, (draw_bridge(), spades(pyspiel), dice_alone(83)), strict=True))
    for playout in sides.values():
        rate(playout, 200, 0)  # warm up
    sys.stdout.writelines(f"{line}\n" for line in report(list(rounds(sides, options.rounds, options.games))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
