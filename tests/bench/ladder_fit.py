"""How long a ladder takes: 50 bots and 100,000 sets by default, against choix, which does the fit alone with numpy.

A ladder is three parts here: counting the sets, the fit, and intervals and ranks. choix starts from counts that are
made already, has no intervals, and iterates until a step is below 1e-8. CPU time, medians over rounds.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from random import Random
from statistics import median

import choix
import numpy as np

from arena.stats import Set, rate
from arena.stats.evidence import Evidence, gather
from arena.stats.fit import chance, fit


def log(bots: int, sets: int) -> list[Set]:
    """Sets between random bots, whose strengths are spread over some 1,000 Elo."""
    random = Random(50)
    theta = [random.gauss(0, 1.5) for _ in range(bots)]
    found = []
    for _ in range(sets):
        own, other = random.sample(range(bots), 2)
        halves = sum(2 * (random.random() < chance(theta[own] - theta[other])) for _ in range(2))
        found.append(Set((f"bot-{own:03}",), (f"bot-{other:03}",), halves, 2))
    return found


def wins(evidence: Evidence) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """The counts as choix takes them, with a tenth of a win each way so that all is connected."""
    counts = np.full((len(evidence.bots),) * 2, 0.1)
    for pairing in evidence.pairings:
        one, two = (bot for bot, _ in pairing.row)
        own, other = (one, two) if pairing.row[0][1] > 0 else (two, one)
        counts[own, other] += pairing.won
        counts[other, own] += pairing.lost
    return counts


def spent(work: Callable[[], object]) -> float:
    """Seconds of CPU time."""
    began = time.process_time()
    work()
    return time.process_time() - began


def report(bots: int, sets: int, rounds: int) -> Iterator[str]:
    """A line for each part and for the reference."""
    found = log(bots, sets)
    evidence = gather(found)
    counts = wins(evidence)
    works: dict[str, Callable[[], object]] = {
        "count the sets": lambda: gather(found),
        "fit": lambda: fit(evidence),
        "the whole ladder": lambda: rate(found),
        "choix, fit alone": lambda: choix.ilsr_pairwise_dense(counts),
    }
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            times[name].append(spent(work))
    yield f"{bots} bots, {sets:,} sets in {len(evidence.pairings):,} pairings"
    yield from (f"{name:20}{1000 * median(taken):10,.0f} ms" for name, taken in times.items())


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How long a ladder takes.")
    parser.add_argument("--bots", type=int, default=50, help="bots (default 50)")
    parser.add_argument("--sets", type=int, default=100_000, help="sets (default 100000)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds (default 5)")
    options = parser.parse_args()
    sys.stdout.writelines(f"{line}\n" for line in report(options.bots, options.sets, options.rounds))
    return 0


if __name__ == "__main__":
    sys.exit(main())
