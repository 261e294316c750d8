"""From results to a verdict: pure functions of the result log, whatever the order in which matches ended.

    sets        matches -> sets, the rated unit: two legs on the same decks, scored 0, 1/4, 1/2, 3/4 or 1
    evidence    sets -> how often which pairing had which score
    fit         evidence -> strengths: Bradley-Terry with a prior, all sets at once
    intervals   strengths -> a ladder: Elo with 95 % intervals clustered by set, superiority, ranks with intervals
    sequential  sets of two bots -> accepted, rejected or undecided, by a sequential test on the scores of sets
    margin      the same by points a deal: faster, but not the game's own objective
    normal      the normal distribution
    matrix      the little linear algebra that the fit needs

Each room states its formulas and where they come from. Whatever the input, a figure is finite, or None where there is
nothing to say. Sums that decide are taken over whole numbers or in a fixed order, so that on one installation the same
results give the same bits in whatever order they come; the last bits may differ between versions of Python.
"""

from arena.stats.intervals import Ladder, Standing, rate
from arena.stats.sets import Played, Set, sets_of

__all__ = ["Ladder", "Played", "Set", "Standing", "rate", "sets_of"]
